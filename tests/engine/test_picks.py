"""Bags of pairs, what choices allow, and the marks that are made of both."""

from __future__ import annotations

from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.picks import NO_CHOICES, bag, choices, pair
from engine.svg import oblong, pick, picture

HARVEST = {"type": "harvest", "area": "mine", "slot": 2, "workers": ["copper", "copper"]}
CHOICES = choices([HARVEST, {"type": "harvest", "area": "field", "slot": 1, "workers": ["wheat"]}])


@pytest.mark.parametrize(
    ("document", "pairs"),
    [
        (HARVEST, ["type=harvest", "area=mine", "slot=2", "workers=copper", "workers=copper"]),
        ({"joker": True, "part": None, "again": False, "land": "", "cards": ()}, ["joker=true", "land="]),
        ({"none": 0, "many": [None, False, 0]}, ["none=0", "many=0"]),
        ({"way": [{"to": "B2", "by": 1}]}, ["way=%7B%22by%22%3A1%2C%22to%22%3A%22B2%22%7D"]),
    ],
)
def test_a_document_is_a_bag_of_pairs(document: dict[str, Any], pairs: list[str]) -> None:
    assert bag(document) == Counter(pairs)


def test_values_are_encoded_as_browsers_do_it() -> None:
    """``encodeURIComponent`` gives the same of this."""
    assert pair("start", "a b|c%=d&\u00e9/A-Z_.~!*'()") == "start=a%20b%7Cc%25%3Dd%26%C3%A9%2FA-Z_.~!*'()"


def test_choices_allow_what_a_legal_action_has_together() -> None:
    assert CHOICES.allow(["area=mine"])
    assert CHOICES.allow(["slot=2", "area=mine", "workers=copper"])
    assert not CHOICES.allow(["area=mine", "slot=1"])
    assert not CHOICES.allow(["area=hut"])
    assert CHOICES
    assert choices([]) is NO_CHOICES


def test_a_mark_has_the_alternatives_that_are_legal_and_a_name() -> None:
    outline = oblong(1, 2, 3, 4)
    alternatives = ({"area": "mine", "slot": 1}, {"area": "mine", "slot": 2}, {"workers": "wheat"})
    mark = ElementTree.fromstring(pick(CHOICES, "Mine <2>", outline, *alternatives))
    assert mark.attrib == {
        "data-pick": "area=mine slot=2|workers=wheat",
        "fill": "none",
        "pointer-events": "all",
        "d": "M1 2h3v4h-3z",
    }
    assert [(part.tag, part.text) for part in mark] == [("title", "Mine <2>")]


def test_what_may_not_be_chosen_has_no_mark() -> None:
    assert pick(CHOICES, "Mine 1", "", {"area": "mine", "slot": 1}, {"slot": 3}) == ""
    assert pick(NO_CHOICES, "Mine 2", "", {"area": "mine"}) == ""


def test_a_picture_with_choices_is_a_group() -> None:
    assert 'role="img"' in picture(1, 1, "A", "B")
    assert 'role="group"' in picture(1, 1, "A", "B", choices=CHOICES)
