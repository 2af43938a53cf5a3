"""The workers' board of Montana's picture: the bank and the four areas, the shop of the town, the
recruitment wheel.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin
from typing import Final

from engine.games.montana.components import Area, Good, Hiring, Worker
from engine.games.montana.observe import AreaObservation, BankObservation, Observation, RowObservation, SlotObservation
from engine.games.montana.render_icons import good_icon, representative_icon, worker_icon
from engine.svg import ACCENT, BORDER, INK, PAPER, SOFT, circle, group, label, number, path, rect, text_width, use

WORK_WIDTH: Final = 548
SHOP_WIDTH: Final = 308
HEIGHT: Final = 312
_ROW: Final = 58
_HEADING: Final = 106
_SLOTS: Final = WORK_WIDTH - _HEADING - 8
_SLOT: Final = 145
_GROUNDS: Final = {Area.MINE: "#f1d9c4", Area.QUARRY: "#dfe1e5", Area.FIELD: "#f6e9b9", Area.GARDEN: "#fbdcb8"}


def work(observation: Observation) -> Iterator[str]:
    """The bank and the areas, the upper left corner at the origin."""
    yield _plate(WORK_WIDTH)
    yield group(*_bank(observation.bank, observation.last), transform="translate(0 10)")
    for place, area in enumerate(observation.areas, 1):
        yield group(*_area(area, observation.last), transform=f"translate(0 {10 + place * _ROW})")


def _plate(width: float) -> str:
    return rect(0, 0, width, HEIGHT, rx=12, fill=PAPER, stroke=BORDER, stroke_width=1.5)


def _bank(spaces: Sequence[BankObservation], last: Sequence[str]) -> Iterator[str]:
    yield rect(8, 2, WORK_WIDTH - 16, _ROW - 4, rx=8, fill="#f6edd6")
    yield use("mt-coin", 24, _ROW / 2)
    yield label("Bank", 39, _ROW / 2 + 5.5, 15, font_weight="bold", fill=INK)
    widths = [46 + 21 * space.workers for space in spaces]
    scale = min(1.0, _SLOTS / sum(widths))
    x = float(_HEADING)
    for place, space in enumerate(spaces):
        yield group(
            *_bank_space(space, f"bank {place + 1}" in last),
            transform=f"translate({number(x)} {_ROW // 2}) scale({number(scale)})",
        )
        x += widths[place] * scale + (_SLOTS - sum(widths) * scale) / max(1, len(spaces) - 1)


def _bank_space(space: BankObservation, latest: bool) -> Iterator[str]:
    yield price(space.coins, 13, 0)
    yield from _box(28, 20.5 * space.workers + 6, 46, latest)
    for place in range(space.workers):
        shown = place < len(space.placed)
        yield use(
            worker_icon(space.placed[place] if shown else Hiring.ANY),
            41 + 20.5 * place,
            1.5,
            0.95,
            opacity=None if shown else 0.4,
        )


def _area(area: AreaObservation, last: Sequence[str]) -> Iterator[str]:
    yield rect(8, 2, WORK_WIDTH - 16, _ROW - 4, rx=8, fill=_GROUNDS[area.area])
    yield use(good_icon(area.good), 24, _ROW / 2)
    yield label(area.area.value.capitalize(), 39, _ROW / 2 + 5.5, 15, font_weight="bold", fill=INK)
    step = _SLOTS / max(3, len(area.slots))
    for place, slot in enumerate(area.slots):
        name = f"{area.area} {place + 1}"
        drawn = _slot(slot, area.good, area.worker, name in last, f"{name} again" in last)
        yield group(
            *drawn,
            transform=(
                f"translate({number(_HEADING + place * step)} {_ROW // 2}) scale({number(min(1.0, step / _SLOT))})"
            ),
        )


def _slot(slot: SlotObservation, good: Good, worker: Worker, latest: bool, again: bool) -> Iterator[str]:
    """A slot: price and goods, the large box with the worker that fits, the small box."""
    yield price(slot.price, 13, 0)
    yield label(str(slot.goods), 28, 6, 16, font_weight="bold", fill=INK)
    yield use(good_icon(good), 52, 0, 0.85)
    yield from _box(66, 42, 46, latest)
    yield from _crew(slot.large_box or (worker,), 87, 1.5, 0.95, bool(slot.large_box))
    yield from _box(111, 30, 34, again)
    if slot.small_box:
        yield from _crew(slot.small_box, 126, 1, 0.72, True)
    else:
        yield label(f"+{slot.small_goods}", 126, 5, 14, text_anchor="middle", fill=SOFT)


def _crew(workers: Sequence[Worker], x: float, y: float, scale: float, real: bool) -> Iterator[str]:
    step = 20.0 if scale > 0.9 else 13.0
    for place, worker in enumerate(workers):
        yield use(
            worker_icon(worker), x + (place - (len(workers) - 1) / 2) * step, y, scale, opacity=None if real else 0.28
        )


def _box(x: float, width: float, height: float, latest: bool) -> Iterator[str]:
    yield rect(
        x,
        -height / 2,
        width,
        height,
        rx=6,
        fill="#ffffff",
        stroke=ACCENT if latest else SOFT,
        stroke_width=3.6 if latest else 1.3,
    )


def price(coins: int, x: float, y: float, scale: float = 1) -> str:
    """A coin with a number on it."""
    written = label(str(coins), 0, 5.2, 14.5, font_weight="bold", text_anchor="middle", fill=INK)
    return group(use("mt-coin", 0, 0), written, transform=f"translate({number(x)} {number(y)}) scale({number(scale)})")


def shop(observation: Observation) -> Iterator[str]:
    """The shop of the town, the upper left corner at the origin."""
    town = observation.shop
    yield _plate(SHOP_WIDTH)
    step = min(40.0, 160 / len(town.costs))
    down = 212 / len(town.rows)
    for column, cost in enumerate(town.costs):
        written = label(str(cost), -1, 6, 16, font_weight="bold", text_anchor="end", fill=INK)
        scale = step / (40 if cost < 10 else 46)
        yield group(
            written,
            use(good_icon(Good.PUMPKIN), 12, 0, 0.9),
            transform=f"translate({number(11 + (column + 0.5) * step)} 25) scale({number(scale)})",
        )
    yield label("Town", SHOP_WIDTH - 16, 31, 18, font_weight="bold", text_anchor="end", fill=INK)
    stands = {(each.row, each.column): each.seat for each in town.representatives if each.row is not None}
    for line, row in enumerate(town.rows):
        y = 46 + line * down
        yield rect(8, y + 1.5, SHOP_WIDTH - 16, down - 4, rx=8, fill="#f1e2bd")
        for column in range(len(town.costs)):
            latest = f"town {line + 1} {column + 1}" in observation.last
            x, seat = 14 + column * step, stands.get((line + 1, column + 1))
            yield group(*_box(x, step - 5, down - 12, latest), transform=f"translate(0 {number(y + down / 2 - 0.5)})")
            if seat is not None:
                yield use(representative_icon(seat), x + step / 2 - 2.5, y + down / 2 - 0.5)
        gives, width = _gives(row)
        left = 16 + len(town.costs) * step
        yield group(
            gives,
            transform=(
                f"translate({number(left)} {number(y + down / 2 - 0.5)})"
                f" scale({number(min(1.0, (SHOP_WIDTH - 12 - left) / width))})"
            ),
        )
    yield from _out_of_town(observation)


def _gives(row: RowObservation) -> tuple[str, float]:
    """The drawing of what a row gives (cows, coins, goods of choice, upgrades), and its width."""
    x, drawn = 14.0, []
    if row.cows:
        drawn.append(use("mt-cow", x, 0, 0.92))
        x += 27
        if row.cows > 1:
            drawn.append(label(f"\u00d7{row.cows}", x - 12, 6, 14, fill=INK))
            x += 22
    if row.coins:
        drawn.append(price(row.coins, x - 1, 0))
        x += 27
    if row.goods:
        drawn.append(label(f"{row.goods} of", x - 12, 6, 15, font_weight="bold", fill=INK))
        drawn += [
            use(good_icon(good), x + 37 + 22 * place, 0, 0.78)
            for place, good in enumerate((Good.WHEAT, Good.COPPER, Good.STONE))
        ]
        x += 108
    if row.upgrades:
        drawn += [
            use(good_icon(Good.COPPER), x - 2, 1, 0.78),
            use(good_icon(Good.STONE), x + 18, 0, 0.78),
            use("mt-upgrade", x + 41, 0),
        ]
        drawn.append(label(f"\u00d7{row.upgrades}", x + 53, 6, 15, font_weight="bold", fill=INK))
        x += 84
    return "".join(drawn), x - 9


def _out_of_town(observation: Observation) -> Iterator[str]:
    """The representatives outside of the shop, below the rows: those that have passed or have yet
    to decide; all of them while no seat is in town.
    """
    every = observation.shop.representatives
    said = [
        ("Passed", [each.seat for each in every if each.passed]),
        ("To decide", [each.seat for each in every if each.undecided]),
    ]
    if not any(seats for _, seats in said) and all(each.row is None for each in every):
        said = [("Out of town", [each.seat for each in every])]
    x = 16.0
    for words, seats in said:
        if seats:
            yield label(words, x, 290, 15, fill=INK)
            x += text_width(words, 15) + 18
            for seat in seats:
                yield use(representative_icon(seat), x, 284, 0.92)
                x += 29
            x += 2


def wheel(observation: Observation, width: float, height: float) -> Iterator[str]:
    """The recruitment wheel on a plate of the given size, the upper left corner at the origin."""
    yield rect(0, 0, width, height, rx=12, fill=PAPER, stroke=BORDER, stroke_width=1.5)
    segments, arrow = observation.wheel.segments, observation.wheel.arrow
    radius, latest = min(width, height) / 2 - 14, "wheel" in observation.last
    drawn = [
        circle(0, 0, radius + 5, fill="#5a3f29"),
        *(_segment(place, len(segments), halves, radius, arrow) for place, halves in enumerate(segments)),
    ]
    if arrow is not None:
        turned = (arrow - 0.5) * 360 / len(segments)
        shaft = path(
            "M-5 26V-26H-13L0 -52L13 -26H5V26Z", stroke="#ffffff", stroke_width=6, fill="none", stroke_linejoin="round"
        )
        drawn.append(
            group(
                shaft,
                path("M-5 26V-26H-13L0 -52L13 -26H5V26Z", fill=ACCENT if latest else INK),
                transform=f"rotate({number(turned)})",
            )
        )
    drawn += [circle(0, 0, 11, fill="#f0c33c", stroke="#5f4300", stroke_width=2)]
    yield group(*drawn, transform=f"translate({number(width / 2)} {number(height / 2)})")


def _segment(place: int, count: int, halves: tuple[Hiring, ...], radius: float, arrow: int | None) -> str:
    shown = arrow is not None and place == arrow - 1
    start, end = (place * 2 * pi / count - pi / 2, (place + 1) * 2 * pi / count - pi / 2)
    between = (start + end) / 2
    edge = [(radius * cos(angle), radius * sin(angle)) for angle in (start, end)]
    d = (
        f"M0 0L{number(edge[0][0])} {number(edge[0][1])}A{number(radius)} {number(radius)} 0 0 1 {number(edge[1][0])}"
        f" {number(edge[1][1])}Z"
    )
    drawn = [
        path(d, fill="#fff6d8" if shown else ("#f1e2bd", "#e6d2a2")[place % 2], stroke="#5a3f29", stroke_width=1.6)
    ]
    for half, hired in enumerate(halves):
        away = radius * 0.76
        side = half - (len(halves) - 1) / 2
        x, y = away * cos(between) - 24 * side * sin(between), away * sin(between) + 32 * side * cos(between)
        drawn.append(use(worker_icon(hired), x, y, min(1.0, 7 / count)))
    number_at = radius * 0.42
    drawn.append(
        label(
            str(place + 1), number_at * cos(between), number_at * sin(between) + 5, 13, text_anchor="middle", fill=SOFT
        )
    )
    return "".join(drawn)
