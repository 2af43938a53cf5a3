"""Positions of Ozeanien drawn as text.

A row of the board is a line, a space is a word of it:

- ``.`` unexplored, ``~`` a tile without land, a small letter a tile whose land joins it to
  neighbours of the same letter
- ``/NE`` after either: further land edges; so ``~/NS`` is a strait
- ``+`` the tile came from the reserve, ``?`` the reserve had none
- ``:2G`` an explorer of value 2 of the grey seat (``W`` white); ``:N2G`` on the northern side of a
  strait
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine.games.ozeanien import GAME
from engine.games.ozeanien.board import IMAGINED, RESERVE, UNEXPLORED
from engine.games.ozeanien.components import Options
from engine.games.ozeanien.state import Explorer, Phase, SeatState, State, check, setup
from engine.games.ozeanien.tiles import KIND_INDEX, KIND_OF, KINDS, LETTERS, Kind
from engine.play import judge, legal_actions
from engine.types import Setup, Violation

_TOKEN = re.compile(r"([.~a-z])(?:/([NESW]+))?([+?])?(?::([NESW]?)([123])([GW]))?")
_STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


def plenty(columns: int = 7, rows: int = 5, **changed: Mapping[str, int]) -> dict[str, Any]:
    """A component document with enough of everything."""
    kinds = {kind.value: 20 for kind in Kind}
    values: dict[str, Any] = {
        "board": {"columns": columns, "rows": rows},
        "circles": ["west", "south", "east"],
        "sea_tiles": kinds,
        "removed": 3,
        "reserve_tiles": {kind.value: 5 for kind in Kind},
        "explorers": {"1": 5, "2": 2, "3": 1},
    }
    return {
        "name": "plenty",
        **{key: {"value": value, "provenance": "reconstructed"} for key, value in (values | changed).items()},
    }


def position(
    drawing: str,
    *,
    seats: int = 2,
    seat: int = 0,
    discarded: Sequence[Mapping[Kind, int]] = ({}, {}),
    given_up: Sequence[Sequence[int]] = ((0, 0, 0), (0, 0, 0)),
    ship: str | None = None,
    tile: Kind | None = None,
    draws: int | None = None,
    reserve: Mapping[Kind, int] | None = None,
    **components: Any,
) -> State:
    """The position of a drawing, at the choice of a starting point, or with a tile at hand; sound,
    or the drawing is wrong.
    """
    rows = [line.split() for line in drawing.strip().splitlines()]
    document = plenty(len(rows[0]), len(rows), **components)
    base = setup(Setup(seats, Options(), GAME.load_components(document)))
    board, explorers = _read(rows)
    tally = [0] * len(KINDS)
    for each in board:
        if each != UNEXPLORED and not each & (RESERVE | IMAGINED):
            tally[KIND_OF[each]] += 1
    if tile is not None:
        tally[KIND_INDEX[tile]] += 1
    people = []
    for number in range(seats):
        thrown = tuple(discarded[number].get(kind, 0) for kind in KINDS)
        gone = tuple(given_up[number])
        on_board = [sum(1 for each in explorers if (each.seat, each.value) == (number, value)) for value in (1, 2, 3)]
        left = tuple(
            has - out - used for has, out, used in zip(base.seats[number].explorers, gone, on_board, strict=True)
        )
        people.append(SeatState(left, gone, thrown))
        tally = [count + more for count, more in zip(tally, thrown, strict=True)]
    if reserve is not None:
        stacks = tuple(reserve.get(kind, 0) for kind in KINDS)
        filled = [
            sum(1 for each in board if each != UNEXPLORED and each & RESERVE and KIND_OF[each & 15] == kind)
            for kind in range(len(KINDS))
        ]
        document["reserve_tiles"]["value"] = {
            kind.value: has + put for kind, has, put in zip(KINDS, stacks, filled, strict=True)
        }
    else:
        filled = [
            sum(1 for each in board if each != UNEXPLORED and each & RESERVE and KIND_OF[each & 15] == kind)
            for kind in range(len(KINDS))
        ]
        stacks = tuple(has - put for has, put in zip(base.reserve, filled, strict=True))
    bag = tuple(has - used for has, used in zip(base.bag, tally, strict=True))
    if draws is not None:
        spare = sum(bag) - 3 - draws
        bag, document = _fewer(bag, spare, document)
    table = setup(Setup(seats, Options(), GAME.load_components(document))).table
    state = replace(
        base,
        table=table,
        board=board,
        seats=tuple(people),
        bag=bag,
        draws=sum(bag) - 3,
        reserve=stacks,
        explorers=explorers,
        seat=seat,
        ship=None if ship is None else table.ground.start_index[ship],
        tile=None if tile is None else KIND_INDEX[tile],
        phase=Phase.SHIP if tile is None else Phase.PLACE,
    )
    assert check(state) == (), check(state)
    return state


def _read(rows: list[list[str]]) -> tuple[tuple[int, ...], tuple[Explorer, ...]]:
    board: list[int] = []
    explorers = []
    for y, row in enumerate(rows):
        for x, token in enumerate(row):
            match = _TOKEN.fullmatch(token)
            assert match, f"{token} is no space"
            base, extra, source, part, value, colour = match.groups()
            if base == ".":
                board.append(UNEXPLORED)
                continue
            joined = [edge for edge, (dx, dy) in _STEPS.items() if base != "~" and _base(rows, x + dx, y + dy) == base]
            land = sum(1 << LETTERS.index(edge) for edge in {*joined, *(extra or "")})
            if value:
                explorers.append(
                    Explorer(len(board), LETTERS.index(part) if part else None, "GW".index(colour), int(value))
                )
            board.append(land | {"+": RESERVE, "?": IMAGINED, None: 0}[source])
    return tuple(board), tuple(explorers)


def _base(rows: list[list[str]], x: int, y: int) -> str:
    return rows[y][x][0] if 0 <= y < len(rows) and 0 <= x < len(rows[y]) else ""


def _fewer(bag: tuple[int, ...], spare: int, document: dict[str, Any]) -> tuple[tuple[int, ...], dict[str, Any]]:
    """The bag and the components with so many tiles fewer."""
    counts, left = dict(document["sea_tiles"]["value"]), list(bag)
    for _ in range(spare):
        kind = max(reversed(range(len(left))), key=left.__getitem__)
        left[kind] -= 1
        counts[KINDS[kind].value] -= 1
    return tuple(left), {**document, "sea_tiles": {"value": counts, "provenance": "reconstructed"}}


def does(state: State, line: str) -> State:
    """The state after a line of notation: actions of the seat whose turn it is, and draws; each has
    to be legal.
    """
    for action in GAME.parse(line):
        if isinstance(action, GAME.chance_actions):
            assert action in [each for each, _ in GAME.outcomes(state)], f"{action} cannot be drawn"
            state = GAME.apply(state, -1, action)
            continue
        refusal = judge(GAME, state, state.seat, action)
        assert refusal is None, refusal
        state = GAME.apply(state, state.seat, action)
    assert check(state) == (), check(state)
    return state


def refused(state: State, line: str) -> Violation:
    """Why the first action of the line is refused."""
    refusal = judge(GAME, state, state.seat, GAME.parse(line)[0])
    assert refusal is not None, f"{line} is legal"
    return refusal


def legal(state: State) -> list[str]:
    """The legal actions as notation."""
    return [GAME.format(action) for action in legal_actions(GAME, state, state.seat)]
