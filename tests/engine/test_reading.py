"""Parsing lines of notation, with a small vocabulary made for the test."""

from __future__ import annotations

from enum import Enum

import pytest

from engine.errors import NotationError
from engine.reading import Reader, Spaces, Vocabulary, folded, vocabulary


class Verb(Enum):
    GO = "go"
    GIVE = "give"


class Thing(Enum):
    APPLE = "apple"
    APRICOT = "apricot"
    ASIDE = "aside"


WORDS: Vocabulary[Verb | Thing] = vocabulary(
    {
        Verb.GO: "go, aller",
        Verb.GIVE: "give, give away",
        Thing.APPLE: "apple, a",
        Thing.APRICOT: "apricot",
        Thing.ASIDE: "to one side",
    },
    verbs=tuple(Verb),
    fillers="the to of a",
    then="then puis",
    in_full=(Verb.GIVE,),
)
SPACES = Spaces("There is no field", columns=3, rows=12, example="B7")
THINGS = frozenset(Thing)
SAID = ("apple", "apricot")


def reader(line: str) -> Reader[Verb | Thing]:
    return Reader(line, WORDS, SPACES)


@pytest.mark.parametrize("typed", ["B7", "b 7", "7b", "the b 7", "B07"])
def test_a_space_is_a_letter_and_a_number_in_either_order(typed: str) -> None:
    assert reader(typed).take_space() == "B7"


def test_a_letter_that_is_a_filler_too_names_a_column_before_a_number() -> None:
    assert reader("a 7").take_space() == "A7"


@pytest.mark.parametrize("typed", ["D1", "A13", "A0", "A99999999999999999999"])
def test_an_unknown_space_is_refused_with_the_spaces_that_exist(typed: str) -> None:
    with pytest.raises(NotationError) as refused:
        reader(typed).take_space()
    assert refused.value.expected == ("a column from A to C and a row from 1 to 12, such as B7",)
    assert refused.value.message.startswith("There is no field")


def test_the_longest_phrase_wins_even_where_it_begins_with_a_filler() -> None:
    line = reader("to one side")
    assert line.take(THINGS, SAID) is Thing.ASIDE
    assert line.at_end()


def test_a_word_may_be_abbreviated_while_it_is_unambiguous() -> None:
    assert reader("apr").take(THINGS, SAID) is Thing.APRICOT
    with pytest.raises(NotationError, match="could be more than one word") as refused:
        reader("ap").take(THINGS, SAID)
    assert refused.value.expected == ("apple", "apricot")


def test_a_word_that_must_be_written_in_full_is_not_abbreviated() -> None:
    with pytest.raises(NotationError, match='did you mean "give"'):
        reader("giv").take(frozenset(Verb), ("go",))


def test_the_verb_of_the_next_action_ends_this_one() -> None:
    line = reader("apple go")
    assert line.take(THINGS, SAID) is Thing.APPLE
    assert line.take(THINGS, SAID) is None
    assert line.take(frozenset(Verb), ("go",)) is Verb.GO


@pytest.mark.parametrize("stop", [";", "\n", "then", "PUIS", "/"])
def test_a_separator_ends_an_action(stop: str) -> None:
    line = reader(f"apple {stop} apricot")
    assert line.take(THINGS, SAID) is Thing.APPLE
    assert line.ended()
    assert not line.at_end()
    assert line.take(THINGS, SAID) is Thing.APRICOT


def test_an_unknown_word_is_refused_at_its_place_with_a_similar_one() -> None:
    line = reader("the aplpe")
    with pytest.raises(NotationError) as refused:
        line.take(THINGS, SAID)
    assert refused.value.column == 4
    assert refused.value.expected[0] == "apple"


def test_an_incomplete_action_is_refused_as_unfinished() -> None:
    with pytest.raises(NotationError, match="not finished"):
        reader("  ;").fail_at_next(SAID)


def test_a_character_without_a_meaning_is_named() -> None:
    with pytest.raises(NotationError, match="U\\+0007"):
        reader("apple \x07")


def test_case_and_accents_make_no_difference() -> None:
    assert folded("Forêt") == folded("FORET") == "foret"
    assert reader("ÀLLER").take(frozenset(Verb), ("go",)) is Verb.GO
