"""The table of all legal actions: each once, with its number, in every game."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import registry
from engine.game import AnyGame
from engine.listing import PLAIN_LIST, TO, Label, Listing, ListingCell, labels, listed, listing
from engine.play import legal_actions
from engine.types import CHANCE, Setup
from tests.engine import toy
from tests.installed import EXAMPLE

OREGON_FARMERS = [f"farmer bison wagon {column}{row}" for row in (1, 2) for column in "ABC"]
OREGON_BUILDINGS = [f"building harbour {card} {space}" for card in ("wagon", "joker") for space in ("A1", "C4", "D9")]


def spelled_out(table: Listing) -> dict[int, str]:
    """The lines of a table by number, as a reader makes them of its rows and cells."""
    lines: dict[int, str] = {}
    for row in table.rows:
        for cell in row.cells:
            for number, ending in enumerate(endings(cell), cell.first):
                assert number not in lines
                lines[number] = f"{row.title} {ending}".strip()
    return lines


def endings(cell: ListingCell) -> Iterator[str]:
    """The endings of a cell, by counting on from the first."""
    found = re.search(r"(\S*?)([A-Z]|[0-9]+)(\S*)\N{EN DASH}\1([A-Z]|[0-9]+)\3(?=\s|$)", cell.words)
    if cell.first == cell.last or found is None:
        assert cell.first == cell.last
        yield cell.words
        return
    before, first, after, _ = found.groups()
    for step in range(cell.last - cell.first + 1):
        piece = str(int(first) + step) if first.isdigit() else chr(ord(first) + step)
        yield cell.words.replace(found[0], f"{before}{piece}{after}")


def positions(game: AnyGame, components: Any, seed: int) -> Iterator[tuple[Any, int]]:
    """What seats are asked in a match of random actions, up to 120 of them."""
    chance = Random(seed)
    state = game.setup(Setup(min(game.info.seats), game.options(), components))
    for _ in range(120):
        awaited = game.to_act(state)
        if not awaited:
            return
        if awaited == (CHANCE,):
            outcomes = game.outcomes(state)
            seat, action = CHANCE, chance.choices([each for each, _ in outcomes], [weight for _, weight in outcomes])[0]
        else:
            seat = awaited[0]
            yield state, seat
            action = chance.choice(legal_actions(game, state, seat))
        state = game.apply(state, seat, action)


def check(game: AnyGame, components: Any) -> None:
    for state, seat in positions(game, components, seed=7):
        lines = [game.format(action) for action in legal_actions(game, state, seat)]
        table = listing(game, state, seat)
        assert table.total == len(lines)
        assert spelled_out(table) == dict(enumerate(lines, 1))


@pytest.mark.parametrize("name", registry.games())
def test_every_legal_action_is_listed_once_with_its_number(name: str) -> None:
    check(registry.game(name), registry.components(name))


def test_games_of_others_are_listed_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    check(toy.GAME, toy.BAG)
    monkeypatch.syspath_prepend(EXAMPLE)
    example = import_module("connect_four").GAME
    standard = json.loads((EXAMPLE / "connect_four" / "standard.json").read_text())
    check(example, example.load_components(standard))
    for name in [name for name in sys.modules if name.partition(".")[0] == "connect_four"]:
        del sys.modules[name]  # Other tests install the example.


def test_a_seat_that_is_not_awaited_has_nothing_to_list() -> None:
    state = toy.GAME.setup(Setup(2, toy.Options(), toy.BAG))
    assert listing(toy.GAME, state, 1) == Listing((), 0)


def test_rows_begin_with_the_words_that_actions_share() -> None:
    table = listed([*OREGON_FARMERS, *OREGON_BUILDINGS, "done"])
    assert [(row.title, [f"{cell.number} {cell.words}" for cell in row.cells]) for row in table.rows] == [
        ("farmer bison wagon", [f"1{TO}3 A1{TO}C1", f"4{TO}6 A2{TO}C2"]),
        ("building harbour", ["7 wagon A1", "8 wagon C4", "9 wagon D9", "10 joker A1", "11 joker C4", "12 joker D9"]),
        ("", ["13 done"]),
    ]


def test_a_few_actions_are_whole_lines() -> None:
    lines = [f"draw {number}" for number in range(PLAIN_LIST)]
    assert [(row.title, [cell.words for cell in row.cells]) for row in listed(lines).rows] == [("", lines)]


def test_no_cell_begins_with_a_number_that_could_be_taken_for_its_own() -> None:
    lines = [f"bank {count} {worker}" for count in (2, 3, 4) for worker in ("wheat", "stone", "coins", "copper")]
    assert [row.title for row in listed(lines).rows] == ["bank 2", "bank 3", "bank 4"]


def test_two_in_a_row_are_no_range() -> None:
    lines = [*(f"place {space}" for space in ("A1", "B1", "A3", "B3", "E1", "F1", "G1")), "end", "pass"]
    (row, _) = listed(lines).rows
    assert [cell.words for cell in row.cells] == ["A1", "B1", "A3", "B3", f"E1{TO}G1"]


WORDS = st.sampled_from(["A1", "B1", "C1", "A2", "x", "1", "2", "3", "farmer", "D", "E", "F", "C12", "Z", "a-b"])
LINES = st.lists(st.lists(WORDS, min_size=1, max_size=4).map(" ".join), unique=True, max_size=60)


@given(LINES)
def test_whatever_the_notation_every_line_is_in_one_cell(lines: list[str]) -> None:
    assert spelled_out(listed(lines)) == dict(enumerate(lines, 1))


@given(LINES)
def test_no_cell_of_a_titled_row_begins_with_a_digit(lines: list[str]) -> None:
    table = listed(lines)
    assert not [cell for row in table.rows if row.title for cell in row.cells if cell.ending[0].isdigit()]


def test_lines_that_are_equal_have_labels_too() -> None:
    """Of a game that writes two actions alike, which is a fault of it."""
    lines = [*(f"put {number}" for number in range(30)), "put 7", ""]
    assert labels([*lines, ""])[30:] == (Label("", "put 7"), Label("", ""), Label("", ""))


@pytest.mark.parametrize("lines", [OREGON_FARMERS, OREGON_BUILDINGS, ["end"], ["skip", "explorer 1"], []])
def test_a_label_is_the_line_without_the_words_of_its_menu(lines: list[str]) -> None:
    found = labels(lines)
    assert [f"{label.group} {label.words}".strip() for label in found] == lines
    assert all(label.words for label in found)


def test_actions_of_one_row_share_a_menu() -> None:
    found = labels([*OREGON_FARMERS, *OREGON_BUILDINGS, "end"])
    assert {label.group for label in found} == {"farmer bison wagon", "building harbour", ""}
    assert (found[0], found[-1]) == (("farmer bison wagon", "A1"), ("", "end"))
