"""The archive: two mails, thirty days, and back by a turn, a word or a button."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.context import Context
from service.errors import Conflict, Forbidden
from service.ledger.check import check_ledger
from service.matches import archive, lobby
from service.matches.check import check
from service.notices.mail.compose import mail_of
from service.store.outbox import Notice
from service.sweeps import sweep
from service.turns.submit import submit
from service.views.awaiting import waiting
from service.views.record import match_record
from tests.service.bots.tables import bots_play, seated
from tests.service.fakes import Round, judged_batch, notices, person, played, started
from tests.service.swept import look_after
from tests.service.turns.clocks import DAY, now_is

pytestmark = pytest.mark.usefixtures("pearls")


def days_later(context: Context, days: float) -> None:
    now_is(context, context.clock() + days * DAY)


def status(context: Context, table: Round) -> str:
    return lobby.find(context, None, table.match.id).status


def told(context: Context, step: str) -> list[Notice]:
    return [notice for notice in notices(context, "archive") if notice.payload["step"] == step]


def archived(context: Context, seats: int = 2) -> Round:
    """A match that waits in the archive."""
    table = started(context, "pearls", seats)
    for days in (14, 13, 3):
        days_later(context, days)
        sweep(context)
    assert status(context, table) == "archived"
    return table


def test_two_mails_come_before_a_match_is_archived(context: Context) -> None:
    table = started(context, "pearls", 3)
    seen = []
    for _ in range(31):
        look_after(context)
        look_after(context)
        seen.append((status(context, table), len(told(context, "soon")), len(told(context, "archived"))))
        days_later(context, 1)
    assert seen == [
        *[("running", 0, 0)] * 14,
        *[("running", 3, 0)] * 13,
        *[("running", 6, 0)] * 3,
        ("archived", 6, 3),
    ]
    text = " ".join(str(mail_of(context, told(context, "soon")[0]).get_body(("plain",))).split())
    assert "will be archived on Monday, 21 December" in text
    text = " ".join(str(mail_of(context, told(context, "archived")[0]).get_body(("plain",))).split())
    assert 'with a turn, or by replying "reopen"' in text
    assert check_ledger(context.database).breaches == []
    checked = check(context.database, table.match.id)
    assert checked is not None
    assert checked.differences == ()


def test_sweeps_that_were_missed_leave_no_mail_out_and_no_notice_short(context: Context) -> None:
    table = started(context, "pearls")
    days_later(context, 100)
    sweep(context)
    assert (len(told(context, "soon")), status(context, table)) == (2, "running")
    days_later(context, 2.9)
    sweep(context)
    assert len(told(context, "soon")) == 2
    days_later(context, 0.2)
    sweep(context)
    assert (len(told(context, "soon")), status(context, table)) == (4, "running")
    days_later(context, 2.9)
    sweep(context)
    assert status(context, table) == "running"
    days_later(context, 0.2)
    sweep(context)
    assert status(context, table) == "archived"


def test_two_sweepers_that_found_the_same_match_do_it_once(context: Context) -> None:
    table = started(context, "pearls")
    for expected in (2, 4):
        days_later(context, 40)
        look_after(context)
        look_after(context)
        assert len(told(context, "soon")) == expected
        assert status(context, table) == "running"


@pytest.mark.parametrize("days", [10, 20, 29])
def test_a_visit_of_anybody_begins_the_thirty_days_anew(context: Context, days: int) -> None:
    table = started(context, "pearls")
    for _ in range(days):
        days_later(context, 1)
        look_after(context)
    archive.visit(context, table.players[1], table.match.id)
    for _ in range(29):
        days_later(context, 1)
        look_after(context)
    assert status(context, table) == "running"
    days_later(context, 1)
    look_after(context)
    assert status(context, table) == "archived"


def test_a_turn_is_a_visit_and_a_stranger_s_look_is_none(context: Context) -> None:
    table, eve = started(context, "pearls"), person(context, "Eve")
    days_later(context, 13)
    archive.visit(context, eve, table.match.id)
    played(context, table.players[0], table.match.id, "dive")
    days_later(context, 13)
    sweep(context)
    assert told(context, "soon") == []
    days_later(context, 1)
    sweep(context)
    assert len(told(context, "soon")) == 2


def test_what_is_archived_waits_for_nobody_and_shows_no_more_than_before(context: Context) -> None:
    table = archived(context)
    assert waiting(context, table.players[0]) == ()
    assert lobby.mine(context, table.players[0], to_act=True) == ()
    (match,) = lobby.mine(context, table.players[0])
    assert match.status == "archived"
    assert match_record(context, None, table.match.id).secret is None
    days_later(context, 400)
    sweep(context)
    assert len(notices(context, "archive")) == 6


def test_a_turn_takes_a_match_out_of_the_archive(context: Context) -> None:
    table = archived(context)
    ply = lobby.find(context, None, table.match.id).ply
    refused = played(context, table.players[0], table.match.id, "take", ply=ply)
    assert refused.status == "rejected"
    assert status(context, table) == "archived"
    assert played(context, table.players[0], table.match.id, "dive").status == "accepted"
    assert status(context, table) == "running"
    days_later(context, 13)
    sweep(context)
    assert len(told(context, "soon")) == 4
    days_later(context, 1)
    sweep(context)
    assert len(told(context, "soon")) == 6
    assert check_ledger(context.database).breaches == []


def test_any_of_its_players_reopens_it_once_and_the_others_are_told(context: Context) -> None:
    table = archived(context, 3)
    with pytest.raises(Forbidden):
        archive.reopen(context, person(context, "Eve"), table.match.id)
    assert archive.reopen(context, table.players[2], table.match.id).status == "running"
    assert archive.reopen(context, table.players[1], table.match.id).status == "running"
    assert {notice.player_id for notice in told(context, "reopened")} == {each.id for each in table.players[:2]}
    assert "Cleo has reopened the match" in str(mail_of(context, told(context, "reopened")[0]).get_body(("plain",)))
    assert len(waiting(context, table.players[0])) == 1
    assert check_ledger(context.database).breaches == []


def test_a_match_that_is_over_is_not_reopened_and_one_with_a_clock_never_archived(context: Context) -> None:
    table, timed = started(context, "pearls"), started(context, "pearls", 2, ("Fay", "Gus"), clock="slow")
    lobby.resign(context, table.players[0], table.match.id)
    with pytest.raises(Conflict, match="is over"):
        archive.reopen(context, table.players[1], table.match.id)
    days_later(context, 3)
    for _ in range(40):
        days_later(context, 1)
        look_after(context)
    assert notices(context, "archive") == []
    assert status(context, timed) == "running"


def test_a_turn_that_waits_keeps_a_match_out_of_the_archive(context: Context) -> None:
    table = started(context, "pearls")
    for days in (14, 13):
        days_later(context, days)
        sweep(context)
    turn = submit(
        context, table.players[0], table.match.id, 0, lobby.find(context, None, table.match.id).ply, notation="dive"
    )
    days_later(context, 3)
    look_after(context)
    assert status(context, table) == "running"
    judged_batch(context)
    assert lobby.find(context, None, table.match.id).ply > turn.ply


def test_bots_of_an_archived_match_rest_until_it_is_reopened(context: Context) -> None:
    match, ada = seated(context, "pearls", [None, "easy"])
    played(context, ada, match.id, "dive")
    for days in (14, 13, 3):
        days_later(context, days)
        look_after(context)
    assert lobby.find(context, None, match.id).status == "archived"
    assert not bots_play(context)
    archive.reopen(context, ada, match.id)
    assert bots_play(context)["chosen"] == 1


def test_visits_are_noted_once_a_day(context: Context) -> None:
    table = started(context, "pearls")
    days_later(context, 2)
    archive.visit(context, table.players[0], table.match.id)
    now_is(context, context.clock() + timedelta(hours=20))
    archive.visit(context, table.players[0], table.match.id)
    now_is(context, context.clock() - timedelta(hours=20) + 14 * DAY)
    sweep(context)
    assert len(told(context, "soon")) == 2
