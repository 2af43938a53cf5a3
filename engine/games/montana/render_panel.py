"""The panel beside Montana's landscape: the awaited seats and their prompts, what every seat
has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.montana.components import GOODS, WORKERS, Good
from engine.games.montana.facts import awaited
from engine.games.montana.observe import Observation, SeatObservation
from engine.games.montana.render_icons import good_icon, settlement_icon, worker_icon
from engine.games.montana.state import WORKER_ROOM
from engine.panel import below_status, panel_head, seat_card, short_names
from engine.svg import INK, SOFT, fitted, group, label, lines, number, rect, text_width, use
from engine.wording import as_sentence, name_of

PANEL_WIDTH: Final = 268
_INNER: Final = PANEL_WIDTH - 16
_TALLEST: Final = 200
_GOODS_AT: Final = (15.0, 53.0, 91.0, 129.0, 169.0, 210.0)


def panel(observation: Observation, names: Sequence[str], height: float, below: str = "") -> Iterator[str]:
    """The panel, its upper left corner at the origin; ``below`` is drawn under the seats."""
    status = _status(observation, names)
    yield from panel_head(
        "Montana", f"Round {observation.round}" if observation.round else "", status, PANEL_WIDTH, height
    )
    y = below_status(status) - 4
    tall = min(_TALLEST, (height - y - 8) / len(observation.seats) - 6)
    for seat, facts in enumerate(observation.seats):
        yield group(*_seat(seat, facts, observation, names, tall), transform=f"translate(8 {number(y)})")
        y += tall + 6
    if below:
        yield group(below, transform=f"translate(16 {number(y + 14)})")


def _status(observation: Observation, names: Sequence[str]) -> tuple[str, ...]:
    width = PANEL_WIDTH - 28
    short = short_names(len(observation.seats), names)
    if observation.ending is None:
        return lines(awaited(observation, short), width, 16, 5)
    last = as_sentence(observation.ending)
    return (
        *lines(awaited(observation, short), width, 16, 4),
        *lines(last if observation.outcome else f"Last round: {last}", width, 16, 4),
    )


def _seat(
    seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str], tall: float
) -> Iterator[str]:
    due = seat in observation.to_act
    yield from seat_card(_INNER, tall, due)
    outcome = observation.outcome
    score = str(facts.built if outcome is None else outcome.scores[seat])
    name = name_of(seat, names) if outcome is None else f"{outcome.ranks[seat]}. {name_of(seat, names)}"
    row = (tall - 14) / 4
    yield use(settlement_icon(seat), 27, row / 2 + 8, 0.92)
    yield label(
        fitted(name, _INNER - 68 - text_width(score, 27, True), 17, True),
        52,
        row / 2 + 14,
        17,
        font_weight="bold",
        fill=INK,
    )
    yield label(score, _INNER - 12, row / 2 + 17, 27, font_weight="bold", text_anchor="end", fill=INK)
    stock = (
        (settlement_icon(seat), 0.48, facts.settlements_left),
        ("mt-coin", 0.8, facts.coins),
        ("mt-cow", 0.8, facts.cows),
        ("mt-canteen", 0.72, facts.canteens),
    )
    for place, (icon, scale, count) in enumerate(stock):
        yield from _counted(icon, scale, count, 19 + place * 61, row * 1.5 + 9)
    for good, x in zip(GOODS, _GOODS_AT, strict=True):
        large = good in (Good.LARGE_COPPER, Good.LARGE_STONE)
        count = facts.goods[good]
        yield from _counted(
            good_icon(good),
            0.7 if large else 0.74,
            count,
            x,
            row * 2.5 + 8,
            14.5 if count < 10 else 12.5,
            15 if large else 11,
        )
    workers = [worker for worker in WORKERS for _ in range(facts.workers[worker])]
    room = max(WORKER_ROOM, len(workers))
    for place in range(room):
        at, y = 8 + (place + 0.5) * (_INNER - 16) / room, row * 3.5 + 8
        if place < len(workers):
            yield use(worker_icon(workers[place]), at, y, 0.95)
        else:
            yield rect(
                at - 11, y - 13, 22, 26, rx=5, fill="none", stroke="#c9b68d", stroke_width=1.3, stroke_dasharray="3 3"
            )


def _counted(
    icon: str, scale: float, count: int, x: float, y: float, size: float = 16, after: float = 13
) -> Iterator[str]:
    yield use(icon, x, y, scale, opacity=None if count else 0.35)
    yield label(str(count), x + after, y + 6, size, fill=INK if count else SOFT)
