"""Wording of boards: names, enumerations, lines of monospace text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.wording import WIDTH, amount, as_sentence, listed, name_of, padded, plain, victory, wrapped


def test_a_seat_without_a_name_is_called_by_its_number() -> None:
    assert [name_of(seat, ["Ada", " \n"]) for seat in range(3)] == ["Ada", "Seat 1", "Seat 2"]


@given(st.text())
def test_a_name_becomes_printable_text_on_one_line(text: str) -> None:
    assert plain(text).isprintable()
    assert plain(text) == plain(text).strip()


@pytest.mark.parametrize(
    ("parts", "said"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), (("a", "b", "c"), "a, b and c")]
)
def test_parts_are_enumerated(parts: tuple[str, ...], said: str) -> None:
    assert listed(parts) == said


@pytest.mark.parametrize(
    ("winners", "said"), [(["Ada"], "Ada wins"), (["Ada", "Bela"], "Ada and Bela share the victory")]
)
def test_the_winners_are_named_in_a_sentence(winners: list[str], said: str) -> None:
    assert victory(winners) == said


def test_a_plural_depends_on_the_number() -> None:
    assert [amount(count, "cow") for count in range(3)] == ["0 cows", "1 cow", "2 cows"]


def test_a_sentence_begins_with_a_capital_and_ends_with_a_full_stop() -> None:
    assert as_sentence("draw 2 cards, or use a Joker") == "Draw 2 cards, or use a Joker."


def test_long_lines_are_broken_and_indented() -> None:
    found = wrapped("word " * 40, 4)
    assert max(map(len, found)) <= WIDTH
    assert all(line.startswith("    word") for line in found[1:])


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Ada", "Ada   "),
        ("Chandra", "Chan.."),
        ("e\u0301a", "e\u0301a    "),
        ("\u5c71\u7530\u82b1\u5b50", "\u5c71\u7530.."),
    ],
)
def test_names_fill_their_columns(name: str, shown: str) -> None:
    assert padded(name, 6) == shown
