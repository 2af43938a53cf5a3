"""What mails and pages say about a clock, word for word."""

from __future__ import annotations

import pytest

from service.clocks.seat import Remaining, Stop
from service.clocks.sentences import others_sentence, remaining_sentences
from service.clocks.spans import DAY

HOUR = DAY // 24
THURSDAY = 20783 * DAY + 12 * HOUR
"""Thursday, 26 November 2026, at noon."""
FRIDAY = THURSDAY + DAY
QUIET = Stop("quiet", THURSDAY, THURSDAY + HOUR)
OUTAGE = Stop("outage", THURSDAY, THURSDAY + HOUR)
AFTER_THAT = "After that your reserve of 1 day runs, until Friday, 27 November, 12:00 (UTC)."
UNTIL_NOON = "You have until Thursday, 26 November, 12:00 (UTC)."


@pytest.mark.parametrize(
    ("left", "sentences"),
    [
        (Remaining(HOUR, DAY, THURSDAY, FRIDAY), (UNTIL_NOON, AFTER_THAT)),
        (Remaining(HOUR, 0, None, THURSDAY), (UNTIL_NOON, "Nothing is left of your reserve.")),
        (
            Remaining(0, DAY, None, FRIDAY),
            (
                "You have until Friday, 27 November, 12:00 (UTC).",
                "Your reserve is running, with 1 day left.",
            ),
        ),
        (
            Remaining(0, 0, None, THURSDAY),
            ("Your time and your reserve are up: what the rule of this match says follows in a moment.",),
        ),
        (
            Remaining(2 * HOUR, DAY, FRIDAY - DAY, FRIDAY, QUIET),
            (
                "Your clock is stopped in quiet hours until Thursday, 26 November, 13:00 (UTC); then you have 2 hours,"
                " until Thursday, 26 November, 12:00 (UTC).",
                AFTER_THAT,
            ),
        ),
        (
            Remaining(0, DAY, None, FRIDAY, QUIET),
            (
                "Your clock is stopped in quiet hours until Thursday, 26 November, 13:00 (UTC); then you have 1 day,"
                " until Friday, 27 November, 12:00 (UTC).",
                "Your reserve is running, with 1 day left.",
            ),
        ),
        (
            Remaining(HOUR, DAY, stopped=OUTAGE),
            (
                "An outage of the service stops your clock; when it is over, you have 1 hour left.",
                "Your reserve is 1 day.",
            ),
        ),
        (
            Remaining(0, 0, stopped=OUTAGE),
            (
                "An outage of the service stops your clock; when it is over, you have less than a minute left.",
                "Nothing is left of your reserve.",
            ),
        ),
        (Remaining(HOUR, DAY), ()),
    ],
)
def test_a_player_is_told_what_is_left_and_until_when(left: Remaining, sentences: tuple[str, ...]) -> None:
    assert remaining_sentences(left, "UTC") == sentences


@pytest.mark.parametrize(
    ("left", "sentence"),
    [
        (Remaining(HOUR, 0, THURSDAY, THURSDAY), "Bela has until Thursday, 26 November, 12:00 (UTC)."),
        (Remaining(0, DAY, None, FRIDAY), "Bela has until Friday, 27 November, 12:00 (UTC)."),
        (
            Remaining(HOUR, DAY, THURSDAY, FRIDAY),
            "Bela has until Thursday, 26 November, 12:00 (UTC), and then a reserve of 1 day.",
        ),
        (Remaining(HOUR, DAY), ""),
    ],
)
def test_the_others_are_told_of_a_running_clock_alone(left: Remaining, sentence: str) -> None:
    assert others_sentence("Bela", left, "UTC") == sentence
