"""The shop of the town in Montana's picture: columns with number and price, rows with what they
give, representatives.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.games.montana.components import Good
from engine.games.montana.facts import row_words
from engine.games.montana.observation import Observation, RowObservation
from engine.games.montana.render_icons import good_icon, representative_icon
from engine.games.montana.render_part import Drawn, Scene, to
from engine.games.montana.render_sheet import Look
from engine.games.montana.render_work import box, price
from engine.svg import ACCENT, INK, group, label, lines, rect, text_width, use

_SIDE: Final = 8.0
_GUTTER: Final = 54.0
_HEAD: Final = 54.0
_ROW: Final = 54.0
_FOOT: Final = 36.0
_REWARD: Final = 104.0
_WORDS: Final = 10.5
_USUAL: Final = 320.0
"""The width at which the shop is drawn; in any other it is scaled."""


def town(scene: Scene, width: float) -> Drawn:
    """The shop."""
    scale, width = width / _USUAL, _USUAL
    shop, look = scene.observation.shop, scene.sheet.look
    step = min(42.0, (width - 2 * _SIDE - _GUTTER - _REWARD) / len(shop.costs))
    drawn = [*_heads(shop.costs, step, width)]
    if shop.possible:
        drawn.append(label("+ possible now", width - 16, 43, 10.5, text_anchor="end", fill=INK))
    for line, row in enumerate(shop.rows):
        drawn.append(
            group(*_row(scene.observation, line, row, step, width, look), transform=to(0, _HEAD + line * _ROW))
        )
    foot = _HEAD + len(shop.rows) * _ROW
    drawn.append(group(*_out_of_town(scene.observation), transform=to(0, foot)))
    return Drawn(group(*drawn, transform=to(0, 0, scale)), (foot + _FOOT) * scale, plate=True)


def _heads(costs: tuple[int, ...], step: float, width: float) -> Iterator[str]:
    """The columns: the number that is typed above the price in pumpkins."""
    yield label("column", _SIDE + 4, 22, 11.5, fill=INK)
    yield label("price", _SIDE + 4, 43, 11.5, fill=INK)
    for place, cost in enumerate(costs):
        x = _SIDE + _GUTTER + (place + 0.5) * step - 2
        yield rect(x - 11, 8, 22, 19, rx=4, fill="#ffffff", stroke=INK, stroke_width=1.3)
        yield label(str(place + 1), x, 22.5, 14, font_weight="bold", text_anchor="middle", fill=INK)
        scale = min(1.0, step / (33 if cost < 10 else 40))
        yield group(
            label(str(cost), -2, 4.5, 12.5, text_anchor="end", fill=INK),
            use(good_icon(Good.PUMPKIN), 8, 0, 0.68),
            transform=to(x, 39, scale),
        )
    yield label("Town", width - 16, 25, 16, font_weight="bold", text_anchor="end", fill=INK)


def _row(
    observation: Observation, line: int, row: RowObservation, step: float, width: float, look: Look
) -> Iterator[str]:
    shop = observation.shop
    stands = {(each.row, each.column): each.seat for each in shop.representatives if each.row is not None}
    columns = range(1, len(shop.costs) + 1)
    possible = {(space.row, space.column) for space in shop.possible}
    choosing = bool(possible)
    due = observation.phase == "rewards" and any(
        stands.get((line + 1, column)) in observation.to_act for column in columns
    )
    yield rect(
        _SIDE,
        0,
        width - 2 * _SIDE,
        _ROW - 4,
        rx=8,
        fill=look.row,
        stroke=ACCENT if due else look.border,
        stroke_width=2.4 if due else 0.8,
    )
    yield label(f"row {line + 1}", _SIDE + 6, _ROW / 2 + 2.5, 13, font_weight="bold", fill=INK)
    for column in columns:
        at, x = (line + 1, column), _SIDE + _GUTTER + (column - 1) * step
        seat, latest = stands.get(at), f"town {line + 1} {column}" in observation.last
        fill = look.taken if choosing and at not in possible and seat is None else "#ffffff"
        yield group(box(x, step - 4, _ROW - 16, latest, fill), transform=to(0, _ROW / 2 - 2))
        if seat is not None:
            yield use(representative_icon(seat), x + step / 2 - 2, _ROW / 2 - 2, min(0.95, (step - 6) / 26))
        elif choosing and at in possible:
            yield label("+", x + step / 2 - 2, _ROW / 2 + 4, 16, font_weight="bold", text_anchor="middle", fill=INK)
    left = _SIDE + _GUTTER + len(shop.costs) * step + 3
    yield group(*_reward(row, width - _SIDE - 4 - left), transform=to(left, 0))


def _reward(row: RowObservation, room: float) -> Iterator[str]:
    """What a row gives: as icons, and in words below."""
    drawn, width = _gives(row)
    words = lines(row_words(row), room, _WORDS, 2)
    yield group(drawn, transform=to(0, 13 if len(words) == 2 else 17, min(0.9, room / width)))
    for place, line in enumerate(words):
        yield label(line, 0, (34.5 if len(words) == 2 else 40) + 11.5 * place, _WORDS, fill=INK)


def _gives(row: RowObservation) -> tuple[str, float]:
    """The drawing of what a row gives (cows, coins, goods of choice, upgrades), and its width."""
    x, drawn = 12.0, []
    if row.cows:
        drawn.append(use("mt-cow", x, 0, 0.8))
        x += 25
        if row.cows > 1:
            drawn.append(label(f"\u00d7{row.cows}", x - 11, 5, 14, fill=INK))
            x += 24
    if row.coins:
        drawn.append(price(row.coins, x - 1, 0))
        x += 27
    if row.goods:
        drawn.append(label(f"{row.goods} of", x - 12, 5, 14, font_weight="bold", fill=INK))
        drawn += [
            use(good_icon(good), x + 36 + 21 * place, 0, 0.75)
            for place, good in enumerate((Good.WHEAT, Good.COPPER, Good.STONE))
        ]
        x += 105
    if row.upgrades:
        drawn += [
            use(good_icon(Good.COPPER), x - 2, 1, 0.7),
            use(good_icon(Good.STONE), x + 16, 0, 0.7),
            use("mt-upgrade", x + 37, 0, 0.9),
        ]
        drawn.append(label(f"\u00d7{row.upgrades}", x + 48, 5, 14, font_weight="bold", fill=INK))
        x += 80
    return "".join(drawn), max(1.0, x - 9)


def _out_of_town(observation: Observation) -> Iterator[str]:
    """The representatives outside of the shop: those that are served, have passed or have yet to
    decide; all of them while no seat is in town.
    """
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
            yield label(words, x, 22, 13, fill=INK)
            x += text_width(words, 13) + 16
            for seat in seats:
                yield use(representative_icon(seat), x, 17, 0.8)
                x += 24
            x += 2
