"""What becomes of a notice that is due."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from service.store.covering import Reason


@dataclass(frozen=True, slots=True)
class Send:
    """The notice is sent now."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The notice is not due before ``until``."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Cover:
    """The notice is not sent."""

    reason: Reason


Decision: TypeAlias = Send | Wait | Cover
