"""What lies on the table: a board, and the options of a match."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypeAlias

from engine.components import Vouched
from engine.documents import About, from_document

Length: TypeAlias = Annotated[
    Vouched[Annotated[int, About("How many spaces.", minimum=4, maximum=9)]],
    About("A side of the board, in spaces.", name="Length"),
]


@dataclass(frozen=True, slots=True)
class Board:
    """The board. R1.1"""

    columns: Length
    rows: Length


@dataclass(frozen=True, slots=True)
class Options:
    """There is nothing to agree on."""


def load_components(document: Mapping[str, Any]) -> Board:
    """The board of a JSON document; raises ``DocumentError``."""
    return from_document(Board, document)
