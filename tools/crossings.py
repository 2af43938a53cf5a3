"""`python -m tools.crossings --game NAME`: which files of ours an event crosses on its way
through the service.

A match is played by two players in this process, everything within it, while a profiler
notes every call of a function of `engine`, `service` or `workers`. The fewer files a turn crosses,
the fewer a newcomer opens to follow it.
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from types import FrameType
from typing import Any, Final

import click
from sqlalchemy import delete

from service.app import create_app
from service.clocks.rule import read_rule
from service.config import load
from service.inbox.act import dispatch
from service.inbox.conversation import rows_of
from service.links import ReplyTo, reply_address, service_address
from service.logs import configure
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices import delivery
from service.signing import keys_of
from service.store import heartbeats, messages
from service.store.messages import Message
from service.store.schema import migrate
from service.store.tables import messages as stored_messages
from service.turns import batch, time_up
from service.turns.judge import OwnRulings
from service.wiring import wire
from tools.bench.scripts import SeatedPlayer, add_players
from tools.games import game_option
from tools.memory_queue import MemoryQueue

ROOT: Final = Path(__file__).parent.parent
OURS: Final = ("engine", "service", "workers")
RELAY: Final = "mx.players.example"


@dataclass(slots=True)
class Crossing:
    """The calls of one event: how often a function ran, by its file, relative to the root; and how
    many calls came from another file.
    """

    calls: Counter[str] = field(default_factory=Counter)
    hops: int = 0

    def folders(self) -> Counter[str]:
        """How many files were crossed, by folder of the service, or package."""
        return Counter("/".join(Path(file).parts[:2][: len(Path(file).parts) - 1]) for file in self.calls)


class _Profile:
    """A profiler that notes calls of functions, not of the tops of modules."""

    def __init__(self) -> None:
        self.found = Crossing()
        self._files: dict[str, str | None] = {}

    def __call__(self, frame: FrameType, event: str, arg: Any) -> None:
        file = self._file(frame)
        if event != "call" or file is None or frame.f_code.co_name == "<module>":
            return
        self.found.calls[file] += 1
        caller = frame.f_back
        while caller is not None and self._file(caller) is None:
            caller = caller.f_back
        self.found.hops += caller is not None and self._file(caller) != file

    def _file(self, frame: FrameType) -> str | None:
        name = frame.f_code.co_filename
        if name not in self._files:
            path = Path(name)
            inside = path.relative_to(ROOT) if path.is_relative_to(ROOT) else Path()
            self._files[name] = str(inside) if inside.parts[:1] and inside.parts[0] in OURS else None
        return self._files[name]


def crossed(event: Callable[[], object]) -> Crossing:
    """What the event crosses in this thread."""
    profile = _Profile()
    sys.setprofile(profile)
    try:
        event()
    finally:
        sys.setprofile(None)
    return profile.found


def measure(folder: Path, game: str) -> Mapping[str, Crossing]:
    """Drives a turn's POST, its judgement, the two mails that follow, a mail that comes in with a
    turn, and a deadline, on a database in the folder. Returns what each crosses, by its name.

    Everything was done once before, so that nothing counts that a process does only at first.
    """
    service = _Service(folder, game)
    with closing(service.context):
        service.post(*service.awaited())
        service.judge()
        service.send_mails()
        turn = service.awaited()
        found = {"POST of a turn": crossed(lambda: service.post(*turn)), "judgement": crossed(service.judge)}
        found["two mails"] = crossed(service.send_mails)
        message = service.mail_in()
        found["mail in"] = crossed(lambda: service.handle(message))
        service.judge()
        service.let_time_pass()
        found["deadline"] = crossed(service.act_on_deadline)
    return found


class _Service:
    """A service in this process, and a match of two players in it."""

    def __init__(self, folder: Path, game: str) -> None:
        wired = wire(load({"OVERLAND_DATA_DIR": str(folder), "OVERLAND_TRUSTED_RELAY": RELAY}))
        self.later = timedelta()
        # With a timer that stands still nothing is read anew because the machine is slow.
        self.context = replace(wired, queue=MemoryQueue(), clock=lambda: wired.clock() + self.later, timer=lambda: 0.0)
        migrate(self.context.database)
        with self.context.database.write() as connection:
            self.players = add_players(connection, 2, self.context.clock())
        first, second = (each.player for each in self.players)
        requests = [SeatRequest("me"), SeatRequest("open")]
        match = lobby.create(self.context, first, game, {}, requests, clock=read_rule({"preset": "relaxed"}))
        self.match_id = match.id
        self.seats = [each.player_id for each in lobby.join(self.context, second, match.id).seats]
        self.client = create_app(self.context).test_client()

    def post(self, seat: int, ply: int) -> None:
        """The player of the seat posts a turn."""
        answer = self.client.post(
            f"/v1/matches/{self.match_id}/turns",
            json={"ply": ply, "notation": "1"},
            headers={"Authorization": f"Bearer {self._seated(seat).token}"},
        )
        if answer.status_code != 202:
            raise RuntimeError(answer.text)

    def judge(self) -> None:
        """The turn that waits is judged."""
        batch.judge_oldest(self.context, OwnRulings(self.context.database, self.context.states), 1)

    def send_mails(self) -> None:
        """All mails of the turn are sent."""
        self.later += timedelta(hours=1)
        if delivery.deliver_due(self.context)["sent"] < 2:
            raise click.ClickException("A turn of this game made nobody else awaited: choose another --game.")

    def mail_in(self) -> Message:
        """A mail of the player who is awaited, with a turn, as it is stored."""
        seat, ply = self.awaited()
        address = self._seated(seat).player.email
        to = reply_address(
            keys_of(self.context),
            service_address(self.context.settings.mail_from),
            ReplyTo(self.match_id, seat, ply, None),
        )
        head = {
            "Authentication-Results": f"{RELAY}; dkim=pass header.d={str(address).rpartition('@')[2]}",
            "From": address,
            "To": to,
            "Subject": "Re: your turn",
            "Message-ID": f"<1@{RELAY}>",
            "Content-Type": "text/plain; charset=utf-8",
        }
        raw = "".join(f"{name}: {value}\r\n" for name, value in head.items()) + "\r\n1\r\n"
        rows = rows_of("127.0.0.1", str(address), (to,), raw.encode())
        with self.context.database.write() as connection:
            found = messages.find(connection, messages.add_all(connection, rows, self.context.clock())[0])
            connection.execute(delete(stored_messages))  # a deadline would wait for it
        assert found is not None
        return found

    def handle(self, message: Message) -> None:
        """The mail is handled."""
        result = dispatch(self.context, message)
        if result.did != "turn":
            raise RuntimeError(str(result))

    def let_time_pass(self) -> None:
        """The time of the seat that is awaited is up, and the service was there all the time."""
        self.later += timedelta(days=40)
        with self.context.database.write() as connection:
            for part in heartbeats.PARTS:
                heartbeats.beat(connection, part, self.context.clock())

    def act_on_deadline(self) -> None:
        """What the sweeper does about it."""
        if time_up.due(self.context) != (self.match_id,):
            raise RuntimeError("no time is up")
        if not time_up.act_on(self.context, self.match_id).stored:
            raise RuntimeError("nothing was done about it")

    def awaited(self) -> tuple[int, int]:
        """The seat whose turn it is, and the ply."""
        match = lobby.find(self.context, None, self.match_id)
        return next(each.seat for each in match.seats if each.to_act), match.ply

    def _seated(self, seat: int) -> SeatedPlayer:
        return next(each for each in self.players if each.player.id == self.seats[seat])


@click.command()
@game_option
def main(game: str) -> None:
    """Print for each event its files, by folder, and its calls from file to file."""
    configure("console", "WARNING")
    with tempfile.TemporaryDirectory(prefix="overland-") as folder:
        for event, crossing in measure(Path(folder), game).items():
            print(f"{event}: {len(crossing.calls)} files, {crossing.hops} calls from file to file")
            print("   ", ", ".join(f"{name} {count}" for name, count in crossing.folders().most_common()))


if __name__ == "__main__":
    main()
