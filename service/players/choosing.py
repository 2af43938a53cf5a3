"""Use cases of preferences: a player looks at them and changes them, over the API, by reply, or by
a link in a mail. A change holds at once, for notices that wait already, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Connection

from service.context import Context
from service.errors import Forbidden, Invalid
from service.players import preferences, settings
from service.players.admission import admitted
from service.players.preferences import Preferences
from service.players.settings import Setting
from service.store import mails, matches
from service.store import players as rows
from service.store.players import Player, Stopped
from service.texts import gettext as _

MOST_STOPPED: Final = 20


@dataclass(frozen=True, slots=True)
class MatchPreferences:
    """What a player wants of a match: what holds, and the names of what was ``chosen`` for it."""

    preferences: Preferences
    chosen: tuple[str, ...]


def wanted(context: Context, player: Player) -> Preferences:
    """What the player wants of all matches."""
    with context.database.read() as connection:
        return preferences.effective(connection, player.id)


def wanted_of(context: Context, player: Player, match_id: str) -> MatchPreferences:
    """What the player wants of a match. Raises ``NotFound`` and ``Forbidden`` (``not_seated``)."""
    with context.database.read() as connection:
        _check_seated(connection, player, match_id)
        return _of_match(connection, player, match_id)


def stopped(context: Context, player: Player) -> tuple[Stopped, ...]:
    """The latest ``MOST_STOPPED`` stops by links in the player's mails, newest first."""
    with context.database.read() as connection:
        return rows.latest_stops(connection, player.id, MOST_STOPPED)


def choose(context: Context, player: Player, changes: Mapping[str, Any]) -> Preferences:
    """Changes what holds for all matches; ``None`` sets a preference back. Raises ``Invalid``."""
    with context.database.write() as connection:
        found = preferences.change(connection, player.id, changes, context.clock())
        mails.hasten(connection, player.id, context.clock())
    context.queue.wake_notices()
    return found


def choose_for(context: Context, player: Player, match_id: str, changes: Mapping[str, Any]) -> MatchPreferences:
    """Changes what holds for a match; ``None`` sets a preference back to that of all matches.
    Raises ``Invalid``, ``NotFound`` and ``Forbidden`` (``not_seated``).
    """
    with context.database.write() as connection:
        _check_seated(connection, player, match_id)
        preferences.change_for(connection, player.id, match_id, changes, context.clock())
        found = _of_match(connection, player, match_id)
        mails.hasten(connection, player.id, context.clock())
    context.queue.wake_notices()
    return found


def choose_settings(
    context: Context, player: Player, lines: Sequence[str], match_id: str | None
) -> tuple[Preferences, MatchPreferences | None]:
    """Changes what the player wants by lines as ``settings.read_setting`` reads them: all of them,
    or none. ``match_id`` is the match that the lines are written about.

    Returns what the player wants of all matches, and of that one. Raises ``Invalid`` for a line
    that cannot be read, or that is about a match where none is named, and ``Forbidden``.
    """
    read = [settings.read_setting(line) for line in lines]
    here = [setting for setting in read if setting.here]
    if here and match_id is None:
        sentence = _('"here" is about the match of the mail that you answer; this one is about none.')
        raise Invalid((("/line", sentence),))
    with context.database.write() as connection:
        if match_id is not None:
            _check_seated(connection, player, match_id)
        general = preferences.joined(Preferences(), rows.lock_preferences(connection, player.id, match_id))
        changes = settings.applied([setting for setting in read if not setting.here], general.without)
        general = preferences.change(connection, player.id, changes, context.clock())
        if match_id is not None and here:
            _settle_here(connection, context, player, match_id, here)
        of_match = None if match_id is None else _of_match(connection, player, match_id)
        mails.hasten(connection, player.id, context.clock())
    context.queue.wake_notices()
    return general, of_match


def _settle_here(
    connection: Connection, context: Context, player: Player, match_id: str, settled: Sequence[Setting]
) -> None:
    now = context.clock()
    like_all = max((index for index, setting in enumerate(settled) if setting.like_all), default=-1)
    if like_all >= 0:
        preferences.change_for(connection, player.id, match_id, dict.fromkeys(preferences.OF_MATCH), now)
    without = preferences.effective(connection, player.id, match_id).without
    changes = settings.applied(settled[like_all + 1 :], without)
    preferences.change_for(connection, player.id, match_id, changes, now)


def _of_match(connection: Connection, player: Player, match_id: str) -> MatchPreferences:
    chosen = rows.match_preferences_of(connection, player.id, match_id)
    return MatchPreferences(
        preferences.effective(connection, player.id, match_id),
        tuple(name for name in preferences.OF_MATCH if name in chosen),
    )


def _check_seated(connection: Connection, player: Player, match_id: str) -> None:
    match = admitted(connection, matches.find(connection, match_id), match_id, player)
    if match.seat_of(player.id) is None:
        raise Forbidden(_("You have no seat in this match."), "not_seated")
