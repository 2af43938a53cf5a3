"""What becomes of a notice that is due."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Send:
    """The notice is sent now; with this ``payload``, where that was added to."""

    payload: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Wait:
    """The notice is not due before ``until``."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Cover:
    """The notice is not sent: ``reason`` is one of ``service.store.covering``."""

    reason: str


Decision: TypeAlias = Send | Wait | Cover
