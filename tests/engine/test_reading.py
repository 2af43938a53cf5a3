"""Parsing lines of notation, with a small vocabulary made for the test."""

from __future__ import annotations

from enum import Enum

import pytest

from engine.errors import NotationError
from engine.reading import Reader, Spaces, read_actions
from engine.vocabulary import Term, Vocabulary, folded, vocabulary


class Verb(Enum):
    GO = "go"
    GIVE = "give"


class Thing(Enum):
    APPLE = "apple"
    APRICOT = "apricot"
    ASIDE = "aside"


WORDS: Vocabulary[Verb | Thing] = vocabulary(
    {
        Verb.GO: Term("go", "aller"),
        Verb.GIVE: Term("give, give away, end turn"),
        Thing.APPLE: Term("apple, q", "pomme d'api"),
        Thing.APRICOT: Term("apricot"),
        Thing.ASIDE: Term("to one side, on side"),
    },
    verbs=tuple(Verb),
    in_full=(Verb.GIVE,),
)
SPACES = Spaces("There is no field", columns=3, rows=12, example="B7")
THINGS = frozenset(Thing)
SAID = ("apple", "apricot")


def reader(line: str) -> Reader[Verb | Thing]:
    return Reader(line, WORDS, SPACES)


@pytest.mark.parametrize("typed", ["B7", "b 7", "7b", "the b 7", "B07", "b-7"])
def test_a_space_is_a_letter_and_a_number_in_either_order(typed: str) -> None:
    assert reader(typed).take_space() == "B7"


def test_an_article_is_never_half_of_the_name_of_a_space() -> None:
    assert reader("a 7").take_space() is None
    assert reader("a7").take_space() == "A7"


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


@pytest.mark.parametrize("stop", [";", "\n", "then", "PUIS", "poi", "/", "|"])
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
    assert refused.value.similar == ("apple",)


def test_an_incomplete_action_is_refused_as_unfinished() -> None:
    with pytest.raises(NotationError, match="not finished"):
        reader("  ;").fail_at_next(SAID)


def test_a_character_without_a_meaning_is_named() -> None:
    with pytest.raises(NotationError, match="U\\+0007"):
        reader("apple \x07")


def test_case_and_accents_make_no_difference() -> None:
    assert folded("Forêt") == folded("FORET") == "foret"
    assert reader("ÀLLER").take(frozenset(Verb), ("go",)) is Verb.GO


def test_fillers_are_passed_over_between_and_within_phrases() -> None:
    line = reader("please give the apple away now")
    assert line.take(frozenset(Verb), ("go",)) is Verb.GIVE
    assert line.take(THINGS, SAID) is Thing.APPLE
    assert reader("on your side").take(THINGS, SAID) is Thing.ASIDE


def test_a_small_word_is_taken_only_where_the_grammar_asks_for_it() -> None:
    line = reader("to one side apple")
    assert line.skip(Thing.APPLE) is None
    assert line.skip(Thing.ASIDE) is Thing.ASIDE
    assert line.taken == {0: Thing.ASIDE, 1: Thing.ASIDE, 2: Thing.ASIDE}


@pytest.mark.parametrize(
    "line",
    ["apple - apricot", "apple \u2013 apricot", "apple \u2192 apricot", "apple/apricot", "\u2022 apple, (apricot)!"],
)
def test_dashes_arrows_and_other_punctuation_between_words_say_nothing(line: str) -> None:
    read = reader(line)
    assert [read.take(THINGS, SAID), read.take(THINGS, SAID)] == [Thing.APPLE, Thing.APRICOT]
    assert read.at_end()


def test_marks_that_nobody_sees_say_nothing_beside_words() -> None:
    """A text from a chat or an editor brings them along."""
    read = reader("\ufeffapple\u200b \u2066apricot\u2069\u200b\u200e")
    assert [read.take(THINGS, SAID), read.take(THINGS, SAID)] == [Thing.APPLE, Thing.APRICOT]
    assert read.at_end()
    with pytest.raises(NotationError, match=r"U\+200B"):
        reader("app\u200b\u200ble")


def test_elided_articles_say_nothing() -> None:
    assert reader("l'apricot").take(THINGS, SAID) is Thing.APRICOT
    assert reader("une pomme d\u2019api").take(THINGS, SAID) is Thing.APPLE


@pytest.mark.parametrize(
    ("line", "words"),
    [("apple -2", '"-" has no meaning here'), ("apple 2.5", '"2.5" is not a whole number'), ("apple?", '"\\?" has no')],
)
def test_numbers_that_are_negative_or_not_whole_are_refused(line: str, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        reader(line)


def gone(line: Reader[Verb | Thing]) -> tuple[Verb | Thing, ...]:
    """Reads "go" or "give THING"."""
    verb = line.take(frozenset(Verb), ("go",)) or line.fail_at_next(("go",))
    thing = line.take(THINGS, SAID) if verb is Verb.GIVE else None
    return (verb,) if thing is None else (verb, thing)


@pytest.mark.parametrize(
    "line", ["1. go; 2. give apple", "1) go\n2) give apple", "go and give apple", "go, then give apple"]
)
def test_lists_and_joints_between_actions_are_read(line: str) -> None:
    assert read_actions(reader(line), gone, ("go",)) == (Verb.GO, Verb.GIVE, Thing.APPLE)


@pytest.mark.parametrize(
    ("line", "column"), [("go apple", 3), ("go 2", 3), ("go and", 3), ("give apple apricot", 11), ("go 1. go", 3)]
)
def test_what_is_left_after_an_action_is_refused(line: str, column: int) -> None:
    with pytest.raises(NotationError, match="does not fit here") as refused:
        read_actions(reader(line), gone, ("go",))
    assert refused.value.column == column


def test_a_line_without_an_action_is_refused_with_what_an_action_begins_with() -> None:
    with pytest.raises(NotationError, match=r"There is no action on this line\. Expected go\."):
        read_actions(reader(" ; "), gone, ("go",))


def test_the_message_has_the_sentence_the_similar_word_and_what_is_expected_once() -> None:
    with pytest.raises(NotationError) as refused:
        reader("aplpe").take(THINGS, SAID)
    error = refused.value
    assert error.message == ('"aplpe" is not a word of this notation; did you mean "apple"? Expected apple or apricot.')
    assert (
        error.offering((), error.expected).message
        == '"aplpe" is not a word of this notation. Expected apple or apricot.'
    )


def test_a_number_between_two_nouns_is_refused_with_both_readings() -> None:
    line = reader("go apple 2 apricot")
    line.take(frozenset(Verb), ("go",))
    line.take(THINGS, SAID)
    with pytest.raises(NotationError) as refused:
        line.take_count_behind(False, THINGS)
    assert refused.value.message.startswith('The number 2 could belong to "apple" or to "apricot". ')
    assert refused.value.expected == ('"2 apple, apricot"', '"apple, 2 apricot"')
