"""The panel beside Ozeanien's board: the awaited seat, the tile at hand, the seats, the islands."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.ozeanien.facts import KIND_NAMES, SEAT_MARKS, awaited
from engine.games.ozeanien.observe import Observation, SeatObservation
from engine.games.ozeanien.render_pieces import badge, explorer, small_tile
from engine.games.ozeanien.score import Island
from engine.games.ozeanien.tiles import KIND_INDEX, LAND_NAMES, WAYS_ROUND, Kind
from engine.panel import below_status, panel_head, seat_card, short_names
from engine.svg import INK, SOFT, fitted, group, label, lines, text_width
from engine.wording import amount, name_of

PANEL_WIDTH: Final = 290
_ROW: Final = 25


def panel(observation: Observation, names: Sequence[str], height: float) -> Iterator[str]:
    """The panel, its upper left corner at the origin."""
    status = _status(observation, names)
    yield from panel_head("Ozeanien", f"Turn {observation.turn}", status, PANEL_WIDTH, height, 29, 17)
    y = below_status(status)
    if observation.tile is not None or observation.stands:
        yield group(*_at_hand(observation), transform=f"translate(16 {y - 8:g})")
        y += 82 if observation.tile is not None else 12 + 26 * -(-(len(observation.stands) + 1) // 2)
    for seat, facts in enumerate(observation.seats):
        tall = _seat_height(facts, observation)
        yield group(*_seat(seat, facts, observation, names, tall), transform=f"translate(8 {y:g})")
        y += tall + 6
    left = f"{amount(observation.draws, 'tile')} to draw, {observation.unexplored} unexplored"
    yield label(fitted(left, PANEL_WIDTH - 28, 16), 16, y + 20, 16, fill=INK)
    yield group(*_islands(observation, height - y - 34), transform=f"translate(16 {y + 34:g})")


def _status(observation: Observation, names: Sequence[str]) -> tuple[str, ...]:
    short = short_names(len(observation.seats), names)
    found = lines(awaited(observation, short), PANEL_WIDTH - 30, 16, 3)
    return (
        found if observation.outcome is None else (*found, *lines(observation.outcome.ended, PANEL_WIDTH - 30, 16, 2))
    )


def _at_hand(observation: Observation) -> Iterator[str]:
    """The tile at hand, or the numbered ways to place an explorer."""
    if observation.tile is not None:
        yield small_tile(a_way_round(observation.tile), 0, 0, 72)
        yield label(KIND_NAMES[observation.tile].capitalize(), 86, 26, 20, font_weight="bold", fill=INK)
        count = len(observation.placements)
        yield label("It fits in 1 way," if count == 1 else f"It fits in {count} ways,", 86, 48, 16, fill=INK)
        yield label("as numbered.", 86, 67, 16, fill=INK)
        return
    choices = [
        (each.number, f"value {each.value}{f', {each.part}' if each.part else ''}") for each in observation.stands
    ]
    choices.append((len(choices) + 1, "skip"))
    for index, (number, words) in enumerate(choices):
        x, y = 12 + index % 2 * 128, 12 + index // 2 * 26
        yield badge(number, x, y) + label(words, x + 20, y + 5.5, 16, fill=INK)


def a_way_round(kind: Kind) -> str:
    """The land in which a tile of a kind is drawn on its own."""
    return LAND_NAMES[WAYS_ROUND[KIND_INDEX[kind]][0]]


def _seat_height(facts: SeatObservation, observation: Observation) -> float:
    return 46 + (36 if len(observation.seats) > 1 else 0) + (36 if any(facts.discarded.values()) else 0)


def _seat(
    seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str], tall: float
) -> Iterator[str]:
    width = PANEL_WIDTH - 16
    due = seat in observation.to_act
    yield from seat_card(width, tall, due)
    outcome = observation.outcome
    score = str(facts.score)
    alone = len(observation.seats) == 1
    name = name_of(seat, names) if outcome is None or alone else f"{outcome.ranks[seat]}. {name_of(seat, names)}"
    mark = "" if alone else f" ({SEAT_MARKS[seat]})"
    room = width - 36 - text_width(score, 27, True) - text_width(mark, 17, True)
    yield label(fitted(name, room, 17, True) + mark, 12, 31, 17, font_weight="bold", fill=INK)
    yield label(score, width - 12, 35, 27, font_weight="bold", text_anchor="end", fill=INK)
    y = 44.0
    if not alone:
        for index, (value, count) in enumerate(facts.explorers.items()):
            yield group(
                explorer(seat, int(value), 26 + index * 80, y + 16, 0.86),
                label(f"\u00d7{count}", 46 + index * 80, y + 22, 16, fill=INK),
                opacity=None if count else 0.4,
            )
        y += 36
    x = 12.0
    for kind, count in facts.discarded.items():
        if count:
            yield small_tile(a_way_round(kind), x, y + 4, 22)
            yield label(f"\u00d7{count}", x + 24, y + 19.5, 13, fill=INK)
            x += 44


def _islands(observation: Observation, room: float) -> Iterator[str]:
    """The islands, as many as fit: complete ones first, then by size."""
    rows = sorted(observation.islands, key=lambda island: (not island.complete, -len(island.spaces)))
    if len(observation.seats) > 1:
        rows = [island for island in rows if island.complete or any(island.strengths)] + [
            island for island in rows if not island.complete and not any(island.strengths)
        ]
    if not rows or room < 2.2 * _ROW:
        return
    yield label("Island", 0, 16, 15, font_weight="bold", fill=INK)
    heads = (
        ("tiles", 92),
        *((SEAT_MARKS[seat], 132 + 34 * seat) for seat in range(len(observation.seats)) if len(observation.seats) > 1),
        ("points", PANEL_WIDTH - 32),
    )
    for words, x in heads:
        yield label(words, x, 16, 15, font_weight="bold", text_anchor="end", fill=INK)
    most = int(room // _ROW) - 1
    shown = rows if len(rows) <= most else rows[: most - 1]
    for index, island in enumerate(shown):
        yield from _island(island, observation, 16 + (index + 1) * _ROW)
    if len(shown) < len(rows):
        yield label(f"and {len(rows) - len(shown)} more", 0, 16 + (len(shown) + 1) * _ROW, 15, fill=SOFT)


def _island(island: Island, observation: Observation, y: float) -> Iterator[str]:
    weight = "bold" if island.complete else None
    ends = {"text_anchor": "end", "fill": INK, "font_weight": weight}
    yield label(island.spaces[0], 0, y, 16, fill=INK, font_weight=weight)
    yield label(str(len(island.spaces)), 92, y, 16, **ends)
    if len(observation.seats) > 1:
        for seat, strength in enumerate(island.strengths):
            yield label(str(strength or "\u2013"), 132 + 34 * seat, y, 16, **ends)
    words = str(island.points) if island.complete else f"{island.gaps} open"
    yield label(
        words, PANEL_WIDTH - 32, y, 16, text_anchor="end", fill=INK if island.complete else SOFT, font_weight=weight
    )
