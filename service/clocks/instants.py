"""Instants as whole seconds since the epoch, as the clocks count them. Parts of a second are
dropped: a turn that is received in the same second as its deadline is in time.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_SECOND: Final = timedelta(seconds=1)


def instant(moment: datetime) -> int:
    """The whole seconds up to a moment."""
    return (moment - _EPOCH) // _SECOND


def moment(at: int) -> datetime:
    """An instant as a moment in UTC."""
    return _EPOCH + at * _SECOND
