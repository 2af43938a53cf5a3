"""Documents of several forms: the service accepts and refuses what the description says."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from service.api.openapi import openapi_document
from service.turns.intake import LONGEST_LINE, MOST_ACTIONS, MOST_LINES
from tests.service.api.conftest import Person

ACTION = {"type": "start", "space": "C7"}
UNKNOWN_MATCH = "/v1/matches/nowhere00"
DOCUMENT = openapi_document()


def fits(name: str, document: Any) -> bool:
    schema = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    return Draft202012Validator(schema).is_valid(document)


@pytest.mark.parametrize(
    "document",
    [
        {"ply": 3, "actions": [ACTION]},
        {"ply": 3, "actions": [ACTION] * MOST_ACTIONS},
        {"ply": 3.0, "notation": "start C7", "seat": None},
        {"ply": 3, "notation": ["start C7"], "seat": 7, "dry_run": True, "picture": "phone"},
        {"ply": 3, "notation": [""] * MOST_LINES},
        {"ply": 3, "notation": "x" * LONGEST_LINE},
    ],
)
def test_a_turn_that_fits_the_description_is_read(document: Any, ada: Person) -> None:
    assert fits("TurnRequest", document)
    assert ada.post(f"{UNKNOWN_MATCH}/turns", document).status_code == 404


@pytest.mark.parametrize(
    "document",
    [
        [],
        {"actions": [ACTION]},
        {"ply": 3},
        {"ply": 3, "actions": None, "notation": "start C7"},
        {"ply": 3, "actions": [ACTION], "notation": None},
        {"ply": 3.5, "actions": [ACTION]},
        {"ply": 3, "actions": [ACTION], "picture": "phone"},
        {"ply": 3, "actions": [ACTION], "dry_run": True, "picture": None},
        {"ply": 3, "actions": []},
        {"ply": 3, "actions": ACTION},
        {"ply": 3, "actions": [ACTION] * (MOST_ACTIONS + 1)},
        {"ply": 3, "actions": [ACTION], "notation": "start C7"},
        {"ply": 3, "notation": []},
        {"ply": 3, "notation": 7},
        {"ply": 3, "notation": [7]},
        {"ply": 3, "notation": [""] * (MOST_LINES + 1)},
        {"ply": 3, "notation": "x" * (LONGEST_LINE + 1)},
        {"ply": 3, "notation": ["x" * (LONGEST_LINE + 1)]},
        {"ply": -1, "actions": [ACTION]},
        {"ply": 2**31, "actions": [ACTION]},
        {"ply": True, "actions": [ACTION]},
        {"ply": "3", "actions": [ACTION]},
        {"ply": None, "actions": [ACTION]},
        {"ply": 3, "actions": [ACTION], "seat": -1},
        {"ply": 3, "actions": [ACTION], "seat": 8},
        {"ply": 3, "actions": [ACTION], "dry_run": 1},
        {"ply": 3, "actions": [ACTION], "dry_run": None},
        {"ply": 3, "actions": [ACTION], "wait": 10},
    ],
)
def test_a_turn_that_does_not_fit_the_description_is_refused(document: Any, ada: Person) -> None:
    assert not fits("TurnRequest", document)
    assert ada.post(f"{UNKNOWN_MATCH}/turns", document).status_code == 422


def test_an_action_of_no_game_does_not_fit_the_description() -> None:
    assert not fits("TurnRequest", {"ply": 3, "actions": [{"type": "fly"}]})


SEATS = [
    ({"kind": "me"}, True),
    ({"kind": "open"}, True),
    ({"kind": "reserved"}, True),
    ({"kind": "invite", "email": "bela@example.org"}, True),
    ({"kind": "bot", "level": "easy"}, True),
    ({}, False),
    ({"kind": "king"}, False),
    ({"kind": "me", "email": "bela@example.org"}, False),
    ({"kind": "me", "email": None}, False),
    ({"kind": "open", "level": "easy"}, False),
    ({"kind": "invite"}, False),
    ({"kind": "invite", "email": None}, False),
    ({"kind": "invite", "email": "bela@example.org", "level": "easy"}, False),
    ({"kind": "bot"}, False),
    ({"kind": "bot", "level": "easy", "email": "bela@example.org"}, False),
]


@pytest.mark.parametrize(("seat", "good"), SEATS, ids=str)
def test_a_seat_is_read_where_it_fits_the_description(seat: Any, good: bool, ada: Person) -> None:
    assert fits("SeatRequest", seat) is good
    other = {"kind": "open" if seat.get("kind") != "open" else "me"}
    answer = ada.post("/v1/matches", {"game": "oregon", "seats": [seat, other]})
    assert answer.status_code == (201 if good else 422)


OFFERS = [
    ({"kind": "pause"}, True),
    ({"kind": "pause", "days": 7.0}, True),
    ({"kind": "extend"}, True),
    ({"kind": "extend", "seat": None}, True),
    ({"kind": "draw"}, True),
    ({"kind": "hand_over", "email": "carl@example.org"}, True),
    ({"kind": "pause", "days": None}, False),
    ({"kind": "pause", "seat": 1}, False),
    ({"kind": "extend", "days": 2}, False),
    ({"kind": "draw", "email": "carl@example.org"}, False),
    ({"kind": "hand_over"}, False),
    ({"kind": "hand_over", "email": None}, False),
    ({"days": 7}, False),
]


@pytest.mark.parametrize(("offer", "good"), OFFERS, ids=str)
def test_an_offer_is_read_where_it_fits_the_description(offer: Any, good: bool, ada: Person) -> None:
    assert fits("OfferRequest", offer) is good
    assert ada.post(f"{UNKNOWN_MATCH}/offers", offer).status_code == (404 if good else 422)
