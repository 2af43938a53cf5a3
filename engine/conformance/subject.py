"""What is checked: a game with its data files, matches of it by their seed, their records."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeAlias, TypeVar

from engine import registry
from engine.bots import random_action
from engine.documents import to_document
from engine.draws import drawing
from engine.game import AnyGame
from engine.play import Draw, Replayed, drawn, legal_actions, longest
from engine.record import LoggedAction, Record, opened_record
from engine.types import CHANCE, SPECTATOR, Entry, Seat, Setup, Viewer

T = TypeVar("T")
_NAMES = ("Ann <&> Bo", "Bob", "Cleopatra the Seventh of Egypt", "Dé")


class RandomGenerator(Protocol):
    """The methods of ``random.Random`` that the checks use; the engine may not import it."""

    def random(self) -> float: ...

    def randrange(self, stop: int, /) -> int: ...

    def randint(self, a: int, b: int) -> int: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def sample(self, population: Sequence[T], k: int) -> list[T]: ...

    def shuffle(self, x: list[Any]) -> None: ...


SeededGenerator: TypeAlias = Callable[[str], RandomGenerator]
"""Makes a random generator from a seed, for instance ``random.Random``."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A game to be checked: ``components`` are the documents of its component sets by name, the
    standard one first; ``rules`` is the text of RULES.md, ``sources`` that of each module.
    """

    game: AnyGame
    components: Mapping[str, Mapping[str, Any]]
    rules: str
    sources: Mapping[str, str]
    seeded: SeededGenerator
    seed: str = ""

    @property
    def standard(self) -> Mapping[str, Any]:
        """The document of the standard component set."""
        return self.components[registry.STANDARD]

    def luck(self, *parts: object) -> RandomGenerator:
        """A random generator that depends only on the seed, the game and these parts."""
        return self.seeded("-".join(map(str, (self.seed, self.game.info.name, *parts))))

    def setup(self, seats: int) -> Setup:
        """The setup with that many seats, the standard components and the default options."""
        return Setup(seats, self.game.options(), self.game.load_components(self.standard))

    @property
    def rule_numbers(self) -> tuple[str, ...]:
        """The rule numbers at the beginnings of lines in the rules, in their order."""
        return tuple(re.findall(r"^\W*([A-Z]\d+(?:\.\d+)*)\b", self.rules, re.MULTILINE))


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A finished match: the state at ply 0, and a step for each entry of the log."""

    subject: Subject
    setup: Setup
    number: int
    start: Any
    steps: tuple[Replayed, ...]

    @property
    def log(self) -> tuple[Entry[Any], ...]:
        """The entries."""
        return tuple(step.entry for step in self.steps)

    @property
    def states(self) -> tuple[Any, ...]:
        """The states: ``states[n]`` is the state at ply n."""
        return (self.start, *(step.after for step in self.steps))

    @property
    def game(self) -> AnyGame:
        """The game of the match."""
        return self.subject.game

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self.setup.seats

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """All viewers: a spectator and every seat."""
        return (SPECTATOR, *range(self.seats))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return names(self.seats)

    @property
    def luck(self) -> RandomGenerator:
        """A random generator for this match; each call gives one that starts anew."""
        return self.subject.luck(self.seats, self.number, "choices")

    def decisions(self) -> Iterator[tuple[int, Any, Seat]]:
        """Each ply at which a seat may act, with the state and each such seat."""
        for ply, state in enumerate(self.states):
            yield from ((ply, state, seat) for seat in self.game.to_act(state) if seat != CHANCE)

    def sample(self, count: int) -> tuple[Any, ...]:
        """About ``count`` states spread over the match, the first and the last included."""
        states = self.states
        return (*states[:: max(1, len(states) // count)], states[-1])


def subject_of(name: str, seeded: SeededGenerator, seed: str = "") -> Subject:
    """The registered game of that name with its data files; raises ``UnknownGame``."""
    package = registry.package(name)
    return Subject(
        package.game,
        {which: registry.component_document(name, which) for which in registry.component_sets(name)},
        registry.rules_text(name),
        dict(sorted(_sources(importlib.resources.files(package.module)))),
        seeded,
        seed,
    )


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, str]]:
    """The modules of a package as (path, text), without those of earlier versions of the game."""
    for file in folder.iterdir():
        if file.is_dir() and not re.fullmatch(r"v\d+", file.name):
            yield from _sources(file, f"{path}{file.name}/")
        elif file.name.endswith(".py"):
            yield f"{path}{file.name}", file.read_text(encoding="utf-8")


def play(subject: Subject, seats: int, number: int) -> PlayedMatch:
    """A finished match between random players. Raises ``DeadEnd``."""
    setup = subject.setup(seats)
    start = subject.game.setup(setup)
    return PlayedMatch(subject, setup, number, start, tuple(course(subject.game, start, subject.luck(seats, number))))


class DeadEnd(Exception):
    """A match that cannot be played to its end; the message says where."""


def course(game: AnyGame, state: Any, luck: RandomGenerator) -> Iterator[Replayed]:
    """The steps of a match between random players from its first state. Raises ``DeadEnd``."""
    for ply in range(longest(game, state)):
        awaited = game.to_act(state)
        if not awaited:
            return
        seat = luck.choice(awaited)
        action = drawn(game, state, ply, lambda _, total: luck.randrange(total)) if seat == CHANCE else None
        if seat != CHANCE:
            legal = legal_actions(game, state, seat)
            if not legal:
                raise DeadEnd(f"ply {ply}: seat {seat} is awaited, and nothing is legal")
            action = anything(legal, luck)
        after = game.apply(state, seat, action)
        yield Replayed(ply, state, Entry(seat, action), after)
        state = after


def anything(legal: Sequence[Any], luck: RandomGenerator) -> Any:
    """One of these actions: first a type is chosen, then an action, so that rare types occur."""
    kind = luck.choice(sorted({action.type for action in legal}))
    return luck.choice([action for action in legal if action.type == kind])


@cache
def names(seats: int) -> tuple[str, ...]:
    """That many names, some of them with unusual characters."""
    return tuple(_NAMES[seat] if seat < len(_NAMES) else f"Player {seat}" for seat in range(seats))


SECRET = bytes(range(100, 132))


def finished_record(match: PlayedMatch) -> Record:
    """The record of a new match of that game and size, whose draws come from a secret."""
    return record_of(match.game, match.subject.standard, match.seats, f"{match.number}", match.luck)


def record_of(game: AnyGame, components: Mapping[str, Any], seats: int, name: str, luck: RandomGenerator) -> Record:
    """The record of a finished match between random players; ``name`` becomes a part of its id."""
    setup, match = Setup(seats, game.options(), game.load_components(components)), f"match-{name}"
    nonces = tuple(f"nonce-of-{seat}" for seat in range(seats))
    players = tuple(f"Player {seat}" for seat in range(seats))
    record = opened_record(game, match, setup, components, players, SECRET, nonces)
    log, states = played(game, setup, drawing(SECRET, match, record.commitment, nonces), luck)
    return replace(
        record,
        log=tuple(LoggedAction(entry.seat, to_document(entry.action)) for entry in log),
        secret=SECRET.hex(),
        started_at="2026-11-01T12:00:00Z",
        finished_at="2026-11-03T12:00:00Z",
        outcome=game.outcome(states[-1]),
    )


def played(
    game: AnyGame, setup: Setup, draw: Draw, luck: RandomGenerator, plies: int | None = None
) -> tuple[tuple[Entry[Any], ...], list[Any]]:
    """The log of a match between random players with the given draws, up to ``plies`` entries, and
    its states: ``states[n]`` is the state at ply n.
    """
    log: list[Entry[Any]] = []
    states = [game.setup(setup)]
    while (awaited := game.to_act(states[-1])) and len(log) != plies:
        seat = awaited[0]
        state, chance = states[-1], seat == CHANCE
        action = drawn(game, state, len(log), draw) if chance else random_action(game, state, seat, luck.choice)
        log.append(Entry(seat, action))
        states.append(game.apply(state, seat, action))
    return tuple(log), states
