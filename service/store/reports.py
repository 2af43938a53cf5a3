"""What players report: a line of a chat, an invitation, or a name, as it read then. Of one thing
there is one report of each player.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Final

from sqlalchemy import Connection, func, select, update

from engine.documents import About
from service.ids import ID_PATTERN
from service.statuses import ReportedKind, ReportStatus
from service.store.statements import Rows
from service.store.tables import reports


@dataclass(frozen=True, slots=True)
class PlayerReport:
    """A report: ``thing`` names what was reported, the same for all who report it; ``about_id`` is
    the player whose it was, ``number`` that of the line of a chat, or of the seat of an invitation.
    """

    id: Annotated[str, About("The id of the report.", pattern=ID_PATTERN)]
    reporter_id: str
    about_id: str
    kind: Annotated[ReportedKind, About("What was reported.")]
    thing: str
    match_id: Annotated[str | None, About("The match of the line or of the invitation; of a name `null`.")]
    number: Annotated[int | None, About("The number of the line, or the invited seat; of a name `null`.")]
    read: Annotated[str, About("As it read when you reported it.")]
    words: Annotated[str, About("What you wrote about it.")]
    at: Annotated[datetime, About("When you reported it.")]
    status: Annotated[
        ReportStatus,
        About("`open`: the host has not looked at it yet; `removed`, `answered` or `dismissed`: what they did."),
    ]
    settled_at: datetime | None = None


_REPORTS: Final = Rows(PlayerReport, reports)
_ORDER: Final = (reports.c.at, reports.c.id)
add: Final = _REPORTS.add
find: Final = _REPORTS.by(reports.c.id)
by_player: Final = _REPORTS.by(reports.c.reporter_id, reports.c.thing)


def open_of(connection: Connection, thing: str) -> tuple[PlayerReport, ...]:
    return _REPORTS.all(connection, reports.c.thing == thing, reports.c.status == "open", order=_ORDER)


def listed(connection: Connection, status: ReportStatus, limit: int) -> tuple[PlayerReport, ...]:
    """At most ``limit`` reports of that status, oldest first."""
    return _REPORTS.all(connection, reports.c.status == status, order=_ORDER, limit=limit)


def of_player(connection: Connection, player_id: str, limit: int) -> tuple[PlayerReport, ...]:
    """The latest reports by a player, or about them."""
    theirs = (reports.c.reporter_id == player_id) | (reports.c.about_id == player_id)
    return _REPORTS.all(connection, theirs, order=(reports.c.at.desc(), reports.c.id), limit=limit)


def settle(connection: Connection, report_id: str, status: ReportStatus, now: datetime) -> None:
    connection.execute(update(reports).where(reports.c.id == report_id).values(status=status, settled_at=now))


def open_number(connection: Connection) -> tuple[int, datetime | None]:
    """How many reports nobody has looked at yet, and when the oldest was made."""
    oldest = func.min(reports.c.at, type_=reports.c.at.type)
    number, since = connection.execute(select(func.count(), oldest).where(reports.c.status == "open")).one()
    return number, since
