"""The kinds of events, and the one table of the kinds of mails.

A new kind of mails is its name in ``NoticeKind``, its row in ``MAILINGS``, and where no template
fits, a folder of its name in ``service.notices.mail``. Whatever treats some kinds differently is a
column of the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast

from service import payloads
from service.texts import gettext as _
from service.texts import ngettext

Audience: TypeAlias = Literal["all", "seats", "player", "address"]
"""Who may know of an event: all who may see the match, those who have a seat in it, one player, or
somebody invited by address. The first discloses no more than the log does to spectators.
"""
EventKind: TypeAlias = Literal[
    "invitation",
    "match_started",
    "turn_awaited",
    "turn_played",
    "verdict",
    "resigned",
    "match_over",
    "chat",
    "time_up",
    "back",
    "days_off_began",
    "reminder",
    "offer_made",
    "offer_settled",
    "seat_offered",
    "seat_handed",
    "seat_freed",
    "called_off",
    "archive",
]
NoticeKind: TypeAlias = Literal[
    "confirm_address",
    "confirm_another_address",
    "address_changed",
    "sign_in",
    "answer",
    "unproven_turn",
    "digest",
    "invitation",
    "match_started",
    "your_turn",
    "verdict",
    "match_over",
    "chat",
    "time_up",
    "days_off_began",
    "reminder",
    "offer_made",
    "offer_settled",
    "seat_offered",
    "seat_handed",
    "seat_freed",
    "called_off",
    "archive",
    "webhook",
    "from_host",
]
OptionalKind: TypeAlias = Literal["your_turn", "verdict", "match_started", "match_over", "invitation"]
"""The kinds that are ``stopped_by`` "without"."""
Lane: TypeAlias = Literal[0, 1, 2]
"""Notices of a lower lane are handed over before others that are due as well."""
FIRST: Final = 0
"""What somebody waits for at this moment: signing up, signing in, the answer to a mail."""
TURNS: Final = 1
REST: Final = 2
StoppedBy: TypeAlias = Literal["without", "chat", "reminders", "digest", "off", "nothing"]
"""The preference by which a player stops a kind of mails alone; ``off``: it is stopped only with
all others, ``nothing``: it is sent whatever they want, as they have asked for it.
"""
CoveredWhen: TypeAlias = Literal["answered", "started", "said", "settled", "played"]
"""What leaves nothing to tell before a mail is sent: the verdict was ``answered`` to the request;
the mail that the match has ``started`` is that of the turn, too; it was ``said`` in another mail;
the offer was ``settled``; the turn was ``played``.
"""
SentBy: TypeAlias = Literal["nobody", "anybody", "player"]
"""Whether another player causes a kind of notices: what follows from play and time is caused by
``nobody``, and nobody can lose it; ``anybody``: by a player or not.
"""
Values: TypeAlias = Mapping[str, Any]
"""The values that the templates of a mail have (``service.notices.mail.pages``)."""


def opens_thread(mail: Values) -> str:
    """The subject of a mail that begins a conversation about a match."""
    match = mail["match"]
    return f"[{match.game} #{match.short}] {match.title}"


def in_thread(mail: Values) -> str:
    """The subject of every later mail about a match."""
    return f"Re: {opens_thread(mail)}"


@dataclass(frozen=True, slots=True)
class Mailing:
    """How a kind of notices is mailed.

    ``subject`` is made from the values of the templates, which are in the folder ``template``, that
    of the kind's name unless it shares another. ``merges``: a later notice tells what those before
    it would have told. ``in_digest``: a digest tells it. ``tells_chat``: its mail says what was
    said in the match; ``tells_note``, what its reader has noted. ``lists_moves``: to whoever is
    awaited. ``to_strangers``: to an address whose owner may never have heard of this service.

    A kind that is stopped alone is ``called`` so on the page that stops it; ``word`` is its name in
    settings by mail, where it is ``stopped_by`` "without".

    ``sent_by``: the player who causes it, if any, is named where it is written, and blocks and
    limits hold (``service.events.gate``): ``a_day``, so many of a match to one person; ``invites``:
    those of invitations.
    """

    payload: type[payloads.Payload]
    subject: Callable[[Values], str]
    template: str = ""
    tells_of: EventKind | None = None
    lane: Lane = REST
    stopped_by: StoppedBy = "off"
    called: Callable[[], str] | None = None
    word: str = ""
    covered_when: CoveredWhen | None = None
    merges: bool = False
    in_digest: bool = False
    tells_chat: bool = False
    tells_note: bool = False
    lists_moves: bool = False
    to_strangers: bool = False
    sent_by: SentBy = "nobody"
    a_day: int | None = None
    invites: bool = False


MAILINGS: Final[Mapping[NoticeKind, Mailing]] = {
    "confirm_address": Mailing(
        payload=payloads.OneTimeToken,
        subject=lambda _mail: _("Confirm your address for Overland"),
        lane=FIRST,
        stopped_by="nothing",
        to_strangers=True,
    ),
    "confirm_another_address": Mailing(
        payload=payloads.OneTimeToken,
        subject=lambda _mail: _("Confirm another address for Overland"),
        lane=FIRST,
        stopped_by="nothing",
        to_strangers=True,
    ),
    "sign_in": Mailing(
        payload=payloads.OneTimeToken, subject=lambda _mail: _("Sign in to Overland"), lane=FIRST, stopped_by="nothing"
    ),
    "address_changed": Mailing(
        payload=payloads.AddressChanged,
        subject=lambda _mail: _("Your addresses at Overland were changed"),
        stopped_by="nothing",
    ),
    "answer": Mailing(
        payload=payloads.MailAnswered,
        subject=lambda mail: in_thread(mail) if "match" in mail else _("Overland: %(headline)s") % mail,
        lane=FIRST,
        stopped_by="nothing",
        tells_chat=True,
    ),
    "unproven_turn": Mailing(payload=payloads.OrderHeld, subject=in_thread, lane=FIRST, stopped_by="nothing"),
    "digest": Mailing(
        payload=payloads.Gathered,
        subject=lambda mail: (
            ngettext("Your matches: one waits for you", "Your matches: %(num)s wait for you", mail["waiting"])
            % {"num": mail["waiting"]}
            if mail["waiting"]
            else _("Your matches: none waits for you")
        ),
        stopped_by="digest",
        called=lambda: _("the daily mail"),
    ),
    "your_turn": Mailing(
        payload=payloads.AtPly,
        subject=in_thread,
        tells_of="turn_awaited",
        lane=TURNS,
        stopped_by="without",
        called=lambda: _("mails that say that you are awaited"),
        word="turns",
        covered_when="started",
        merges=True,
        in_digest=True,
        tells_chat=True,
        tells_note=True,
        lists_moves=True,
    ),
    "verdict": Mailing(
        payload=payloads.TurnJudged,
        subject=in_thread,
        tells_of="verdict",
        stopped_by="without",
        called=lambda: _("mails that say whether a turn was accepted"),
        word="verdicts",
        covered_when="answered",
        merges=True,
        in_digest=True,
        tells_chat=True,
        lists_moves=True,
    ),
    "match_started": Mailing(
        payload=payloads.AtPly,
        subject=opens_thread,
        tells_of="match_started",
        lane=TURNS,
        stopped_by="without",
        called=lambda: _("mails that say that a match has started"),
        word="starts",
        tells_chat=True,
        lists_moves=True,
    ),
    "match_over": Mailing(
        payload=payloads.AtPly,
        subject=in_thread,
        tells_of="match_over",
        stopped_by="without",
        called=lambda: _("mails that say how a match ended"),
        word="ends",
        merges=True,
        tells_chat=True,
    ),
    "invitation": Mailing(
        payload=payloads.Invited,
        subject=opens_thread,
        tells_of="invitation",
        stopped_by="without",
        called=lambda: _("invitations"),
        word="invitations",
        sent_by="player",
        invites=True,
    ),
    "chat": Mailing(
        payload=payloads.AboutSeat,
        subject=in_thread,
        tells_of="chat",
        stopped_by="chat",
        called=lambda: _("mails of what players say"),
        covered_when="said",
        in_digest=True,
        tells_chat=True,
        sent_by="player",
    ),
    "time_up": Mailing(payload=payloads.TimeUp, subject=in_thread, template="lines", tells_of="time_up", lane=TURNS),
    "days_off_began": Mailing(
        payload=payloads.DaysOffBegan,
        subject=in_thread,
        template="lines",
        tells_of="days_off_began",
        lane=TURNS,
        lists_moves=True,
    ),
    "reminder": Mailing(
        payload=payloads.Reminded,
        subject=in_thread,
        template="lines",
        tells_of="reminder",
        stopped_by="reminders",
        called=lambda: _("reminders"),
        covered_when="played",
        lists_moves=True,
    ),
    "offer_made": Mailing(
        payload=payloads.OfferMade,
        subject=in_thread,
        template="lines",
        tells_of="offer_made",
        lane=TURNS,
        covered_when="settled",
        lists_moves=True,
        sent_by="anybody",
        a_day=3,
    ),
    "offer_settled": Mailing(
        payload=payloads.OfferSettled,
        subject=in_thread,
        template="lines",
        tells_of="offer_settled",
        lane=TURNS,
        lists_moves=True,
        sent_by="anybody",
        a_day=3,
    ),
    "seat_offered": Mailing(
        payload=payloads.SeatOffered, subject=opens_thread, tells_of="seat_offered", sent_by="player", invites=True
    ),
    "seat_handed": Mailing(payload=payloads.SeatHanded, subject=in_thread, tells_of="seat_handed"),
    "seat_freed": Mailing(
        payload=payloads.SeatFreed, subject=opens_thread, tells_of="seat_freed", sent_by="anybody", a_day=3
    ),
    "called_off": Mailing(payload=payloads.CalledOff, subject=opens_thread, tells_of="called_off", sent_by="anybody"),
    "webhook": Mailing(
        payload=payloads.AboutWebhook,
        subject=lambda mail: _("%(place)s is not told about your matches any more") % {"place": mail["payload"].place},
        stopped_by="nothing",
    ),
    "from_host": Mailing(
        payload=payloads.HostActed, subject=lambda mail: _("Overland: %(headline)s") % mail, stopped_by="nothing"
    ),
    "archive": Mailing(
        payload=payloads.Shelved,
        subject=in_thread,
        template="lines",
        tells_of="archive",
        lists_moves=True,
        sent_by="anybody",
    ),
}


def where(**columns: object) -> tuple[NoticeKind, ...]:
    """The kinds of notices whose columns have these values."""
    return tuple(
        kind for kind, row in MAILINGS.items() if all(getattr(row, name) == value for name, value in columns.items())
    )


def optional_kinds() -> tuple[OptionalKind, ...]:
    """The kinds of mails of which a player may want none by name."""
    return cast("tuple[OptionalKind, ...]", where(stopped_by="without"))


def read_kind(text: str) -> NoticeKind | None:
    """The kind of notices of that name; ``None`` where there is none."""
    return next((kind for kind in MAILINGS if kind == text), None)


def read_payload(kind: NoticeKind, document: Mapping[str, Any]) -> payloads.Payload:
    """The payload of a notice of that kind. Raises ``DocumentError``."""
    return payloads.read_as(MAILINGS[kind].payload, document)
