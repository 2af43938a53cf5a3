"""The panels of Montana's picture: head, cards of the seats, supply, key of the marks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Final

from engine import svg
from engine.games.montana.components import GOODS, WORKERS, Good
from engine.games.montana.facts import awaited, decided, offers
from engine.games.montana.observe import Observation, SeatObservation
from engine.games.montana.render_board import double_badge, latest, open_frame, outline, possible_frame
from engine.games.montana.render_icons import good_icon, settlement_icon, worker_icon
from engine.games.montana.render_layout import Scene
from engine.games.montana.sentences import ENDINGS
from engine.games.montana.state import WORKER_ROOM
from engine.panel import Block, card, pointer, short_names
from engine.picks import NO_CHOICES, Choices
from engine.sentences import filled_in
from engine.svg import BORDER, INK, SOFT
from engine.wording import name_of

_SIDE: Final = 16.0
_BETWEEN: Final = 7.0
_MOST_LINES: Final = 5
_POINTER: Final = 12.0
"""The room that the pointer beside a card needs."""


def head(scene: Scene, width: float) -> Block:
    """Title, round, status lines, and what is possible now."""
    observation, sheet = scene.observation, scene.sheet
    y = 10 + sheet.title
    drawn = [
        svg.label("Montana", _SIDE, y, sheet.title, font_weight="bold", fill=INK),
        svg.label(_corner(observation), width - _SIDE, y, sheet.status + 1, text_anchor="end", fill=SOFT),
    ]
    y += 4
    for line in _status(observation, scene.names, width - 2 * _SIDE, sheet.status):
        y += sheet.status * 1.28
        drawn.append(svg.label(line, _SIDE, y, sheet.status, fill=INK))
    size = sheet.status - 2
    for typed, what in offers(observation):
        y += 5
        indent = svg.text_width(typed, size, bold=True) + 8
        for place, line in enumerate(svg.lines(what, width - 2 * _SIDE - indent, size, 3)):
            y += size * 1.28
            if place == 0:
                drawn.append(svg.label(typed, _SIDE, y, size, font_weight="bold", fill=INK))
            drawn.append(svg.label(line, _SIDE + indent, y, size, fill=INK))
    return Block(y + 14, "".join(drawn), plate=True)


def seats(scene: Scene, width: float) -> Block:
    """The cards of the seats, as many abreast as the sheet has it."""
    sheet, count = scene.sheet, len(scene.observation.seats)
    across = min(sheet.abreast, count)
    wide = (width - (across - 1) * 2 * _BETWEEN) / across
    cards = []
    for seat, facts in enumerate(scene.observation.seats):
        x, y = seat % across * (wide + 2 * _BETWEEN), seat // across * (sheet.card + _BETWEEN)
        cards.append(svg.group(*_card(seat, facts, scene, wide), transform=svg.to(x, y)))
    return Block(ceil(count / across) * (sheet.card + _BETWEEN) - _BETWEEN, "".join(cards))


def _corner(observation: Observation) -> str:
    if observation.outcome is not None:
        return "The end"
    return f"Round {observation.round}" if observation.round else ""


def _status(observation: Observation, names: Sequence[str], width: float, size: float) -> tuple[str, ...]:
    short = short_names(len(observation.seats), names)
    said = svg.lines(awaited(observation, short), width, size, _MOST_LINES)
    if observation.ending is None:
        return said
    last = filled_in(ENDINGS, observation.ending)
    if observation.outcome is None:
        return (*said, *svg.lines(f"Last round: {last}", width, size, _MOST_LINES))
    tie = decided(observation.outcome)
    more = svg.lines(f"Of equals, most {tie}.", width, size, _MOST_LINES) if tie else ()
    return (*said, *svg.lines(last, width, size, _MOST_LINES), *more)


def _card(seat: int, facts: SeatObservation, scene: Scene, width: float) -> Iterator[str]:
    """A seat: its name and settlements built, then what it has left, its goods and its workers."""
    observation, sheet = scene.observation, scene.sheet
    due, tall, outcome = seat in observation.to_act, sheet.card, observation.outcome
    choices = scene.choices if seat == observation.viewer else NO_CHOICES
    yield card(width, tall, 9, due, sheet.look.card, sheet.look.bright, BORDER)
    if due and sheet.gap >= _POINTER:
        yield pointer(-12, 14, 14, 10)
    score = str(facts.built if outcome is None else outcome.scores[seat])
    name = name_of(seat, scene.names) if outcome is None else f"{outcome.ranks[seat]}. {name_of(seat, scene.names)}"
    row = (tall - 12) / 4
    yield svg.use(settlement_icon(seat), 26, row / 2 + 6, 0.86)
    room = width - 68 - svg.text_width(score, 25, bold=True)
    yield svg.label(svg.fitted(name, room, 17, bold=True), 50, row / 2 + 12, 17, font_weight="bold", fill=INK)
    yield svg.label(score, width - 12, row / 2 + 15, 25, font_weight="bold", text_anchor="end", fill=INK)
    inner = width - 12
    stock = (
        (settlement_icon(seat), 0.54, facts.settlements_left),
        ("montana-coin", 0.78, facts.coins),
        ("montana-cow", 0.78, facts.cows),
        ("montana-canteen", 0.7, facts.canteens),
    )
    for place, (icon, scale, count) in enumerate(stock):
        box = svg.oblong(4 + place * inner / 4, row + 8, inner / 4 - 4, row - 2)
        if icon == "montana-coin":
            yield svg.pick(choices, "Coins for a cow", box, {"type": "trade_coins"})
        if icon == "montana-canteen":
            yield svg.pick(choices, "Canteen, for another turn", box, {"type": "canteen"})
        yield from _counted(icon, scale, count, 18 + place * inner / 4, row * 1.5 + 7, 15.5, 13, fading=place > 0)
    for place, good in enumerate(GOODS):
        large, count = good in (Good.LARGE_COPPER, Good.LARGE_STONE), facts.goods[good]
        x = 14 + place * inner / 6 + (2 if large else 0)
        size, after = 14.5 if count < 10 else 12, 14 if large else 10.5
        yield from _counted(good_icon(good), 0.68 if large else 0.72, count, x, row * 2.5 + 6, size, after)
        box = svg.oblong(x - 12, row * 2 + 7, inner / 6 - 2, row - 2)
        yield svg.pick(choices, f"Own {good}", box, {"type": "upgrade", "goods": good})
    workers = [worker for worker in WORKERS for _ in range(facts.workers[worker])]
    room = max(WORKER_ROOM, len(workers))
    for place in range(room):
        at, y = 8 + (place + 0.5) * (width - 16) / room, row * 3.5 + 6
        if place < len(workers):
            yield svg.use(worker_icon(workers[place]), at, y, 0.9)
            if not _hires(observation):
                step = (width - 16) / room - 2
                box = svg.oblong(at - step / 2, y - 14, step, 28)
                name = f"Own {workers[place]} worker{svg.ordinal(workers, place)}"
                yield svg.pick(choices, name, box, {"workers": workers[place]})
        else:
            yield svg.plate(at - 10, y - 12, 20, 24, 5, "none", "#c9b68d", 1.3, stroke_dasharray="3 3")


def _hires(observation: Observation) -> bool:
    """Whether workers are chosen from the supply, not from those that a seat has."""
    return observation.phase == "choose" and not observation.surplus


def _counted(
    icon: str, scale: float, count: int, x: float, y: float, size: float, after: float, fading: bool = True
) -> Iterator[str]:
    yield svg.use(icon, x, y, scale, opacity=0.35 if fading and not count else None)
    yield svg.label(str(count), x + after, y + 5.5, size, fill=INK if count else SOFT)


_CELL: Final = (133.0, 46.0)
_LINE: Final = (176.0, 30.0)
_SMALL: Final = 0.28


def supply(scene: Scene, width: float) -> Block:
    """Every good, worker and animal with its name and the number left."""
    left, choices = scene.observation.supply, scene.choices
    drawn = []
    for good in GOODS:
        name = good.value.replace("_", " ").capitalize()
        mark = _from_supply(choices, name, {"good": good}, {"type": "take", "goods": good})
        drawn.append(_left(good_icon(good), 0.95, name, left.goods[good]) + mark)
    for kind in WORKERS:
        name = f"{kind.value.capitalize()} worker"
        mark = _from_supply(choices, name, {"worker": kind}, {"type": "choose", "workers": kind})
        drawn.append(_left(worker_icon(kind), 1.0, name, left.workers[kind]) + mark)
    drawn.append(_left("montana-cow", 0.95, "Cow", left.cows))
    return _grid(drawn, width, _CELL, scene.sheet.fine)


def _from_supply(choices: Choices, name: str, *alternatives: Mapping[str, str]) -> str:
    return svg.pick(choices, f"{name} of the supply", svg.oblong(0, 1, _CELL[0] - 4, _CELL[1] - 2), *alternatives)


def key(scene: Scene, width: float) -> Block:
    """The marks on hexes and what they mean."""
    look = scene.sheet.look
    marks = (
        (svg.use("montana-cow", 0, 0, 0.8), "cow to take"),
        (svg.use("montana-canteen", 0, 0, 0.7), "canteen to take"),
        (svg.group(*double_badge(2)), "two settlements"),
        (_hex(look.open, open_frame(0.8)), "open to build"),
        (_hex(look.open, possible_frame(0.8)), "can be paid now"),
        (_hex(look.prairie[0], *latest()), "latest action"),
    )
    drawn = [
        svg.group(mark, svg.label(meaning, 22, 5, 14.5, fill=INK), transform=svg.to(18, 15)) for mark, meaning in marks
    ]
    return _grid(drawn, width, _LINE, scene.sheet.fine)


def _left(icon: str, scale: float, name: str, count: int) -> str:
    return svg.group(
        svg.use(icon, 18, 18, scale),
        svg.label(name, 36, 14, 12.5, fill=INK),
        svg.label(f"{count} left", 36, 32, 14.5, font_weight="bold", fill=INK),
    )


def _hex(fill: str, *marks: str) -> str:
    return svg.group(
        svg.polygon(outline(), fill=fill, stroke=INK, stroke_width=2), *marks, transform=f"scale({_SMALL})"
    )


def _grid(drawn: Sequence[str], width: float, cell: tuple[float, float], scale: float) -> Block:
    """The drawings in rows, as many side by side as the width allows, in rows of equal length."""
    most = max(1, int(width / (cell[0] * scale)))
    rows = ceil(len(drawn) / most)
    across = ceil(len(drawn) / rows)
    step, down = width / across, cell[1] * scale
    cells = (
        svg.group(each, transform=svg.to(place % across * step, place // across * down, scale))
        for place, each in enumerate(drawn)
    )
    return Block(rows * down, "".join(cells))
