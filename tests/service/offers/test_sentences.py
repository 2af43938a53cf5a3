"""What mails and pages say about an offer, of every kind, word for word."""

from __future__ import annotations

from typing import get_args

import pytest

from service.offers.sentences import (
    accepted_words,
    agreed_words,
    declined_words,
    how_to_answer,
    offer_words,
    rule_words,
)
from service.statuses import OfferKind

ENDED = ("The match ends now. A mail has the result, and what was hidden.",)


def test_every_kind_says_what_is_offered_what_follows_and_that_it_was_declined() -> None:
    said = {
        kind: (
            offer_words(kind, 7, "Ada", "Bela", "Cleo"),
            agreed_words(kind, "Ada", "Bela", "Cleo", "Friday"),
            declined_words(kind, "Bela"),
        )
        for kind in get_args(OfferKind)
    }
    assert said == {
        "pause": (
            "Ada offers a pause of 7 days, in which all clocks stand still.",
            (
                "The match is paused until Friday, and all clocks stand still.",
                'Everybody may play all the same. "resume" ends the pause, with a day\'s notice.',
            ),
            "Bela has declined a pause.",
        ),
        "extend": (
            "Ada offers a day more for this turn of Bela.",
            ("Bela has a day more for this turn.",),
            "Bela has declined a day more for this turn.",
        ),
        "end": (
            "Ada offers to end the match now, with the standing.",
            ENDED,
            "Bela has declined to end the match with the standing.",
        ),
        "draw": (
            "Ada offers a draw: the match ends now, and all who play share the first rank.",
            ENDED,
            "Bela has declined a draw.",
        ),
        "call_off": (
            "Ada offers to call the match off: it ends now, without a result.",
            ENDED,
            "Bela has declined to call the match off.",
        ),
        "abandon": (
            "Ada asks to end the match as abandoned, without a result, as it has to do without Bela.",
            ENDED,
            "Bela has declined to end the match: it is not abandoned.",
        ),
        "hand_over": (
            "Ada offers to hand their seat to Cleo, who has agreed to take it.",
            ("Cleo has the seat of Ada from now on.",),
            "Bela has declined that the seat is handed over.",
        ),
    }


def test_one_day_who_asks_for_themselves_and_a_taker_who_is_not_known_have_words_of_their_own() -> None:
    one_day = "Ada offers a pause of 1 day, in which all clocks stand still."
    assert offer_words("pause", 1, "Ada", "", "") == one_day
    assert offer_words("extend", 0, "Ada", "Ada", "") == "Ada asks for a day more for this turn."
    unknown = "Ada wants to hand their seat over, and has asked somebody by mail."
    assert offer_words("hand_over", 0, "Ada", "", "") == unknown
    assert declined_words("hand_over", None) == "Whoever was to have the seat has declined."


NEEDS = "It needs the word of Bela and Cleo."
LAPSES = "It lapses on Friday."
PASSED_OVER = (
    "Silence is no consent. Who has days off, or a bot at their seat, is passed over three days after the offer, or"
    " after they left if that was later."
)
ACCEPTS_NOTHING = "Silence accepts nothing, also of who has days off or a bot at their seat."


@pytest.mark.parametrize(
    ("kind", "away", "sentences"),
    [
        ("pause", (), (NEEDS, PASSED_OVER, LAPSES)),
        ("extend", (), (NEEDS, PASSED_OVER, "It lapses with this turn, and on Friday at the latest.")),
        ("end", (), (NEEDS, ACCEPTS_NOTHING, LAPSES)),
        ("draw", (), (NEEDS, ACCEPTS_NOTHING, LAPSES)),
        ("call_off", (), (NEEDS, ACCEPTS_NOTHING, LAPSES)),
        ("hand_over", (), (NEEDS, ACCEPTS_NOTHING, LAPSES)),
        (
            "abandon",
            ("Cleo",),
            (
                "It needs the word of Bela.",
                "It needs no word of Cleo: the match ends without one, not before Monday, when they have been away for"
                " 14 days, and three days after they were asked again. If they come back or decline, it goes on.",
                LAPSES,
            ),
        ),
        (
            "abandon",
            ("Bela", "Cleo"),
            (
                "It needs no word of Bela and Cleo: the match ends without one, not before Monday, when they have been"
                " away for 14 days, and three days after they were asked again. If they come back or decline, it goes"
                " on.",
                LAPSES,
            ),
        ),
    ],
)
def test_whose_word_an_offer_needs_and_when_it_lapses(
    kind: OfferKind, away: tuple[str, ...], sentences: tuple[str, ...]
) -> None:
    assert rule_words(kind, ("Bela", "Cleo"), away, "Friday", "Monday") == sentences


def test_who_agreed_and_who_was_passed_over() -> None:
    agreed = "Bela and Cleo agreed to what Ada offered."
    over = "Dora did not answer: who is away is passed over after three days."
    assert accepted_words("Ada", ["Bela", "Cleo"], []) == (agreed,)
    assert accepted_words("Ada", [], ["Dora"]) == (over,)
    assert accepted_words("Ada", ["Bela", "Cleo"], ["Dora"]) == (agreed, over)


def test_an_offer_says_how_it_is_answered_in_any_mail() -> None:
    assert how_to_answer(3) == (
        'Reply to this mail with "accept" or "decline". In any other mail of this match, write "accept 3" or'
        ' "decline 3".'
    )
