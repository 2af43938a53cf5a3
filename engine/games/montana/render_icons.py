"""The icons of Montana's picture, drawn for Overland."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from engine.games.montana.components import Good, Hiring, Worker
from engine.games.montana.facts import GOOD_LETTERS, SEAT_MARKS
from engine.svg import BRIGHT, LETTER, SOFT, circle, define, element, label, shape
from engine.texts import read_icons

SEAT_FILLS: Final = ("#2a6db0", "#f7cb2d", "#27784c", "#c8372d")
_SEAT_LETTERS: Final = ("#ffffff", LETTER, "#ffffff", "#ffffff")

# Goods, each in a box of 24 x 24 around the origin; large ones in one of 30 x 30, with a golden rim
# and an arrow up.
_ICONS: Final = read_icons("engine.games.montana")
_PIECES: Final = ("canteen", "coin", "double", "upgrade", "start", "start-wide")

# Workers, each in a box of 22 x 30 around the origin; they differ in colour, hat and letter.
_BODY: Final = (
    "M0 -5C4.5 -5 6.5 -2 7 1.5L10 13C10.3 14.3 9.5 15 8.3 15"
    "H-8.3C-9.5 15 -10.3 14.3 -10 13L-7 1.5C-6.5 -2 -4.5 -5 0 -5Z"
)
_WORKERS: Final[Mapping[Hiring, tuple[str, str, str]]] = {
    Hiring.WHEAT: (
        "#e3cc94",
        LETTER,
        "M-10.5 -6C-6 -8 -4.5 -9 -4 -13C-2.5 -15 2.5 -15 4 -13C4.5 -9 6 -8 10.5 -6C6 -4 -6 -4 -10.5 -6Z",
    ),
    Hiring.PUMPKIN: ("#e8842a", LETTER, "M-6.5 -6A6.5 8.5 0 0 1 6.5 -6L9 -3.5L5 -4.5H-6.5Z"),
    Hiring.COPPER: ("#8a4a24", "#ffffff", "M-7.5 -5A7.5 8 0 0 1 7.5 -5Z M-2.5 -12.5h5v-3.5h-5Z"),
    Hiring.STONE: ("#6f757f", "#ffffff", "M-6.5 -5V-11.5H6.5V-5L8 -4H-8Z"),
    Hiring.ANY: ("#fffdf6", LETTER, "M-6 -8.5A6 6 0 1 1 6 -8.5A6 6 0 1 1 -6 -8.5Z"),
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
    return f"montana-{good}"


def worker_icon(worker: Worker | Hiring) -> str:
    """The id of a worker's icon; that of ``Hiring.ANY`` is the white one."""
    return f"montana-worker-{worker}"


def place_icon(worker: Worker | Hiring) -> str:
    """The id of the outline of a worker, for a free place."""
    return f"montana-place-{worker}"


def settlement_icon(seat: int) -> str:
    """The id of a seat's settlement, in a box of 36 x 36."""
    return f"montana-settlement-{seat}"


def representative_icon(seat: int) -> str:
    """The id of a seat's representative, in a box of 26 x 34."""
    return f"montana-representative-{seat}"


@cache
def definitions(seats: int) -> str:
    """The definitions of all icons."""
    return element(
        "defs",
        *(define(good_icon(good), _ICONS[good_icon(good)]) for good in Good),
        *(define(worker_icon(worker), *_worker(worker)) for worker in Hiring),
        *(define(place_icon(worker), *_place(worker)) for worker in Hiring),
        *(define(settlement_icon(seat), *_settlement(seat)) for seat in range(seats)),
        *(define(representative_icon(seat), *_representative(seat)) for seat in range(seats)),
        define("montana-cow", _ICONS["montana-cow"], stroke=LETTER, stroke_width=1.4, stroke_linejoin="round"),
        *(define(f"montana-{name}", _ICONS[f"montana-{name}"]) for name in _PIECES),
    )


def _worker(worker: Hiring) -> tuple[str, ...]:
    fill, letter, hat = _WORKERS[worker]
    said = "?" if worker is Hiring.ANY else GOOD_LETTERS[worker.value]
    return (
        shape(_BODY, fill, LETTER, 1.5),
        circle(0, -7.5, 4.8, fill="#f0cfa8" if worker is not Hiring.ANY else fill, stroke=LETTER, stroke_width=1.3),
        shape(hat, fill, LETTER, 1.4),
        label(said, 0, 12, 13, font_weight="bold", text_anchor="middle", fill=letter),
    )


def _place(worker: Hiring) -> tuple[str, ...]:
    _, _, hat = _WORKERS[worker]
    said = "?" if worker is Hiring.ANY else GOOD_LETTERS[worker.value]
    return (
        shape(_BODY, "none", "#b9a67e", 1.3),
        shape(hat, BRIGHT, "#b9a67e", 1.3),
        label(said, 0, 12, 13, text_anchor="middle", fill=SOFT),
    )


def _settlement(seat: int) -> tuple[str, ...]:
    d = _HOUSES[seat]
    return (
        shape(d, "none", "#ffffff", 6),
        shape(d, SEAT_FILLS[seat], "#1d1712", 2),
        label(SEAT_MARKS[seat], 0, 13.5, 21.5, font_weight="bold", text_anchor="middle", fill=_SEAT_LETTERS[seat]),
    )


def _representative(seat: int) -> tuple[str, ...]:
    return (
        shape(_BUST, "none", "#ffffff", 5),
        shape(_BUST, SEAT_FILLS[seat], "#1d1712", 1.8),
        label(SEAT_MARKS[seat], 0, 12.5, 16, font_weight="bold", text_anchor="middle", fill=_SEAT_LETTERS[seat]),
    )
