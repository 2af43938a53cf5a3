"""The quiet hours of players: in a match of a day or more for a turn their clock stands still."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection

from service.clocks.local_spans import LocalHours


def quiet_hours_of(connection: Connection, player_ids: Collection[str]) -> dict[str, LocalHours]:
    """The quiet hours of those of these players who have any."""
    return {}
