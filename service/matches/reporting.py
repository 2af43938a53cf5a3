"""What a player reports to the host of the service, as it read then, and what becomes of it: the
host removes it, answers, or dismisses it. Whoever is reported is told only of what is removed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from engine.wording import plain
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound, ServiceError
from service.events import gate
from service.house import bot_level
from service.matches import lobby
from service.matches.chat import seat_of
from service.names import BOT, name_key
from service.payloads import HostActed
from service.players import guests
from service.players.admission import admitted
from service.players.suspending import tell
from service.statuses import HostAct, ReportedKind
from service.store import addresses, audit, chat, matches, players, quotas, reports
from service.store.audit import Operator
from service.store.outbox import NewNotice
from service.store.players import Player
from service.store.reports import PlayerReport
from service.texts import gettext as _

LONGEST_WORDS: Final = 500
MOST_A_DAY: Final = 20
REPORT_ID_LENGTH: Final = 10
REMOVED: Final[Mapping[ReportedKind, HostAct]] = {
    "chat": "line_removed",
    "invitation": "invitation_withdrawn",
    "name": "name_replaced",
}
"""What is done to whoever is reported, by the kind of the report."""


@dataclass(frozen=True, slots=True)
class ReportedLine:
    """A line of the chat of a match."""

    match_id: str
    number: int


@dataclass(frozen=True, slots=True)
class ReportedInvitation:
    """The invitation to a match, with its title."""

    match_id: str


@dataclass(frozen=True, slots=True)
class ReportedName:
    """The name of a player."""

    player_id: str


Reported: TypeAlias = ReportedLine | ReportedInvitation | ReportedName


def report(context: Context, player: Player, thing: Reported, words: str) -> PlayerReport:
    """Reports a thing. Whoever reports it again gets the report that they made. Raises ``NotFound``
    (``match_not_found``, ``nothing_reported``, ``player_not_found``), ``Forbidden``
    (``not_seated``, ``not_for_guests``, ``bot_owns_nothing``), ``Invalid``, and ``TooMany``.
    """
    said = read_words(words)
    guests.check_account(player)
    if player.owner_id is not None:
        raise Forbidden(_("A bot reports nothing: use the token of its owner."), "bot_owns_nothing")
    try:
        return _reported(context, player, thing, said)
    except IntegrityError:  # the same was reported at the same time
        return _reported(context, player, thing, said)


def seen(context: Context, player: Player, thing: Reported) -> tuple[Player, str]:
    """Whose that thing is, and how it reads. Raises ``NotFound``, ``Forbidden`` and ``Invalid``."""
    with context.database.read() as connection:
        about_id, read, _number = _read(connection, player, thing)
        about = players.find(connection, about_id)
    assert about is not None
    return about, read


def latest_line(context: Context, player: Player, match_id: str) -> ReportedLine | None:
    """What somebody else has said last in a match of the player; ``None`` where nobody has."""
    with context.database.read() as connection:
        without = players.ids_blocked_by(connection, player.id) | {player.id}
        lines = chat.lines(connection, match_id, 0, chat.latest(connection, match_id) or 1, without=without)
    return ReportedLine(match_id, lines[-1].number) if lines else None


def read_words(text: str, pointer: str = "/words") -> str:
    """What a player writes about a thing, on one line; may be empty. Raises ``Invalid``."""
    said = plain(text)
    if len(said) > LONGEST_WORDS:
        sentence = _("Write at most {longest} characters, not {number}.")
        raise Invalid(((pointer, sentence.format(longest=LONGEST_WORDS, number=len(said))),))
    return said


def remove(context: Context, report_id: str, by: Operator) -> PlayerReport:
    """Removes what was reported: the text of a line, the invitation, or the name. Its player is
    told why, and all who have reported it that it is gone. Raises ``NotFound``, and ``Conflict``
    where it is settled or reads otherwise by now.
    """
    with context.database.read() as connection:
        found = _open(connection, report_id, lock=False)
    if found.kind == "invitation":
        _withdraw(context, found)
    with context.database.write() as connection:
        found, now = _open(connection, report_id), context.clock()
        about = players.find(connection, found.about_id)
        assert about is not None
        if found.kind == "chat":
            assert found.match_id is not None
            assert found.number is not None
            chat.replace_text(connection, found.match_id, found.number, _("(removed by the host of this service)"))
        elif found.kind == "name":
            _rename(connection, context, about, found.read)
        tell(connection, context, _mailed(connection, about), REMOVED[found.kind], by, found.read)
        told = []
        for each in reports.open_of(connection, found.thing):
            reports.settle(connection, each.id, "removed", now)
            payload = HostActed("report_upheld", "", each.read)
            told.append(NewNotice("from_host", each.reporter_id, None, payload))
        gate.write(connection, told, now)
    context.queue.wake_notices()
    return found


def answer(context: Context, report_id: str, by: Operator) -> PlayerReport:
    """Mails the reporter what the host says. Raises ``NotFound`` and ``Conflict``."""
    with context.database.write() as connection:
        found = _open(connection, report_id)
        reporter = players.find(connection, found.reporter_id)
        assert reporter is not None
        reports.settle(connection, found.id, "answered", context.clock())
        tell(connection, context, reporter, "report_answered", by, found.read)
    context.queue.wake_notices()
    return found


def dismiss(context: Context, report_id: str, by: Operator) -> PlayerReport:
    """Settles a report; nobody is told. Raises ``NotFound`` and ``Conflict``."""
    with context.database.write() as connection:
        found, now = _open(connection, report_id), context.clock()
        reports.settle(connection, found.id, "dismissed", now)
        audit.note(connection, by, "report_dismissed", now, found.reporter_id, found.id)
    return found


def _reported(context: Context, player: Player, thing: Reported, words: str) -> PlayerReport:
    with context.database.write() as connection:
        now = context.clock()
        about_id, read, number = _read(connection, player, thing)
        kind, match_id, key = _named(thing, read)
        known = reports.by_player(connection, player.id, key)
        if known is not None:
            return known
        sentence = _("You have reported {most} things today, which is the maximum. Go on tomorrow (UTC).")
        quotas.spend(connection, "reports", player.id, MOST_A_DAY, now, sentence)
        new_id = context.entropy.token(REPORT_ID_LENGTH)
        new = PlayerReport(new_id, player.id, about_id, kind, key, match_id, number, read, words, now, "open")
        reports.add(connection, new)
        return new


def _read(connection: Connection, player: Player, thing: Reported) -> tuple[str, str, int | None]:
    """Whose a thing is that the player may see, how it reads, and its number."""
    match thing:
        case ReportedLine(match_id, number):
            seat_of(admitted(connection, matches.find(connection, match_id), match_id, player), player)
            hidden = players.ids_blocked_by(connection, player.id)
            lines = chat.lines(connection, match_id, number - 1, 1, number, without=hidden)
            if not lines:
                raise NotFound(_("Nobody said anything of that number in this match."), "nothing_reported")
            if lines[0].player_id == player.id:
                raise Invalid((("/number", _("You said this yourself.")),))
            return lines[0].player_id, lines[0].text, number
        case ReportedInvitation(match_id):
            match = admitted(connection, matches.find(connection, match_id), match_id, player)
            known = addresses.confirmed(connection, player)
            seat = next((each.seat for each in match.seats if each.is_kept_for(known)), None)
            if seat is None or match.status != "open" or match.created_by == player.id:
                raise NotFound(_("Nobody invites you to this match."), "nothing_reported")
            return match.created_by, match.title, seat
        case ReportedName(player_id):
            found = players.find(connection, player_id)
            if found is None or found.left_at is not None or found.confirmed_at is None:
                raise NotFound(_("There is no player {id}.").format(id=player_id), "player_not_found")
            if bot_level(found.id) is not None or player.id in (found.id, found.owner_id):
                raise Invalid((("/player", _("This name is your own, or of a bot of the house.")),))
            return found.id, found.name, None


def _named(thing: Reported, read: str) -> tuple[ReportedKind, str | None, str]:
    """The kind of a thing, its match, and the name of it that is the same for all who report it."""
    match thing:
        case ReportedLine(match_id, number):
            return "chat", match_id, f"chat {match_id} {number}"
        case ReportedInvitation(match_id):
            return "invitation", match_id, f"invitation {match_id}"
        case ReportedName(player_id):
            return "name", None, f"name {player_id} {read}"


def _open(connection: Connection, report_id: str, *, lock: bool = True) -> PlayerReport:
    found = reports.find(connection, report_id, lock=lock)
    if found is None:
        raise NotFound(f"There is no report {report_id}.")
    if found.status != "open":
        raise Conflict(f"The report {report_id} is {found.status} already.")
    return found


def _withdraw(context: Context, found: PlayerReport) -> None:
    """Frees the seats that are kept for those who have reported the invitation, where they are."""
    assert found.match_id is not None
    with context.database.read() as connection:
        match = matches.find(connection, found.match_id)
        reporters = [players.find(connection, each.reporter_id) for each in reports.open_of(connection, found.thing)]
        assert match is not None
        known = {address for each in reporters if each is not None for address in addresses.confirmed(connection, each)}
        kept = [(seat.seat, seat.invited_email) for seat in match.seats if seat.is_kept_for(known)]
    for seat, address in kept:
        assert address is not None
        try:
            lobby.decline(context, found.match_id, seat, address)
        except ServiceError as error:
            raise Conflict(f"There is nothing to withdraw any more: {error} Dismiss or answer the report.") from error


def _rename(connection: Connection, context: Context, about: Player, read: str) -> None:
    if about.name != read:
        raise Conflict(f"{read} is called {about.name} by now: dismiss or answer the report.")
    while True:
        number = int.from_bytes(context.entropy.random_bytes(4)) % 900_000 + 100_000
        name = f"Player {number}" if about.owner_id is None else f"Player {number} {BOT}"
        if players.has_name(connection, name_key(name)) is None:
            players.rename(connection, about.id, name, name_key(name))
            return


def _mailed(connection: Connection, about: Player) -> Player:
    """Who is told of what is done about a player: of a bot its owner."""
    owner = None if about.owner_id is None else players.find(connection, about.owner_id)
    return owner or about
