"""What an error of the database means: it is away, its disk is full, or the request is at fault."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from service.store.files import FileLost

OUTAGES: Final = (OperationalError, InterfaceError, PoolTimeout, FileLost)
FULL: Final = ("disk is full", "disk I/O error", "No space left on device", "File too large")
"""What SQLite and PostgreSQL say when there is no room."""
FULL_STATES: Final = ("53000", "53100")
CUT_OFF_STATES: Final = ("25006", "25P03", "25P04")  # it can only be read, or ended a transaction that stood still
DEADLOCK: Final = "40P01"
LOCKED: Final = "55P03"
MOST_LOCKED: Final = 3
"""After so many waits for locks in one batch, the first for all of it, a whole table is locked."""
QUOTING_STATES: Final = ("22", "23")
"""The classes of PostgreSQL's errors whose messages quote values: data, and constraints."""


def is_full(error: Exception) -> bool:
    """Whether an error of the database says that its disk is full."""
    cause = getattr(error, "orig", None) or error
    return _state(cause) in FULL_STATES or any(words in str(cause) for words in FULL)


def is_locked(error: object) -> bool:
    """Whether PostgreSQL ended a statement that has waited too long for a lock."""
    return _state(getattr(error, "orig", None)) == LOCKED


def is_blameless(error: BaseException) -> bool:
    """Whether an error is one of the database, and no fault of an item."""
    return isinstance(error, OUTAGES) or _state(getattr(error, "orig", None)) in CUT_OFF_STATES


def is_outage(error: Exception) -> bool:
    """Whether the database is away. After a deadlock it is not, as the other transaction goes on,
    and where somebody keeps rows locked, all others can be used.
    """
    return is_blameless(error) and _state(getattr(error, "orig", None)) not in (DEADLOCK, LOCKED)


def hide_values(error: Any) -> str | None:
    """Takes the values of rows out of the message of an error of PostgreSQL, which ends in logs.
    Returns the message; ``None`` where it has none.
    """
    state = _state(error)
    if not state.startswith(QUOTING_STATES):
        return None
    constraint = getattr(getattr(error, "diag", None), "constraint_name", None)
    error.args = (f"SQLSTATE {state}" + (f", constraint {constraint}" if constraint else ""),)
    return str(error)


def _state(error: Any) -> str:
    """The SQLSTATE of an error of the driver of PostgreSQL; empty for others."""
    return getattr(error, "sqlstate", None) or ""
