"""What a match shows: observation and log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from service.api.answers.pages import NextPage
from service.api.shapes import Inlined
from service.views.types import LogEntry, LookedAt


@dataclass(frozen=True, slots=True)
class Observation:
    """What the caller may know of a match."""

    looked: Annotated[LookedAt, Inlined()]


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of the log."""

    items: tuple[LogEntry, ...]
    next: NextPage
