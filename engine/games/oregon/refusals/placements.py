"""R2.4, R3.2 and R4: the problems of placements, except those of the phase."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.games.oregon.actions import PlaceBuilding, PlaceFarmer, PlaceStart
from engine.games.oregon.board import BAND_COLUMNS, BAND_ROWS, INDEX, NAMES
from engine.games.oregon.components import (
    BUILDING_INDEX,
    BUILDINGS,
    GROUND,
    SYMBOL_INDEX,
    SYMBOLS,
    Building,
    Deck,
    Symbol,
    Terrain,
    terrain_name,
)
from engine.games.oregon.legal import Play, plays
from engine.games.oregon.state import EMPTY, Phase, SeatState, State, building_at, farmer_at
from engine.types import Problem

_MOST_NAMED: Final = 6


def start_problems(state: State, action: PlaceStart) -> Iterator[Problem]:
    """R2.4: the start tile has to be placed on an empty space of its terrain."""
    tile = state.seats[state.seat].start_tile
    if tile is None:
        yield Problem("start_tile_placed", "R2.4")
        return
    space = INDEX.get(action.space)
    if space is None:
        yield _no_such_space(action.space)
        return
    misplaced = [*_taken(state, space), *_ground_problems(state, BUILDINGS[tile], space)]
    yield from _with_free(state, misplaced, state.table.geometry.ground[tile], "tile")


def play_problems(state: State, play: Play) -> Iterator[Problem]:
    """Every rule that the play breaks: cards first, then the space."""
    return _farmer_problems(state, play) if isinstance(play, PlaceFarmer) else _building_problems(state, play)


def first_play(state: State) -> Play | None:
    """A legal play of the seat to act; ``None`` if there is none."""
    return next((play for play in plays(state) if not any(play_problems(state, play))), None)


def described(play: Play) -> Mapping[str, Any]:
    """A play as values of a problem."""
    piece = "farmer" if isinstance(play, PlaceFarmer) else play.building.value
    return {"piece": piece, "space": play.space, "cards": names(play.cards), "joker": play.joker}


def _farmer_problems(state: State, play: PlaceFarmer) -> Iterator[Problem]:
    me, geometry = state.seats[state.seat], state.table.geometry
    wanted = 1 if play.joker else 2
    yield from _payment_problems(state, play, wanted, "farmer")
    yield from hand_problems(me, play.cards, ())
    if not me.farmers:
        yield Problem("no_farmer_left", "R4.8", {"farmers": state.table.components.farmers.value})
    space = INDEX.get(play.space)
    if space is None:
        yield _no_such_space(play.space)
        return
    misplaced = list(_taken(state, space))
    if geometry.terrain[space] is Terrain.WATER:
        misplaced.append(Problem("farmer_on_water", "R4.6", {"space": play.space}))
    if len(play.cards) != wanted:
        yield from misplaced
        return
    numbers = [SYMBOL_INDEX[card] for card in play.cards]
    first, last = numbers[0], numbers[-1]
    spaces = geometry.bands[first] if play.joker else geometry.areas[first][last]
    if space not in spaces and not _headed(state, space, numbers):
        named = _bands(state, play.cards[0]) if play.joker else {"areas": _areas(state, *play.cards)}
        values = {"cards": names(play.cards), "joker": play.joker, **named, **_located(state, space)}
        misplaced.append(Problem("outside_area", "R4.5", values))
    yield from _with_free(state, misplaced, spaces, "cards")


def _building_problems(state: State, play: PlaceBuilding) -> Iterator[Problem]:
    me, geometry, building = state.seats[state.seat], state.table.geometry, BUILDING_INDEX[play.building]
    wanted = 0 if play.joker else 1
    yield from _payment_problems(state, play, wanted, "building")
    yield from hand_problems(me, play.cards, (play.building,))
    if not state.stacks[building]:
        yield Problem("stack_empty", "R4.4", {"building": play.building.value})
    space = INDEX.get(play.space)
    if space is None:
        yield _no_such_space(play.space)
        return
    misplaced = [*_taken(state, space), *_ground_problems(state, play.building, space)]
    if len(play.cards) != wanted:
        yield from misplaced
        return
    if play.cards and not _headed(state, space, [SYMBOL_INDEX[play.cards[0]]]):
        card = play.cards[0]
        values = {"card": card.value, **_bands(state, card), **_located(state, space)}
        misplaced.append(Problem("outside_band", "R4.3", values))
    spaces = geometry.sites[building][SYMBOL_INDEX[play.cards[0]]] if play.cards else geometry.ground[building]
    yield from _with_free(state, misplaced, spaces, "cards")


def _payment_problems(state: State, play: Play, wanted: int, piece: str) -> Iterator[Problem]:
    """R3.2, R5.2: problems with the number of landscape cards; R5.1: with the joker."""
    if len(play.cards) != wanted:
        values = {"piece": piece, "joker": play.joker, "named": len(play.cards)}
        yield Problem("wrong_card_count", "R5.2" if play.joker else "R3.2", values)
    if play.joker and not state.seats[state.seat].joker:
        possible = first_play(state) if state.phase in (Phase.PLAY, Phase.EXTRA) else None
        yield Problem("joker_inactive", "R5.1", {"play": None if possible is None else described(possible)})


def hand_problems(me: SeatState, symbols: Sequence[Symbol], buildings: Sequence[Building]) -> Iterator[Problem]:
    """R3.2: cards that are named but not held."""
    for symbol in dict.fromkeys(symbols):
        held, named = me.symbols[SYMBOL_INDEX[symbol]], symbols.count(symbol)
        if named > held:
            yield not_in_hand(me, "R3.2", symbol, named, held)
    for building in dict.fromkeys(buildings):
        held, named = me.buildings[BUILDING_INDEX[building]], buildings.count(building)
        if named > held:
            yield not_in_hand(me, "R3.2", building, named, held)


def not_in_hand(me: SeatState, rule: str, card: Symbol | Building, named: int, held: int) -> Problem:
    """The problem of a card that is named more often than it is held."""
    kinds: Sequence[Symbol | Building] = SYMBOLS if isinstance(card, Symbol) else BUILDINGS
    numbers = me.symbols if isinstance(card, Symbol) else me.buildings
    hand = [kind.value for kind, number in zip(kinds, numbers, strict=True) for _ in range(number)]
    kind = Deck.LANDSCAPE if isinstance(card, Symbol) else Deck.BUILDING
    values = {"card": card.value, "named": named, "held": held, "kind": kind.value, "hand": hand}
    return Problem("card_not_in_hand", rule, values)


def _no_such_space(space: str) -> Problem:
    return Problem("no_such_space", "R1.1", {"space": space[:12]})


def _taken(state: State, space: int) -> Iterator[Problem]:
    if state.board[space] == EMPTY:
        return
    building = building_at(state, space)
    if building is not None:
        by = building.value
    else:
        by = "own_farmer" if farmer_at(state, space) == state.seat else "other_farmer"
    yield Problem("space_taken", "R4.7", {"space": NAMES[space], "by": by})


def _ground_problems(state: State, building: Building, space: int) -> Iterator[Problem]:
    geometry = state.table.geometry
    if space in geometry.ground[BUILDING_INDEX[building]]:
        return
    terrain = geometry.terrain[space]
    if terrain is GROUND[building]:
        yield Problem("harbour_without_water", "R4.2", {"space": NAMES[space]})
        return
    values = {"building": building.value, "space": NAMES[space], "terrain": terrain_name(terrain)}
    yield Problem("wrong_terrain", "R4.1", values)


def _with_free(state: State, misplaced: Sequence[Problem], spaces: Iterable[int], free_for: str) -> Iterator[Problem]:
    """The problems of a space, each with the first few spaces that would be legal instead."""
    if misplaced:
        free = [NAMES[space] for space in spaces if state.board[space] == EMPTY]
        hint = {"free": free[:_MOST_NAMED], "more": max(0, len(free) - _MOST_NAMED), "free_for": free_for}
        yield from (Problem(each.code, each.rule, {**each.values, **hint}) for each in misplaced)


def _headed(state: State, space: int, symbols: Sequence[int]) -> bool:
    """Whether one or two symbols name the space: its column's, its row's, or both."""
    column, row = state.table.geometry.column[space], state.table.geometry.row[space]
    return tuple(symbols) in ((column,), (row,), (column, row), (row, column))


def names(cards: Iterable[Symbol | Building]) -> list[str]:
    """The cards as JSON values."""
    return [card.value for card in cards]


def _located(state: State, space: int) -> Mapping[str, Any]:
    """The space with the symbols that head its column and its row, as values of a problem."""
    geometry = state.table.geometry
    column, row = SYMBOLS[geometry.column[space]], SYMBOLS[geometry.row[space]]
    return {"space": NAMES[space], "column": column.value, "row": row.value}


def _areas(state: State, first: Symbol, second: Symbol) -> list[str]:
    """The areas where two landscape symbols cross ("A1-C2"); a single one if they are equal."""
    return [_area(state, column, row) for column, row in dict.fromkeys(((first, second), (second, first)))]


def _area(state: State, column: Symbol, row: Symbol) -> str:
    left, top = _edges(state, column, row)
    return f"{_letter(left)}{top + 1}-{_letter(left + BAND_COLUMNS - 1)}{top + BAND_ROWS}"


def _bands(state: State, symbol: Symbol) -> Mapping[str, Any]:
    left, top = _edges(state, symbol, symbol)
    return {
        "columns": f"{_letter(left)}-{_letter(left + BAND_COLUMNS - 1)}",
        "rows": f"{top + 1}-{top + BAND_ROWS}",
    }


def _edges(state: State, column: Symbol, row: Symbol) -> tuple[int, int]:
    parts = state.table.components
    return parts.columns.value.index(column) * BAND_COLUMNS, parts.rows.value.index(row) * BAND_ROWS


def _letter(column: int) -> str:
    return chr(ord("A") + column)
