"""Documents: writing, reading, the pointers of problems, and that schema and reader agree."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from engine.documents import About, from_document, reader, schema, to_document
from engine.errors import DocumentError


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


Small = Annotated[int, About("A small number.", minimum=0, maximum=5, example=3)]
Place = Annotated[str, About("A place.", pattern=r"^[A-C](10|[1-9])$", example="B7")]
Few = Annotated[tuple[int, ...], About("One or two numbers.", min_items=1, max_items=2)]


@dataclass(frozen=True, slots=True)
class Go:
    """Go somewhere."""

    type: ClassVar[str] = "go"
    place: Place
    steps: Small = 1


@dataclass(frozen=True, slots=True)
class Stay:
    """Stay where you are."""

    type: ClassVar[str] = "stay"


@dataclass(frozen=True, slots=True)
class Everything:
    """One of each."""

    move: Go | Stay
    maybe: Go | Stay | None
    colours: tuple[Colour, ...]
    pair: tuple[int, str]
    counts: Mapping[Colour, Small]
    names: dict[str, str]
    level: Literal["low", "high", 3]
    number: float
    sure: bool
    spot: Place | None = None
    small: Annotated[int | None, About(minimum=2)] = None
    anything: Any = None
    extra: tuple[int, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Tree:
    """A type that contains itself."""

    name: str
    children: tuple[Tree, ...] = ()


places = st.builds(lambda letter, number: f"{letter}{number}", st.sampled_from("ABC"), st.integers(1, 10))
moves = st.builds(Go, places, st.integers(0, 5)) | st.just(Stay())
everythings = st.builds(
    Everything,
    moves,
    moves | st.none(),
    st.lists(st.sampled_from(Colour)).map(tuple),
    st.tuples(st.integers(), st.text()),
    st.dictionaries(st.sampled_from(Colour), st.integers(0, 5)),
    st.dictionaries(st.text(), st.text()),
    st.sampled_from(["low", "high", 3]),
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
    places | st.none(),
    st.integers(2, 9) | st.none(),
    st.sampled_from([None, 1, "x", [1], {"a": None}]),
    st.lists(st.integers()).map(tuple),
)
GOOD: dict[str, Any] = {
    "move": {"type": "go", "place": "B7", "steps": 2},
    "maybe": None,
    "colours": ["red", "blue"],
    "pair": [1, "x"],
    "counts": {"red": 3},
    "names": {"a": "b"},
    "level": 3,
    "number": 1.5,
    "sure": True,
}


def problems(kind: Any, document: Any) -> dict[str, str]:
    with pytest.raises(DocumentError) as refused:
        from_document(kind, document)
    return dict(refused.value.problems)


def validator(kind: Any) -> Draft202012Validator:
    definitions: dict[str, Any] = {}
    top = schema(kind, definitions, refs="#/$defs/")
    whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", **top, "$defs": definitions}
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator(whole)


def reads(kind: Any, document: Any) -> bool:
    try:
        from_document(kind, document)
    except DocumentError:
        return False
    return True


@given(everythings)
def test_values_are_equal_after_writing_and_reading_also_through_json(value: Everything) -> None:
    document = to_document(value)
    assert from_document(Everything, document) == value
    assert from_document(Everything, json.loads(json.dumps(document))) == value


@given(everythings)
def test_what_is_written_fits_the_schema(value: Everything) -> None:
    assert EVERYTHING.is_valid(to_document(value))


def test_a_tagged_value_is_written_with_its_type_first() -> None:
    assert list(to_document(Go("B7"))) == ["type", "place", "steps"]
    assert to_document(Stay()) == {"type": "stay"}


def test_enumerations_are_written_as_plain_strings_also_as_keys() -> None:
    written: dict[str, str] = to_document({Colour.RED: Colour.BLUE})
    assert [type(part) for part in (*written, *written.values())] == [str, str]


def test_keys_of_an_enumeration_are_read_as_its_members() -> None:
    assert list(map(type, from_document(Everything, GOOD).counts)) == [Colour]


def test_defaults_are_filled_in() -> None:
    value: Any = from_document(Everything, GOOD)
    assert (value.spot, value.extra, value.anything) == (None, (), None)


@pytest.mark.parametrize(
    ("path", "value", "pointer", "words"),
    [
        (("move",), {"type": "fly"}, "/move/type", '"fly" is not one of go, stay'),
        (("move",), {"place": "B7"}, "/move/type", "type is missing: it is one of go, stay"),
        (("move",), "go", "/move", '"go" is not an object'),
        (("move",), {"type": ["go"]}, "/move/type", "is not one of go, stay"),
        (("move", "place"), "D7", "/move/place", '"D7" does not have the form'),
        (("move", "place"), "D7", "/move/place", 'such as "B7"'),
        (("move", "place"), "B7\n", "/move/place", "does not have the form"),
        (("move", "place"), 7, "/move/place", "7 is not a string"),
        (("move", "place"), None, "/move/place", "null is not a string"),
        (("move", "steps"), 6, "/move/steps", "6 is more than 5"),
        (("move", "steps"), -1, "/move/steps", "-1 is less than 0"),
        (("move", "steps"), True, "/move/steps", "true is not a whole number"),
        (("move", "steps"), 1.5, "/move/steps", "1.5 is not a whole number"),
        (("move", "speed"), 1, "/move/speed", 'no field "speed" here; known: place, steps'),
        (("colours",), "red", "/colours", "is not a list"),
        (("colours",), ["red", "green"], "/colours/1", '"green" is not one of "red", "blue"'),
        (("pair",), [1], "/pair", "This list has 1 item, not 2"),
        (("pair",), ["1", "x"], "/pair/0", "is not a whole number"),
        (("counts",), {"green": 1}, "/counts/green", "is not one of"),
        (("counts",), {"red": 9}, "/counts/red", "9 is more than 5"),
        (("counts",), [], "/counts", "is not an object"),
        (("names",), {"a/b~c": 1}, "/names/a~1b~0c", "is not a string"),
        (("level",), "3", "/level", '"3" is not one of "low", "high", 3'),
        (("level",), True, "/level", "is not one of"),
        (("level",), None, "/level", "is not one of"),
        (("level",), ["low"], "/level", "is not one of"),
        (("number",), "1", "/number", "is not a number"),
        (("number",), True, "/number", "is not a number"),
        (("number",), math.nan, "/number", "is not a number"),
        (("number",), math.inf, "/number", "is not a number"),
        (("number",), 10**400, "/number", "is not a number"),
        (("sure",), 1, "/sure", "1 is not true or false"),
        (("small",), 1, "/small", "1 is less than 2"),
        (("a/b",), 1, "/a~1b", "There is no field"),
    ],
)
def test_a_problem_is_named_by_its_pointer(path: tuple[str, ...], value: Any, pointer: str, words: str) -> None:
    document = json.loads(json.dumps(GOOD))
    target = document
    for key in path[:-1]:
        target = target[key]
    target[path[-1]] = value
    found = problems(Everything, document)
    assert list(found) == [pointer]
    assert words in found[pointer]


def test_every_problem_is_named_at_once() -> None:
    found = problems(
        Everything, {"move": {"type": "go", "place": "Z", "steps": 9}, "pair": [1, 2], "sure": "yes", "wrong": 1}
    )
    assert set(found) == {
        "/move/place",
        "/move/steps",
        "/pair/1",
        "/sure",
        "/wrong",
        "/maybe",
        "/colours",
        "/counts",
        "/names",
        "/level",
        "/number",
    }


def test_a_pointer_starts_where_the_reader_is_told() -> None:
    with pytest.raises(DocumentError) as refused:
        reader(Go)({"type": "go"}, "/actions/3")
    assert refused.value.problems == (("/actions/3/place", "place is missing."),)


def test_a_tagged_type_read_on_its_own_wants_its_own_type() -> None:
    assert problems(Stay, {}) == {"/type": "type is missing."}
    assert problems(Stay, {"type": "go"}) == {"/type": '"go" is not stay.'}
    assert problems(Stay, ["stay"]) == {"": '["stay"] is not an object.'}


def test_a_long_value_is_quoted_in_part() -> None:
    assert len(problems(int, "x" * 500)[""]) < 100


def test_a_whole_number_may_be_written_with_a_zero_fraction_as_json_has_one_kind_of_number() -> None:
    for kind in (int, float, Literal[3]):
        assert from_document(kind, 3.0) == 3
    assert type(from_document(int, 3.0)) is int
    assert type(from_document(float, 3)) is float


def test_a_number_is_not_read_as_a_truth_value_nor_the_other_way_round() -> None:
    assert not reads(int, True)
    assert not reads(float, False)
    assert not reads(bool, 0)
    assert not reads(Literal[1], True)
    assert not reads(Literal[True], 1)


def test_null_is_read_where_it_is_allowed() -> None:
    assert from_document(type(None), None) is None
    assert from_document(Literal["a", None], None) is None
    assert not reads(type(None), 0)


def test_a_type_may_contain_itself() -> None:
    document = {"name": "a", "children": [{"name": "b", "children": []}]}
    assert to_document(from_document(Tree, document)) == document
    assert validator(Tree).is_valid(document)
    assert problems(Tree, {"name": "a", "children": [{"name": 1}]}) == {"/children/0/name": "1 is not a string."}


@pytest.mark.parametrize(
    ("items", "words"), [([], "0 items; the minimum is 1"), ([1, 2, 3], "3 items; the maximum is 2")]
)
def test_a_list_has_as_many_items_as_its_bounds_allow(items: list[int], words: str) -> None:
    assert from_document(Few, [1, 2]) == (1, 2)
    with pytest.raises(DocumentError, match=words):
        from_document(Few, items)


def test_an_empty_tuple_is_an_empty_list() -> None:
    assert from_document(tuple[()], []) == ()
    assert not reads(tuple[()], [1])
    assert validator(tuple[()]).is_valid([])


@pytest.mark.parametrize("value", ["A1", 3, True, ("A1", "B2"), (), None])
def test_a_union_of_texts_numbers_and_lists_is_told_apart_by_their_kind_in_json(value: Any) -> None:
    kind = str | int | bool | tuple[str, ...] | None
    found: Any = from_document(kind, json.loads(json.dumps(to_document(value))))
    assert (found, type(found)) == (value, type(value))
    assert validator(kind).is_valid(to_document(value))


@pytest.mark.parametrize("document", [0.5, {}, [1]])
def test_what_is_none_of_them_is_refused_with_its_place(document: Any) -> None:
    kind = str | int | tuple[str, ...] | None
    assert not validator(kind).is_valid(document)
    with pytest.raises(DocumentError, match=r"/at"):
        from_document(kind, document, "/at")


@dataclass(frozen=True, slots=True)
class AlsoGo:
    type: ClassVar[str] = "go"


@pytest.mark.parametrize(
    "kind", [int | float, int | Colour, Go | int, Go | AlsoGo, Colour | Literal["x"], bytes, set[int], list]
)
def test_a_union_of_indistinguishable_types_has_no_reader(kind: Any) -> None:
    with pytest.raises(TypeError):
        reader(kind)


def test_a_value_of_an_unsupported_type_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="cannot be written"):
        to_document(object())


def test_the_schema_describes_types_fields_and_defaults() -> None:
    definitions: dict[str, Any] = {}
    assert schema(Go | Stay, definitions, "toy.") == {
        "oneOf": [{"$ref": "#/components/schemas/toy.Go"}, {"$ref": "#/components/schemas/toy.Stay"}],
        "discriminator": {
            "propertyName": "type",
            "mapping": {"go": "#/components/schemas/toy.Go", "stay": "#/components/schemas/toy.Stay"},
        },
    }
    assert definitions["toy.Go"] == {
        "type": "object",
        "description": "Go somewhere.",
        "properties": {
            "type": {"type": "string", "const": "go", "description": "What it is: `go`."},
            "place": {"type": "string", "description": "A place.", "pattern": "^[A-C](10|[1-9])$", "examples": ["B7"]},
            "steps": {
                "type": "integer",
                "description": "A small number. `1` if left out.",
                "minimum": 0,
                "maximum": 5,
                "examples": [3],
            },
        },
        "required": ["type", "place"],
        "additionalProperties": False,
    }


def test_two_types_of_one_name_do_not_overwrite_each_other() -> None:
    definitions: dict[str, Any] = {}
    schema(Go, definitions)

    @dataclass(frozen=True, slots=True)
    class Elsewhere:
        """Another type."""

    Elsewhere.__name__ = "Go"
    with pytest.raises(TypeError, match="two types are called Go"):
        schema(Elsewhere, definitions)


EVERYTHING = validator(Everything)
leaves = (
    st.none()
    | st.booleans()
    | st.integers(-3, 12)
    | st.sampled_from([1.0, 2.5])
    | st.sampled_from(["red", "blue", "go", "stay", "B7", "Z1", "low", ""])
)
keys = st.sampled_from(["type", "place", "steps", "red", "blue", "name", "children", "move", "other"])
documents = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4), max_leaves=8
)
KINDS = [
    Go,
    Stay,
    Go | Stay,
    Go | Stay | None,
    Tree,
    tuple[Colour, ...],
    tuple[int, str],
    Mapping[Colour, Small],
    dict[str, str],
    Literal["low", 3],
    Place | None,
    Few,
]
KINDS += [int, float, bool, str, Small, Annotated[int | None, About(minimum=2)], Any]


@pytest.mark.parametrize("kind", KINDS, ids=str)
def test_reader_and_schema_agree_on_any_document(kind: Any) -> None:
    checked = validator(kind)

    @given(documents)
    def agree(document: Any) -> None:
        assert reads(kind, document) == checked.is_valid(document)

    agree()


@given(everythings, st.sampled_from(sorted(GOOD)), documents)
def test_reader_and_schema_agree_when_one_field_is_replaced(value: Everything, name: str, document: Any) -> None:
    changed = to_document(value) | {name: document}
    assert reads(Everything, changed) == EVERYTHING.is_valid(changed)


@given(everythings, st.sampled_from(sorted(GOOD)))
def test_reader_and_schema_agree_when_one_field_is_left_out(value: Everything, name: str) -> None:
    changed = {key: item for key, item in to_document(value).items() if key != name}
    assert reads(Everything, changed) is EVERYTHING.is_valid(changed) is False


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Boxed(Generic[T]):
    """A value in a box."""

    value: T
    label: str = ""


Lengths = Annotated[Boxed[tuple[Small, ...]], About("Lengths in a box.", name="Lengths")]
Toy = Annotated[Boxed[Place], About("A place in a box.", name="Toy")]


@dataclass(frozen=True, slots=True)
class Shelf:
    """Two boxes."""

    lengths: Lengths
    toy: Toy


def test_a_generic_type_is_read_and_written_by_its_parameters() -> None:
    shelf = Shelf(Boxed((1, 5)), Boxed("B7", "toys"))
    document = {"lengths": {"value": [1, 5], "label": ""}, "toy": {"value": "B7", "label": "toys"}}
    assert to_document(shelf) == document
    assert from_document(Shelf, document) == shelf
    with pytest.raises(DocumentError) as refused:
        from_document(Shelf, {"lengths": {"value": [1, 6]}, "toy": {"value": "B7", "colour": "red"}})
    assert [pointer for pointer, _ in refused.value.problems] == ["/lengths/value/1", "/toy/colour"]


def test_the_schema_of_a_generic_type_has_the_name_and_description_it_is_given() -> None:
    found: dict[str, Any] = {}
    schema(Shelf, found, "My", "#/")
    assert found["MyShelf"]["properties"] == {"lengths": {"$ref": "#/MyLengths"}, "toy": {"$ref": "#/MyToy"}}
    assert found["MyLengths"]["description"] == "Lengths in a box."
    assert found["MyLengths"]["properties"]["value"]["items"]["maximum"] == 5
    assert found["MyToy"]["properties"]["value"]["pattern"] == r"^[A-C](10|[1-9])$"
    assert found["MyToy"]["required"] == ["value"]
    with pytest.raises(TypeError, match="name its schema"):
        schema(Boxed[int], {})
