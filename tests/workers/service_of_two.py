"""A service with two players at a table of Oregon, made as the doors make it: through the use
cases.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from time import monotonic

from sqlalchemy import select

from service.config import load
from service.context import Context
from service.matches import lobby
from service.matches.states import States
from service.matches.types import SeatRequest
from service.notices.mail.transport import transport_of
from service.players import accounts
from service.players.types import Player
from service.queue import MemoryQueue
from service.store.database import Database, migrate
from service.store.tables import outbox
from service.turns.submit import submit
from service.turns.types import Turn
from service.wiring import SystemEntropy, utc_now


class Clock:
    """The time of the machine, and what a test adds to it."""

    def __init__(self) -> None:
        self.ahead = timedelta(0)

    def __call__(self) -> datetime:
        return utc_now() + self.ahead


@dataclass
class Mailbag:
    """A transport that keeps what it is given."""

    messages: list[EmailMessage]

    def send(self, message: EmailMessage) -> None:
        self.messages.append(message)


def environ(folder: Path, **more: str) -> Mapping[str, str]:
    """What the processes of a test are given."""
    return {"OVERLAND_DATA_DIR": str(folder), "OVERLAND_SWEEP_SECONDS": "1", "LOG_FORMAT": "json", **more}


def context(variables: Mapping[str, str], clock: Clock | None = None, mailbag: Mailbag | None = None) -> Context:
    """The service, its queue a list that nobody works off."""
    settings = load(variables)
    database = Database(settings.database_url)
    migrate(database)
    transport = mailbag or transport_of(settings.mail_url, settings.data_dir / "mail")
    return Context(
        settings, database, MemoryQueue(), clock or utc_now, SystemEntropy(), States(10), transport, monotonic
    )


def player(service: Context, name: str) -> Player:
    """A player whose address is confirmed."""
    accounts.sign_up(service, name, f"{name.lower()}@players.example")
    with service.database.read() as connection:
        mailed = (
            connection.execute(
                select(outbox.c.payload).where(outbox.c.kind == "confirm_address").order_by(outbox.c.created_at.desc())
            )
            .scalars()
            .first()
        )
    assert mailed is not None
    return accounts.confirm(service, mailed["token"])[0]


def seated(service: Context) -> tuple[Player, Player, str]:
    """Anna and Ben, and the match they have begun."""
    anna, ben = player(service, "Anna"), player(service, "Ben")
    match = lobby.create(service, anna, "oregon", None, [SeatRequest("me"), SeatRequest("open")], "On the trail")
    lobby.join(service, ben, match.id)
    return anna, ben, match.id


def submit_first_legal(service: Context, who: Player, match_id: str) -> Turn:
    """A turn of the player's first legal action."""
    match = lobby.find(service, who, match_id)
    return submit(service, who, match_id, None, match.ply, notation="1")
