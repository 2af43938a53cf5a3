"""The workers' board of Montana's picture: the bank and the four areas, each place with the number
that is typed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.montana.components import Good, Hiring, Worker
from engine.games.montana.observation import AreaObservation, BankObservation, SlotObservation
from engine.games.montana.render_icons import good_icon, place_icon, worker_icon
from engine.games.montana.render_part import Drawn, Scene, to
from engine.games.montana.render_sheet import Look
from engine.svg import ACCENT, INK, SOFT, group, label, rect, use

_SIDE: Final = 6.0
_WORKER: Final = 0.84
_STEP: Final = 19.0
"""From one worker to the next in a box."""
_SLOT: Final = 92.0
_HIGH: Final = 54.0
_LARGEST: Final = 1.2
_TITLE: Final = 13.0
_MOST_SLOTS: Final = 3


def work(scene: Scene, width: float) -> Drawn:
    """The bank and the areas, a row each."""
    observation, look = scene.observation, scene.sheet.look
    usual = (width - 2 * _SIDE) / (_MOST_SLOTS + 0.55)
    scale = min(_LARGEST, usual / _SLOT)
    heading, down = width - 2 * _SIDE - _MOST_SLOTS * usual, (_HIGH + 4) * scale
    rows = [_bank(observation.bank, observation.last, width, heading, scale, look)]
    rows += [_area(area, observation.last, width, heading, scale, look) for area in observation.areas]
    drawn = (group(*row, transform=to(0, _SIDE + place * down)) for place, row in enumerate(rows))
    return Drawn("".join(drawn), 2 * _SIDE + len(rows) * down - 4 * scale, plate=True)


def box(x: float, width: float, height: float, latest: bool, fill: str = "#ffffff") -> str:
    """A box for workers or a representative, its left side at x and its middle at y = 0."""
    return rect(
        x,
        -height / 2,
        width,
        height,
        rx=5,
        fill=fill,
        stroke=ACCENT if latest else SOFT,
        stroke_width=3.6 if latest else 1.2,
    )


def price(coins: int, x: float, y: float, scale: float = 1) -> str:
    """A coin with a number on it."""
    size = 14.5 if coins < 100 else 11
    written = label(str(coins), 0, 5.2, size, font_weight="bold", text_anchor="middle", fill=INK)
    return group(use("mt-coin", 0, 0), written, transform=to(x, y, scale))


def _title(icon: str, name: str, width: float, heading: float, scale: float, fill: str) -> Iterator[str]:
    """The ground of a row, with the name of the place in front."""
    yield rect(_SIDE, 0, width - 2 * _SIDE, _HIGH * scale, rx=8, fill=fill, stroke="#8a8072", stroke_width=0.6)
    yield use(icon, _SIDE + heading / 2, 19 * scale, scale)
    size = min(_TITLE * scale, (heading - 6) / 4.4)
    yield label(name, _SIDE + heading / 2, 44 * scale, size, font_weight="bold", text_anchor="middle", fill=INK)


def _bank(
    spaces: Sequence[BankObservation], last: Sequence[str], width: float, heading: float, scale: float, look: Look
) -> Iterator[str]:
    yield from _title("mt-coin", "Bank", width, heading, scale, look.row)
    widths = [max(48.0, _STEP * space.workers + 6) for space in spaces]
    room = width - 2 * _SIDE - heading - 6
    shrunk = min(scale, room / (sum(widths) + 6 * (len(widths) - 1)))
    gap = min(40.0, (room - sum(widths) * shrunk) / max(1, len(spaces) - 1))
    x = _SIDE + heading + 3
    for place, space in enumerate(spaces):
        top = (_HIGH * scale - _HIGH * shrunk) / 2
        yield group(
            *_bank_space(place + 1, space, widths[place] - 4, f"bank {place + 1}" in last), transform=to(x, top, shrunk)
        )
        x += widths[place] * shrunk + gap


def _bank_space(number: int, space: BankObservation, width: float, latest: bool) -> Iterator[str]:
    yield from _number(number)
    yield price(space.coins, 32, 11, 0.76)
    x = max(1.0, (width - _STEP * space.workers - 4) / 2) if latest else 1.0
    yield group(box(1, _STEP * space.workers + 4, 29, latest), transform=to(0, 36))
    x = 1 + 2 + _STEP / 2
    for place in range(space.workers):
        icon = worker_icon(space.placed[place]) if place < len(space.placed) else place_icon(Hiring.ANY)
        yield use(icon, x + _STEP * place, 37, _WORKER)


def _area(
    area: AreaObservation, last: Sequence[str], width: float, heading: float, scale: float, look: Look
) -> Iterator[str]:
    yield from _title(
        good_icon(area.good), area.area.value.capitalize(), width, heading, scale, look.grounds[area.area]
    )
    step = (width - 2 * _SIDE - heading) / max(_MOST_SLOTS, len(area.slots))
    shrunk = min(scale, step / _SLOT)
    for place, slot in enumerate(area.slots):
        name = f"{area.area} {place + 1}"
        drawn = _slot(place + 1, slot, area.good, area.worker, name in last, f"{name} again" in last)
        top = (_HIGH * scale - _HIGH * shrunk) / 2
        yield group(*drawn, transform=to(_SIDE + heading + place * step, top, shrunk))


def _slot(number: int, slot: SlotObservation, good: Good, worker: Worker, latest: bool, again: bool) -> Iterator[str]:
    """A slot: number, price and goods; below, the large box and the small one."""
    yield from _number(number)
    yield price(slot.price, 32, 11, 0.76)
    yield label(str(slot.goods), 59, 15.3, 12.5, font_weight="bold", text_anchor="end", fill=INK)
    yield use(good_icon(good), 70, 11, 0.72)
    yield group(box(1, 44, 29, latest), transform=to(0, 36))
    yield from _crew([worker_icon(each) for each in slot.large_box] or [place_icon(worker)], 23)
    yield group(box(49, 40, 29, again), transform=to(0, 36))
    if slot.small_box:
        yield from _crew([worker_icon(each) for each in slot.small_box], 69)
    else:
        yield label(f"+{slot.small_goods}", 69, 40.5, 12.5, text_anchor="middle", fill=INK)


def _number(number: int) -> Iterator[str]:
    """The number that is typed."""
    yield rect(1, 2.5, 17, 17, rx=4, fill="#ffffff", stroke=INK, stroke_width=1.2)
    yield label(str(number), 9.5, 15.5, 12.5, font_weight="bold", text_anchor="middle", fill=INK)


def _crew(icons: Sequence[str], middle: float) -> Iterator[str]:
    for place, icon in enumerate(icons):
        yield use(icon, middle + (place - (len(icons) - 1) / 2) * _STEP, 37, _WORKER)
