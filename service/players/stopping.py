"""Mails that are stopped by a link in one of them, without signing in: about a match, of a kind, or
all of them; and all mail to an address whose owner is no player. The link's signature is the
authority, so the player is shown what was stopped: mails are forwarded, and with them their links.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from service import links
from service.context import Context
from service.errors import Conflict, NotFound
from service.kinds import MAILINGS, NoticeKind, read_kind
from service.links import Unsubscribe
from service.players import preferences
from service.players.preferences import Preferences
from service.store import mails, matches, players
from service.store.players import Player, Scope, Stopped
from service.texts import gettext as _

MOST_SHOWN: Final = 20
_ALL: Final = {"mails": "off"}
_AS_ALL: Final = {"mails": None}


@dataclass(frozen=True, slots=True)
class Stoppable:
    """What a link stops, as by ``scope``: the match of that ``title``, a kind, or everything."""

    scope: Scope
    title: str
    kind: NoticeKind | None
    done: bool


def stoppable(context: Context, wanted: Unsubscribe) -> Stoppable:
    """What a link stops. Raises ``NotFound`` and ``Conflict`` (``kind_always_sent``)."""
    with context.database.read() as connection:
        return _stoppable(connection, wanted)


def stop(context: Context, wanted: Unsubscribe, one_click: bool) -> Stoppable:
    """Stops what a link stops, also for mails that wait. Raises as ``stoppable``."""
    now = context.clock()
    with context.database.write() as connection:
        players.lock_preferences(connection, wanted.player_id, wanted.match_id)
        found = _stoppable(connection, wanted)
        if not found.done:
            _stop(connection, wanted, found, now)
            stopped = Stopped(now, found.scope, wanted.match_id, wanted.kind, one_click)
            players.add_stop(connection, wanted.player_id, stopped)
            mails.hasten(connection, wanted.player_id, now)
        found = _stoppable(connection, wanted)
    context.queue.wake_notices()
    return found


def stopped_now(context: Context, player: Player) -> tuple[tuple[Unsubscribe, Stoppable], ...]:
    """What a player gets no mails of at present: everything, which the link of a daily mail stops,
    too; or what links in mails have stopped, newest first, then the other matches that they want
    none about. Each with what a link stops it by.
    """
    with context.database.read() as connection:
        stops = players.latest_stops(connection, player.id, MOST_SHOWN)
        everything = links.of_everything(player.id)
        if _stoppable(connection, everything).done:
            ended = (_link_of(player, stop) for stop in stops if stop.scope == "everything" or _is_digest(stop))
            by = next(ended, everything)
            return ((by, _stoppable(connection, by)),)
        off = players.all_match_preferences(connection, player.id)
        wanted = {_link_of(player, stop): None for stop in stops}
        silent = sorted(match_id for match_id, document in off.items() if document.get("mails") == "off")
        wanted |= dict.fromkeys(links.of_match(player.id, match_id) for match_id in silent[:MOST_SHOWN])
        found = [(each, _looked_up(connection, each)) for each in wanted]
    return tuple((each, looked_up) for each, looked_up in found if looked_up is not None and looked_up.done)


def resume(context: Context, player: Player, what: str) -> None:
    """Lets what a link with that ``what`` stops come again. Raises as ``stoppable``."""
    wanted, now = Unsubscribe(player.id, what), context.clock()
    with context.database.write() as connection:
        players.lock_preferences(connection, player.id, wanted.match_id)
        found = _stoppable(connection, wanted)
        if found.done and wanted.match_id is not None:
            preferences.change_for(connection, player.id, wanted.match_id, _AS_ALL, now)
        elif found.done:
            before = preferences.effective(connection, player.id)
            change = _AS_ALL if found.kind is None else _change(before, found.kind, stops=False)
            preferences.change(connection, player.id, change, now)


def is_silent(context: Context, folded: str) -> bool:
    """Whether an address gets no more mail from here."""
    with context.database.read() as connection:
        return players.is_mail_forbidden(connection, folded)


def silence(context: Context, folded: str) -> None:
    """Writes no more mail, also none that waits, to an address whose owner is no player."""
    with context.database.write() as connection:
        players.forbid_mail(connection, folded, context.clock())
    context.queue.wake_notices()


def _stop(connection: Connection, wanted: Unsubscribe, found: Stoppable, now: datetime) -> None:
    match found.scope:
        case "match":
            assert wanted.match_id is not None
            preferences.change_for(connection, wanted.player_id, wanted.match_id, _ALL, now)
        case "kind":
            assert found.kind is not None
            before = preferences.effective(connection, wanted.player_id)
            preferences.change(connection, wanted.player_id, _change(before, found.kind, stops=True), now)
        case "everything":
            preferences.change(connection, wanted.player_id, _ALL, now)
            for match_id in _mailed(connection, wanted.player_id):
                preferences.change_for(connection, wanted.player_id, match_id, _AS_ALL, now)


def _change(before: Preferences, kind: NoticeKind, stops: bool) -> dict[str, Any]:
    """The change that stops a kind of mails, or lets them come again."""
    match MAILINGS[kind].stopped_by:
        case "chat":
            return {"chat": not stops}
        case "reminders":
            return {"reminders": "none" if stops else None}
        case "digest":
            return {"mails": "off" if stops else "digest"}
        case "without":
            others = [each for each in before.without if each != kind]
            return {"without": [*others, kind] if stops else others}
        case "off" | "nothing":
            raise AssertionError(f"No mails of the kind {kind} are stopped alone.")


def _is_digest(stop: Stopped) -> bool:
    """Whether that stopped the daily mail: as there were no others, all mails ended with it."""
    kind = read_kind(stop.kind or "")
    return kind is not None and MAILINGS[kind].stopped_by == "digest"


def _link_of(player: Player, stop: Stopped) -> Unsubscribe:
    if stop.match_id is not None:
        return links.of_match(player.id, stop.match_id)
    return links.of_everything(player.id) if stop.kind is None else links.of_kind(player.id, stop.kind)


def _looked_up(connection: Connection, wanted: Unsubscribe) -> Stoppable | None:
    """What a link stops; ``None`` where there is no such match or kind any more."""
    try:
        return _stoppable(connection, wanted)
    except (NotFound, Conflict):
        return None


def _stoppable(connection: Connection, wanted: Unsubscribe) -> Stoppable:
    if (player := players.find(connection, wanted.player_id)) is None or player.left_at is not None:
        raise NotFound(_("There is no such player any more."))
    general = preferences.effective(connection, wanted.player_id)
    if wanted.match_id is not None:
        match = matches.find(connection, wanted.match_id)
        if match is None:
            raise NotFound(_("There is no match {match}.").format(match=wanted.match_id), "match_not_found")
        here = preferences.effective(connection, wanted.player_id, wanted.match_id)
        return Stoppable("match", match.title or match.id, None, here.mails == "off")
    if wanted.kind is None:
        return Stoppable("everything", "", None, general.mails == "off" and not _mailed(connection, wanted.player_id))
    kind = read_kind(wanted.kind)
    if kind is None or MAILINGS[kind].stopped_by in ("off", "nothing"):
        sentence = _("Mails of this kind are sent only when you ask for them, so there is nothing to stop.")
        raise Conflict(sentence, "kind_always_sent")
    done = {
        "chat": not general.chat,
        "digest": general.mails != "digest",
        "reminders": general.reminders == "none",
    }.get(MAILINGS[kind].stopped_by, kind in general.without)
    return Stoppable("kind", "", kind, done)


def _mailed(connection: Connection, player_id: str) -> tuple[str, ...]:
    """The matches of which the player wants mails, whatever they want in general."""
    chosen = players.all_match_preferences(connection, player_id)
    return tuple(sorted(match_id for match_id, document in chosen.items() if document.get("mails", "off") != "off"))
