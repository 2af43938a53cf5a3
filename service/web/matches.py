"""The matches of whoever is signed in: those that wait for them first, with a small picture of the
board and the time that is left.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, request, url_for

from engine import registry
from engine.wording import listed
from service.api.auth import visitor
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.clocks.sentences import local_words
from service.clocks.spans import HOUR, duration_words, instant
from service.matches import lobby
from service.matches.types import Match, SeatClockShown
from service.notices.mail.ends import won_words
from service.players import choosing
from service.statuses import MatchStatus
from service.store.players import Player
from service.texts import gettext as _
from service.texts import ngettext
from service.views import awaiting
from service.views.awaiting import Waits
from service.web import forms, sign_in
from service.web.sign_in import returned

LISTS: Final[Mapping[str, tuple[MatchStatus, ...]]] = {
    "others": ("running",),
    "open": ("open",),
    "archived": ("archived",),
    "over": ("finished", "cancelled"),
}
"""The lists below those that wait, by the names that addresses have for them."""
FIRST: Final = 12
"""So many matches of a list are shown beside other lists."""
ON_A_PAGE: Final = 50
URGENT_SECONDS: Final = 12 * HOUR
"""With less time than this a match is marked."""
LONGEST_CURSOR: Final = 64


@dataclass(frozen=True, slots=True)
class ListedMatch:
    """A match in a list: what is said below its title, and how much time is left. ``ply`` is that
    of its picture, where it has one: of what goes on, as its state is at hand; ``is_urgent`` says
    that little time is left.
    """

    id: str
    title: str
    game: str
    says: str
    time: str = ""
    is_urgent: bool = False
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class MatchList:
    """A part of a list, and the address of the next one."""

    items: tuple[ListedMatch, ...]
    more: str = ""


def add_pages(web: Blueprint) -> None:
    """Adds `/matches`."""

    def matches() -> Response:
        player, name = visitor(), request.args.get("list", "")
        if player is None:
            return sign_in.asked_first()
        zone = choosing.wanted(context(), player).time_zone
        waits = awaiting.waiting(context(), player)
        ids = [wait.match.id for wait in waits]
        if name in LISTS:
            after = request.args.get("after", "")[:LONGEST_CURSOR] or None
            found = _list(player, name, zone, ids, ON_A_PAGE, after)
            return forms.page("matches_more.html", name=name, found=found, zone=_zone_said(zone, found.items))
        if name:
            raise ProblemDetails("not_found", f"There is no such list; there are {listed(LISTS)}.")
        waiting = _waiting(waits, zone)
        lists = {each: _list(player, each, zone, ids, FIRST) for each in LISTS}
        timed = (*waiting, *lists["others"].items)
        values = {"waiting": waiting, "lists": lists, "zone": _zone_said(zone, timed), "returned": returned()}
        return forms.page("matches.html", **values)

    web.add_url_rule("/matches", "matches", matches)


def _zone_said(zone: str, shown: Iterable[ListedMatch]) -> str:
    """The time zone, where a time is shown."""
    return zone if any(match.time for match in shown) else ""


def _waiting(waits: Sequence[Waits], zone: str) -> tuple[ListedMatch, ...]:
    """The matches that wait for a player, most urgent first."""
    found = awaiting.awaiting(context(), waits)
    return tuple(
        ListedMatch(
            awaits.match,
            awaits.title,
            _game(awaits.game),
            _("It cannot be read at present.") if awaits.prompt is None else awaits.prompt.sentence,
            "" if awaits.clock is None else _time_left(awaits.clock, zone),
            awaits.clock is not None and _is_urgent(awaits.clock),
            None if awaits.prompt is None else awaits.ply,
        )
        for awaits in found
    )


def _list(
    player: Player, name: str, zone: str, without: Collection[str], limit: int, after: str | None = None
) -> MatchList:
    """A part of a list, invitations first; without those that run and wait for the player."""
    without = without if LISTS[name] == ("running",) else ()
    found = lobby.mine(context(), player, LISTS[name], limit=limit + len(without) + 1, after=after)
    kept = [match for match in found if match.id not in without]
    shown = kept[:limit]
    more = url_for("web.matches", list=name, after=shown[-1].id) if len(kept) > limit else ""
    shown.sort(key=lambda match: match.status == "open" and not lobby.invites(match, player))
    return MatchList(tuple(_listed(match, player, zone) for match in shown), more)


def _listed(match: Match, player: Player, zone: str) -> ListedMatch:
    """A match that waits for somebody else, or for nobody."""
    match match.status:
        case "running":
            awaited = [seat for seat in match.seats if seat.to_act]
            says = _("It waits for {names}.").format(names=listed(seat.player_name or "" for seat in awaited))
            clocks = [seat.clock for seat in awaited if seat.clock is not None]
            time = _time_left(clocks[0], zone) if len(clocks) == 1 else ""
        case "open":
            says, time = _open_words(match, player), ""
        case "archived":
            says, time = _("Nobody had looked at it for 30 days."), ""
        case "finished" | "cancelled":
            says, time = _over_words(match), ""
    ply = match.ply if match.status == "running" and match.unreadable_at is None else None
    return ListedMatch(match.id, match.title, _game(match.game), says, time, ply=ply)


def _open_words(match: Match, player: Player) -> str:
    seated = [seat.player_name or "" for seat in match.seats if seat.player_id is not None]
    if lobby.invites(match, player):
        if not seated:
            return _("You are invited.")
        return _("You are invited to play with {names}.").format(names=listed(seated))
    free = len(match.seats) - len(seated)
    return ngettext("It waits for {n} more player.", "It waits for {n} more players.", free).format(n=free)


def _over_words(match: Match) -> str:
    if match.outcome is not None:
        return won_words(match.outcome, [seat.player_name or "" for seat in match.seats], _("The match"))
    if match.early_end is None:
        return _("It was cancelled before it started.")
    return _("It was abandoned.") if match.early_end.how == "abandoned" else _("It was called off.")


def _time_left(clock: SeatClockShown, zone: str) -> str:
    """How much time a seat has, and until when."""
    sentence = _("{time} left") if clock.remaining else _("{time} of the reserve left")
    left = sentence.format(time=duration_words(clock.remaining or clock.reserve))
    until = clock.stopped_until if clock.stopped_by is not None else clock.main_until or clock.deadline
    if clock.stopped_by is not None:
        left = _("{time}; the clock stands still").format(time=left)
    if until is None:
        return left
    return _("{time}, until {moment}").format(time=left, moment=local_words(instant(until), zone))


def _is_urgent(clock: SeatClockShown) -> bool:
    return clock.stopped_by is None and clock.deadline is not None and clock.remaining < URGENT_SECONDS


def _game(name: str) -> str:
    """The title of a game; its name where it is not installed."""
    found = registry.games().get(name)
    return name if found is None else found.info.title
