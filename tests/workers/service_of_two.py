"""A service with two players in a match of Oregon, made through the use cases, as the API does."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from service.config import load
from service.context import Context
from service.kept import States
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices.mail.transport import transport_of
from service.store import maintenance
from service.store.batched import REMEMBERED_SECONDS
from service.store.database import Database
from service.store.players import Player
from service.store.schema import migrate
from service.turns.submit import submit
from service.turns.types import Turn
from service.wiring import SystemEntropy, utc_now
from tests.service.fakes import Clock, Postbag, Timer, person
from tools.memory_queue import MemoryQueue, MemoryVitals


def environ(folder: Path, **more: str) -> Mapping[str, str]:
    """What the processes of a test are given."""
    quick = {"OVERLAND_SWEEP_SECONDS": "1", "OVERLAND_VERDICT_MAIL_SECONDS": "0"}
    return {"OVERLAND_DATA_DIR": str(folder), "OVERLAND_LOG_FORMAT": "json", **quick, **more}


def context(variables: Mapping[str, str], clock: Clock | None = None, postbag: Postbag | None = None) -> Context:
    """The service, with a queue that only counts and a stopped timer.

    Without a clock it has the machine's, for tests whose processes have that, too.
    """
    settings = load(variables)
    database = Database(settings.database_url, Timer())
    migrate(database)
    transport = postbag or transport_of(settings.mail_url, settings.data_dir / "mail")
    return Context(
        settings,
        database,
        MemoryQueue(),
        clock or utc_now,
        SystemEntropy(),
        States(10),
        transport,
        Timer(),
        MemoryVitals(),
    )


def seated(service: Context) -> tuple[Player, Player, str]:
    """Anna and Ben, and the match they have begun."""
    anna, ben = (person(service, name, f"{name.lower()}@players.example") for name in ("Anna", "Ben"))
    match = lobby.create(service, anna, "oregon", None, [SeatRequest("me"), SeatRequest("open")], "On the trail")
    lobby.join(service, ben, match.id)
    return anna, ben, match.id


def submit_first_legal(service: Context, who: Player, match_id: str) -> Turn:
    """A turn of the player's first legal action."""
    match = lobby.find(service, who, match_id)
    return submit(service, who, match_id, None, match.ply, notation="1")


def maintained(service: Context, begins: bool) -> None:
    """Begins or ends a maintenance, and lets the time pass after which every process knows it."""
    with service.database.write() as connection:
        if begins:
            maintenance.begin(connection, maintenance.Maintenance(service.clock(), None, "Back soon."))
        else:
            maintenance.end(connection)
    assert isinstance(service.timer, Timer)
    service.timer.advance(REMEMBERED_SECONDS)
