"""The types every game shares."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from engine.errors import DocumentError, EngineError, NotationError, RecordError, UnknownGame
from engine.play import IllegalAction, WrongDraw
from engine.types import Entry, Outcome, Statement


def test_the_winners_are_all_seats_of_rank_one() -> None:
    assert Outcome((7, 9, 9), (3, 1, 1), Statement("over")).winners == (1, 2)


def test_an_entry_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Entry(0, "x").seat = 1  # type: ignore[misc]


def test_every_error_is_an_engine_error_with_a_code_of_its_own() -> None:
    kinds = (NotationError, DocumentError, IllegalAction, WrongDraw, RecordError, UnknownGame)
    assert all(issubclass(kind, EngineError) for kind in kinds)
    assert len({kind.code for kind in (*kinds, EngineError)}) == len(kinds) + 1


def test_a_document_error_shows_every_problem_with_its_pointer() -> None:
    assert str(DocumentError((("/a", "No."), ("", "Neither.")))) == "/a: No.; /: Neither."
