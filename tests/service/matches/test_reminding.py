"""Reminders: each once, one for all that is due within the hour, and none where it was played."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.clocks.rule import PRESETS
from service.context import Context
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices import sorting
from service.notices.delivery import deliver_due
from service.players import choosing
from service.store import clocks
from service.store.covering import Because
from tests.service.fakes import Round, notices, played, started
from tests.service.swept import remind
from tests.service.turns.clocks import DAY, due, kinds, let_expire, now_is, times

pytestmark = pytest.mark.usefixtures("pearls")


def another(context: Context, table: Round) -> str:
    """A second match of the same players."""
    ada, bela = table.players
    match = lobby.create(
        context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")], title="Two", clock=PRESETS["brisk"]
    )
    return lobby.join(context, bela, match.id).id


def test_a_player_is_reminded_of_time_and_reserve_and_each_time_once(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    assert remind(context) == 0
    now_is(context, context.clock() + timedelta(hours=36))
    assert [remind(context), remind(context)] == [1, 0]
    now_is(context, context.clock() + timedelta(hours=24))
    assert [remind(context), remind(context)] == [1, 0]
    now_is(context, due(context, table) - timedelta(hours=12))
    assert [remind(context), remind(context)] == [1, 0]
    assert [notice.player_id for notice in notices(context, "reminder")] == [table.players[0].id] * 3
    assert check_ledger(context.database).breaches == []


def test_reminders_that_were_missed_come_as_one(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, due(context, table) - timedelta(hours=1))
    assert [remind(context), remind(context)] == [1, 0]


def test_one_mail_names_all_that_is_due_within_the_hour(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, context.clock() + timedelta(minutes=40))
    second = another(context, table)
    now_is(context, context.clock() + timedelta(hours=36) - timedelta(minutes=40))
    assert remind(context) == 1
    [notice] = notices(context, "reminder")
    assert notice.match_id == table.match.id
    assert [each["match"] for each in notice.payload["also"]] == [second]
    now_is(context, context.clock() + timedelta(minutes=50))
    assert remind(context) == 0


def test_who_wants_none_gets_none(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    choosing.choose(context, table.players[0], {"reminders": "none"})
    now_is(context, context.clock() + timedelta(hours=70))
    remind(context)
    assert notices(context, "reminder") == []


def test_who_wants_only_the_last_ones_is_mailed_no_other(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    choosing.choose(context, table.players[0], {"reminders": "last"})
    mailed = []
    for hours in (36, 24, 48):
        now_is(context, context.clock() + timedelta(hours=hours))
        remind(context)
        mailed.append(len(notices(context, "reminder")))
    assert mailed == [0, 1, 2]


def test_a_reminder_of_what_was_played_meanwhile_is_not_sent(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    now_is(context, context.clock() + timedelta(hours=36))
    remind(context)
    [notice] = notices(context, "reminder")
    with context.database.read() as connection:
        assert isinstance(sorting.decide(connection, notice, context.clock()), sorting.Send)
    played(context, table.players[0], table.match.id, "dive")
    with context.database.read() as connection:
        assert sorting.decide(connection, notice, context.clock()) == sorting.Cover(Because.PLAYED)
    deliver_due(context)
    [covered] = notices(context, "reminder")
    assert (covered.status, covered.covered_by) == ("covered", Because.PLAYED)
    assert [notice.status for notice in notices(context, "your_turn")][-1] == "sent"
    assert check_ledger(context.database).breaches == []


def test_a_reminder_is_no_condition_of_what_follows(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    let_expire(context, table)
    assert notices(context, "reminder") == []
    assert kinds(context, table)[-1] == "time_up_bot_turn"
    assert times(context, table)[1].stored.remind_at is not None
    with context.database.read() as connection:
        assert clocks.to_remind(connection, context.clock() + 2 * DAY) == ((table.match.id, table.players[1].id),)
