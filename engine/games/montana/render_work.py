"""The boards of Montana's picture for workers and representatives: work, town, wheel."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from typing import Final

from engine import svg
from engine.games.montana.components import Good, Hiring
from engine.games.montana.facts import row_words, wheat_needed
from engine.games.montana.observe import AreaObservation, BankObservation, Observation, RowObservation, SlotObservation
from engine.games.montana.render_icons import good_icon, place_icon, representative_icon, worker_icon
from engine.games.montana.render_layout import Look, Scene
from engine.panel import Block
from engine.svg import ACCENT, INK, LETTER, SOFT

_SIDE: Final = 6.0
_WORKER: Final = 0.84
_STEP: Final = 19.0
"""From one worker to the next in a box."""
_SLOT: Final = 92.0
_HIGH: Final = 54.0
_LARGEST: Final = 1.2
_TITLE: Final = 13.0
_MOST_SLOTS: Final = 3


def work(scene: Scene, width: float) -> Block:
    """The bank and the areas, a row each."""
    observation = scene.observation
    usual = (width - 2 * _SIDE) / (_MOST_SLOTS + 0.55)
    scale = min(_LARGEST, usual / _SLOT)
    heading, down = width - 2 * _SIDE - _MOST_SLOTS * usual, (_HIGH + 4) * scale
    rows = [_bank(scene, width, heading, scale)]
    rows += [_area(area, scene, width, heading, scale) for area in observation.areas]
    drawn = (svg.group(*row, transform=svg.to(0, _SIDE + place * down)) for place, row in enumerate(rows))
    return Block(2 * _SIDE + len(rows) * down - 4 * scale, "".join(drawn), plate=True)


def box(x: float, width: float, height: float, latest: bool, fill: str) -> str:
    """A box for workers or a representative, its left side at x and its middle at y = 0."""
    return svg.plate(x, -height / 2, width, height, 5, fill, ACCENT if latest else SOFT, 3.6 if latest else 1.2)


def price(coins: int, x: float, y: float, scale: float = 1) -> str:
    """A coin with a number on it."""
    size = 14.5 if coins < 100 else 11
    written = svg.label(str(coins), 0, 5.2, size, font_weight="bold", text_anchor="middle", fill=LETTER)
    return svg.group(svg.use("montana-coin", 0, 0), written, transform=svg.to(x, y, scale))


def _title(icon: str, name: str, width: float, heading: float, scale: float, fill: str) -> Iterator[str]:
    """The ground of a row, with the name of the place in front."""
    yield svg.plate(_SIDE, 0, width - 2 * _SIDE, _HIGH * scale, 8, fill, "#8a8072", 0.6)
    yield svg.use(icon, _SIDE + heading / 2, 19 * scale, scale)
    size = min(_TITLE * scale, (heading - 6) / 4.2)
    yield svg.label(name, _SIDE + heading / 2, 44 * scale, size, font_weight="bold", text_anchor="middle", fill=INK)


def _bank(scene: Scene, width: float, heading: float, scale: float) -> Iterator[str]:
    spaces, last = scene.observation.bank, scene.observation.last
    yield from _title("montana-coin", "Bank", width, heading, scale, scene.sheet.look.row)
    widths = [max(48.0, _STEP * space.workers + 6) for space in spaces]
    room = width - 2 * _SIDE - heading - 6
    shrunk = min(scale, room / (sum(widths) + 6 * (len(widths) - 1)))
    gap = min(40.0, (room - sum(widths) * shrunk) / max(1, len(spaces) - 1))
    x = _SIDE + heading + 3
    for place, space in enumerate(spaces):
        top, outline = (_HIGH * scale - _HIGH * shrunk) / 2, svg.oblong(-1, 1, widths[place], _HIGH - 2)
        yield svg.group(
            *_bank_space(place + 1, space, widths[place] - 4, f"bank {place + 1}" in last, scene.sheet.look.bright),
            svg.pick(scene.choices, f"Bank {place + 1}", outline, {"space": place + 1}),
            transform=svg.to(x, top, shrunk),
        )
        x += widths[place] * shrunk + gap


def _bank_space(number: int, space: BankObservation, width: float, latest: bool, fill: str) -> Iterator[str]:
    yield from _number(number, fill)
    yield price(space.coins, 32, 11, 0.76)
    x = max(1.0, (width - _STEP * space.workers - 4) / 2) if latest else 1.0
    yield svg.group(box(1, _STEP * space.workers + 4, 29, latest, fill), transform=svg.to(0, 36))
    x = 1 + 2 + _STEP / 2
    for place in range(space.workers):
        icon = worker_icon(space.placed[place]) if place < len(space.placed) else place_icon(Hiring.ANY)
        yield svg.use(icon, x + _STEP * place, 37, _WORKER)


def _area(area: AreaObservation, scene: Scene, width: float, heading: float, scale: float) -> Iterator[str]:
    title, last, choices = area.area.value.capitalize(), scene.observation.last, scene.choices
    yield from _title(good_icon(area.good), title, width, heading, scale, scene.sheet.look.grounds[area.area])
    step = (width - 2 * _SIDE - heading) / max(_MOST_SLOTS, len(area.slots))
    shrunk = min(scale, step / _SLOT)
    for place, slot in enumerate(area.slots):
        name = f"{area.area} {place + 1}"
        drawn = _slot(place + 1, slot, area, name in last, f"{name} again" in last, scene.sheet.look.bright)
        top = (_HIGH * scale - _HIGH * shrunk) / 2
        whole, small = svg.oblong(-1, 1, _SLOT - 1, _HIGH - 2), svg.oblong(49, 21.5, 40, 29)
        marks = [svg.pick(choices, f"{title} {place + 1}", whole, {"area": area.area, "slot": place + 1})]
        if name in last:
            marks.append(svg.pick(choices, f"{title} {place + 1} again", small, {"type": "again"}))
        yield svg.group(*drawn, *marks, transform=svg.to(_SIDE + heading + place * step, top, shrunk))


def _slot(
    number: int, slot: SlotObservation, area: AreaObservation, latest: bool, again: bool, fill: str
) -> Iterator[str]:
    """A slot: number, price and goods; below, the large box and the small one."""
    yield from _number(number, fill)
    yield price(slot.price, 32, 11, 0.76)
    yield svg.label(str(slot.goods), 59, 15.3, 12.5, font_weight="bold", text_anchor="end", fill=INK)
    yield svg.use(good_icon(area.good), 70, 11, 0.72)
    yield svg.group(box(1, 44, 29, latest, fill), transform=svg.to(0, 36))
    yield from _crew([worker_icon(each) for each in slot.large_box] or [place_icon(area.worker)], 23)
    yield svg.group(box(49, 40, 29, again, fill), transform=svg.to(0, 36))
    if slot.small_box:
        yield from _crew([worker_icon(each) for each in slot.small_box], 69)
    else:
        yield svg.label(f"+{slot.small_goods}", 69, 40.5, 12.5, text_anchor="middle", fill=INK)


def _number(number: int, fill: str) -> Iterator[str]:
    yield svg.plate(1, 2.5, 17, 17, 4, fill, INK, 1.2)
    yield svg.label(str(number), 9.5, 15.5, 12.5, font_weight="bold", text_anchor="middle", fill=INK)


def _crew(icons: Sequence[str], middle: float) -> Iterator[str]:
    for place, icon in enumerate(icons):
        yield svg.use(icon, middle + (place - (len(icons) - 1) / 2) * _STEP, 37, _WORKER)


_TOWN_SIDE: Final = 8.0
_GUTTER: Final = 54.0
_HEAD: Final = 54.0
_ROW: Final = 54.0
_FOOT: Final = 36.0
_REWARD: Final = 104.0
_WORDS: Final = 10.5
_USUAL: Final = 320.0
"""The width at which the shop is drawn; in any other it is scaled."""


def town(scene: Scene, width: float) -> Block:
    """The shop."""
    scale, width = width / _USUAL, _USUAL
    shop = scene.observation.shop
    step = min(42.0, (width - 2 * _TOWN_SIDE - _GUTTER - _REWARD) / len(shop.costs))
    drawn = [*_heads(shop.costs, step, width, scene.sheet.look.bright)]
    if shop.possible:
        drawn.append(svg.label("+ possible now", width - 16, 43, 10.5, text_anchor="end", fill=INK))
    for line, row in enumerate(shop.rows):
        drawn.append(svg.group(*_row(scene, line, row, step, width), transform=svg.to(0, _HEAD + line * _ROW)))
    foot = _HEAD + len(shop.rows) * _ROW
    drawn.append(svg.group(*_out_of_town(scene.observation), transform=svg.to(0, foot)))
    return Block((foot + _FOOT) * scale, svg.group(*drawn, transform=svg.to(0, 0, scale)), plate=True)


def _heads(costs: tuple[int, ...], step: float, width: float, fill: str) -> Iterator[str]:
    """The columns: the number that is typed above the price in pumpkins."""
    yield svg.label("column", _TOWN_SIDE + 4, 22, 11.5, fill=INK)
    yield svg.label("price", _TOWN_SIDE + 4, 43, 11.5, fill=INK)
    for place, cost in enumerate(costs):
        x = _TOWN_SIDE + _GUTTER + (place + 0.5) * step - 2
        yield svg.plate(x - 11, 8, 22, 19, 4, fill, INK, 1.3)
        yield svg.label(str(place + 1), x, 22.5, 14, font_weight="bold", text_anchor="middle", fill=INK)
        scale = min(1.0, step / (33 if cost < 10 else 40))
        yield svg.group(
            svg.label(str(cost), -2, 4.5, 12.5, text_anchor="end", fill=INK),
            svg.use(good_icon(Good.PUMPKIN), 8, 0, 0.68),
            transform=svg.to(x, 39, scale),
        )
    yield svg.label("Town", width - 16, 25, 16, font_weight="bold", text_anchor="end", fill=INK)


def _row(scene: Scene, line: int, row: RowObservation, step: float, width: float) -> Iterator[str]:
    observation, look = scene.observation, scene.sheet.look
    shop = observation.shop
    stands = {(each.row, each.column): each.seat for each in shop.representatives if each.row is not None}
    columns = range(1, len(shop.costs) + 1)
    possible = {(space.row, space.column) for space in shop.possible}
    choosing = bool(possible)
    here = {stands.get((line + 1, column)) for column in columns}
    due = observation.phase == "rewards" and not here.isdisjoint(observation.to_act)
    line_colour, line_width = (ACCENT, 2.4) if due else (look.border, 0.8)
    yield svg.plate(_TOWN_SIDE, 0, width - 2 * _TOWN_SIDE, _ROW - 4, 8, look.row, line_colour, line_width)
    yield svg.label(f"row {line + 1}", _TOWN_SIDE + 6, _ROW / 2 + 2.5, 13, font_weight="bold", fill=INK)
    for column in columns:
        at, x = (line + 1, column), _TOWN_SIDE + _GUTTER + (column - 1) * step
        seat, latest = stands.get(at), f"town {line + 1} {column}" in observation.last
        fill = look.taken if choosing and at not in possible and seat is None else look.bright
        yield svg.group(box(x, step - 4, _ROW - 16, latest, fill), transform=svg.to(0, _ROW / 2 - 2))
        if seat is not None:
            yield svg.use(representative_icon(seat), x + step / 2 - 2, _ROW / 2 - 2, min(0.95, (step - 6) / 26))
        elif choosing and at in possible:
            yield svg.label("+", x + step / 2 - 2, _ROW / 2 + 4, 16, font_weight="bold", text_anchor="middle", fill=INK)
        outline = svg.oblong(x, 6, step - 4, _ROW - 16)
        yield svg.pick(scene.choices, f"Row {line + 1} column {column}", outline, {"row": line + 1, "column": column})
    left = _TOWN_SIDE + _GUTTER + len(shop.costs) * step + 3
    yield svg.group(*_reward(row, width - _TOWN_SIDE - 4 - left), transform=svg.to(left, 0))


def _reward(row: RowObservation, room: float) -> Iterator[str]:
    """What a row gives: as icons, and in words below."""
    drawn, width = _gives(row)
    words = svg.lines(row_words(row), room, _WORDS, 2)
    yield svg.group(drawn, transform=svg.to(0, 13 if len(words) == 2 else 17, min(0.9, room / width)))
    for place, line in enumerate(words):
        yield svg.label(line, 0, (34.5 if len(words) == 2 else 40) + 11.5 * place, _WORDS, fill=INK)


def _gives(row: RowObservation) -> tuple[str, float]:
    """The drawing of what a row gives (cows, coins, goods of choice, upgrades), and its width."""
    x, drawn = 12.0, []
    if row.cows:
        drawn.append(svg.use("montana-cow", x, 0, 0.8))
        x += 25
        if row.cows > 1:
            drawn.append(svg.label(f"\u00d7{row.cows}", x - 11, 5, 14, fill=INK))
            x += 24
    if row.coins:
        drawn.append(price(row.coins, x - 1, 0))
        x += 27
    if row.goods:
        drawn.append(svg.label(f"{row.goods} of", x - 12, 5, 14, font_weight="bold", fill=INK))
        goods = enumerate((Good.WHEAT, Good.COPPER, Good.STONE))
        drawn += [svg.use(good_icon(good), x + 36 + 21 * place, 0, 0.75) for place, good in goods]
        x += 105
    if row.upgrades:
        drawn += [
            svg.use(good_icon(Good.COPPER), x - 2, 1, 0.7),
            svg.use(good_icon(Good.STONE), x + 16, 0, 0.7),
            svg.use("montana-upgrade", x + 37, 0, 0.9),
        ]
        drawn.append(svg.label(f"\u00d7{row.upgrades}", x + 48, 5, 14, font_weight="bold", fill=INK))
        x += 80
    return "".join(drawn), max(1.0, x - 9)


def _out_of_town(observation: Observation) -> Iterator[str]:
    """The representatives outside of the shop, by why; all of them while nobody is in town."""
    every = observation.shop.representatives
    said = [
        ("Served", [each.seat for each in every if each.served]),
        ("Passed", [each.seat for each in every if each.passed]),
        ("To decide", [each.seat for each in every if each.undecided]),
    ]
    if not any(seats for _, seats in said) and all(each.row is None for each in every):
        said = [("Out of town", [each.seat for each in every])]
    x = 14.0
    for words, seats in said:
        if seats:
            yield svg.label(words, x, 22, 13, fill=INK)
            x += svg.text_width(words, 13) + 16
            for seat in seats:
                yield svg.use(representative_icon(seat), x, 17, 0.8)
                x += 24
            x += 2


_HEADING: Final = 30
_RADIUS: Final = 118.0
_RIM: Final = 19.0
_EDGE: Final = "#5a3f29"
_ARROW: Final = "M-4.5 14V-22H-11L0 -44L11 -22H4.5V14Z"


def wheel(scene: Scene, width: float) -> Block:
    """The wheel below its heading."""
    wheel, look = scene.observation.wheel, scene.sheet.look
    radius = min(width / 2 - 14, _RADIUS)
    count, arrow = len(wheel.segments), wheel.arrow
    drawn = [
        svg.circle(0, 0, radius, fill=look.rim, stroke=_EDGE, stroke_width=1.5),
        *(_segment(place, count, halves, radius, arrow, look) for place, halves in enumerate(wheel.segments)),
    ]
    if arrow is not None:
        fill = ACCENT if "wheel" in scene.observation.last else INK
        shaft = svg.path(_ARROW, stroke="#ffffff", stroke_width=5, fill="none", stroke_linejoin="round")
        turned = f"rotate({svg.number((arrow - 0.5) * 360 / count)}) scale({svg.number(radius / _RADIUS)})"
        drawn.append(svg.group(shaft, svg.path(_ARROW, fill=fill), transform=turned))
    drawn += [svg.circle(0, 0, 9, fill="#f0c33c", stroke="#5f4300", stroke_width=2), *_wheat(scene, radius)]
    drawn.append(svg.pick(scene.choices, "Wheel, to recruit", svg.disc(0, 0, radius), {"type": "recruit"}))
    for place, wheat in enumerate(wheat_needed(scene.observation)):
        name = f"Segment {place + 1} for {wheat} wheat"
        drawn.append(svg.pick(scene.choices, name, _sector(place, count, radius - _RIM), {"wheat": wheat}))
    said = "not spun yet" if arrow is None else f"arrow at segment {arrow}"
    heading = (
        svg.label("Wheel", 14, 24, 16, font_weight="bold", fill=INK),
        svg.label(said, width - 14, 24, 13, text_anchor="end", fill=INK),
    )
    whole = svg.group(*drawn, transform=svg.to(width / 2, _HEADING + radius + 8))
    return Block(_HEADING + 2 * radius + 20, "".join((*heading, whole)), plate=True)


def _segment(place: int, count: int, halves: tuple[Hiring, ...], radius: float, arrow: int | None, look: Look) -> str:
    inner, shown = radius - _RIM, arrow is not None and place == arrow - 1
    between = (place + 0.5) * 2 * pi / count - pi / 2
    d = _sector(place, count, inner)
    drawn = [svg.path(d, fill=look.shown if shown else look.segments[place % 2], stroke=_EDGE, stroke_width=1.4)]
    away, scale = inner * 0.7, min(0.92, 7 / count)
    for half, hired in enumerate(halves):
        side = half - (len(halves) - 1) / 2
        x = away * cos(between) - 24 * scale * side * sin(between)
        y = away * sin(between) + 32 * scale * side * cos(between)
        drawn.append(svg.use(worker_icon(hired), x, y, scale))
    at = radius - _RIM / 2
    x, y = at * cos(between), at * sin(between)
    if shown:
        drawn.append(svg.circle(x, y, 9, fill=look.bright, stroke=ACCENT, stroke_width=2))
    fill = INK if shown else look.rim_text
    drawn.append(svg.label(str(place + 1), x, y + 4.4, 12.5, font_weight="bold", text_anchor="middle", fill=fill))
    return "".join(drawn)


def _sector(place: int, count: int, radius: float) -> str:
    """A segment of the wheel as path data."""
    angles = (each * 2 * pi / count - pi / 2 for each in (place, place + 1))
    (ax, ay), (bx, by) = ((radius * cos(angle), radius * sin(angle)) for angle in angles)
    start, end, r = f"{svg.number(ax)} {svg.number(ay)}", f"{svg.number(bx)} {svg.number(by)}", svg.number(radius)
    return f"M0 0L{start}A{r} {r} 0 0 1 {end}Z"


def _wheat(scene: Scene, radius: float) -> list[str]:
    """R4.3: the wheat that moves the arrow to each segment, framed where the seat can pay it."""
    needed = wheat_needed(scene.observation)
    held = scene.observation.seats[scene.observation.turn].goods[Good.WHEAT]
    drawn = []
    for place, wheat in enumerate(needed):
        if wheat:
            angle = (place + 0.5) * 2 * pi / len(needed) - pi / 2
            x, y = 0.33 * radius * cos(angle), 0.33 * radius * sin(angle)
            colour, width, dashes, weight = (INK, 1.8, None, "bold") if wheat <= held else (SOFT, 0.8, "2 2", None)
            bright = scene.sheet.look.bright
            drawn += [
                svg.plate(x - 12, y - 8, 24, 16, 7, bright, colour, width, stroke_dasharray=dashes),
                svg.label(str(wheat), x - 9, y + 4, 11, font_weight=weight, fill=INK),
                svg.use(good_icon(Good.WHEAT), x + 5, y, 0.55),
            ]
    return drawn
