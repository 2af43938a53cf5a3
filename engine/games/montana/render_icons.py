"""The icons of Montana's picture, drawn for Overland."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.games.montana.components import Good, Hiring, Worker
from engine.games.montana.facts import GOOD_LETTERS, SEAT_MARKS
from engine.svg import INK, SOFT, circle, define, element, group, label, path, plate, rect, shape, stroke

SEAT_FILLS: Final = ("#2a6db0", "#f7cb2d", "#27784c", "#c8372d")
_SEAT_LETTERS: Final = ("#ffffff", INK, "#ffffff", "#ffffff")
_GOLD: Final = "#ffd84a"
_PALE: Final = "#fdf4dd"

# Goods, each in a box of 24 x 24 around the origin; large ones in one of 30 x 30, with a golden rim
# and an arrow up.
_KERNEL: Final = "M0 0C-4 -1 -5.5 -4 -5 -7.5C-2 -6.5 0 -4 0 0C0 -4 2 -6.5 5 -7.5C5.5 -4 4 -1 0 0Z"
_INGOT: Final = "M-10.5 5L-7.5 -4.5H7.5L10.5 5Z"
_ROCK: Final = "M-10 6L-8.5 -2L-3 -7L4 -6.5L9 -2L10.5 6Z"
_ARROW: Final = "M0 -6L5.5 .5H2.2V5H-2.2V.5H-5.5Z"


def _copper(x: float, y: float, scale: float = 1) -> str:
    return group(
        shape(_INGOT, "#c7703c", "#5e2c10", 1.8),
        path("M-6 -1.5H6", stroke="#f3b98f", stroke_width=2, stroke_linecap="round"),
        transform=f"translate({x:g} {y:g}) scale({scale:g})",
    )


_BADGE: Final = group(
    shape(_ARROW, "none", "#5f4300", 4), shape(_ARROW, _GOLD, _GOLD, 1), transform="translate(9.5 -8.5)"
)
_GOODS: Final[Mapping[Good, str]] = {
    Good.WHEAT: (
        path("M0 11.5V-3", stroke="#7a5410", stroke_width=2.2, stroke_linecap="round")
        + "".join(
            path(
                _KERNEL,
                transform=f"translate(0 {y:g})",
                fill="#eebf45",
                stroke="#7a5410",
                stroke_width=1.3,
                stroke_linejoin="round",
            )
            for y in (8, 3, -2)
        )
        + path(
            "M0 -11.5C2.5 -9 2.5 -6 0 -3.5C-2.5 -6 -2.5 -9 0 -11.5Z", fill="#eebf45", stroke="#7a5410", stroke_width=1.3
        )
    ),
    Good.PUMPKIN: (
        stroke("M0 -6C0 -9 1 -10.5 3.5 -11.5", "#45702f", 3)
        + path(
            "M0 -6C9 -9 12.5 -3 11 3C9.5 9 5 10.5 0 9.5C-5 10.5 -9.5 9 -11 3C-12.5 -3 -9 -9 0 -6Z",
            fill="#ee8a2b",
            stroke="#86400b",
            stroke_width=1.6,
        )
        + path("M0 -6C-5.5 -3 -5.5 6 0 9.5C5.5 6 5.5 -3 0 -6Z", fill="#f6a64f", stroke="#86400b", stroke_width=1.3)
    ),
    Good.COPPER: _copper(0, 0),
    Good.STONE: (
        shape(_ROCK, "#b4b9c1", "#454a53", 1.8) + shape("M-3 -7L-1 -1L-8.5 1M-1 -1L5 2L10 2.5", "none", "#454a53", 1.3)
    ),
    Good.LARGE_COPPER: (
        shape("M-14 11L-11 1H-8L-5 -9H5L8 1H11L14 11Z", "none", "#5f4300", 6.5)
        + shape("M-14 11L-11 1H-8L-5 -9H5L8 1H11L14 11Z", _GOLD, _GOLD, 4)
        + _copper(-7, 7.5, 0.72)
        + _copper(7, 7.5, 0.72)
        + _copper(0, -1.5, 0.72)
        + _BADGE
    ),
    Good.LARGE_STONE: (
        shape("M-13 11L-13 2L-8 -5L0 -9L8 -6L13 1L13 11Z", "none", "#5f4300", 6.5)
        + shape("M-13 11L-13 2L-8 -5L0 -9L8 -6L13 1L13 11Z", "#9aa0aa", _GOLD, 4)
        + shape("M-13 11L-13 2L-8 -5L0 -9L8 -6L13 1L13 11Z", "#9aa0aa", "#454a53", 1.4)
        + shape("M-13 2L-4 4L0 -9M-4 4L-2 11M-4 4L5 -1L13 1M5 -1L8 -6", "none", "#454a53", 1.2)
        + _BADGE
    ),
}


# Workers, each in a box of 22 x 30 around the origin; they differ in colour, hat and letter.
_BODY: Final = (
    "M0 -5C4.5 -5 6.5 -2 7 1.5L10 13C10.3 14.3 9.5 15 8.3 15"
    "H-8.3C-9.5 15 -10.3 14.3 -10 13L-7 1.5C-6.5 -2 -4.5 -5 0 -5Z"
)
_WORKERS: Final[Mapping[Hiring, tuple[str, str, str]]] = {
    Hiring.WHEAT: (
        "#e3cc94",
        INK,
        "M-10.5 -6C-6 -8 -4.5 -9 -4 -13C-2.5 -15 2.5 -15 4 -13C4.5 -9 6 -8 10.5 -6C6 -4 -6 -4 -10.5 -6Z",
    ),
    Hiring.PUMPKIN: ("#e8842a", INK, "M-6.5 -6A6.5 8.5 0 0 1 6.5 -6L9 -3.5L5 -4.5H-6.5Z"),
    Hiring.COPPER: ("#8a4a24", "#ffffff", "M-7.5 -5A7.5 8 0 0 1 7.5 -5Z M-2.5 -12.5h5v-3.5h-5Z"),
    Hiring.STONE: ("#6f757f", "#ffffff", "M-6.5 -5V-11.5H6.5V-5L8 -4H-8Z"),
    Hiring.ANY: ("#fffdf6", INK, "M-6 -8.5A6 6 0 1 1 6 -8.5A6 6 0 1 1 -6 -8.5Z"),
}

_HOUSES: Final = (
    "M-13 16V-2H-17L0 -18L17 -2H13V16Z",
    "M-18 16L-2.5 -14L-5.5 -19H-1.5L0 -16.5L1.5 -19H5.5L2.5 -14L18 16Z",
    "M-16 16V2A16 17 0 0 1 -4 -14.5V-19H4V-14.5A16 17 0 0 1 16 2V16Z",
    "M-14 16V-1L-16 -3L-9 -13.5L0 -18L9 -13.5L16 -3L14 -1V16Z",
)
"""The shapes of the seats' settlements: a gabled house, a tent, a hut with a round roof, a barn."""

_BUST: Final = (
    "M0 -16.5A6.5 6.5 0 0 1 4.5 -5C10 -3.5 11.5 3 12 13"
    "C12 15.5 10.5 16.5 8.5 16.5H-8.5C-10.5 16.5 -12 15.5 -12 13C-11.5 3 -10 -3.5 -4.5 -5A6.5 6.5 0 0 1 0 -16.5Z"
)


def good_icon(good: Good) -> str:
    """The id of a good's icon."""
    return f"mt-{good}"


def worker_icon(worker: Worker | Hiring) -> str:
    """The id of a worker's icon; that of ``Hiring.ANY`` is the white one."""
    return f"mt-worker-{worker}"


def place_icon(worker: Worker | Hiring) -> str:
    """The id of the outline of a worker, for a free place."""
    return f"mt-place-{worker}"


def settlement_icon(seat: int) -> str:
    """The id of a seat's settlement, in a box of 36 x 36."""
    return f"mt-settlement-{seat}"


def representative_icon(seat: int) -> str:
    """The id of a seat's representative, in a box of 26 x 34."""
    return f"mt-representative-{seat}"


@cache
def definitions(seats: int) -> str:
    """The definitions of all icons."""
    return element(
        "defs",
        *(define(good_icon(good), drawing) for good, drawing in _GOODS.items()),
        *(define(worker_icon(worker), *_worker(worker)) for worker in Hiring),
        *(define(place_icon(worker), *_place(worker)) for worker in Hiring),
        *(define(settlement_icon(seat), *_settlement(seat)) for seat in range(seats)),
        *(define(representative_icon(seat), *_representative(seat)) for seat in range(seats)),
        define(
            "mt-cow",
            path(
                "M-7 -8C-10 -9 -12 -11 -11.5 -14C-10 -11.5 -7 -11.5 -5 -10M7 -8C10 -9 12 -11 11.5 -14C10 -11.5 7 -11.5"
                " 5 -10",
                fill="#f2e6c8",
            ),
            path(
                "M-6 -6C-9 -8.5 -13 -7.5 -15 -5C-13 -2.5 -9 -2 -6.5 -3.5ZM6 -6C9 -8.5 13 -7.5 15 -5C13 -2.5 9 -2 6.5"
                " -3.5Z",
                fill="#6b4226",
            ),
            path("M-7 -9C-4 -11.5 4 -11.5 7 -9C8.5 -4 7.5 3 6 8C5 13 -5 13 -6 8C-7.5 3 -8.5 -4 -7 -9Z", fill="#8a5632"),
            path("M-2.5 -10.5C0 -11.5 1.5 -11 2.5 -10.5L3 3H-3Z", fill="#fff6e4", stroke="none"),
            path("M-6.5 5C-4 2 4 2 6.5 5C7 10 5 13.5 0 13.5C-5 13.5 -7 10 -6.5 5Z", fill="#efb8a4"),
            circle(-4.5, -2.5, 1.5, fill=INK, stroke="none"),
            circle(4.5, -2.5, 1.5, fill=INK, stroke="none"),
            path("M-2.8 8.2v1.6M2.8 8.2v1.6", stroke_width=2, stroke_linecap="round", fill="none"),
            stroke=INK,
            stroke_width=1.4,
            stroke_linejoin="round",
        ),
        define(
            "mt-canteen",
            path("M-9 -6C-13 -12 -8 -16 0 -16C8 -16 13 -12 9 -6", fill="none", stroke="#6b4a2a", stroke_width=2.4),
            plate(-3.5, -14, 7, 6, 1.5, "#d9c7a0", INK, 1.5),
            circle(0, 2.5, 11.5, fill="#5e8aa0", stroke=INK, stroke_width=1.7),
            circle(0, 2.5, 7.5, fill="none", stroke="#cfe3ea", stroke_width=1.4),
            path("M0 -2C3 1.5 4 3 4 4.5A4 4 0 0 1 -4 4.5C-4 3 -3 1.5 0 -2Z", fill="#ffffff"),
        ),
        define(
            "mt-coin",
            circle(0, 0, 11.5, fill="#f0c33c", stroke="#5f4300", stroke_width=1.8),
            circle(0, 0, 8.8, fill="#f9dc74", stroke="none"),
        ),
        define("mt-double", shape("M-12.5 10V0H-16L0 -13L16 0H12.5V10Z", _PALE, INK, 1.6)),
        define("mt-upgrade", group(_BADGE, transform="translate(-14.25 12.75) scale(1.5)")),
        define(
            "mt-start",
            path("M-2.5 25V-25H2.5V25Z", fill="#8a5a32", stroke=INK, stroke_width=1.6),
            shape("M-24 -19H17L25 -10.5L17 -2H-24Z", "#8a5529", INK, 1.8),
            shape("M20 3H-14L-21 9.5L-14 16H20Z", "#c08a55", INK, 1.8),
            label("START", -2, -6.5, 11, font_weight="bold", text_anchor="middle", fill="#fff6e4"),
            path("M-8 9.5H13M-3 6.5L-8 9.5L-3 12.5", fill="none", stroke="#fff6e4", stroke_width=2),
        ),
        define(
            "mt-start-wide",
            rect(-4, -8, 8, 40, fill="#8a5a32", stroke=INK, stroke_width=2),
            plate(-39, -8, 78, 30, 4, "#fff6e4", INK, 2.5),
            label("START", 0, 15, 23, text_anchor="middle", fill=INK),
        ),
    )


def _worker(worker: Hiring) -> tuple[str, ...]:
    fill, letter, hat = _WORKERS[worker]
    said = "?" if worker is Hiring.ANY else GOOD_LETTERS[worker.value]
    return (
        shape(_BODY, fill, INK, 1.5),
        circle(0, -7.5, 4.8, fill="#f0cfa8" if worker is not Hiring.ANY else fill, stroke=INK, stroke_width=1.3),
        shape(hat, fill, INK, 1.4),
        label(said, 0, 12, 13, font_weight="bold", text_anchor="middle", fill=letter),
    )


def _place(worker: Hiring) -> tuple[str, ...]:
    _, _, hat = _WORKERS[worker]
    said = "?" if worker is Hiring.ANY else GOOD_LETTERS[worker.value]
    return (
        shape(_BODY, "none", "#b9a67e", 1.3),
        shape(hat, "#ffffff", "#b9a67e", 1.3),
        label(said, 0, 12, 13, text_anchor="middle", fill=SOFT),
    )


def _settlement(seat: int) -> tuple[str, ...]:
    d = _HOUSES[seat]
    return (
        shape(d, "none", "#ffffff", 6),
        shape(d, SEAT_FILLS[seat], "#1d1712", 2),
        label(SEAT_MARKS[seat], 0, 12.5, 18, font_weight="bold", text_anchor="middle", fill=_SEAT_LETTERS[seat]),
    )


def _representative(seat: int) -> tuple[str, ...]:
    return (
        shape(_BUST, "none", "#ffffff", 5),
        shape(_BUST, SEAT_FILLS[seat], "#1d1712", 1.8),
        label(SEAT_MARKS[seat], 0, 12, 15, font_weight="bold", text_anchor="middle", fill=_SEAT_LETTERS[seat]),
    )
