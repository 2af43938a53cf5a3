"""R2.4 and R4: the placements, each judged rule by rule, and the list of plays a hand allows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from typing import TypeAlias

from engine.games.oregon.actions import PlaceBuilding, PlaceFarmer, PlaceStart
from engine.games.oregon.board import BAND_COLUMNS, BAND_ROWS, INDEX, NAMES
from engine.games.oregon.components import (
    BUILDING_INDEX,
    BUILDINGS,
    GROUND,
    SYMBOL_INDEX,
    SYMBOLS,
    Building,
    Symbol,
    Terrain,
    noun,
    terrain_name,
)
from engine.games.oregon.state import EMPTY, SeatState, State, Tally, building_at, farmer_at
from engine.types import Violation
from engine.wording import a

Play: TypeAlias = PlaceFarmer | PlaceBuilding
Problems: TypeAlias = list[Violation]
_COUNT_WORDS = ("none", "one", "two", "three", "four")
_MOST_NAMED = 6


def plays(state: State) -> Iterator[Play]:
    """Every play of the seat whose turn it is, farmers before buildings, whatever the phase; no two
    lead to the same state.
    """
    me, geometry, board = state.seats[state.seat], state.table.geometry, state.board
    held = [symbol for symbol, number in enumerate(me.symbols) if number]
    if me.farmers:
        for place, first in enumerate(held):
            for second in held[place if me.symbols[first] > 1 else place + 1 :]:
                cards = (SYMBOLS[first], SYMBOLS[second])
                yield from (
                    PlaceFarmer(NAMES[space], cards) for space in geometry.areas[first][second] if board[space] == EMPTY
                )
        if me.joker:
            for symbol in held:
                yield from (
                    PlaceFarmer(NAMES[space], (SYMBOLS[symbol],), True)
                    for space in geometry.bands[symbol]
                    if board[space] == EMPTY
                )
    for number, building in enumerate(BUILDINGS):
        if me.buildings[number] and state.stacks[number]:
            for symbol in held:
                card = (SYMBOLS[symbol],)
                yield from (
                    PlaceBuilding(NAMES[space], building, card)
                    for space in geometry.sites[number][symbol]
                    if board[space] == EMPTY
                )
            if me.joker:
                # R5.2: the joker's symbol is not named, so each space is listed once.
                yield from (
                    PlaceBuilding(NAMES[space], building, (), True)
                    for space in geometry.ground[number]
                    if board[space] == EMPTY
                )


def first_play(state: State) -> Play | None:
    """A legal play of the seat whose turn it is, if there is one."""
    return next((play for play in plays(state) if not play_problems(state, play)), None)


def play_problems(state: State, play: Play) -> Problems:
    """Every rule the play breaks, apart from its moment: cards first, then the space."""
    return _farmer_problems(state, play) if isinstance(play, PlaceFarmer) else _building_problems(state, play)


def start_problems(state: State, action: PlaceStart) -> Problems:
    """Every rule the placement of a start tile breaks."""
    tile = state.seats[state.seat].start_tile
    if tile is None:
        return [Violation("start_tile_placed", "R2.4", "Your start tile is on the board already.")]
    space = INDEX.get(action.space)
    if space is None:
        return [_no_such_space(action.space)]
    problems = _taken(state, space) + _ground_problems(state, BUILDINGS[tile], space)
    return _with_hint(state, problems, state.table.geometry.ground[tile], "Free for it")


def hand_problems(me: SeatState, symbols: Sequence[Symbol], buildings: Sequence[Building]) -> Problems:
    """R3.2: the cards that are named but not held."""
    problems = []
    for symbol in dict.fromkeys(symbols):
        held, named = me.symbols[SYMBOL_INDEX[symbol]], symbols.count(symbol)
        if named > held:
            problems.append(_not_in_hand(named, held, noun(symbol), "landscape", symbol_words(me.symbols)))
    for building in dict.fromkeys(buildings):
        held, named = me.buildings[BUILDING_INDEX[building]], buildings.count(building)
        if named > held:
            problems.append(_not_in_hand(named, held, noun(building), "building", building_words(me.buildings)))
    return problems


@lru_cache(maxsize=1024)
def symbol_words(hand: Tally) -> tuple[str, ...]:
    """The landscape cards of a hand as words."""
    return tuple(noun(SYMBOLS[index]) for index, number in enumerate(hand) for _ in range(number))


@lru_cache(maxsize=1024)
def building_words(hand: Tally) -> tuple[str, ...]:
    """The building cards of a hand as words."""
    return tuple(noun(BUILDINGS[index]) for index, number in enumerate(hand) for _ in range(number))


def described(play: Play) -> str:
    """A play as a sentence part: "a farmer on C7 with bison and the joker"."""
    paid = [noun(card) for card in play.cards] + ["the joker"] * play.joker
    piece = "a farmer" if isinstance(play, PlaceFarmer) else a(noun(play.building))
    return f"{piece} on {play.space} with {' and '.join(paid)}"


def _farmer_problems(state: State, play: PlaceFarmer) -> Problems:
    me, geometry = state.seats[state.seat], state.table.geometry
    problems: Problems = []
    wanted = 1 if play.joker else 2
    if len(play.cards) != wanted:
        problems.append(_wrong_farmer_cards(len(play.cards), play.joker))
    if play.joker and not me.joker:
        problems.append(_joker_inactive())
    problems += hand_problems(me, play.cards, ())
    if not me.farmers:
        problems.append(
            Violation(
                "no_farmer_left",
                "R4.8",
                f"All {state.table.components.farmers.value} of your farmers are on the board; you can only place a"
                " building.",
            )
        )
    space = INDEX.get(play.space)
    if space is None:
        return [*problems, _no_such_space(play.space)]
    misplaced = _taken(state, space)
    if geometry.terrain[space] is Terrain.WATER:
        misplaced.append(Violation("farmer_on_water", "R4.6", f"{play.space} is water, where no farmer can stand."))
    if len(play.cards) != wanted:
        return problems + misplaced
    numbers = [SYMBOL_INDEX[card] for card in play.cards]
    if space not in (
        geometry.bands[numbers[0]] if play.joker else geometry.areas[numbers[0]][numbers[1]]
    ) and not _headed(state, space, numbers):
        misplaced.append(
            Violation(
                "outside_area", "R4.5", f"{_where_cards_meet(state, play)}; {play.space} is in {_heads(state, space)}."
            )
        )
    spaces = geometry.bands[numbers[0]] if play.joker else geometry.areas[numbers[0]][numbers[1]]
    return problems + (_with_hint(state, misplaced, spaces, "Free with these cards") if misplaced else [])


def _building_problems(state: State, play: PlaceBuilding) -> Problems:
    me, geometry, building = state.seats[state.seat], state.table.geometry, BUILDING_INDEX[play.building]
    problems: Problems = []
    wanted = 0 if play.joker else 1
    if len(play.cards) != wanted:
        problems.append(_wrong_building_cards(len(play.cards), play.joker))
    if play.joker and not me.joker:
        problems.append(_joker_inactive())
    problems += hand_problems(me, play.cards, (play.building,))
    if not state.stacks[building]:
        problems.append(
            Violation(
                "stack_empty",
                "R4.4",
                f"No {noun(play.building)} tile is left; its card can only be set aside when you draw.",
            )
        )
    space = INDEX.get(play.space)
    if space is None:
        return [*problems, _no_such_space(play.space)]
    misplaced = _taken(state, space) + _ground_problems(state, play.building, space)
    if len(play.cards) != wanted:
        return problems + misplaced
    if play.cards and not _headed(state, space, [SYMBOL_INDEX[play.cards[0]]]):
        card = play.cards[0]
        misplaced.append(
            Violation(
                "outside_band",
                "R4.3",
                f"The {noun(card)} card names {_bands(state, card)}; {play.space} is in {_heads(state, space)}.",
            )
        )
    spaces = geometry.sites[building][SYMBOL_INDEX[play.cards[0]]] if play.cards else geometry.ground[building]
    return problems + (_with_hint(state, misplaced, spaces, "Free with these cards") if misplaced else [])


def _headed(state: State, space: int, symbols: Sequence[int]) -> bool:
    column, row = state.table.geometry.column[space], state.table.geometry.row[space]
    if len(symbols) == 1:
        return symbols[0] in (column, row)
    return (symbols[0], symbols[1]) in ((column, row), (row, column))


def _taken(state: State, space: int) -> Problems:
    if state.board[space] == EMPTY:
        return []
    building = building_at(state, space)
    piece = (
        a(noun(building))
        if building
        else "your own farmer"
        if farmer_at(state, space) == state.seat
        else "another seat's farmer"
    )
    return [Violation("space_taken", "R4.7", f"{NAMES[space]} is taken by {piece}.")]


def _ground_problems(state: State, building: Building, space: int) -> Problems:
    geometry, ground = state.table.geometry, GROUND[building]
    if space in geometry.ground[BUILDING_INDEX[building]]:
        return []
    if geometry.terrain[space] is not ground:
        return [_wrong_terrain(building, NAMES[space], geometry.terrain[space])]
    return [
        Violation(
            "harbour_without_water", "R4.2", f"A harbour touches water, at least by a corner; {NAMES[space]} does not."
        )
    ]


@cache
def _wrong_terrain(building: Building, space: str, terrain: Terrain) -> Violation:
    where = f"{terrain_name(GROUND[building])}{' next to water' if building is Building.HARBOUR else ''}"
    return Violation(
        "wrong_terrain",
        "R4.1",
        f"{a(noun(building)).capitalize()} stands on {where}; {space} is {terrain_name(terrain)}.",
    )


def _with_hint(state: State, problems: Problems, spaces: Iterable[int], label: str) -> Problems:
    if not problems:
        return []
    free = [NAMES[space] for space in spaces if state.board[space] == EMPTY]
    more = f" and {len(free) - _MOST_NAMED} more" if len(free) > _MOST_NAMED else ""
    hint = f"{label}: {', '.join(free[:_MOST_NAMED]) or 'no space'}{more}."
    return [Violation(problem.code, problem.rule, f"{problem.message} {hint}") for problem in problems]


def _no_such_space(space: str) -> Violation:
    return Violation("no_such_space", "R1.1", f"There is no space {space[:12]!r}; spaces are named A1 to O10.")


def _joker_inactive() -> Violation:
    return Violation(
        "joker_inactive",
        "R5.1",
        "Your joker token is inactive until a warehouse lies next to a farmer of yours; play a landscape card instead.",
    )


@lru_cache(maxsize=64)
def _wrong_farmer_cards(number: int, joker: bool) -> Violation:
    named = _count(number)
    if joker:
        return Violation(
            "wrong_card_count", "R5.2", f"With the joker a farmer costs one landscape card; you named {named}."
        )
    return Violation(
        "wrong_card_count",
        "R3.2",
        f"A farmer costs two landscape cards, one of which an active joker can replace; you named {named}.",
    )


@lru_cache(maxsize=64)
def _wrong_building_cards(number: int, joker: bool) -> Violation:
    named = _count(number)
    if joker:
        return Violation(
            "wrong_card_count",
            "R5.2",
            f"The joker stands for the landscape card of a building, so no landscape card is named; you named {named}.",
        )
    return Violation(
        "wrong_card_count",
        "R3.2",
        f"A building costs a landscape card too, which an active joker can replace; you named {named}.",
    )


def _count(number: int) -> str:
    return _COUNT_WORDS[number] if number < len(_COUNT_WORDS) else str(number)


@lru_cache(maxsize=1024)
def _not_in_hand(named: int, held: int, word: str, kind: str, hand: tuple[str, ...]) -> Violation:
    return Violation(
        "card_not_in_hand", "R3.2", f"{_of_hand(named, held, word)}; your {kind} cards are {_listed(hand)}."
    )


def _of_hand(named: int, held: int, word: str) -> str:
    if held == 0:
        return f"You hold no {word} card"
    return f"You hold {_count(held)} {word} card{'' if held == 1 else 's'}, not {_count(named)}"


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) or "none"


def _where_cards_meet(state: State, play: PlaceFarmer) -> str:
    first, second = play.cards[0], play.cards[-1]
    if play.joker:
        return f"{noun(first).capitalize()} and the joker name {_bands(state, first)}"
    if first is second:
        return f"Two {noun(first)} cards name {_area(state, first, second)}"
    return (
        f"{noun(first).capitalize()} and {noun(second)} meet in {_area(state, first, second)} and"
        f" {_area(state, second, first)}"
    )


def _area(state: State, column: Symbol, row: Symbol) -> str:
    left, top = _edges(state, column, row)
    return f"{_letter(left)}{top + 1}-{_letter(left + BAND_COLUMNS - 1)}{top + BAND_ROWS}"


def _bands(state: State, symbol: Symbol) -> str:
    left, top = _edges(state, symbol, symbol)
    return f"columns {_letter(left)}-{_letter(left + BAND_COLUMNS - 1)} and rows {top + 1}-{top + BAND_ROWS}"


def _edges(state: State, column: Symbol, row: Symbol) -> tuple[int, int]:
    parts = state.table.components
    return parts.columns.value.index(column) * BAND_COLUMNS, parts.rows.value.index(row) * BAND_ROWS


def _letter(column: int) -> str:
    return chr(ord("A") + column)


def _heads(state: State, space: int) -> str:
    geometry = state.table.geometry
    return f"{a(noun(SYMBOLS[geometry.column[space]]))} column and {a(noun(SYMBOLS[geometry.row[space]]))} row"
