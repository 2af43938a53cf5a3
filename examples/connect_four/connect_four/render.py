"""The board as text and as a picture, made of an observation alone."""

from __future__ import annotations

from collections.abc import Sequence

from connect_four.actions import LETTERS
from connect_four.observe import DISCS, Observation
from engine.picks import NO_CHOICES, Choices
from engine.svg import INK, PAPER, circle, label, oblong, pick, picture, rect
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


def svg(
    observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP, choices: Choices = NO_CHOICES
) -> str:
    """The board, with dots in the discs of four in a row, and a mark on each column that may be
    chosen; it is narrow enough for every layout.
    """
    columns, rows = len(observation.rows[0]), len(observation.rows)
    parts = [rect(0, 0, SPACE * columns, SPACE * rows, rx=10, fill="#24507a")]
    for down, row in enumerate(observation.rows):
        for column, disc in enumerate(row):
            x, y = SPACE * (column + 0.5), SPACE * (down + 0.5)
            parts.append(circle(x, y, 24, fill=COLOURS[disc]))
            if f"{LETTERS[column]}{rows - down}" in observation.four:
                parts.append(circle(x, y, 8, fill=INK))
    for column, letter in enumerate(LETTERS[:columns]):
        parts.append(label(letter, SPACE * (column + 0.5), SPACE * rows + 24, 18, text_anchor="middle"))
        whole = oblong(SPACE * column, 0, SPACE, SPACE * rows + 36)
        parts.append(pick(choices, f"column {letter}", whole, {"column": letter}))
    described = " against ".join(f"{name_of(seat, names)} ({colour})" for seat, colour in enumerate(("red", "yellow")))
    size = SPACE * columns, SPACE * rows + 36
    return picture(*size, "Connect Four", f"{described}.", *parts, prefix="connect_four", choices=choices)
