"""What happened in a match, as its page tells it to one viewer: since the viewer's last turn, a
part of the log, and the step that led to the board that is shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from service.context import Context
from service.notices.material import since_last_turn
from service.store import matches as rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.views.record import LogEntry, match_log

LATEST: Final = 20
"""How many entries of the log a page shows at first."""
PART: Final = 100
"""How many it shows where it is asked for a part of the log."""
MOST_SINCE: Final = 60
"""So many of the newest entries are told as those since the viewer's last turn."""


@dataclass(frozen=True, slots=True)
class Story:
    """``since`` has what happened since the viewer's last turn, or the beginning, ``log`` a part of
    the log from ply ``first`` to before ply ``end``; both oldest first, without entries that tell
    nothing.

    ``step`` is the entry that led to the board at ply ``at``, ``None`` at the beginning, ``back``
    and ``onward`` are the plies of the boards before and after it, ``None`` where there is none.
    """

    at: int
    latest: int
    has_moved: bool
    since: tuple[LogEntry, ...]
    log: tuple[LogEntry, ...]
    first: int
    end: int
    step: LogEntry | None
    back: int | None
    onward: int | None

    @property
    def is_past(self) -> bool:
        """Whether the board is one of earlier."""
        return self.at < self.latest


def story(context: Context, player: Player | None, match: StoredMatch, at: int, log_from: int | None) -> Story:
    """The story of a match that has started, with the board at ply ``at`` and the log from a ply
    on, by default its end. Raises ``MatchUnreadable``.
    """
    with context.database.read() as connection:
        mine = since_last_turn(connection, match, None if player is None else player.id, match.ply)
    since = _told(context, player, match, max(mine, match.ply - MOST_SINCE), match.ply)
    first = max(0, match.ply - LATEST) if log_from is None else min(log_from, max(0, match.ply - 1))
    end = match.ply if log_from is None else min(match.ply, first + PART)
    near = _told(context, player, match, max(0, at - LATEST), min(match.ply, at + LATEST))
    before = [entry for entry in near if entry["ply"] < at]
    after = [entry for entry in near if entry["ply"] >= at]
    return Story(
        at=at,
        latest=match.ply,
        has_moved=mine > 0,
        since=since,
        log=_told(context, player, match, first, end),
        first=first,
        end=end,
        step=before[-1] if before else None,
        back=None if not at else before[-2]["ply"] + 1 if len(before) > 1 else max(0, at - LATEST),
        onward=None if at == match.ply else after[0]["ply"] + 1 if after else min(match.ply, at + LATEST),
    )


def last_act(context: Context, match: StoredMatch, seat: int) -> datetime | None:
    """When the player in a seat last moved; ``None`` if never."""
    with context.database.read() as connection:
        ply = rows.last_entry_of(connection, match.id, seat, match.ply)
        return None if ply is None else rows.log(connection, match.id, ply, ply + 1)[0].at


def _told(context: Context, player: Player | None, match: StoredMatch, start: int, stop: int) -> tuple[LogEntry, ...]:
    if start >= stop:
        return ()
    found = match_log(context, player, match.id, start - 1 if start else None, stop - start)
    return tuple(entry for entry in found if entry["sentence"] and entry["ply"] < stop)
