"""Positions drawn as text.

A drawing is ten rows of fifteen spaces, or any piece of it laid at a space. A space is what it
bears: ``R B Y K`` a farmer of seat 0, 1, 2 or 3, ``PO HB CH CM GM WH ST`` a building; anything else
(``.`` or the terrain's own character) is left empty.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from engine import registry
from engine.games.oregon import GAME
from engine.games.oregon.actions import PlaceBuilding, PlaceFarmer
from engine.games.oregon.apply import apply
from engine.games.oregon.board import INDEX, SPACES
from engine.games.oregon.components import BUILDING_INDEX, BUILDINGS, SYMBOLS, WIDTH, Building, Options, Symbol
from engine.games.oregon.notation import parse
from engine.games.oregon.state import EMPTY, FIRST_BUILDING, FIRST_FARMER, Phase, State, Tally, setup
from engine.games.oregon.terms import BUILDING_CODES
from engine.play import judge
from engine.types import CHANCE, Setup, Violation

STANDARD = registry.components("oregon")
MARKS = "RBYK"
_CODES = {code: BUILDING_INDEX[building] for building, code in BUILDING_CODES.items()}
_HAND = "settler settler settler harbour"


def position(
    drawing: str = "",
    at: str = "A1",
    *,
    seats: int = 2,
    hands: Sequence[str] = (),
    seat: int = 0,
    stacks: Mapping[str, int] | None = None,
    options: Options | None = None,
    components: Any = STANDARD,
    **changes: Any,
) -> State:
    """A sound position in which ``seat`` is to make its first play.

    ``hands`` names cards ("bison wagon wagon gold_mine"); seats without one hold three settlers and
    a harbour. Everything drawn or held is taken from stacks, farmers and decks, so that nothing is
    lost; ``stacks`` puts a stack to a number all the same. ``changes`` replace fields of the state,
    or of each seat where the name is ``joker``, ``extra``, ``coal``, ``gold``, ``farmers`` or
    ``start_tile`` (one value for each seat).
    """
    state = setup(Setup(seats, options or Options(), components))
    board = board_of(drawing, at)
    tiles = [board.count(FIRST_BUILDING + index) for index in range(len(BUILDINGS))]
    held = [hand(text) for text in [*hands, *[_HAND] * (seats - len(hands))]]
    per_seat: dict[str, Any] = {
        name: changes.pop(name)
        for name in ("joker", "extra", "coal", "gold", "farmers", "start_tile", "earned")
        if name in changes
    }
    players = [
        replace(
            player, farmers=player.farmers - board.count(FIRST_FARMER + number), symbols=symbols, buildings=buildings
        )
        for number, (player, (symbols, buildings)) in enumerate(zip(state.seats, held, strict=True))
    ]
    for field, values in per_seat.items():
        players = [replace(player, **{field: value}) for player, value in zip(players, values, strict=True)]
    left = list(minus(state.stacks, tuple(tiles)))
    for building, number in (stacks or {}).items():
        left[BUILDING_INDEX[building]] = number
    state = replace(
        state,
        board=board,
        seats=tuple(players),
        seat=seat,
        stacks=tuple(left),
        landscape_deck=minus(state.landscape_deck, *(symbols for symbols, _ in held)),
        building_deck=minus(state.building_deck, *(buildings for _, buildings in held)),
        coal=minus(state.coal, *(tokens(player.coal, state.table.coal_values) for player in players)),
        gold=minus(state.gold, *(tokens(player.gold, state.table.gold_values) for player in players)),
        due=(),
        phase=Phase.PLAY,
        round=5,
    )
    return replace(state, **changes)


def board_of(drawing: str, at: str = "A1") -> tuple[int, ...]:
    """The board of a drawing whose upper left space is ``at``."""
    board = [EMPTY] * SPACES
    for down, line in enumerate(drawing.strip().splitlines()):
        for across, word in enumerate(line.split()):
            code = (
                FIRST_BUILDING + _CODES[word]
                if word in _CODES
                else FIRST_FARMER + MARKS.index(word)
                if word in MARKS
                else EMPTY
            )
            if code != EMPTY:
                assert INDEX[at] % WIDTH + across < WIDTH, "the drawing does not fit"
                board[INDEX[at] + down * WIDTH + across] = code
    return tuple(board)


def hand(text: str) -> tuple[Tally, Tally]:
    """The cards named in a text, as tallies of landscape and of building cards."""
    words = text.split()
    assert all(word in (*SYMBOLS, *BUILDINGS) for word in words), text
    return tuple(words.count(symbol) for symbol in SYMBOLS), tuple(words.count(building) for building in BUILDINGS)


def tokens(values: Sequence[int], kinds: Sequence[int]) -> Tally:
    """How many tokens of each kind there are among the values."""
    return tuple(values.count(kind) for kind in kinds)


def minus(first: Tally, *others: Tally) -> Tally:
    """What is left of the first tally without the others."""
    return tuple(number - sum(parts) for number, *parts in zip(first, *others, strict=True))


def refused(state: State, line: str, seat: int | None = None) -> Violation:
    """Why the action of this line is refused in this position."""
    (action,) = parse(line)
    found = judge(GAME, state, state.seat if seat is None else seat, action)
    assert found is not None, f"{line} is legal"
    return found


def is_legal(state: State, line: str) -> bool:
    """Whether the action of this line is legal for the seat to act."""
    (action,) = parse(line)
    return judge(GAME, state, state.seat, action) is None


def play(state: State, *lines: str) -> State:
    """The state after these lines, each legal (or, where chance is due, one of its outcomes)."""
    for action in (action for line in lines for action in parse(line)):
        if state.due:
            state = apply(state, CHANCE, action)
        else:
            found = judge(GAME, state, state.seat, action)
            assert found is None, found
            state = apply(state, state.seat, action)
    return state


def put(state: State, piece: str, space: str) -> State:
    """The state after a placement without regard to cards, terrain or bands: a piece as in a
    drawing, of the seat to act where it is a farmer.
    """
    me = state.seats[state.seat]
    if piece in _CODES:
        building = BUILDINGS[_CODES[piece]]
        state = _with_hand(state, replace(me, buildings=tuple(max(1, number) for number in me.buildings)))
        return apply(state, state.seat, PlaceBuilding(space, Building(building), (), True))
    assert MARKS[state.seat] == piece, "it is another seat's turn"
    state = _with_hand(state, replace(me, symbols=tuple(max(2, number) for number in me.symbols)))
    return apply(state, state.seat, PlaceFarmer(space, (Symbol.WAGON, Symbol.WAGON)))


def _with_hand(state: State, me: Any) -> State:
    return replace(state, seats=tuple(me if number == state.seat else seat for number, seat in enumerate(state.seats)))
