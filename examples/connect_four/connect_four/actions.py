"""What a seat can do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from engine.documents import About

LETTERS = "abcdefghi"
"""The names of the columns, as many as the largest board has."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Drop a disc of your colour into a column."""

    type: ClassVar[str] = "drop"
    column: Annotated[str, About("The column, from the left.", pattern="^[a-i]$", example="d")]
