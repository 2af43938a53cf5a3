"""A verifier of the clocks of a record that was written from ``docs/clocks.md`` and the schema of
records alone: it shares no code with the service, and knows no game.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final, TypeAlias
from zoneinfo import ZoneInfo

Span: TypeAlias = tuple[int, int]
DAY: Final = 86_400
TIME_UP: Final = ("time_up_bot_turn", "time_up_bot_hold", "time_up_bot_seat", "time_up_resign")


@dataclass(slots=True)
class Seat:
    """The clock of a seat: what it has in seconds, and since when it runs."""

    number: int
    left: int
    extra: int = 0
    reserve: int = 2 * DAY
    share: int | None = None
    turns: int = 0
    missed: int = 0
    since: int | None = None
    uses_share: bool = False
    off: int = 0
    grace: int = 0

    @property
    def main(self) -> int:
        return self.share or 0 if self.uses_share else self.extra + self.left

    @property
    def decided_before(self) -> bool:
        """Whether its share was used up before, and a bot has decided."""
        return self.uses_share and self.share == 0 and self.missed > 0


class Outsider:
    """Follows the clocks of one record; ``counted`` are the kinds of steps and stops in it."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        self.record = record
        self.problems = list[str]()
        self.counted = Counter[str]()
        self.rule = self.record["clock"]["rule"]
        total = self.rule.get("total")
        base = seconds(total or self.rule["base"])
        self.increment = 0 if total else seconds(self.rule["increment"])
        self.most = base if total else seconds(self.rule["most"])
        self.unit = min(DAY, base) if total else base
        self.seats = [Seat(number, base) for number in range(len(self.record["players"]))]
        self.held = {int(seat) for seat in self.record.get("bots", {})}
        self.awaited: tuple[int, ...] = ()
        self.turn_of: int | None = None

    def follow(self) -> list[str]:
        """Follows every step, and gives what is wrong."""
        steps, written, self.where = self.record["clock"]["steps"], None, "the record"
        self.check(bool(steps), "there is no deal")
        for number, step in enumerate(steps):
            self.where = f"step {number} ({step['kind']})"
            self.now = instant(step["at"])
            self.counted[step["kind"]] += 1
            self.check((number == 0) == (step["kind"] == "begun"), "the deal is first, and only once")
            self.check(written is None or written <= self.now, "written before the step before it")
            self.check(instant(step["counts_at"]) <= self.now, "counts from later than it was written")
            self.check(step["kind"] == "extended" or not step["seconds"], "seconds of no extension")
            self.check(step["kind"] in TIME_UP or step["not_before"] is None, "a bound of no time that was up")
            self.check_stops(step)
            if step["seat"] is not None:
                self.act(step, self.seats[step["seat"]])
            for state in step["states"]:
                self.reach(tuple(state["awaited"]), state["turn_of"])
            self.settle_the_others(step)
            written = self.now
        if self.record["finished_at"] is not None:
            self.check(all(seat.since is None for seat in self.seats), "a clock still runs")
        return self.problems

    def check(self, holds: bool, problem: str) -> None:
        if not holds:
            self.problems.append(f"{self.where}: {problem}")

    def stops_of(self, step: Mapping[str, Any], seat: Seat) -> list[tuple[str, Span]]:
        found = step["stops"].get(str(seat.number), ())
        return [(stop["kind"], (instant(stop["start"]), instant(stop["end"]))) for stop in found]

    def check_stops(self, step: Mapping[str, Any]) -> None:
        for number in step["stops"]:
            seat = self.seats[int(number)]
            stops = self.stops_of(step, seat)
            self.counted.update(kind for kind, _ in stops)
            own = step["seat"] == seat.number and step["kind"] in ("turn", *TIME_UP)
            until = instant(step["counts_at"]) if own else self.now
            self.check(seat.since is not None, "stops of a clock that did not run")
            since = seat.since or 0
            self.check(all(since <= start < end <= until for _, (start, end) in stops), "a stop outside of its run")

    def check_weekends(self, seat: Seat, stops: Sequence[tuple[str, Span]], until: int) -> None:
        told = [span for kind, span in stops if kind == "weekend"]
        zone = self.rule["weekends"]
        since = seat.since or 0
        due = [] if zone is None else weekends(zone, since, max(since, until))
        self.check(told == due, f"the weekends in its run were {due}, not {told}")

    def act(self, step: Mapping[str, Any], seat: Seat) -> None:
        kind, stops = step["kind"], self.stops_of(step, seat)
        if kind == "turn":
            self.check(step["seat"] in self.awaited, "it was not awaited")
            self.check(step["seat"] not in self.held or str(step["seat"]) in self.record.get("bots", {}), "it was held")
            self.end_run(seat, stops, instant(step["counts_at"]))
            seat.missed = 0
        elif kind in TIME_UP:
            self.time_up(step, seat, stops)
        elif kind == "resigned":
            self.end_run(seat, stops, self.now)
            self.held.add(step["seat"])
        elif kind == "back":
            self.check(step["seat"] in self.held, "no bot held it")
            self.held.discard(step["seat"])
            seat.missed = 0
        elif kind == "handed":
            self.check(step["seat"] not in self.held, "a bot held it")
            self.check(seat.since is None or self.now <= deadline(seat, stops)[0], "its time was up")
            self.end_run(seat, stops, self.now)
            seat.missed = 0
        elif kind == "extended":
            self.check(seat.since is not None and step["seconds"] == DAY, "it could not be extended by that")
            if seat.uses_share:
                seat.share = (seat.share or 0) + step["seconds"]
            else:
                seat.extra += step["seconds"]
        else:
            self.check(kind == "over", "no such kind")

    def time_up(self, step: Mapping[str, Any], seat: Seat, stops: Sequence[tuple[str, Span]]) -> None:
        self.check(seat.since is not None, "its clock did not run")
        if seat.since is None:
            return
        due, bound = deadline(seat, stops)
        self.check_weekends(seat, stops, due)
        self.check(instant(step["counts_at"]) == due, f"its time was up at {due}")
        self.check(step.get("not_before") == (None if bound is None else text(bound)), "another bound after an outage")
        follows = "time_up_" + self.rule["if_late"]
        others = set(range(len(self.seats))) - self.held - {step["seat"]}
        if follows == "time_up_bot_turn" and seat.missed + 1 >= 2 and others and not seat.decided_before:
            follows = "time_up_bot_hold"
        self.check(step["kind"] == follows, f"{follows} had to follow")
        self.note_days_off(seat, stops)
        seat.missed += 0 if seat.decided_before else 1
        seat.reserve = seat.grace = 0
        if seat.uses_share:
            seat.share = 0
        else:
            seat.left, seat.extra = self.unit // 2, 0
        seat.since, seat.uses_share = None, False
        if follows != "time_up_bot_turn":
            self.held.add(step["seat"])

    def end_run(self, seat: Seat, stops: Sequence[tuple[str, Span]], until: int) -> None:
        if seat.since is None:
            return
        self.check_weekends(seat, stops, min(until, deadline(seat, stops)[0]))
        used = ran(seat.since, max(seat.since, until), [span for _, span in stops])
        begins, least = grace(seat, seat.since, stops)
        seat.grace = max(0, least - ran(begins, max(begins, until), [span for _, span in stops]))
        over = max(0, used - seat.main)
        if seat.uses_share:
            seat.share = max(0, (seat.share or 0) - used)
        else:
            from_left = max(0, used - seat.extra)
            seat.extra, seat.left = max(0, seat.extra - used), max(0, seat.left - from_left)
        seat.reserve = max(0, seat.reserve - over)
        self.note_days_off(seat, stops)
        seat.since, seat.uses_share = None, False

    def note_days_off(self, seat: Seat, stops: Sequence[tuple[str, Span]]) -> None:
        seat.off += sum(end - start for kind, (start, end) in stops if kind == "days_off")
        self.check(seat.off <= 15 * DAY, "more than 15 days off")

    def reach(self, awaited: tuple[int, ...], turn_of: int | None) -> None:
        if turn_of is None:
            beginning = [seat for seat in awaited if seat not in self.awaited]
        elif turn_of != self.turn_of:
            beginning = [turn_of]
            for seat in self.seats:
                seat.share = None
        else:
            beginning = []
        for number in beginning:
            seat = self.seats[number]
            if seat.turns == 0:
                seat.extra = max(0, 3 * DAY - seat.left)
            else:
                seat.left, seat.extra = min(seat.left + self.increment, max(self.most, seat.left)), 0
            seat.turns, seat.share = seat.turns + 1, None
        self.awaited, self.turn_of = awaited, turn_of

    def settle_the_others(self, step: Mapping[str, Any]) -> None:
        for number, seat in enumerate(self.seats):
            runs = number in self.awaited and number not in self.held
            if seat.since is not None and not runs:
                self.end_run(seat, self.stops_of(step, seat), self.now)
            elif seat.since is None and runs:
                seat.since, seat.uses_share = self.now, self.turn_of not in (None, number)
                if seat.uses_share and seat.share is None:
                    seat.share = self.unit // max(1, len(self.seats) - 1)


def deadline(seat: Seat, stops: Sequence[tuple[str, Span]]) -> tuple[int, int | None]:
    """When time and reserve are up, and the bound after an outage, where that decides."""
    spans = [span for _, span in stops]
    own = after(seat.since or 0, seat.main + seat.reserve, spans)
    bound = after(*grace(seat, seat.since or 0, stops), spans)
    return (bound, bound) if bound > own else (own, None)


def grace(seat: Seat, since: int, stops: Sequence[tuple[str, Span]]) -> tuple[int, int]:
    """From when on at least how many seconds have to run."""
    ends = [end for kind, (_, end) in stops if kind == "outage"]
    return (max(ends), 2 * 3600) if ends else (since, seat.grace)


def ran(since: int, until: int, spans: Iterable[Span]) -> int:
    """The seconds from ``since`` to ``until`` that are in no span."""
    total, at = 0, since
    for start, end in sorted(spans):
        if at < until and end > at:
            total += max(0, min(start, until) - at)
            at = max(at, min(end, until))
    return total + until - at


def after(since: int, budget: int, spans: Iterable[Span]) -> int:
    """The latest instant up to which no more than ``budget`` seconds have run since."""
    at = since
    for start, end in sorted(spans):
        if end <= at:
            continue
        if start - at > budget:
            break
        budget, at = budget - max(0, start - at), end
    return at + budget


def weekends(zone: str, since: int, until: int) -> list[Span]:
    """The Saturdays and Sundays from ``since`` to ``until``, joined."""
    there, found = ZoneInfo(zone), list[Span]()
    day = datetime.fromtimestamp(since, there).date() - timedelta(days=2)
    while (begin := midnight(day.isoformat(), there)) < until:
        day += timedelta(days=1)
        if (day - timedelta(days=1)).isoweekday() < 6:
            continue
        start, end = max(since, begin), min(until, midnight(day.isoformat(), there))
        if start < end and found and found[-1][1] == start:
            found[-1] = (found[-1][0], end)
        elif start < end:
            found.append((start, end))
    return found


def midnight(day: str, zone: ZoneInfo) -> int:
    return int(datetime.fromisoformat(day).replace(tzinfo=zone).astimezone(UTC).timestamp())


def seconds(duration: str) -> int:
    """The seconds of a duration in days, hours and minutes (ISO 8601)."""
    found = re.fullmatch(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?", duration)
    if found is None:
        raise ValueError(f"{duration} is no duration")
    days, hours, minutes = (int(part or 0) for part in found.groups())
    return days * DAY + hours * 3600 + minutes * 60


def instant(written: str) -> int:
    return int(datetime.strptime(written, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC).timestamp())


def text(at: int) -> str:
    return datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
