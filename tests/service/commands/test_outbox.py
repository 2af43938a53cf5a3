"""``overland outbox``: what an operator sees of the notices, and how a dead one is retried."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.context import Context
from service.notices.delivery import deliver_due
from service.notices.mail.errors import PermanentlyRefused
from service.store import addresses, covering
from service.store.covering import Because
from service.store.tables import outbox as rows
from service.store.tables import players
from tests.service.notices.fakes import Mailbag, context, notice, notify, seat_players


@pytest.fixture
def mailbag() -> Mailbag:
    return Mailbag()


@pytest.fixture
def service(tmp_path: Path, database_url: str, mailbag: Mailbag) -> Context:
    made = context(tmp_path, mailbag, None, database_url)
    seat_players(made)
    return made


def outbox(service: Context, *arguments: str) -> Result:
    environ = {
        "OVERLAND_DATA_DIR": str(service.settings.data_dir),
        "OVERLAND_DATABASE_URL": service.database.url.render_as_string(hide_password=False),
    }
    return CliRunner().invoke(main, ["outbox", *arguments], env=environ)


def dead(service: Context, monkeypatch: pytest.MonkeyPatch) -> str:
    """A notice that the mail server refused for good."""

    def refuse(message: object) -> None:
        raise PermanentlyRefused("The mail server mail.example refused: 550 No such player")

    notice_id = notify(service, "confirm_address", match_id=None, token="t0ken")
    with monkeypatch.context() as patch:
        patch.setattr(service.transport, "send", refuse)
        assert deliver_due(service) == {"dead": 1}
    return notice_id


def test_a_dead_notice_is_listed_with_its_reason_and_without_its_secrets(
    service: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice_id = dead(service, monkeypatch)
    shown = outbox(service, "list")
    assert shown.exit_code == 0, shown.output
    assert f"{notice_id}  confirm_address for player p-anna: dead" in shown.stdout
    assert "550 No such player" in shown.stdout
    document = json.loads(outbox(service, "list", "--json").stdout)
    assert (document["id"], document["status"], document["player"], document["attempts"]) == (
        notice_id,
        "dead",
        "p-anna",
        1,
    )
    assert "t0ken" not in shown.stdout + str(document)


def test_each_status_has_its_list(service: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    assert outbox(service, "list").stdout == "No notice is dead.\n"
    waiting = notify(service, "confirm_address", match_id=None, token="t0ken")
    assert waiting in outbox(service, "list", "--status", "pending").stdout
    deliver_due(service)
    assert outbox(service, "list", "--status", "pending").stdout == "No notice is pending.\n"
    assert waiting in outbox(service, "list", "--status", "sent").stdout
    assert outbox(service, "list", "--json").stdout == ""


def test_a_dead_notice_that_is_retried_goes_out_with_its_old_id(
    service: Context, mailbag: Mailbag, monkeypatch: pytest.MonkeyPatch
) -> None:
    notice_id = dead(service, monkeypatch)
    retried = outbox(service, "retry", notice_id)
    assert (retried.exit_code, retried.stdout, retried.stderr) == (0, f"{notice_id}\n", "1 notice is due again.\n")
    assert notice(service, notice_id).attempts == 0
    with service.database.write() as connection:  # due by the machine's clock, not by the test's
        connection.execute(rows.update().values(next_attempt_at=service.clock()))
    assert deliver_due(service) == {"sent": 1}
    assert mailbag.messages[0]["X-Overland-Notice"] == notice_id


def test_all_dead_notices_are_retried_at_once(service: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = {dead(service, monkeypatch) for _ in range(3)}
    retried = outbox(service, "retry", "--all-dead")
    assert set(retried.stdout.split()) == ids
    assert retried.stderr == "3 notices are due again.\n"
    assert outbox(service, "list").stdout == "No notice is dead.\n"


def test_only_a_dead_notice_can_be_retried(service: Context) -> None:
    waiting = notify(service, "confirm_address", match_id=None, token="t0ken")
    refused = outbox(service, "retry", waiting, "nothing")
    assert refused.exit_code == 2
    assert f"Not dead, or not found: {waiting}, nothing." in refused.stderr
    assert outbox(service, "retry").exit_code == 2
    assert outbox(service, "retry", "--all-dead", waiting).exit_code == 2


def test_addresses_that_bounce_are_listed_with_what_the_server_said(service: Context) -> None:
    assert outbox(service, "bounced").output == "No address bounces.\n"
    with service.database.write() as connection:
        player = connection.execute(players.select().limit(1)).one()
        addresses.count_bounce(connection, player.id, (), True, "550 no such user", service.clock())
    listed = outbox(service, "bounced").output
    assert f"player {player.id}: bounces since" in listed
    assert "550 no such user" in listed
    assert player.email not in listed


def test_a_covered_notice_says_what_tells_it(service: Context) -> None:
    told, unwanted = (notify(service, "chat", match_id=None) for _ in range(2))
    with service.database.write() as connection:
        covering.supersede(connection, [told], "n-later")
        covering.cover(connection, [unwanted], Because.OFF)
    shown = outbox(service, "list", "--status", "covered").stdout
    assert "told by the later notice n-later" in shown
    assert "covered by preference:off" in shown
    lines = outbox(service, "list", "--status", "covered", "--json").stdout.splitlines()
    assert {(json.loads(line)["superseded_by"], json.loads(line)["covered_by"]) for line in lines} == {
        ("n-later", None),
        (None, "preference:off"),
    }
