"""Ozeanien's board as monospace text of at most 78 columns, with everything observed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from engine.games.ozeanien.facts import (
    SEAT_MARKS,
    awaited,
    counted,
    earned_said,
    islands_to_land_on,
    numbers_of,
    points,
    ranked_islands,
    reuse_example,
    score_sheet,
)
from engine.games.ozeanien.observe import Observation
from engine.games.ozeanien.sentences import ENDINGS, SCORE_LABELS
from engine.games.ozeanien.tiles import KIND_NAMES, Kind
from engine.grid import column_letter
from engine.sentences import filled_in
from engine.wording import amount, listed, name_of, padded, wrapped

_ACROSS, _DOWN = 7, 3
_MARGIN: Final = 8
_NAME: Final = 21
_LISTED: Final = 4
Canvas: TypeAlias = list[list[str]]
"""The characters of a space: three rows of seven."""


def text(observation: Observation, names: Sequence[str]) -> str:
    """Everything observed, in ASCII except for the names."""
    parts = (
        _headline(observation, names),
        _board(observation),
        _legend(observation),
        _choices(observation),
        _players(observation, names),
        _islands(observation),
        _supplies(observation),
    )
    return "\n\n".join("\n".join(part) for part in map(list, parts) if part) + "\n"


def _headline(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    yield from wrapped(f"OZEANIEN  Turn {observation.turn}. {awaited(observation, names)}", 10)
    if observation.outcome is not None:
        yield f"          {filled_in(ENDINGS, observation.outcome.ended)}"


def _board(observation: Observation) -> Iterator[str]:
    rule = " " * _MARGIN + "+" + ("-" * _ACROSS + "+") * observation.columns
    canvases = {
        (column, row): _canvas(observation, f"{column_letter(column)}{row + 1}")
        for column in range(observation.columns)
        for row in range(observation.rows)
    }
    north = _along(observation, "north")
    if north:
        yield north
    letters = "".join(f"   {column_letter(column)}    " for column in range(observation.columns))
    yield (" " * (_MARGIN + 1) + letters).rstrip()
    for row in range(observation.rows):
        yield rule
        for line in range(_DOWN):
            middle = line == _DOWN // 2
            west = f"{row + 1:>2} {_circle(observation, f'west {row + 1}'):>4} " if middle else " " * _MARGIN
            east = f" {_circle(observation, f'east {row + 1}')}" if middle else ""
            spaces = "|".join("".join(canvases[column, row][line]) for column in range(observation.columns))
            yield f"{west}|{spaces}|{east}".rstrip()
    yield rule
    south = _along(observation, "south")
    if south:
        yield south


def _along(observation: Observation, side: str) -> str:
    circles = (_circle(observation, f"{side} {column_letter(column)}") for column in range(observation.columns))
    return (" " * (_MARGIN + 1) + "".join(f"{circle:^8}" for circle in circles)).rstrip()


def _circle(observation: Observation, name: str) -> str:
    """The text of a circle: its number if it may be chosen, or the ship; "" if there is none."""
    if name not in observation.circles:
        return ""
    inside = next((str(each.number) for each in observation.starts if each.start == name), "")
    if observation.ship == name:
        return f"({inside}@)"
    return f"({inside})" if inside else "( )"


def _canvas(observation: Observation, name: str) -> Canvas:
    tile = next((tile for tile in observation.tiles if tile.space == name), None)
    if tile is None:
        return _unexplored(observation, name)
    canvas = _tile(tile.land, tile.kind)
    numbers = [each.number for each in observation.starts if each.start == name]
    for explorer in observation.explorers:
        if explorer.space == name:
            _write(canvas, f"{explorer.value}{SEAT_MARKS[explorer.seat]}", *_STANDS[explorer.part])
    if numbers:
        _write(canvas, f"({numbers[0]})", *_free(canvas, len(str(numbers[0])) + 2))
    if observation.ship == name:
        canvas[2][0] = "@"
    if name in observation.last:
        canvas[0][0] = "*"
    if tile.source == "imagined":
        canvas[0][6] = "?"
    return canvas


def _tile(land: str, kind: Kind) -> Canvas:
    """A tile with land as # and sea as ~, connected in the middle except for a strait."""
    canvas = [list("~~~~~~~") for _ in range(_DOWN)]
    for edge in land:
        for across, down in _EDGE[edge]:
            canvas[down][across] = "#"
    if land and kind is not Kind.STRAIT:
        canvas[1][2:5] = "###"
    for corner, edges in (((0, 0), "NW"), ((6, 0), "NE"), ((0, 2), "SW"), ((6, 2), "ES")):
        if set(edges) <= set(land):
            canvas[corner[1]][corner[0]] = "#"
    return canvas


_STANDS: Final = {None: (2, 1), "north": (2, 0), "south": (2, 2), "west": (0, 1), "east": (5, 1)}
"""The column and row of an explorer, by the side of a strait."""
_EDGE: Final = {
    "N": [(across, 0) for across in range(1, 6)],
    "S": [(across, 2) for across in range(1, 6)],
    "W": [(0, 1), (1, 1)],
    "E": [(5, 1), (6, 1)],
}


def _free(canvas: Canvas, width: int) -> tuple[int, int]:
    """The row and column for a starting point's number: the middle, or below an explorer."""
    taken = any(letter.isalnum() for letter in canvas[1][1:6])
    return ((_ACROSS - width + 1) // 2, 2 if taken else 1)


def _unexplored(observation: Observation, name: str) -> Canvas:
    """The name of the space, and the numbers of the placements on it."""
    canvas = [[" "] * _ACROSS for _ in range(_DOWN)]
    _write(canvas, name, 3, 1)
    numbers = [each.number for each in observation.placements if each.space == name]
    if numbers:
        shown = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
        _write(canvas, f"{f'({shown})':^{_ACROSS}}", 0, 2)
    return canvas


def _write(canvas: Canvas, words: str, across: int, down: int) -> None:
    canvas[down][across : across + len(words)] = words


def _legend(observation: Observation) -> Iterator[str]:
    seats = "" if len(observation.seats) == 1 else "   2G explorer of value 2"
    yield f"  # land   ~ sea   C4 unexplored{seats}   @ ship   * latest"
    yield "  ( ) a circle, named by its side of the board: west 3, south D"
    if observation.starts:
        yield "  (3) a starting point: its number is an answer"
    if observation.ship is not None:
        yield f"  The ship is at {observation.ship}."
    if any(tile.source == "imagined" for tile in observation.tiles):
        yield "  ? the reserve had no tile left: this one is imagined"


def _choices(observation: Observation) -> Iterator[str]:
    """The numbered choices, and the discarded tiles that may be taken."""
    choices = [f"{each.number:>3}  ship {each.start}" for each in observation.starts]
    choices += [f"{each.number:>3}  place {each.space} {each.land}".rstrip() for each in observation.placements]
    choices += [
        f"{each.number:>3}  explorer {each.value}{f' {each.part}' if each.part else ''}" for each in observation.stands
    ]
    if observation.stands:
        choices.append(f"{len(choices) + 1:>3}  skip")
    if not choices:
        return
    at_hand = "" if observation.tile is None else f"At hand: {KIND_NAMES[observation.tile]}. "
    yield f"{at_hand}A number is an answer:"
    yield from _columns(choices)
    yield from (f"     {words}" for words in islands_to_land_on(observation))
    if observation.reuses:
        yield from _reuses(observation)


def _reuses(observation: Observation) -> Iterator[str]:
    """R3.4: the discarded tiles that may be taken, with the numbers of the starting points."""
    numbers = {each.start: each.number for each in observation.starts}
    yield "Or a discarded tile instead of a draw, for an explorer that is given up:"
    for each in observation.reuses:
        found = numbers_of([numbers[start] for start in each.starts], len(numbers))
        yield from wrapped(f"     {KIND_NAMES[each.tile]} from {found}", 7)
    yield f"     such as: {reuse_example(observation)}"


def _columns(lines: list[str]) -> Iterator[str]:
    """The lines arranged in columns, to be read downwards."""
    high = -(-len(lines) // _LISTED)
    for row in range(high):
        yield "".join(f"{line:<19}" for line in lines[row::high]).rstrip()


def _players(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    if len(observation.seats) == 1:
        facts = observation.seats[0]
        sheet = ", ".join(f"{label} {number}" for label, number in score_sheet(0, observation))
        discarded = counted(facts.discarded)
        words = f"{name_of(0, names)}: {points(facts.score)} as it stands ({sheet}); discarded: {discarded}"
        yield from wrapped(words, 4)
    else:
        yield f"{'':5}{'player':<{_NAME}}  points  islands  discarded   explorers: 1   2   3"
        for seat, facts in enumerate(observation.seats):
            mark = "=>" if seat in observation.to_act else "  "
            left = "".join(f"{count:>4}" for count in facts.explorers.values())
            (_, earned), (_, lost) = score_sheet(seat, observation)
            who = f"{mark} {SEAT_MARKS[seat]} {padded(name_of(seat, names), _NAME)}"
            yield f"{who}  {facts.score:>6}  {earned:>7}  {lost:>9}  {'':>9}{left}"
        for seat, facts in enumerate(observation.seats):
            if any(facts.discarded.values()):
                yield from wrapped(f"     {SEAT_MARKS[seat]} has discarded {counted(facts.discarded)}.", 7)
            if any(facts.given_up.values()):
                gone = listed(f"{count} of value {value}" for value, count in facts.given_up.items() if count)
                yield from wrapped(f"     {SEAT_MARKS[seat]} has given up explorers: {gone}.", 7)
    result = observation.outcome
    if result is not None and result.details:
        yield ""
        for seat in sorted(range(len(observation.seats)), key=result.ranks.__getitem__):
            sheet = ", ".join(f"{SCORE_LABELS[line.code]} {line.number}" for line in result.details[seat])
            name = padded(name_of(seat, names), _NAME)
            yield f" {result.ranks[seat]}. {name} {result.scores[seat]:>4}   {sheet}"


def _islands(observation: Observation) -> Iterator[str]:
    """Every island with what it earns, or would earn; those that earn most first."""
    rows = ranked_islands(observation)
    if not rows:
        return
    two = len(observation.seats) > 1
    yield f"{'Islands':<12} tiles  open {'   G   W' if two else ''}  points   spaces"
    for island in rows:
        strengths = "".join(f"{value or '-':>4}" for value in island.strengths) if two else ""
        earned = earned_said(island, observation)
        line = f" {island.name:<11} {len(island.spaces):>5}  {island.gaps or '-':>4} {strengths}  {earned:>6}   "
        yield from wrapped(line + " ".join(island.spaces), len(line))
    if any("(" in earned_said(island, observation) for island in rows):
        yield " open: land edges at unexplored spaces; in brackets: if complete as it is"


def _supplies(observation: Observation) -> Iterator[str]:
    left = "To draw" if observation.outcome is None else "Not drawn"
    yield f"{left:<12} {amount(observation.draws, 'tile')}; {amount(observation.unexplored, 'space')} unexplored"
    yield from wrapped(f"Unseen       {counted(observation.unseen)}", 13)
    yield from wrapped(f"Reserve      {counted(observation.reserve)}", 13)
