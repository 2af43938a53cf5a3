"""The schemas of answers, derived from the types that carry them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, Required, TypedDict

import pytest
from marshmallow import fields

from engine.documents import About
from engine.types import Outcome, Statement
from service.api.answers import MatchAnswer, TurnAnswer, turn_answer
from service.api.shapes import Format, Inlined, made, schema_of
from service.turns.types import LegalAction, Refusal, Turn, Verdict

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


class Pearl(TypedDict):
    """A value of a use case, as a dictionary."""

    colour: Literal["white", "black"]
    weight: int


@dataclass(frozen=True, slots=True)
class Diver:
    """A value of a use case."""

    name: Annotated[str, About("Who dives.", example="Ada")]
    since: datetime | None
    pearls: tuple[Pearl, ...]
    notes: Mapping[str, str]
    secret: str = "hidden"


class Gear(TypedDict, total=False):
    """Members that may be absent, and one that may not."""

    lamp: Annotated[str, About("Which lamp."), Format("uri-reference")]
    knife: Annotated[str | None, About("Which knife.")]
    rope: Required[Annotated[int, About("Metres of rope.", minimum=0)]]


@dataclass(frozen=True, slots=True)
class Boat:
    """What the API adds: a place, and another name."""

    place: Annotated[int, About(minimum=1)]
    diver: Annotated[Diver, Inlined(without=("secret",))]
    name: str | None
    gear: Annotated[Gear, Inlined()]
    outcome: Outcome | None


BOAT = Boat(3, Diver("Ada", NOON, ({"colour": "white", "weight": 2},), {"depth": "9 m"}), None, {"rope": 9}, None)


def test_a_value_is_written_with_the_fields_of_the_value_it_holds_in_their_place() -> None:
    written = made(Boat).dump(BOAT)
    assert written == {
        "place": 3,
        "name": None,
        "since": "2026-11-21T12:00:00Z",
        "pearls": [{"colour": "white", "weight": 2}],
        "notes": {"depth": "9 m"},
        "rope": 9,
        "outcome": None,
    }


def test_annotations_become_fields() -> None:
    found = schema_of(Boat)().fields
    assert {name for name, field in found.items() if not field.required} == {"lamp", "knife"}
    assert {name for name, field in found.items() if field.allow_none} == {"name", "since", "knife", "outcome"}
    assert found["place"].metadata == {"minimum": 1}
    assert found["lamp"].metadata == {"description": "Which lamp.", "format": "uri-reference"}
    assert schema_of(Diver)().fields["name"].metadata == {"description": "Who dives.", "examples": ["Ada"]}
    assert isinstance(found["pearls"], fields.Nested)
    assert found["pearls"].schema.fields["colour"].metadata == {"enum": ["white", "black"]}


def test_a_key_that_may_begin_is_written_where_it_is_there() -> None:
    assert made(Gear).dump({"rope": 9}) == {"rope": 9}
    assert made(Gear).dump({"rope": 9, "knife": None, "lamp": "/lamps/1"}) == {
        "rope": 9,
        "knife": None,
        "lamp": "/lamps/1",
    }
    with pytest.raises(KeyError):
        made(Gear).dump({"lamp": "/lamps/1"})


def test_a_key_that_is_not_declared_is_not_written() -> None:
    assert made(Gear).dump({"rope": 9, "harpoon": "long"}) == {"rope": 9}


def test_a_value_of_the_engine_is_written_by_the_engine() -> None:
    over = Boat(1, BOAT.diver, None, {"rope": 9}, Outcome((4, 2), (1, 2), Statement("sold")))
    assert made(Boat).dump(over)["outcome"]["scores"] == [4, 2]


def test_the_schema_of_a_type_is_made_once() -> None:
    assert schema_of(Boat) is schema_of(Boat)
    assert made(Boat) is made(Boat)


def test_a_type_without_a_field_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Odd:
        either: int | tuple[str, ...]

    with pytest.raises(TypeError, match="no field for"):
        schema_of(Odd)


def test_what_the_api_does_not_show_is_in_no_schema() -> None:
    hidden: dict[Any, set[str]] = {
        MatchAnswer: {"created_by", "components_name"},
        TurnAnswer: {"player_id", "awaited", "match_id"},
    }
    for kind, names in hidden.items():
        assert not names & set(schema_of(kind)().fields)


def test_a_refused_turn_is_written_in_the_words_of_the_api() -> None:
    legal = (LegalAction({"type": "dive"}, "dive"), LegalAction({"type": "wait"}, "wait"))
    verdict = Verdict("rejected", 0, 3, 3, (), Refusal("too_deep", "R1", "That is too deep.", 1, (), legal, 2))
    turn = Turn("t", "m", 0, "ada", 3, ({"type": "dive"},), "rejected", NOON, NOON, verdict)
    written = made(TurnAnswer).dump(turn_answer(turn))
    assert written["match"] == "m"
    assert written["links"] == {
        "self": "/v1/matches/m/turns/t",
        "match": "/v1/matches/m",
        "observation": "/v1/matches/m/observation",
    }
    violation = written["verdict"]["violation"]
    assert (violation["pointer"], violation["detail"]) == ("/actions/1", "That is too deep.")
    assert [(each["number"], each["notation"]) for each in violation["legal"]] == [(1, "dive"), (2, "wait")]
