"""What mails tell of the clocks: the rule as a match starts, and until when whom it waits for has
time, to everybody.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.clocks.rule import PRESETS, read_rule
from service.clocks.sentences import rule_sentences
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.notices.mail.compose import mail_of
from service.players import choosing
from service.store.outbox import Notice
from tests.service.fakes import Round, later, notices, person, played, started
from tests.service.turns.clocks import now_is

pytestmark = pytest.mark.usefixtures("pearls")


def said(context: Context, notice: Notice) -> str:
    return " ".join(str(mail_of(context, notice).get_body(("plain",))).split())


def newest(context: Context, table: Round, seat: int, kind: str) -> str:
    mine = [each for each in notices(context, kind) if each.player_id == table.players[seat].id]
    return said(context, mine[-1])


def test_the_start_tells_the_rule_in_three_sentences_and_until_when_the_first_has_time(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    rule = " ".join(rule_sentences(PRESETS["brisk"]))
    assert len(rule_sentences(PRESETS["brisk"])) == 3
    first, waiting = (newest(context, table, seat, "match_started") for seat in (0, 1))
    assert f"{rule} You have until Tuesday, 24 November, 12:00 (UTC)." in first
    assert f"{rule} Ada has until Tuesday, 24 November, 12:00 (UTC), and then a reserve of 2 days." in waiting


def test_whoever_has_moved_learns_until_when_the_next_has_time(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    played(context, table.players[0], table.match.id, "dive")
    assert "Bela has until Tuesday, 24 November, 12:00 (UTC)" in newest(context, table, 0, "verdict")


def test_a_turn_in_quiet_hours_says_what_remains_and_until_when(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    choosing.choose(context, table.players[1], {"quiet": "12:00-20:00"})
    now_is(context, context.clock() + timedelta(hours=1))
    played(context, table.players[0], table.match.id, "dive")
    mail = newest(context, table, 1, "your_turn")
    until = "until Saturday, 21 November, 20:00 (UTC); then you have 3 days, until Thursday, 26 November, 04:00 (UTC)."
    assert f"Your clock is stopped in quiet hours {until}" in mail


def test_a_digest_tells_of_each_match_until_when_whom_it_waits_for_has_time(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    choosing.choose(context, ada, {"mails": "digest", "digest_hour": 19, "time_zone": "Asia/Kolkata"})
    seats = [SeatRequest("me"), SeatRequest("open")]
    for preset, turns in (("brisk", (bela,)), ("slow", (bela, ada)), ("none", (bela, ada))):
        match = lobby.create(context, bela, "pearls", None, seats, preset, clock=read_rule({"preset": preset}))
        lobby.join(context, ada, match.id)
        for player in turns:
            played(context, player, match.id, "dive")
    later(context, days=1, hours=2)
    deliver_due(context)
    _, first, *others = said(context, *notices(context, "digest")).split(" Pearls #")
    assert " brisk " in first  # what waits for the reader comes first
    assert "You have until Tuesday, 24 November, 17:30 (Asia/Kolkata). After that your reserve of 2 days" in first
    slow, none = sorted(others, key=lambda each: " none " in each)
    assert "Bela has until Monday, 30 November, 05:30 (Asia/Kolkata), and then a reserve of 2 days." in slow
    assert "until" not in none


def test_the_words_of_a_clock_name_its_weekends(context: Context) -> None:
    table = started(context, "pearls", clock={"preset": "brisk", "weekends": "Europe/Zurich"})
    assert "without Saturdays and Sundays (Europe/Zurich)" in newest(context, table, 0, "match_started")
    assert table.match.clock is not None
    assert "without Saturdays and Sundays (Europe/Zurich)" in table.match.clock.words
