"""The board as text and as a picture, made of an observation alone."""

from __future__ import annotations

from collections.abc import Sequence

from connect_four.actions import LETTERS
from connect_four.observe import DISCS, Observation
from engine.svg import INK, PAPER, circle, label, picture, rect
from engine.types import Layout
from engine.wording import WIDTH, name_of, padded

COLOURS = {"X": "#c8322b", "O": "#e8b92e", ".": PAPER}
SPACE = 60


def text(observation: Observation, names: Sequence[str]) -> str:
    """The board, and a line for each seat; ``>`` marks who is to drop a disc."""
    board = [f"  {' '.join(row)}" for row in observation.rows]
    letters = f"  {' '.join(LETTERS[: len(observation.rows[0])])}"
    seats = [
        f"{'>' if seat in observation.to_act else ' '} {disc} {padded(name_of(seat, names), WIDTH - 4).rstrip()}"
        for seat, disc in enumerate(DISCS)
    ]
    return "\n".join((*board, letters, "", *seats))


def svg(observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP) -> str:
    """The board, with dots in the discs of four in a row; it is narrow enough for every layout."""
    columns, rows = len(observation.rows[0]), len(observation.rows)
    parts = [rect(0, 0, SPACE * columns, SPACE * rows, rx=10, fill="#24507a")]
    for down, row in enumerate(observation.rows):
        for column, disc in enumerate(row):
            x, y = SPACE * (column + 0.5), SPACE * (down + 0.5)
            parts.append(circle(x, y, 24, fill=COLOURS[disc]))
            if f"{LETTERS[column]}{rows - down}" in observation.four:
                parts.append(circle(x, y, 8, fill=INK))
    for column in range(columns):
        parts.append(label(LETTERS[column], SPACE * (column + 0.5), SPACE * rows + 24, 18, text_anchor="middle"))
    described = " against ".join(f"{name_of(seat, names)} ({colour})" for seat, colour in enumerate(("red", "yellow")))
    return picture(SPACE * columns, SPACE * rows + 36, "Connect Four", f"{described}.", *parts)
