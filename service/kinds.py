"""The kinds of events and of notices, each in one table.

A new kind of mails is a row of ``MAILINGS``, its payload (``service.payloads``), and its values and
a folder of templates in ``service.notices.mail``. Whatever treats some kinds differently is a
column of the table.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

Audience: TypeAlias = Literal["all", "seats", "player", "address"]
"""Who may know of an event: everybody who may see the match, those who have a seat in it, one
player, or somebody who is invited by address and no player yet.
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
    "archive",
]
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
SentBy: TypeAlias = Literal["nobody", "anybody", "player"]
"""Whether another player causes a kind of notices: what follows from play and time is caused by
``nobody``, and nobody can lose it; ``anybody``: by a player or not.
"""

AUDIENCES: Final[Mapping[EventKind, tuple[Audience, ...]]] = MappingProxyType(
    {
        "invitation": ("player", "address"),
        "match_started": ("all",),
        "turn_awaited": ("player",),
        "turn_played": ("all",),
        "verdict": ("player",),
        "resigned": ("all",),
        "match_over": ("all",),
        "chat": ("seats", "player"),
        "time_up": ("all",),
        "back": ("all",),
        "days_off_began": ("player",),
        "reminder": ("player",),
        "offer_made": ("all",),
        "offer_settled": ("all",),
        "seat_offered": ("player", "address"),
        "seat_handed": ("player",),
        "archive": ("all",),
    }
)
"""Who may know of an event of that kind: a public one discloses no more than the log of the match
does to spectators, the plies that it spans and the seat that acted.
"""


@dataclass(frozen=True, slots=True)
class Mailing:
    """How a kind of notices is mailed.

    ``merges``: a later notice tells what those before it would have told. ``in_digest``: a digest
    tells it, instead of a mail that waits for the hour of the digest. ``tells_chat``: its mail says
    what was said in the match. ``lists_moves``: to whoever is awaited. ``has_token``: one that
    works once, so that the mail cannot be sent again. ``to_strangers``: to an address whose owner
    may never have heard of this service. ``sent_by``: the player who causes it, if any, is named
    where it is written, and blocks and limits hold (``service.events.gate``): ``a_day``, so many
    of a match to one person; ``invites``: those of invitations.
    """

    tells_of: EventKind | None = None
    lane: Lane = REST
    stopped_by: StoppedBy = "off"
    merges: bool = False
    in_digest: bool = False
    tells_chat: bool = False
    lists_moves: bool = False
    has_token: bool = False
    to_strangers: bool = False
    sent_by: SentBy = "nobody"
    a_day: int | None = None
    invites: bool = False


MAILINGS: Final[Mapping[NoticeKind, Mailing]] = MappingProxyType(
    {
        "confirm_address": Mailing(None, FIRST, "nothing", has_token=True, to_strangers=True),
        "confirm_another_address": Mailing(None, FIRST, "nothing", has_token=True, to_strangers=True),
        "sign_in": Mailing(None, FIRST, "nothing", has_token=True),
        "address_changed": Mailing(None, REST, "nothing"),
        "answer": Mailing(None, FIRST, "nothing", tells_chat=True),
        "unproven_turn": Mailing(None, FIRST, "nothing"),
        "digest": Mailing(None, REST, "digest"),
        "invitation": Mailing("invitation", REST, "without", sent_by="player", invites=True),
        "match_started": Mailing("match_started", TURNS, "without", tells_chat=True, lists_moves=True),
        "your_turn": Mailing(
            "turn_awaited", TURNS, "without", merges=True, in_digest=True, tells_chat=True, lists_moves=True
        ),
        "verdict": Mailing("verdict", REST, "without", merges=True, in_digest=True, tells_chat=True, lists_moves=True),
        "match_over": Mailing("match_over", REST, "without", merges=True, tells_chat=True),
        "chat": Mailing("chat", REST, "chat", in_digest=True, tells_chat=True, sent_by="player"),
        "time_up": Mailing("time_up", TURNS),
        "days_off_began": Mailing("days_off_began", TURNS, lists_moves=True),
        "reminder": Mailing("reminder", REST, "reminders", lists_moves=True),
        "offer_made": Mailing("offer_made", TURNS, lists_moves=True, sent_by="anybody", a_day=3),
        "offer_settled": Mailing("offer_settled", TURNS, lists_moves=True, sent_by="anybody", a_day=3),
        "seat_offered": Mailing("seat_offered", sent_by="player", invites=True),
        "seat_handed": Mailing("seat_handed"),
        "archive": Mailing("archive", lists_moves=True, sent_by="anybody"),
    }
)


def where(**columns: object) -> tuple[NoticeKind, ...]:
    """The kinds of notices whose columns have these values."""
    return tuple(
        kind for kind, row in MAILINGS.items() if all(getattr(row, name) == value for name, value in columns.items())
    )


def read_kind(text: str) -> NoticeKind | None:
    """The kind of notices of that name; ``None`` where there is none."""
    return next((kind for kind in MAILINGS if kind == text), None)
