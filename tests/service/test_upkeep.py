"""Pruning: what is old enough goes, what anything still needs stays, and the ledger knows which."""

from __future__ import annotations

import errno
import json
import os
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from sqlalchemy import delete, select, update

from service import upkeep
from service.cli import main
from service.context import Context
from service.inbox.handling import handle_due
from service.inbox.mail import Result
from service.ledger.check import check_ledger
from service.loop import Loop
from service.matches import lobby
from service.notices import delivery
from service.store import mails
from service.store.database import Database
from service.store.tables import outbox, turns
from service.turns import lookup
from service.turns.submit import submit
from service.turns.trials import legal_actions
from service.upkeep import UPKEEP, Pruned, prune
from service.views.record import match_record
from tests.service.fakes import (
    Here,
    Postbag,
    Round,
    judge_one,
    later,
    notices,
    past_the_delay,
    played,
    played_on,
    started,
)
from tests.service.inbox.test_handling import DONE, MAIL, arrived, found

LATER = Result("later", "waits", retry_seconds=60)


@pytest.fixture
def table(context: Context, pearls: None) -> Round:
    """A running match with a refused turn, whose mails were sent."""
    table = started(context, "pearls")
    match = played_on(context, table, random.Random(4), plies=10)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    legal = [item.action for item in legal_actions(context, table.players[seat], match.id).items]
    unheld = [next(offer for value in (1, 2, 3) if (offer := {"type": "offer", "value": value}) not in legal)]
    refused = submit(context, table.players[seat], match.id, None, match.ply, actions=unheld, idempotency_key="refused")
    assert judge_one(context, refused.id).status == "rejected"
    past_the_delay(context)
    assert set(delivery.deliver_due(context)) == {"sent", "covered"}
    return table


def breaches(context: Context) -> list[str]:
    return [breach.code for breach in check_ledger(context.database).breaches]


def turns_of(context: Context, table: Round) -> list[Any]:
    return [turn for player in table.players for turn in lookup.of_player(context, player, table.match.id)]


def test_old_notices_and_details_go_and_the_ledger_stays_clean(context: Context, table: Round) -> None:
    mails = len(notices(context))
    before = match_record(context, None, table.match.id)
    later(context, days=40)
    judged = turns_of(context, table)
    assert prune(context, 30, 30) == Pruned(mails, len(judged))
    assert notices(context) == []
    assert prune(context, 30, 30) == Pruned(0, 0)
    found = check_ledger(context.database)
    assert (found.breaches, found.pruned_notices, found.pruned_turns) == ([], mails, len(judged))
    assert match_record(context, None, table.match.id) == before
    played_on(context, table, random.Random(5), plies=14)
    assert breaches(context) == []


def test_a_pruned_turn_is_listed_with_its_verdict_and_without_its_actions(context: Context, table: Round) -> None:
    before = {turn.id: turn for turn in turns_of(context, table)}
    later(context, days=40)
    prune(context, None, 30)
    for turn in turns_of(context, table):
        old = before[turn.id]
        assert turn.actions == ()
        assert turn.verdict is not None
        assert (turn.status, turn.ply, turn.seat, turn.judged_at) == (old.status, old.ply, old.seat, old.judged_at)
        assert turn.verdict.entries == old.verdict.entries
        if turn.status == "rejected":
            assert turn.verdict.violation == replace(old.verdict.violation, legal=(), legal_total=0)


def test_nothing_goes_before_its_time_and_nothing_at_all_by_default(context: Context, table: Round) -> None:
    later(context, days=29)
    assert prune(context, 30, 30) == Pruned(0, 0)
    later(context, days=4000)
    settings = context.settings
    assert prune(context, settings.keep_notices_days, settings.keep_turn_details_days) == Pruned(0, 0)


def test_an_idempotency_key_gives_the_same_turn_until_the_details_go(context: Context, table: Round) -> None:
    refused = next(turn for turn in turns_of(context, table) if turn.status == "rejected")
    player = next(player for player in table.players if player.id == refused.player_id)

    def again() -> str:
        wanted = {"actions": list(refused.actions), "idempotency_key": "refused"}
        return submit(context, player, table.match.id, None, refused.ply, **wanted).id  # type: ignore[arg-type]

    later(context, days=29.9)
    prune(context, 1, 30)
    assert again() == refused.id
    later(context, days=0.2)
    prune(context, 1, 30)
    assert again() != refused.id


def test_pending_and_dead_notices_and_turns_that_wait_stay(context: Context, table: Round) -> None:
    match = lobby.find(context, None, table.match.id)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    played(context, table.players[seat], match.id, "1")
    with context.database.write() as connection:
        pending = connection.execute(select(outbox.c.id).where(outbox.c.status == "pending")).scalars().all()
        connection.execute(update(outbox).where(outbox.c.id == pending[0]).values(status="dead"))
    match = lobby.find(context, None, table.match.id)
    seat = next(seat.seat for seat in match.seats if seat.to_act)
    queued = submit(context, table.players[seat], match.id, None, match.ply, notation="1")
    later(context, days=400)
    prune(context, 30, 30)
    assert sorted(notice.id for notice in notices(context)) == sorted(pending)
    assert judge_one(context, queued.id).status == "accepted"
    assert breaches(context) == []


def test_a_lost_notice_is_told_from_the_pruned_ones(context: Context, table: Round) -> None:
    later(context, days=20)
    played_on(context, table, random.Random(5), plies=12)
    delivery.deliver_due(context)
    later(context, days=20)
    prune(context, 30, None)
    assert breaches(context) == []
    with context.database.write() as connection:
        lost = connection.execute(select(outbox.c.id).where(outbox.c.kind == "verdict").limit(1)).scalar_one()
        connection.execute(delete(outbox).where(outbox.c.id == lost))
    assert set(breaches(context)) == {"notice_missing"}


def test_a_notice_written_twice_is_found_after_both_were_pruned(context: Context, table: Round) -> None:
    with context.database.write() as connection:
        row = connection.execute(select(outbox).where(outbox.c.kind == "verdict").limit(1)).one()
        connection.execute(outbox.insert().values({**row._asdict(), "id": "again"}))
    later(context, days=40)
    prune(context, 30, None)
    assert breaches(context) == ["notice_twice"]


def test_details_that_went_without_being_pruned_are_found(context: Context, table: Round) -> None:
    later(context, days=40)
    prune(context, None, 30)
    played_on(context, table, random.Random(5), plies=12)
    recent = max(turns_of(context, table), key=lambda turn: turn.judged_at)
    with context.database.write() as connection:
        emptied = {"actions": [], "pruned": True}
        connection.execute(update(turns).where(turns.c.id == recent.id).values(document=emptied))
    assert breaches(context) == ["details_missing"]


def test_receivers_of_pruned_notices_are_believed_and_of_no_more(context: Context, table: Round) -> None:
    assert isinstance(context.transport, Postbag)
    received = [str(message["X-Overland-Notice"]) for message in context.transport.messages]
    later(context, days=40)
    prune(context, 30, None)
    assert check_ledger(context.database, received=received).breaches == []
    found = check_ledger(context.database, received=[*received, "never-written"])
    assert {breach.code for breach in found.breaches} == {"delivery_unknown"}


def test_a_batch_that_fails_keeps_its_rows_and_several_may_prune_in_turns(context: Context, table: Round) -> None:
    later(context, days=40)

    def full(kind: str, rows: Sequence[Any]) -> None:
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        prune(context, 30, 30, archive=full)
    assert len(notices(context)) > 0
    assert check_ledger(context.database).pruned_notices == 0
    other = replace(context, database=Database(context.database.url.render_as_string(hide_password=False)))
    total = [prune(each, 30, 30).notices for each in (context, other)]
    other.close()
    assert total[1] == 0
    assert breaches(context) == []


def test_a_sweep_prunes_no_longer_than_its_time(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    later(context, days=40)
    monkeypatch.setattr(upkeep, "ROWS_AT_ONCE", 2)
    assert prune(context, 30, 30, seconds=-1) == Pruned(0, 0)
    judged, mails = len(turns_of(context, table)), len(notices(context))
    pruned = prune(context, 30, 30)
    assert pruned == Pruned(mails, judged)
    assert breaches(context) == []


def test_the_command_appends_what_it_deletes_to_a_file(
    context: Context, table: Round, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = context.database.url.render_as_string(hide_password=False).replace("+psycopg", "")
    mails, judged = len(notices(context)), len(turns_of(context, table))
    with context.database.write() as connection:  # the command reads the machine's clock
        for each in (outbox, turns):
            old = {name: context.clock().replace(year=2020) for name in ("sent_at", "judged_at") if name in each.c}
            due = {"next_attempt_at": context.clock().replace(year=2020)} if "next_attempt_at" in each.c else {}
            connection.execute(update(each).values(old | due))
    environ = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_DATABASE_URL": url}
    refused = CliRunner().invoke(main, ["prune"], env=environ)
    assert (refused.exit_code, "Everything is kept forever" in refused.output) == (2, True)
    file = tmp_path / "archive.jsonl"
    file.write_text('{"kept": "not')  # by one that was killed
    options = ["--notices-days", "90", "--turn-details-days", "90", "--archive", str(file)]
    result = CliRunner().invoke(main, ["prune", *options], env=environ, catch_exceptions=False)
    assert result.output == f"{mails} notices and the details of {judged} turns were deleted.\n"
    lines = [json.loads(line) for line in file.read_text().splitlines()[1:]]
    assert [line["kept"] for line in lines] == ["notice"] * mails + ["turn"] * judged
    assert all(line["document"]["actions"] for line in lines if line["kept"] == "turn")
    assert file.stat().st_mode & 0o077 == 0


def test_the_command_deletes_nothing_that_it_cannot_append_to_its_file(
    context: Context, table: Round, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def pruned(file: Path, *options: str) -> str:
        arguments = ["prune", "--notices-days", "90", "--archive", str(file), *options]
        result = CliRunner().invoke(main, arguments, env=environ, catch_exceptions=False)
        assert result.exit_code == 2
        return result.stderr

    def full(handle: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with context.database.write() as connection:
        old = context.clock().replace(year=2020)
        connection.execute(update(outbox).values(sent_at=old, next_attempt_at=old))
    mails = len(notices(context))
    url = context.database.url.render_as_string(hide_password=False).replace("+psycopg", "")
    environ = {"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_DATABASE_URL": url}
    os.mkfifo(tmp_path / "pipe")
    assert "pipe cannot be written: No such device" in pruned(tmp_path / "pipe")
    assert "/dev/full is no ordinary file" in pruned(Path("/dev/full"))
    monkeypatch.setattr("service.commands.prune.os.fsync", full)
    assert "full.jsonl cannot be written: No space left on device." in pruned(tmp_path / "full.jsonl")
    assert len(notices(context)) == mails > 0
    assert "36500" in pruned(tmp_path / "file", "--notices-days", "800000")


def test_texts_of_mails_are_forgotten_after_half_a_year(context: Context) -> None:
    with context.database.write() as connection:
        mails.keep_texts(connection, "n1", "m1", "ada", ("text",), context.clock())
    later(context, days=180)
    assert UPKEEP[Loop.SENT_TEXTS](context) == 0
    later(context, seconds=1)
    assert UPKEEP[Loop.SENT_TEXTS](context) == 1
    assert UPKEEP[Loop.SENT_TEXTS](context) == 0


def test_of_mails_that_came_in_long_ago_only_the_key_is_kept(context: Context) -> None:
    message_id = arrived(context)
    waiting = arrived(context)
    handle_due(context, Here(lambda message: DONE if message.id == message_id else LATER))
    later(context, days=29)
    assert prune(context, None, None, messages_days=30).messages == 0
    later(context, days=2)
    assert prune(context, None, None, messages_days=None).messages == 0
    assert prune(context, None, None, messages_days=30).messages == 1
    assert (found(context, message_id).raw, found(context, waiting).raw) == (None, MAIL)
