"""What keeps the database small, done in short transactions. Several at once do no harm."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection

from service.context import Context
from service.loop import Loop
from service.store import messages, pruning, quotas
from service.store.events import OLD_PLAYER_EVENTS
from service.store.idempotency import OLD_REQUESTS
from service.store.mails import OLD_TEXTS
from service.store.quotas import OLD_DAYS
from service.store.statements import Old
from service.store.tokens import EXPIRED_BROWSERS

ROWS_AT_ONCE: Final = 500
TEXTS_KEPT: Final = timedelta(days=180)  # the texts of mails, by which quotations in replies are left out
KEYS_KEPT: Final = timedelta(days=30)  # how long the idempotency key of a request, and its answer, are known
PLAYER_EVENTS_KEPT: Final = timedelta(days=32)  # longer than a cursor works (``service.views.feed``)
LONGEST_SECONDS: Final = 0.5  # time budget of one call: the sweeper has wake-ups to repeat

Archive: TypeAlias = Callable[[str, Sequence[dict[str, Any]]], object]
"""Keeps rows of that kind elsewhere; called before the transaction that deletes them commits."""
_Prune: TypeAlias = Callable[[Connection, datetime, int], list[dict[str, Any]]]


@dataclass(frozen=True, slots=True)
class Pruned:
    """The numbers of notices, and of the turns and mails of which details were deleted."""

    notices: int
    turns: int
    messages: int = 0


def prune(
    context: Context,
    notices_days: int | None,
    turns_days: int | None,
    seconds: float = LONGEST_SECONDS,
    archive: Archive | None = None,
    messages_days: int | None = None,
) -> Pruned:
    """Deletes notices that were sent, details of turns that were judged, and all but the keys of
    mails that were handled, more days ago than these, oldest first, until none is left or the time
    budget is used up. ``None`` is forever. Mails are never archived.
    """
    deadline = context.timer() + seconds
    return Pruned(
        _pruned(context, "notice", pruning.prune_notices, notices_days, deadline, archive),
        _pruned(context, "turn", pruning.prune_turns, turns_days, deadline, archive),
        _pruned(context, "message", messages.reduce, messages_days, deadline, None),
    )


def _forget(context: Context, old: Old, before: datetime | str) -> int:
    with context.database.look() as connection:
        if not old.any(connection, before):
            return 0
    with context.database.write() as connection:
        return old.delete(connection, before, ROWS_AT_ONCE)


def _pruned(
    context: Context, kind: str, delete: _Prune, days: int | None, deadline: float, archive: Archive | None
) -> int:
    total = 0
    while days is not None and context.timer() <= deadline:
        before = context.clock() - timedelta(days=days)
        with context.database.write() as connection:
            rows = delete(connection, before, ROWS_AT_ONCE)
            if rows and archive is not None:
                archive(kind, rows)
        total += len(rows)
        if not rows:
            break
    return total


UPKEEP: Final[Mapping[Loop, Callable[[Context], int]]] = MappingProxyType(
    {
        Loop.BROWSERS: lambda context: _forget(context, EXPIRED_BROWSERS, context.clock()),
        Loop.SENT_TEXTS: lambda context: _forget(context, OLD_TEXTS, context.clock() - TEXTS_KEPT),
        Loop.QUOTAS: lambda context: _forget(context, OLD_DAYS, quotas.day_of(context.clock() - timedelta(days=1))),
        Loop.KEYED_REQUESTS: lambda context: _forget(context, OLD_REQUESTS, context.clock() - KEYS_KEPT),
        Loop.PLAYER_EVENTS: lambda context: _forget(context, OLD_PLAYER_EVENTS, context.clock() - PLAYER_EVENTS_KEPT),
        Loop.OLD_NOTICES: lambda context: prune(context, context.settings.keep_notices_days, None).notices,
        Loop.OLD_TURNS: lambda context: prune(context, None, context.settings.keep_turn_details_days).turns,
        Loop.OLD_MESSAGES: lambda context: (
            prune(context, None, None, messages_days=context.settings.keep_messages_days).messages
        ),
    }
)
"""Kinds of sweeps that are done as a whole, and return how many rows they deleted or reduced."""
