"""Schemathesis asks the real service for all that the description allows, and for much that it does
not, in sequences, too: with every check that it has, and no failure.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from service.api.openapi import openapi_document
from tests.openapi.npm import DOCUMENT
from tools.client import Account, Client, sign_up
from tools.launch import running

pytestmark = pytest.mark.deep

REASONS: Final = Path(__file__).with_name("schemathesis.toml")
EXAMPLES: Final = 5
"""Random requests for each operation and phase, beside those that are derived one by one."""


def begun(client: Client, game: str, host: Account, guest: Account) -> str:
    """The id of a match of these two."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    found: str = client.post("/v1/matches", {"game": game, "seats": seats}, host)["id"]
    client.post(f"/v1/matches/{found}/join", {}, guest)
    return found


def table(client: Client, host: Account, guest: Account) -> list[str]:
    """A running match of every game, an open one, and one that is over."""
    matches = [begun(client, game["name"], host, guest) for game in client.get("/v1/games")["items"]]
    seats: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "open"}]
    matches.append(client.post("/v1/matches", {"game": "oregon", "seats": seats}, guest)["id"])
    matches.append(begun(client, "oregon", host, guest))
    client.post(f"/v1/matches/{matches[-1]}/resign", {}, guest)
    return matches


def test_schemathesis_finds_nothing(tmp_path: Path) -> None:
    with running(tmp_path, OVERLAND_RATE_LIMIT="off") as service:
        client = Client(service.url)
        ada, bela = sign_up(client, "Ada"), sign_up(client, "Bela")
        spare = client.post("/v1/tokens", {"label": "spare"}, ada)["id"]
        config = REASONS.read_text(encoding="utf-8").replace("MATCHES", json.dumps(table(client, ada, bela)))
        config = config.replace("SPARE", spare).replace("LEAVER", sign_up(client, "Cleo").token)
        (tmp_path / "schemathesis.toml").write_text(config, encoding="utf-8")
        command = ["--no-color", "--config-file", "schemathesis.toml", "run", str(DOCUMENT), "--url", service.url]
        options = ["--checks", "all", "--max-examples", str(EXAMPLES), "--seed", "1", "--continue-on-failure"]
        caller = ["--generation-database", "none", "-H", f"Authorization: Bearer {ada.token}"]
        found = subprocess.run(
            [str(Path(sys.executable).with_name("schemathesis")), *command, *options, *caller],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=850,
            check=False,
        )
        assert found.returncode == 0, found.stdout[-20000:] + found.stderr[-2000:]
        operations = sum(len(methods.keys() - {"parameters"}) for methods in openapi_document()["paths"].values())
        assert re.search(rf"Tested: {operations}\b", found.stdout), found.stdout[-2000:]
        assert client.get("/v1/me", ada)["name"], "the token of the run was good to its end"
        for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
            assert f"✅ {phase}" in found.stdout, found.stdout[-2000:]


def test_the_operations_with_a_reason_exist() -> None:
    named = set(re.findall(r'"([a-z]+[A-Z]\w+)"|"(block|say|confirm)"', REASONS.read_text(encoding="utf-8")))
    known = {
        operation["operationId"]
        for methods in openapi_document()["paths"].values()
        for method, operation in methods.items()
        if method != "parameters"
    }
    assert {either or other for either, other in named} <= known
