"""What a process that draws pictures does. It imports little, because every process that answers
requests or sends mails has one of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, TypeAlias

from service.pictures.picture import png

NICENESS: Final = 5

Draw: TypeAlias = Callable[[tuple[str, int]], bytes]
"""Draws an SVG with a width as PNG."""


def drawer() -> Draw:
    """Makes the function of a process that draws for mails."""
    return lambda request: png(*request)


def background_drawer() -> Draw:
    """Makes the function of a process that draws for whoever asks: those that answer requests and
    judge turns go first.
    """
    os.nice(NICENESS)
    return drawer()
