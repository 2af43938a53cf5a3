"""What happened, as sentences."""

from __future__ import annotations

from collections.abc import Sequence

from connect_four.actions import Drop
from connect_four.state import State, four
from engine.types import Seat, Viewer
from engine.wording import name_of


def narrate(before: State, seat: Seat, action: Drop, after: State, viewer: Viewer, names: Sequence[str]) -> str:
    """The same for every viewer."""
    name = name_of(seat, names)
    won = f" {name} has four in a row." if four(after) else ""
    return f"{name} drops a disc into column {action.column}.{won}"
