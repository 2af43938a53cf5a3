"""The commands of the mails, pasted into a shell: every one of them works as it stands, against a
service that answers over HTTP.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from werkzeug.serving import make_server

from service.app import create_app
from service.commands.valkey import free_port
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.notices.mail import commands
from service.players import accounts
from service.queue import MemoryQueue
from service.turns import pending
from tests.service.fakes import holder
from tests.service.notices.fakes import Mailbag, context


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


def paste(command: str, token: str = "") -> Any:
    """What the command answers when it is pasted into a shell that knows the token."""
    environ = {"PATH": "/usr/local/bin:/usr/bin:/bin", "OVERLAND_TOKEN": token}
    done = subprocess.run(["bash", "-c", command], env=environ, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    return json.loads(done.stdout)


def commands_in(mailbag: Mailbag, kind: str, address: str) -> list[str]:
    """The command lines of the latest mail of that kind to that address."""
    message = next(
        found
        for found in reversed(mailbag.messages)
        if found["X-Overland-Kind"] == kind and address in str(found["To"])
    )
    body = message.get_body(("plain",))
    assert body is not None
    return [line for line in body.get_content().splitlines() if line.startswith("curl ")]


def enter(mailbag: Mailbag, address: str, kind: str = "confirm_address") -> str:
    """Confirms the address as its mail says; answers the API token."""
    token = paste(commands_in(mailbag, kind, address)[0])["token"]
    assert isinstance(token, str)
    return token


def test_the_mails_lead_from_an_invitation_to_an_accepted_turn(service: Context, mailbag: Mailbag) -> None:
    accounts.sign_up(service, "Anna", "anna@players.example")
    anna = enter(mailbag, "anna@players.example")
    host = holder(service, anna)
    match = lobby.create(
        service, host, "oregon", None, [SeatRequest("me"), SeatRequest("invite", "ben@players.example")], "It's on"
    )

    sign_up, join, join_with_nonce = commands_in(mailbag, "invitation", "ben@players.example")
    paste(sign_up.replace("your name", "Ben"))
    ben = enter(mailbag, "ben@players.example")
    assert paste(join_with_nonce, ben)["code"] == "invalid"
    joined = paste(join_with_nonce.replace("your nonce", "ben-adds-this"), ben)
    assert (joined["status"], joined["seats"][1]["nonce"]) == ("running", "ben-adds-this")
    assert paste(join, ben) == joined

    for address, token in (
        ("anna@players.example", anna),
        ("ben@players.example", ben),
        ("anna@players.example", anna),
        ("ben@players.example", ben),
    ):
        submit, legal = commands_in(mailbag, "your_turn", address)
        assert paste(legal, token)
        answer = paste(submit, token)
        assert answer["status"] == "accepted", answer
    assert lobby.find(service, host, match.id).seats[0].to_act


def test_a_number_from_the_mail_is_a_move(service: Context, mailbag: Mailbag) -> None:
    match_id, anna = begun(service, mailbag)
    submit = commands_in(mailbag, "your_turn", "anna@players.example")[0]
    document = json.loads(submit.split("-d '")[1].split("'")[0])
    answer = paste(submit.replace(json.dumps(document["notation"]), '"1"'), anna)
    assert answer["status"] == "accepted"
    assert match_id in submit


def test_a_known_player_is_let_in_by_mail_again(service: Context, mailbag: Mailbag) -> None:
    accounts.sign_up(service, "Anna", "anna@players.example")
    first = enter(mailbag, "anna@players.example")
    accounts.sign_up(service, "Anna", "anna@players.example")
    assert enter(mailbag, "anna@players.example", "sign_in") != first


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
    anna, ben = (enter(mailbag, f"{name}@players.example") for name in ("anna", "ben"))
    match = lobby.create(
        service, holder(service, anna), "oregon", None, [SeatRequest("me"), SeatRequest("open")], "Begun"
    )
    lobby.join(service, holder(service, ben), match.id)
    return match.id, anna


@pytest.mark.parametrize("line", ["it's", 'say "go"', "$HOME `id` $(id)", "a;b|c&d", "é ✓"])
def test_nothing_in_a_notation_means_anything_to_the_shell(line: str) -> None:
    command = commands.submit("http://127.0.0.1", "m1", 7, [line]).replace("curl", "printf '%s\\n'", 1)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert json.dumps({"ply": 7, "notation": line}, ensure_ascii=False) in done.stdout.splitlines()
