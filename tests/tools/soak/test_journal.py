"""The journal of a soak knows when play has gone on, and which answers must never be."""

from __future__ import annotations

import time

import requests

from tools.soak.journal import NEVER, Journal


def test_play_has_gone_on_when_every_running_match_has_a_verdict() -> None:
    journal = Journal()
    journal.match_started("one")
    journal.match_started("two")
    since = time.monotonic()
    journal.turn_judged("one", "turn-1", "accepted")
    assert journal.recovered(since) == NEVER
    journal.turn_judged("two", "turn-2", "accepted")
    assert 0 <= journal.recovered(since) < NEVER
    assert journal.recovered(time.monotonic() + 1) == NEVER
    journal.match_over("one")
    journal.match_over("two")
    assert journal.recovered(since) == 0


def test_a_verdict_that_changes_is_an_error() -> None:
    journal = Journal()
    journal.turn_taken("turn-1")
    journal.turn_judged("one", "turn-1", "accepted")
    assert journal.errors == ()
    journal.turn_judged("one", "turn-1", "rejected")
    assert len(journal.errors) == 1
    assert [(seen.turn_id, seen.status) for seen in journal.seen] == [("turn-1", "rejected")]


def test_a_turn_without_a_verdict_is_seen_without_a_status() -> None:
    journal = Journal()
    journal.turn_taken("turn-1")
    assert journal.turns == 1
    assert [(seen.turn_id, seen.status) for seen in journal.seen] == [("turn-1", None)]


def test_an_answer_of_503_is_counted_and_has_to_say_when_to_come_again() -> None:
    journal, response = Journal(), requests.Response()
    response.headers["Retry-After"] = "1"
    journal.request_failed("GET /", response)
    journal.request_failed("GET /", None)
    assert (journal.unavailable, journal.unanswered, journal.errors) == (1, 1, ())
    del response.headers["Retry-After"]
    journal.request_failed("GET /", response)
    assert journal.errors == ("GET / was answered by 503 without Retry-After",)
