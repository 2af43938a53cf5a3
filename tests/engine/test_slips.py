"""Similar words are offered where the line can be played with them."""

from __future__ import annotations

from dataclasses import replace

from engine.errors import NotationError
from engine.slips import playable
from engine.types import Setup
from tests.engine.toy import BAG, GAME, Options, State, start

STATE: State = replace(start(Setup(2, Options(), BAG)), hands=((2,), ()))


def offered(line: str, column: int, *similar: str) -> tuple[str, ...]:
    return playable(GAME, STATE, 0, NotationError("This is unknown", line, column, ("dive",), similar)).similar


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


def test_the_rest_of_the_error_stays() -> None:
    error = playable(GAME, STATE, 0, NotationError("This is unknown", "tak", 0, ("dive",), ("take",)))
    assert error.message == "This is unknown. Expected dive."
