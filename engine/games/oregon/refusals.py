"""Every rule that an action breaks, in the order of correction: the phase, then placements."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from engine.games.oregon import actions
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
    noun,
    terrain_name,
)
from engine.games.oregon.legal import (
    Play,
    available,
    can_replace,
    extra_turn_open,
    is_useless,
    may_draw,
    may_set_aside,
    plays,
    prompt,
    refill,
)
from engine.games.oregon.state import EMPTY, HAND, Phase, SeatState, State, building_at, farmer_at
from engine.types import Problem, Seat, Statement


def problems(state: State, seat: Seat, action: actions.Action) -> Iterator[Problem]:
    """Every rule that the action of the awaited seat breaks; nothing if it is legal."""
    match action:
        case actions.PlaceFarmer() | actions.PlaceBuilding():
            if state.phase not in (Phase.PLAY, Phase.EXTRA):
                yield _no_play_now(state)
            yield from play_problems(state, action)
        case actions.PlaceStart():
            yield from start_problems(state, action)
        case actions.UseExtraTurn():
            yield from _extra_problems(state)
        case actions.DrawCard(deck):
            yield from _refill_moment(state, "draw") or _draw_problems(state, deck)
        case actions.SetAside(building):
            yield from _refill_moment(state, "set_aside")
            yield from _set_aside_problems(state, building)
        case actions.Discard():
            yield from _discard_problems(state, action)
        case actions.Done():
            yield from _refill_moment(state, "done") or _done_problems(state)


def _no_play_now(state: State) -> Problem:
    if state.phase is Phase.START:
        return _start_tile_first(state)
    possible = {"possible": possible_in_refill(state)}
    if state.plays == 0:
        return Problem("plays_over", "R3.4", {"because": "discarded", **possible})
    if not extra_turn_open(state):
        return Problem("plays_over", "R8.1" if state.refilling else "R7.1", {"because": "played", **possible})
    if may_use_extra_turn(state):
        return Problem("extra_turn_needed", "R7.1", possible)
    return Problem("no_play_left", "R7.2", possible)


def may_use_extra_turn(state: State) -> bool:
    """R7.1, R7.2: whether the awaited seat may use its extra turn now, its cards considered."""
    return extra_turn_open(state) and first_play(state) is not None


def possible_in_refill(state: State) -> list[str]:
    """What the awaited seat may do in the refill, as lines of notation."""
    asides = (building for index, building in enumerate(BUILDINGS) if may_set_aside(state, index))
    return [
        *(["extra"] if may_use_extra_turn(state) else []),
        *(f"draw {deck}" for deck in Deck if may_draw(state, deck)),
        *(f"set aside {noun(building)}" for building in asides),
        *(["done"] if state.seats[state.seat].cards == HAND else []),
    ]


def own_prompt(state: State, seat: Seat) -> Statement:
    """What the awaited seat itself is asked, made from what is legal for it."""
    match state.phase:
        case Phase.PLAY:
            found = {
                isinstance(play, actions.PlaceFarmer) for play in plays(state) if not any(play_problems(state, play))
            }
            pieces = tuple(piece for is_farmer, piece in ((True, "farmer"), (False, "building")) if is_farmer in found)
            return Statement("play", {"pieces": pieces}) if pieces else Statement("discard")
        case Phase.REFILL:
            return refill(
                HAND - state.seats[seat].cards,
                extra_turn=may_use_extra_turn(state),
                set_aside=any(may_set_aside(state, building) for building in range(len(BUILDINGS))),
            )
        case _:
            return prompt(state, seat)


def _start_tile_first(state: State) -> Problem:
    tile = state.seats[state.seat].start_tile
    return Problem("start_tile_first", "R2.4", {"tile": None if tile is None else BUILDINGS[tile].value})


def _refill_moment(state: State, wish: str) -> list[Problem]:
    match state.phase:
        case Phase.START:
            return [_start_tile_first(state)]
        case Phase.PLAY:
            if first_play(state) is None:
                return [Problem("discard_first", "R3.4", {"wish": wish})]
            return [Problem("play_first", "R7.1" if wish == "extra_turn" else "R3.1", {"wish": wish, "extra": False})]
        case Phase.EXTRA:
            return [Problem("play_first", "R7.2", {"wish": wish, "extra": True})]
        case _:
            return []


def _extra_problems(state: State) -> Iterator[Problem]:
    """R7.1, R7.2: an extra turn comes after the first play, before cards are drawn."""
    if state.phase is Phase.START:
        yield _start_tile_first(state)
        return
    out_of_turn = _extra_moment(state)
    if out_of_turn is not None:
        yield out_of_turn
    active = state.seats[state.seat].extra
    if not active:
        possible = possible_in_refill(state) if state.phase is Phase.REFILL else []
        yield Problem("extra_turn_inactive", "R7.1", {"possible": possible})
    if out_of_turn is None and active and first_play(state) is None:
        yield Problem("no_play_left", "R7.2", {"possible": possible_in_refill(state)})


def _extra_moment(state: State) -> Problem | None:
    if state.phase is Phase.PLAY:
        (problem,) = _refill_moment(state, "extra_turn")
        return problem
    if state.phase is Phase.EXTRA:
        return Problem("extra_turn_used", "R7.1", {"play_due": True, "possible": []})
    possible = {"possible": possible_in_refill(state)}
    if state.plays == 0:
        return Problem("no_extra_turn_after_discard", "R3.4", possible)
    if state.plays > 1:
        return Problem("extra_turn_used", "R7.1", {"play_due": False, **possible})
    return Problem("refill_begun", "R8.1", possible) if state.refilling else None


def _draw_problems(state: State, deck: Deck) -> Iterator[Problem]:
    """R8.1, R8.2, R8.6: up to four cards, with both kinds in hand, from a deck with some."""
    if may_draw(state, deck):
        return
    lacking = Deck.BUILDING if deck is Deck.LANDSCAPE else Deck.LANDSCAPE
    possible = {"possible": possible_in_refill(state)}
    if state.seats[state.seat].cards >= HAND:
        yield Problem("hand_full", "R8.1", possible)
    elif not available(state, deck):
        yield Problem("deck_empty", "R8.6", {"deck": deck.value, **possible})
    else:
        yield Problem("needs_both_kinds", "R8.2", {"lacking": lacking.value, **possible})


def _set_aside_problems(state: State, building: Building) -> Iterator[Problem]:
    """R8.3, R8.4, R8.8: a card that is set aside has to be useless and replaceable."""
    me, number = state.seats[state.seat], BUILDING_INDEX[building]
    if not me.buildings[number]:
        yield not_in_hand(me, "R8.3", building, 1, 0)
        return
    if not is_useless(state, number):
        left = state.stacks[number]
        duplicates = state.table.options.discard_duplicates
        values = {"building": building.value, "left": left, "duplicates": duplicates}
        yield Problem("card_useful", "R8.8" if duplicates else "R8.3", values)
    if state.phase is Phase.REFILL and not can_replace(state):
        yield Problem("cannot_replace", "R8.4", {"possible": possible_in_refill(state)})


def _done_problems(state: State) -> Iterator[Problem]:
    cards = state.seats[state.seat].cards
    if cards != HAND:
        yield Problem("hand_not_full", "R8.1", {"cards": cards, "possible": possible_in_refill(state)})


def _discard_problems(state: State, action: actions.Discard) -> Iterator[Problem]:
    """R3.4: two cards of the hand are discarded, only if no play is possible."""
    if state.phase is Phase.START:
        yield _start_tile_first(state)
    elif state.phase is Phase.REFILL:
        yield Problem("plays_over", "R3.4", {"because": "opening", "possible": possible_in_refill(state)})
    elif (play := first_play(state)) is not None:
        yield Problem("play_possible", "R3.4", {"play": described(play)})
    named = len(action.symbols) + len(action.buildings)
    if named != 2:
        yield Problem("wrong_card_count", "R3.4", {"piece": None, "named": named})
    yield from hand_problems(state.seats[state.seat], action.symbols, action.buildings)


_MOST_NAMED: Final = 6


def start_problems(state: State, action: actions.PlaceStart) -> Iterator[Problem]:
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
    return _farmer_problems(state, play) if isinstance(play, actions.PlaceFarmer) else _building_problems(state, play)


def first_play(state: State) -> Play | None:
    """A legal play of the seat to act; ``None`` if there is none."""
    return next((play for play in plays(state) if not any(play_problems(state, play))), None)


def described(play: Play) -> Mapping[str, Any]:
    """A play as values of a problem."""
    piece = "farmer" if isinstance(play, actions.PlaceFarmer) else play.building.value
    return {"piece": piece, "space": play.space, "cards": names(play.cards), "joker": play.joker}


def _farmer_problems(state: State, play: actions.PlaceFarmer) -> Iterator[Problem]:
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


def _building_problems(state: State, play: actions.PlaceBuilding) -> Iterator[Problem]:
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
    return {"columns": f"{_letter(left)}-{_letter(left + BAND_COLUMNS - 1)}", "rows": f"{top + 1}-{top + BAND_ROWS}"}


def _edges(state: State, column: Symbol, row: Symbol) -> tuple[int, int]:
    parts = state.table.components
    return parts.columns.value.index(column) * BAND_COLUMNS, parts.rows.value.index(row) * BAND_ROWS


def _letter(column: int) -> str:
    return chr(ord("A") + column)
