"""The bot in the guide to the API plays whole matches, from its token alone."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from werkzeug.serving import make_server

from service.context import Context
from service.matches import lobby
from tests.service.api.conftest import Person

GUIDE = Path(__file__).parents[3] / "docs" / "api.md"
PAUSE = "0.01"


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """Where the application is served."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


@pytest.fixture
def bot(tmp_path: Path) -> Path:
    """The bot as a file."""
    (code,) = re.findall(r"^```python\n(.*?)^```", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert len([line for line in code.splitlines() if line.strip()]) <= 20
    file = tmp_path / "bot.py"
    file.write_text(code, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "game",
    ["pearls", *(pytest.param(game, marks=pytest.mark.deep) for game in ("oregon", "ozeanien", "montana"))],
)
@pytest.mark.usefixtures("pearls")
def test_two_of_them_play_a_match_to_its_end(
    game: str, address: str, bot: Path, context: Context, ada: Person, bela: Person
) -> None:
    match = ada.post("/v1/matches", {"game": game, "seats": [{"kind": "me"}, {"kind": "open"}]}).get_json()["id"]
    bela.post(f"/v1/matches/{match}/join")
    players = [subprocess.Popen([sys.executable, str(bot), address, each.token, PAUSE]) for each in (ada, bela)]
    try:
        over = threading.Event()
        while lobby.find(context, None, match).status == "running":
            assert [player.poll() for player in players] == [None, None]
            over.wait(0.05)
    finally:
        for player in players:
            player.kill()
            player.wait()
    found = lobby.find(context, None, match)
    assert (found.status, found.early_end) == ("finished", None)
    assert found.outcome is not None
