"""Decides, when a notice is due, whether it is sent, waits, or is covered.

Asked in the transaction that leases the notice, before any attempt begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection

from service.store.outbox import Notice


@dataclass(frozen=True, slots=True)
class Send:
    """The notice is sent now."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The notice is not due before ``until``."""

    until: datetime


@dataclass(frozen=True, slots=True)
class Cover:
    """The notice is not sent: ``reason`` is one of ``service.store.covering``."""

    reason: str


Decision: TypeAlias = Send | Wait | Cover


def sift(connection: Connection, notice: Notice, now: datetime) -> Decision:
    """What becomes of a notice that is due at ``now``."""
    return Send()
