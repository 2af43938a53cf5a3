"""What a reader may know of the log of events, in order: a player what concerns their matches, and
whoever may see a match what happens in it. A reader goes on after a cursor, and may wait for more.

An event says that something happened and where it is read; it tells nothing that its reader could
not read there. Numbers of events are told to nobody: those that a reader may not know of would show
as gaps. So cursors are sealed, and an event has an id that says nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, TypeAlias

from sqlalchemy import Connection

from engine.documents import About
from service import signing, waits
from service.context import Context
from service.errors import CursorExpired, CursorOfEvents, ServiceError
from service.kinds import EventKind
from service.players.admission import admitted
from service.signing import Keys
from service.store import chat, events, matches
from service.store import players as player_rows
from service.store.events import Event, EventsOwner
from service.store.players import Player

CURSOR_WORKS: Final = timedelta(days=30)
CLOCKS_DIFFER: Final = timedelta(seconds=10)
"""By so much at most those of two machines."""
LONGEST_CURSOR: Final = 300
LONGEST_WAIT: Final = 30
"""Seconds."""
MOST: Final = 200
RESTORED: Final = "This cursor is of events that are lost: the service was restored from a backup."
SILENCE: Final = 15.0
"""Seconds after which a stream says that nothing has happened."""
PURPOSE: Final = "events"


@dataclass(frozen=True, slots=True)
class EventShown:
    """Something that happened in a match."""

    id: Annotated[str, About("Of this event, whoever reads it.")]
    kind: Annotated[EventKind, About("What happened.")]
    match: Annotated[str, About("The id of the match.")]
    at: Annotated[datetime, About("When it happened.")]
    seat: Annotated[int | None, About("The seat that it is about.")]
    ply: Annotated[int | None, About("The ply of the match after it.")]
    since: Annotated[int | None, About("The ply before it: `GET …/log?after=` tells what was played.")]
    turn: Annotated[str | None, About("Of a verdict: the id of your turn.")]
    line: Annotated[int | None, About("Of chat: the number of what was said.")]
    cursor: Annotated[str, About("Ask for the events `after` this one.")]


@dataclass(frozen=True, slots=True)
class Feed:
    """Events in order, and the cursor after all of them."""

    items: Annotated[tuple[EventShown, ...], About("In the order in which they happened.")]
    cursor: Annotated[str, About("Ask for what happens `after` this; it works for 30 days.")]


ReaderCheck: TypeAlias = Callable[[Connection], object]


@dataclass(frozen=True, slots=True)
class Source:
    """Whose events are read: those of a player, or of one match as the ``viewer``, or a spectator,
    may know them. ``caller`` is who asks, for limits; ``check`` raises where they may ask no
    longer.
    """

    subject: EventsOwner
    viewer: Player | None
    caller: str
    check: ReaderCheck = lambda connection: None


def of_player(player: Player) -> Source:
    """The events that a player may know of."""
    return Source(("player", player.id), player, player.id)


def of_match(player: Player | None, match_id: str, address: str) -> Source:
    """The events of a match that a player, or a spectator at an address, may know of."""
    return Source(("match", match_id), player, address if player is None else player.id)


Read: TypeAlias = tuple[Feed, int]
"""The events, and the number up to which they were read."""


def feed(context: Context, source: Source, after: str | None, seconds: float, limit: int = MOST) -> Feed:
    """At most ``limit`` events after a cursor; where there are none yet, as soon as there are, or
    none after ``seconds``. Without a cursor it returns at once the one of this moment.

    Raises ``NotFound``, ``CursorOfEvents``, and ``TooMany`` (``too_many_waiting``).
    """
    found, number = _read(context, source, after, limit)
    if after is None or found.items or seconds <= 0:
        return found
    deadline = context.timer() + seconds
    with context.following.admitted(source.caller):
        while not found.items and _comes(context, source, number, deadline - context.timer()):
            found, number = _read(context, source, number, limit)
    return found


def stream(context: Context, source: Source, after: str | None, seconds: float, within: ExitStack) -> Iterator[Feed]:
    """The events after a cursor, or from now on, as they come, for ``seconds``: at once what there
    is, and nothing as often as nothing has happened for ``SILENCE``. Until ``within`` is closed it
    counts as a request that waits.

    Raises as ``feed``, at once; ends where its reader may read no longer.
    """
    first, number = _read(context, source, after, MOST)
    within.enter_context(context.following.admitted(source.caller))
    return _goes_on(context, source, (first, number), context.timer() + seconds)


def _goes_on(context: Context, source: Source, first: Read, deadline: float) -> Iterator[Feed]:
    found, number = first
    yield found
    while (left := deadline - context.timer()) > 0 and not waits.ending():
        _comes(context, source, number, min(left, SILENCE))
        try:
            found, number = _read(context, source, number, MOST)
        except ServiceError:
            return
        yield found


def _comes(context: Context, source: Source, number: int, seconds: float) -> bool:
    """Waits for an event after that number. Returns whether there may be one."""
    if seconds <= 0:
        return False
    return context.following.wait(context.database, context.queue.hear_news, source.subject, number, seconds)


def _read(context: Context, source: Source, after: str | int | None, limit: int) -> Read:
    return context.batched.read(context.database, lambda connection: _found(connection, context, source, after, limit))


def _found(connection: Connection, context: Context, source: Source, after: str | int | None, limit: int) -> Read:
    kind, name = source.subject
    source.check(connection)
    if kind == "match":
        admitted(connection, matches.find(connection, name), name, source.viewer)
    keys, now = signing.read_keys(connection, context), context.clock()
    latest = events.last_numbers(connection, [source.subject]).get(source.subject, 0)
    if after is None:
        return Feed((), _end(connection, keys, source, latest, now)), latest
    number = after if isinstance(after, int) else _number(connection, keys, source, after, now)
    if number > latest:
        raise CursorOfEvents(RESTORED)
    viewer = None if source.viewer is None else source.viewer.id
    blocked = frozenset[str]() if viewer is None else player_rows.ids_blocked_by(connection, viewer)
    while True:
        if kind == "match":
            rows = [(each.number, each) for each in events.of_match(connection, name, viewer, number, limit)]
        else:
            rows = list(events.of_player(connection, name, number, limit))
        shown = tuple(
            _shown(keys, each, _cursor(keys, source, own, each.at))
            for own, each in rows
            if not _is_unheard(connection, each, blocked)
        )
        if len(rows) < limit:
            return Feed(shown, _end(connection, keys, source, latest, now)), latest
        number, event = rows[-1]
        if shown:
            return Feed(shown, _cursor(keys, source, number, event.at)), number


def _shown(keys: Keys, event: Event, cursor: str) -> EventShown:
    payload = event.payload or {}
    return EventShown(
        id=signing.name_of(keys, PURPOSE, event.id),
        kind=event.kind,
        match=event.match_id,
        at=event.at,
        seat=event.seat,
        ply=event.ply,
        since=payload.get("since"),
        turn=event.turn_id,
        line=payload.get("number"),
        cursor=cursor,
    )


def _is_unheard(connection: Connection, event: Event, blocked: Collection[str]) -> bool:
    """Whether the event is that somebody spoke whom the reader has blocked."""
    if event.kind != "chat" or event.payload is None or not blocked:
        return False
    number: int = event.payload["number"]
    return not chat.lines(connection, event.match_id, number - 1, 1, number, without=blocked)


def _cursor(keys: Keys, source: Source, number: int, at: datetime) -> str:
    """The cursor after the event of that number; it is as old as ``at``."""
    return signing.seal(keys, PURPOSE, " ".join((*source.subject, str(number), str(int(at.timestamp())))))


def _end(connection: Connection, keys: Keys, source: Source, latest: int, now: datetime) -> str:
    """The cursor after the last event, which is made no earlier than that was written: a clock may
    have been put back.
    """
    written_at = events.written_at(connection, source.subject, latest)
    return _cursor(keys, source, latest, now if written_at is None else max(now, written_at))


def _number(connection: Connection, keys: Keys, source: Source, cursor: str, now: datetime) -> int:
    """The number that a cursor leads to. Raises ``CursorOfEvents``, also where another event has
    that number than when the cursor was made.
    """
    said = signing.unseal(keys, PURPOSE, cursor) if len(cursor) <= LONGEST_CURSOR else None
    if said is None:
        raise CursorOfEvents("This is no cursor of this service.")
    kind, name, number, at = said.split(" ")
    if (kind, name) != source.subject:
        other = "another list of events: that of a player, or of a match, goes on with its own cursors"
        if kind == source.subject[0] == "match":
            other = "another match"
        raise CursorOfEvents(f"This is a cursor of {other}.")
    made_at = datetime.fromtimestamp(int(at), UTC)
    if now - made_at > CURSOR_WORKS:
        raise CursorExpired(f"This cursor is older than {CURSOR_WORKS.days} days, for which one works.")
    written_at = events.written_at(connection, source.subject, int(number))
    if written_at is not None and written_at - made_at > CLOCKS_DIFFER:
        raise CursorOfEvents(RESTORED)
    return int(number)
