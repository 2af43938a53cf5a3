"""The commands of the mails, pasted into a shell: each works as it stands, against a service that
answers over HTTP.
"""

from __future__ import annotations

import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from werkzeug.serving import make_server

from service.app import create_app
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.players import accounts
from service.turns import pending
from tests.service.fakes import holder
from tests.service.notices.fakes import Mailbag, context
from tools.memory_queue import MemoryQueue
from workers.valkey import free_port


@pytest.fixture
def mailbag() -> Mailbag:
    return Mailbag()


@pytest.fixture
def service(tmp_path: Path, mailbag: Mailbag) -> Iterator[Context]:
    """A service on a port of its own, which judges and delivers at once."""
    made = context(tmp_path, mailbag)
    queue = MemoryQueue(judge=lambda: pending.judge_pending(made), deliver=lambda: deliver_due(made))
    port = free_port()
    made = replace(made, queue=queue, settings=replace(made.settings, base_url=f"http://127.0.0.1:{port}"))
    server = make_server("127.0.0.1", port, create_app(made), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield made
    server.shutdown()
    thread.join(10)
    made.close()


def commands_in(mailbag: Mailbag, kind: str, address: str) -> list[str]:
    """The command lines of the latest mail of that kind to that address."""
    return [line for line in text_of(mailbag, kind, address).splitlines() if line.startswith("curl ")]


def text_of(mailbag: Mailbag, kind: str, address: str) -> str:
    """The text of the latest mail of that kind to that address."""
    message = next(
        found
        for found in reversed(mailbag.messages)
        if found["X-Overland-Kind"] == kind and address in str(found["To"])
    )
    body = message.get_body(("plain",))
    assert body is not None
    text: str = body.get_content()
    return text


def enter(service: Context, mailbag: Mailbag, address: str, kind: str = "confirm_address") -> str:
    """Confirms the address with the code in its mail; answers the API token."""
    found = re.search(r"confirm\?token=(\S+)", text_of(mailbag, kind, address))
    assert found is not None
    return accounts.confirm(service, found[1])[1]


def test_a_known_player_is_let_in_by_mail_again(service: Context, mailbag: Mailbag) -> None:
    accounts.sign_up(service, "Anna", "anna@players.example")
    first = enter(service, mailbag, "anna@players.example")
    accounts.sign_up(service, "Anna", "anna@players.example")
    assert enter(service, mailbag, "anna@players.example", "sign_in") != first


def test_the_last_mail_says_how_to_check_the_record(service: Context, mailbag: Mailbag, tmp_path: Path) -> None:
    match_id, anna = begun(service, mailbag)
    kept = commands_in(mailbag, "match_started", "anna@players.example")[0]
    lobby.resign(service, holder(service, anna), match_id)
    fetch, _, check = commands_in(mailbag, "match_over", "anna@players.example")[0].partition(" && ")
    record = f"oregon-{match_id}.json"
    subprocess.run(["bash", "-c", fetch], cwd=tmp_path, check=True, timeout=60)
    assert check == f"overland verify {record}"
    assert kept.startswith(f"{fetch} && {check} --commitment ")
    for line in (check, kept.partition(" && ")[2]):
        verify = [sys.executable, "-c", "from service.cli import main; main()", *line.split()[1:]]
        done = subprocess.run(verify, cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
    assert "ok  noted        commitment and nonces" in done.stdout


def begun(service: Context, mailbag: Mailbag) -> tuple[str, str]:
    """A match between Anna and Ben, and Anna's token."""
    for name in ("Anna", "Ben"):
        accounts.sign_up(service, name, f"{name.lower()}@players.example")
    anna, ben = (enter(service, mailbag, f"{name}@players.example") for name in ("anna", "ben"))
    match = lobby.create(
        service, holder(service, anna), "oregon", None, [SeatRequest("me"), SeatRequest("open")], "Begun"
    )
    lobby.join(service, holder(service, ben), match.id)
    return match.id, anna


def test_what_is_played_is_never_a_command(service: Context, mailbag: Mailbag) -> None:
    begun(service, mailbag)
    (command,) = commands_in(mailbag, "match_started", "anna@players.example")
    assert " && overland verify " in command
