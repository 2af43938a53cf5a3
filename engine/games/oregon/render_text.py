"""Oregon's board as monospace text of at most 78 columns, with everything observed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.facts import (
    CHURCH_NOTE,
    GROUP_NOTE,
    SEAT_MARKS,
    WORTH,
    awaited,
    by_rank,
    card_name,
    counted,
    deck_words,
    ending,
    hands,
    offered,
    supply,
    worth,
)
from engine.games.oregon.observe import Observation, SeatObservation
from engine.games.oregon.sentences import SCORE_LABELS
from engine.games.oregon.terms import BUILDING_CODES, BUILDING_NAMES
from engine.grid import cells, column_letter, format_space
from engine.types import Outcome
from engine.wording import amount, listed, name_of, padded, wrapped

_BAND_COLUMNS, _BAND_ROWS = 3, 2
_SPACE: Final = 4
_MARGIN: Final = 11
_NAME: Final = 20
_TERRAIN: Final = {".": "  . ", "~": " ~~ ", "^": " /\\ ", "=": " == "}


def text(observation: Observation, names: Sequence[str]) -> str:
    """The board, the players, the viewer's cards and the supplies. ASCII except for the names."""
    parts = (
        _headline(observation, names),
        _board(observation),
        _legend(observation),
        _players(observation, names),
        _own(observation),
        _offers(observation),
        _supplies(observation),
    )
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part) + "\n"


def _headline(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    heading = f"Round {observation.round}. " if observation.round else ""
    yield from wrapped(f"OREGON  {heading}{awaited(observation, names)}", 8)
    if ending(observation):
        yield from wrapped(f"        {ending(observation)}", 8)


def _board(observation: Observation) -> Iterator[str]:
    shown = _shown(observation)
    columns, rows = len(observation.terrain[0]), len(observation.terrain)
    rule = " " * _MARGIN + "+" + ("-" * (_SPACE * _BAND_COLUMNS) + "+") * len(observation.column_symbols)
    headings = (_heading(symbol).center(_SPACE * _BAND_COLUMNS) for symbol in observation.column_symbols)
    yield " " * (_MARGIN + 1) + " ".join(headings).rstrip()
    letters = ("".join(f"  {column_letter(column)} " for column in band) for band in _bands(columns, _BAND_COLUMNS))
    yield " " * (_MARGIN + 1) + " ".join(letters).rstrip()
    for row in range(rows):
        if row % _BAND_ROWS == 0:
            yield rule
        heading = _heading(observation.row_symbols[row // _BAND_ROWS]) if row % _BAND_ROWS == 0 else ""
        spaces = ("".join(shown[column, row] for column in band) for band in _bands(columns, _BAND_COLUMNS))
        yield f"{heading:<8}{row + 1:>2} |" + "|".join(spaces) + "|"
    yield rule


def _heading(symbol: Symbol) -> str:
    return symbol.value.upper()


def _bands(count: int, width: int) -> list[range]:
    return [range(first, first + width) for first in range(0, count, width)]


def _shown(observation: Observation) -> dict[tuple[int, int], str]:
    """Four characters for each space: terrain or piece, with a star where the latest turn was."""
    terrain = observation.terrain
    found = {(x, y): _TERRAIN[terrain[y][x]] for x, y in cells(len(terrain[0]), len(terrain))}
    names = {format_space(cell): cell for cell in found}
    for building in observation.buildings:
        found[names[building.space]] = f" {BUILDING_CODES[building.building]} "
    for farmer in observation.farmers:
        found[names[farmer.space]] = f"({SEAT_MARKS[farmer.seat]})".rjust(_SPACE)
    for space in observation.last:
        found[names[space]] = "*" + found[names[space]][1:]
    return found


def _legend(observation: Observation) -> Iterator[str]:
    yield "  . prairie   /\\ mountain   == railway   ~~ water   (R) farmer   * latest turn"
    yield ""
    yield f" {WORTH}, and the tiles left:"
    cells = [
        f" {BUILDING_CODES[building]} {BUILDING_NAMES[building]:<11} {worth(building, observation):<14}"
        f" {observation.stacks.get(building, 0)} left"
        for building in Building
    ]
    cells.append(f"    {'group of 3':<11} {GROUP_NOTE}, side by side")
    for left, right in zip(cells[::2], cells[1::2], strict=True):
        yield f"{left:<39}{right}"
    yield f" {CHURCH_NOTE}"


def _players(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    if observation.outcome is not None:
        yield from _results(observation, observation.outcome, names)
        return
    yield f"{'':5}{'player':<{_NAME}}  points  farmers  joker  extra  cards   coal  gold"
    for seat, facts in enumerate(observation.seats):
        yield _player(seat, facts, observation, names).rstrip()
    for seat, facts in enumerate(observation.seats):
        if facts.start_tile is not None:
            name = padded(name_of(seat, names), _NAME).rstrip()
            yield f"     {name} has the start tile {BUILDING_NAMES[facts.start_tile]}."


def _results(observation: Observation, outcome: Outcome, names: Sequence[str]) -> Iterator[str]:
    for seat in by_rank(observation):
        details = outcome.details[seat] if outcome.details else ()
        sheet = ", ".join(f"{SCORE_LABELS[line.code]} {line.number}" for line in details)
        score = f"{SEAT_MARKS[seat]} {padded(name_of(seat, names), _NAME)} {outcome.scores[seat]:>4}"
        yield from wrapped(f" {outcome.ranks[seat]}. {score}   {sheet}".rstrip(), 33)


def _player(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str]) -> str:
    mark = "=>" if seat in observation.to_act else "  "
    cards = f"{facts.landscape_cards}L {facts.building_cards}B"
    sides = [f"{'ready' if active else '-':<7}" for active in (facts.joker_active, facts.extra_turn_active)]
    row = f"{mark} {SEAT_MARKS[seat]} {padded(name_of(seat, names), _NAME)}  {facts.score:>6}  {facts.farmers_left:>7}"
    return f"{row}  {''.join(sides)}{cards:<8}{facts.coal_tokens:<6}{facts.gold_tokens}"


def _own(observation: Observation) -> Iterator[str]:
    for words in hands(observation):
        yield from wrapped(words, 4)


def _offers(observation: Observation) -> Iterator[str]:
    offers = list(offered(observation))
    if offers:
        yield "You may type now:"
    for typed, meaning in offers:
        yield f"  {typed:<21} {meaning}"


def _supplies(observation: Observation) -> Iterator[str]:
    for deck, left in ((Deck.LANDSCAPE, observation.landscape_deck), (Deck.BUILDING, observation.building_deck)):
        typed = "" if observation.outcome is not None else f" ({deck_words(deck)})"
        yield f"{'Decks' if deck is Deck.LANDSCAPE else '':<13}{amount(left, f'{deck} card')}{typed}"
    yield f"Supply       {supply('coal', observation.coal_supply, observation.coal_values)}"
    yield f"             {supply('gold', observation.gold_supply, observation.gold_values)}"
    yield from wrapped(f"Discards     {counted(observation.landscape_discards)}", 13)
    if any(observation.building_discards.values()):
        yield from wrapped(f"             {counted(observation.building_discards)}", 13)
    if observation.set_aside:
        yield from wrapped(f"Set aside    {listed(card_name(building) for building in observation.set_aside)}", 13)
