"""A whole service around a database file, without processes: a test moves the clock, the queue is a
list, and mail goes where a test wants it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from sqlalchemy import update

from engine import registry
from engine.documents import to_document
from engine.draws import commitment, digest, drawing, terms
from engine.game import AnyGame
from engine.play import begin
from engine.types import Entry, Setup
from service.config import load
from service.context import Context, Transport
from service.kept import States
from service.kinds import read_kind
from service.notices.mail.errors import TransportError
from service.store import addresses, matches, players, tables
from service.store.database import Database
from service.store.matches import StoredMatch, StoredSeat, StoredStep
from service.store.outbox import Notice
from service.store.players import Player
from service.store.schema import migrate
from tests.service.fakes import SeededEntropy, Timer, add_notice, migrated, notices
from tools.memory_queue import MemoryQueue, MemoryVitals

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SECRET = bytes(range(32))
NAMES = ("Anna", "Ben")


class Hand:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> datetime:
        return self.now

    def advance(self, by: timedelta) -> None:
        self.now += by


@dataclass
class Mailbag:
    """A transport that keeps what it is given, or refuses it while ``refusals`` last."""

    messages: list[EmailMessage] = field(default_factory=list)
    refusals: int = 0

    def check(self) -> str:
        return "250 Mails could be sent"

    def send(self, message: EmailMessage) -> str:
        if self.refusals:
            self.refusals -= 1
            raise TransportError("The mail server mail.example refused: 450 Come again")
        self.messages.append(message)
        return "250 Taken"


def context(folder: Path, transport: Transport, clock: Hand | None = None, database_url: str | None = None) -> Context:
    """The service, its database migrated; by default it is a file in the folder."""
    settings = load(
        {
            "OVERLAND_DATA_DIR": str(folder),
            "OVERLAND_MODE": "production",
            "OVERLAND_MAIL_URL": f"folder:{folder}/mail",
            "OVERLAND_BASE_URL": "https://play.example",
            "OVERLAND_MAIL_FROM": "Overland <overland@play.example>",
        }
    )
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "overland.sqlite"
    if database_url is None and not file.exists():
        file.write_bytes(migrated())
    database = Database(database_url or settings.database_url)
    migrate(database)
    return Context(
        settings,
        database,
        MemoryQueue(),
        clock or Hand(),
        SeededEntropy(),
        States(10),
        transport,
        Timer(),
        MemoryVitals(),
    )


def seat_players(service: Context) -> None:
    """Anna and Ben have confirmed their addresses."""
    with service.database.write() as connection:
        for name in NAMES:
            player = Player(f"p-{name.lower()}", name, f"{name.lower()}@players.example", NOON, NOON)
            players.add(connection, player)
            addresses.keep_primary(connection, f"a-{name.lower()}", player, player.email)


def dealt() -> tuple[Entry[Any], ...]:
    """What chance does at the start of a match of Oregon for two."""
    game = registry.game("oregon")
    setup = Setup(2, game.options(), registry.components("oregon"))
    options, components = to_document(game.options()), registry.component_document("oregon")
    draw = drawing(SECRET, "m-oregon", committed(game, options, components), ("nonce-of-a", "nonce-of-b"))
    return begin(game, setup, draw)[1]


def committed(game: AnyGame, options: dict[str, Any], components: dict[str, Any]) -> str:
    """The commitment of the match of Oregon for two."""
    return commitment(SECRET, terms("m-oregon", "oregon", game.info.rules_version, 2, options, components))


def store_match(service: Context, log: tuple[Entry[Any], ...], **changes: Any) -> None:
    """A running match of Oregon between Anna and Ben with that log."""
    game = registry.game("oregon")
    options, components = to_document(game.options()), registry.component_document("oregon")
    seats = tuple(
        StoredSeat(
            seat, f"p-{name.lower()}", name, None, None, f"nonce-of-{name[0].lower()}", NOON, None, None, seat == 0
        )
        for seat, name in enumerate(NAMES)
    )
    values: dict[str, Any] = {
        "id": "m-oregon",
        "game": "oregon",
        "rules_version": game.info.rules_version,
        "components_name": "standard",
        "components_digest": digest(components),
        "options": options,
        "title": "On the trail",
        "status": "running",
        "created_by": "p-anna",
        "created_at": NOON,
        "started_at": NOON,
        "finished_at": None,
        "ply": 0,
        "secret": SECRET,
        "commitment": committed(game, options, components),
        "outcome": None,
        "seats": seats,
    }
    with service.database.write() as connection:
        matches.add(connection, StoredMatch(**(values | changes)), components)
        entries = tuple((entry.seat, to_document(entry.action)) for entry in log)
        matches.write_steps(connection, [StoredStep("m-oregon", 0, entries, None, {}, None)], NOON)


def notify(
    service: Context,
    kind: str,
    player_id: str | None = "p-anna",
    match_id: str | None = "m-oregon",
    address: str | None = None,
    **payload: Any,
) -> str:
    """A row in the outbox, written now; of a kind that there is not, as somebody else writes it."""
    with service.database.write() as connection:
        known = read_kind(kind) or "your_turn"
        match = None if match_id is None else matches.find(connection, match_id)
        payload = ({} if match is None else {"ply": match.ply}) | payload
        notice_id = add_notice(connection, known, player_id, match_id, payload, service.clock(), address)
        if kind != known:
            connection.execute(update(tables.outbox).where(tables.outbox.c.id == notice_id).values(kind=kind))
    return notice_id


def notice(service: Context, notice_id: str) -> Notice:
    """The row as it is."""
    return next(found for found in notices(service) if found.id == notice_id)
