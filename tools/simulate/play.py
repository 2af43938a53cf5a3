"""Plays whole matches between bots and measures whether a game is sound and fast.

A match is determined by its seed, so any failure can be repeated. At every ply the game's own
invariants are checked.
"""

from __future__ import annotations

import dataclasses
import random
import time
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, TypeAlias

from engine.bots import best_of, planned
from engine.game import AnyGame
from engine.play import drawn, legal_actions
from engine.types import CHANCE, Entry, Seat, Setup

Bot: TypeAlias = Literal["random", "greedy", "planned"]
BOTS: tuple[Bot, ...] = ("random", "greedy", "planned")
Done: TypeAlias = tuple[str, str, str]
"""A counted feature of an action: its type, and a field with its value ("" and "" for the action
as a whole).
"""
MAX_PLIES = 100_000


@dataclass(frozen=True, slots=True)
class Played:
    """One match between ``bots`` (by seat): ``turns[seat]`` counts the times it became that seat's
    turn; times in seconds.

    ``done`` counts the actions of the seats, and the values in them; ``occurred`` is what the game
    counts of them. ``dead_end`` is the ply at
    which a seat was awaited and nothing was legal; ``broken`` are the broken invariants as (ply,
    sentence). ``figures`` are the game's own figures of a finished match.
    """

    seed: str
    plies: int
    turns: tuple[int, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    dead_end: int | None
    broken: tuple[tuple[int, str], ...]
    listing: tuple[float, ...]
    applying: float
    bots: tuple[Bot, ...]
    done: Mapping[Done, int]
    figures: tuple[tuple[str, float], ...]
    occurred: Mapping[str, int]


def play_match(
    game: AnyGame, setup: Setup, bots: Sequence[Bot], seed: str, log: list[Entry[Any]] | None = None
) -> Played:
    """Plays the match of that seed to its end, or to its first dead end or broken invariant. If
    there are fewer bots than seats, they repeat.

    Its entries are appended to ``log``, if there is one.
    """
    luck = random.Random(seed)
    clock, turns, done, occurred = _Clock(), Counter[int](), Counter[Done](), Counter[str]()
    plan: deque[tuple[Any, Any]] = deque()
    seated = tuple(bots[seat % len(bots)] for seat in range(setup.seats))

    def stopped(
        ply: int,
        *,
        dead_end: int | None = None,
        broken: Sequence[str] = (),
        scores: tuple[int, ...] = (),
        winners: tuple[int, ...] = (),
    ) -> Played:
        each = tuple(turns[seat] for seat in range(setup.seats))
        sentences = tuple((ply, sentence) for sentence in broken)
        figures = tuple(game.figures(state)) if scores else ()
        return Played(
            seed,
            ply,
            each,
            scores,
            winners,
            dead_end,
            sentences,
            tuple(clock.listing),
            clock.applying,
            seated,
            done,
            figures,
            occurred,
        )

    state, before = game.setup(setup), None
    for ply in range(MAX_PLIES):
        if broken := game.check(state):
            return stopped(ply, broken=broken)
        awaited = game.to_act(state)
        if not awaited:
            outcome = game.outcome(state)
            if outcome is None:
                return stopped(ply, broken=("Nobody is awaited, but there is no outcome.",))
            return stopped(ply, scores=outcome.scores, winners=outcome.winners)
        seat = awaited[0]
        if seat == CHANCE:
            action = drawn(game, state, ply, lambda _, total: luck.randrange(total))
        else:
            actions = clock.listed(game, state, seat)
            if not actions:
                return stopped(ply, dead_end=ply)
            turns[seat] += seat != before
            before = seat
            match seated[seat]:
                case "planned":
                    action = _next_planned(game, state, seat, plan)
                case "greedy":
                    action = best_of(game, state, seat, actions)
                case _:
                    action = luck.choice(actions)
            done.update(_counted(action))
        if log is not None:
            log.append(Entry(seat, action))
        after = clock.applied(game, state, seat, action)
        if seat != CHANCE:
            occurred.update(game.occurrences(state, seat, action, after))
        state = after
    return stopped(MAX_PLIES, broken=(f"The match is not over after {MAX_PLIES} plies.",))


def _next_planned(game: AnyGame, state: Any, seat: Seat, plan: deque[tuple[Any, Any]]) -> Any:
    """The next action of the plan, which holds (state, action) pairs; made anew if something else
    has happened.
    """
    if not plan or plan[0][0] != state:
        plan.clear()
        for action in planned(game, state, seat):
            plan.append((state, action))
            state = game.apply(state, seat, action)
    _, action = plan.popleft()
    return action


def _counted(action: Any) -> Iterator[Done]:
    """The counted features of an action: its type, and every word, number and truth value in it,
    but no text.
    """
    yield action.type, "", ""
    for each in dataclasses.fields(action):
        value = getattr(action, each.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, bool):
                yield action.type, each.name, "yes" if item else "no"
            elif isinstance(item, int | StrEnum):
                yield action.type, each.name, str(item)


def seeds(seed: str, matches: int) -> list[str]:
    """The seeds of a run: ``seed`` itself for a single match, numbered ones for more, so that any
    of them can be repeated alone.
    """
    return [seed] if matches == 1 else [f"{seed}/{number}" for number in range(1, matches + 1)]


@dataclass(slots=True)
class _Clock:
    """The times measured so far, in seconds."""

    listing: list[float] = field(default_factory=list)
    applying: float = 0.0

    def listed(self, game: AnyGame, state: Any, seat: int) -> tuple[Any, ...]:
        started = time.perf_counter()
        actions = legal_actions(game, state, seat)
        self.listing.append(time.perf_counter() - started)
        return actions

    def applied(self, game: AnyGame, state: Any, seat: int, action: Any) -> Any:
        started = time.perf_counter()
        after = game.apply(state, seat, action)
        self.applying += time.perf_counter() - started
        return after
