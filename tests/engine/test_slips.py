"""Similar words are offered where the line can be played with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine import registry
from engine.conformance.subject import play
from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import legal_actions
from engine.slips import playable
from engine.types import Setup
from tests.engine.matches import subject
from tests.engine.toy import BAG, GAME, Options, State, start

STATE: State = replace(start(Setup(2, Options(), BAG)), hands=((2,), ()))


def offered(line: str, column: int, *similar: str) -> tuple[str, ...]:
    return playable(GAME, STATE, 0, NotationError("This is unknown", line, column, ("dive",), similar)).similar


def expected(line: str, *words: str) -> tuple[str, ...]:
    column = line.index(" ") + 1
    return playable(GAME, STATE, 0, NotationError("This is unknown", line, column, words)).expected


def read(rules: AnyGame, line: str) -> tuple[Any, ...]:
    """The actions on a line, none if it cannot be read."""
    try:
        return rules.parse(line)
    except NotationError:
        return ()


def test_a_word_with_which_the_line_is_legal_is_offered() -> None:
    assert offered("divw", 0, "dive") == ("dive",)
    assert offered("offfer 2", 0, "offer") == ("offer",)


def test_a_word_with_which_the_line_is_not_legal_is_not_offered() -> None:
    assert offered("offfer 3", 0, "offer") == ()
    assert offered("tak", 0, "take", "dive") == ("dive",)


def test_a_word_with_which_the_line_cannot_be_read_is_not_offered() -> None:
    assert offered("offfer pearl", 0, "offering") == ()


def test_where_the_line_has_another_slip_too_a_word_with_which_it_is_read_further_is_offered() -> None:
    assert offered("divw; ofer 2", 0, "dive") == ("dive",)
    assert offered("divw; ofer 2", 0, "swim") == ()


def test_where_nothing_was_understood_an_action_of_each_kind_that_is_legal_is_named() -> None:
    error = playable(GAME, STATE, 0, NotationError("This is unknown", "tak", 0, ("take", "leave"), ("take",)))
    assert error.message == "This is unknown. Expected dive or offer 2."


def test_what_is_expected_is_left_where_it_makes_a_legal_action() -> None:
    assert expected("offer pearl", "offer 1", "offer 2") == ("offer 2",)
    assert expected("offer pearl", "offer 1", "offer 3") == ("dive", "offer 2")


def test_what_describes_in_words_what_would_fit_is_left() -> None:
    rules = registry.game("oregon")
    match = play(subject("oregon"), 2, 5)
    state, seat = next(
        (state, seat) for _, state, seat in match.decisions() if rules.prompt(state, seat).code == "play"
    )
    with pytest.raises(NotationError) as refused:
        rules.parse("farmer wagon bison")
    assert playable(rules, state, seat, refused.value).expected == ("a space such as C7",)


@pytest.mark.parametrize(
    "name", ["ozeanien", *(pytest.param(name, marks=pytest.mark.deep) for name in ("oregon", "montana"))]
)
def test_no_expectation_names_an_action_that_is_not_legal(name: str) -> None:
    """In the positions of matches, for the beginnings of lines and unknown words."""
    rules = registry.game(name)
    for match in (play(subject(name), seats, 5) for seats in rules.info.seats):
        for _, state, seat in list(match.decisions())[::5]:
            legal = legal_actions(rules, state, seat)
            for line in ("xyzzy", f"{rules.format(legal[0]).split()[0]} xyzzy"):
                with pytest.raises(NotationError) as refused:
                    rules.parse(line)
                for said in playable(rules, state, seat, refused.value).expected:
                    actions = read(rules, line.replace("xyzzy", said)) or read(rules, said)
                    assert not actions or actions[0] in legal, f"{line!r}: {said!r} is expected"
