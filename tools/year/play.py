"""A year of matches: players with habits play by the use cases of the service, and its sweeper runs
whenever it has something to do.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import count
from typing import Any, Final

from engine import registry
from engine.bots import random_action
from engine.documents import to_document
from service.clocks.rule import read_rule
from service.clocks.spans import instant
from service.errors import Conflict, ServiceError
from service.loop import Loop
from service.matches import days_off, lobby, replays
from service.matches.types import SeatRequest
from service.offers import offering
from service.players import accounts, choosing
from service.store import matches as match_rows
from service.store import turns as turn_rows
from service.store.matches import StoredMatch
from service.store.players import Player
from service.store.tables import outbox
from service.sweeps import sweep_items
from service.turns import time_up
from service.turns.batch import judge_oldest
from service.turns.judge import OwnRulings
from service.turns.submit import submit
from tools.games import fewest_seats
from tools.year.world import World

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
DAY: Final = 86_400
HOUR: Final = 3600
ZONES: Final = ("Europe/Zurich", "America/St_Johns", "Australia/Lord_Howe", "Asia/Kathmandu", "America/New_York")
NIGHT: Final = (22, 6)
UNSEEN: Final = 0.03
"""How often a time without events is credited as an outage."""
CLOCKS: Final[tuple[dict[str, Any], ...]] = (
    {"preset": "brisk"},
    {"preset": "relaxed"},
    {"preset": "brisk", "if_late": "bot_seat"},
    {"preset": "relaxed", "if_late": "resign"},
    {"preset": "relaxed", "weekends": "America/St_Johns"},
    {"preset": "brisk", "weekends": "Europe/Zurich", "days_off": False},
    {"preset": "total"},
)


@dataclass(slots=True)
class Person:
    """A player, the hours of typical silence before a turn, and how often they vanish for weeks.
    ``off`` are the days off that they have declared.
    """

    player: Player
    pace: float
    vanishes: float
    quiet_zone: str | None = None
    off: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class YearMatch:
    """A match: its people by seat, its clock as it was chosen, and the pauses agreed on."""

    match_id: str
    people: tuple[Person, ...]
    clock: dict[str, Any]
    pauses: list[tuple[int, int]] = field(default_factory=list)


@dataclass(slots=True)
class Year:
    """A year of ``matches`` of a game that is under way."""

    world: World
    luck: random.Random
    game: str
    matches: int
    days: int = 365
    people: list[Person] = field(default_factory=list)
    played: dict[str, YearMatch] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)
    _events: list[tuple[int, int, Callable[[], None]]] = field(default_factory=list)
    _order: Any = field(default_factory=count)
    _coming: set[tuple[str, int]] = field(default_factory=set)

    def run(self) -> None:
        """Plays the year to its end."""
        start = self.world.now.at
        self._sign_up()
        for _ in range(self.matches):
            self._at(start + int(self.luck.uniform(0, max(1, self.days - 60)) * DAY), self._begin)
        for _ in range(max(1, self.days // 15)):
            self._at(start + int(self.luck.uniform(1, self.days - 1) * DAY), self._break_down)
        end, swept = start + self.days * DAY, start
        while True:
            sweep = self.world.next_sweep(swept)
            at = self._events[0][0] if self._events else end
            if sweep is not None and sweep <= at and sweep < end:
                self.world.advance(max(sweep, self.world.now.at))
                swept = self.world.now.at
                self._sweep()
            elif at >= end:
                break
            else:
                _, _, act = heapq.heappop(self._events)
                self._pass_to(max(at, self.world.now.at))
                act()
        self.world.advance(end)
        if self.world.out_since is not None:
            self.world.mend()

    def _pass_to(self, at: int) -> None:
        """Lets time pass in which nothing happens, and sometimes has all of it credited then as an
        outage of which no part knew.
        """
        before, is_out = self.world.now.at, self.world.out_since is not None
        self.world.advance(at)
        if not is_out and at - before > HOUR // 2 and self.luck.random() < UNSEEN:
            self.world.credit(before + 1, at)
            self.done["unseen"] += 1

    def _at(self, at: int, act: Callable[[], None]) -> None:
        heapq.heappush(self._events, (at, next(self._order), act))

    def _sign_up(self) -> None:
        context = self.world.context
        for number in range(max(4, self.matches // 5)):
            self.world.advance(self.world.now.at + 1)
            address = f"player{number}@players.example"
            accounts.sign_up(context, f"Player {number}", address)
            with context.database.read() as connection:
                wanted = outbox.select().where(outbox.c.kind == "confirm_address").order_by(outbox.c.created_at.desc())
                token = next(row.payload["token"] for row in connection.execute(wanted))
            player, _ = accounts.confirm(context, token)
            person = Person(player, self.luck.choice((4.0, 12.0, 30.0, 60.0)), self.luck.choice((0.0, 0.01, 0.05)))
            if self.luck.random() < 0.4:
                person.quiet_zone = self.luck.choice(ZONES)
                choosing.choose(context, player, {"time_zone": person.quiet_zone})
                choosing.choose(context, player, {"quiet": f"{NIGHT[0]}:00-0{NIGHT[1]}:00"})
            self.people.append(person)
            if self.luck.random() < 0.5:
                self._at(self.world.now.at + int(self.luck.uniform(5, self.days) * DAY), self._goes_away(person))

    def _goes_away(self, person: Person) -> Callable[[], None]:
        def act() -> None:
            days = self.luck.randint(2, 7)
            try:
                days_off.declare(self.world.context, person.player, days)
            except Conflict:
                return
            person.off.append((self.world.now.at, self.world.now.at + days * DAY))
            self.done["days_off"] += 1

        return act

    def _begin(self) -> None:
        number = fewest_seats(registry.game(self.game).info.seats)
        people = tuple(self.luck.sample(self.people, number))
        clock = self.luck.choice(CLOCKS)
        context = self.world.context
        seats = [SeatRequest("me"), *(SeatRequest("open") for _ in people[1:])]
        match = lobby.create(context, people[0].player, self.game, None, seats, clock=read_rule(clock))
        for person in people[1:]:
            match = lobby.join(context, person.player, match.id)
        self.played[match.id] = YearMatch(match.id, people, clock)
        self.done["matches"] += 1
        if self.luck.random() < 0.15:
            self._at(self.world.now.at + int(self.luck.uniform(1, 20) * DAY), self._pauses(self.played[match.id]))
        self._look(match.id)

    def _pauses(self, played: YearMatch) -> Callable[[], None]:
        def act() -> None:
            context, days = self.world.context, self.luck.randint(1, 14)
            try:
                for person in played.people:
                    offers = offering.offer(context, person.player, played.match_id, "pause", days)
                    if offers.paused_until is not None:
                        played.pauses.append((self.world.now.at, instant(offers.paused_until)))
                        self.done["pauses"] += 1
                        return
            except ServiceError:
                return

        return act

    def _break_down(self) -> None:
        if self.world.out_since is None:
            self.world.break_down()
            hours = self.luck.choice((0.1, 0.5, 2.0, 7.0, 20.0))
            self._at(self.world.now.at + int(hours * HOUR), self._mend)

    def _mend(self) -> None:
        self.world.mend()
        self.done["outages"] += 1

    def _sweep(self) -> None:
        context = self.world.context
        self.done["sweeps"] += 1
        for loop in (Loop.CLOCKS, Loop.OFFERS, Loop.REMINDERS):
            swept = sweep_items(context, loop)
            if swept["failed"]:
                raise RuntimeError(f"An item of {loop} was set aside.")
            if loop == Loop.CLOCKS and swept["done"]:
                self._judge()

    def _judge(self) -> None:
        rulings = OwnRulings(self.world.context.database, self.world.context.states)
        touched = set()
        while (done := judge_oldest(self.world.context, rulings, 64)).judged:
            with self.world.context.database.read() as connection:
                found = [turn_rows.find(connection, each) for each in done.judged]
            touched |= {turn.match_id for turn in found if turn is not None}
        for match_id in sorted(touched):
            self._look(match_id)

    def _look(self, match_id: str) -> None:
        """Has those who are awaited think about their turn."""
        match = self._stored(match_id)
        if match.status != "running":
            self.done["finished"] += 1
            return
        for seat in match.seats:
            if (seat.to_act or seat.by_bot) and (match_id, seat.seat) not in self._coming:
                person = self.played[match_id].people[seat.seat]
                hours = self.luck.expovariate(1 / person.pace)
                if self.luck.random() < person.vanishes:
                    hours += self.luck.uniform(10, 40) * 24
                self._coming.add((match_id, seat.seat))
                self._at(self.world.now.at + int(hours * HOUR) + 1, self._acts(match_id, seat.seat))

    def _acts(self, match_id: str, seat: int) -> Callable[[], None]:
        def act() -> None:
            if self.world.out_since is not None:  # nobody can reach the service
                self._at(self.world.now.at + HOUR // 2, act)
                return
            self._coming.discard((match_id, seat))
            match = self._stored(match_id)
            if match.status != "running" or match.seats[seat].resigned_at is not None:
                return
            if match.seats[seat].by_bot:
                self._comes_back(match, seat)
                match = self._stored(match_id)
            if match.seats[seat].to_act and not match.seats[seat].by_bot:
                self._play(match, seat)

        return act

    def _comes_back(self, match: StoredMatch, seat: int) -> None:
        try:
            time_up.come_back(self.world.context, self.played[match.id].people[seat].player, match.id)
        except Conflict:  # the bot keeps the seat
            self._coming.add((match.id, seat))

    def _play(self, match: StoredMatch, seat: int) -> None:
        context = self.world.context
        with context.database.read() as connection:
            state = replays.load(connection, context, match)
        action = random_action(registry.game(self.game), state, seat, self.luck.choice)
        player = self.played[match.id].people[seat].player
        submit(context, player, match.id, seat, match.ply, actions=[to_document(action)])
        self.done["turns"] += 1
        self._judge()

    def _stored(self, match_id: str) -> StoredMatch:
        with self.world.context.database.read() as connection:
            found = match_rows.find(connection, match_id)
        assert found is not None
        return found
