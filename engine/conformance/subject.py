"""What is checked: a game with its data files, and matches of it, each a function of its seed."""

from __future__ import annotations

import importlib.resources
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable
from typing import Any, Protocol, TypeAlias, TypeVar

from engine import registry
from engine.game import AnyGame
from engine.play import drawn, legal_actions
from engine.types import CHANCE, SPECTATOR, Entry, Seat, Setup, Viewer

T = TypeVar("T")
LONGEST = 100_000
"""Plies within which every match has to end."""
_NAMES = ("Ann <&> Bo", "Bob", "Cleopatra the Seventh of Egypt", "Dé")


class Luck(Protocol):
    """What is asked of ``random.Random``, which the engine does not import."""

    def random(self) -> float: ...

    def randrange(self, stop: int, /) -> int: ...

    def randint(self, a: int, b: int) -> int: ...

    def choice(self, seq: Sequence[T], /) -> T: ...

    def sample(self, population: Sequence[T], k: int) -> list[T]: ...

    def shuffle(self, x: list[Any]) -> None: ...


Lucks: TypeAlias = Callable[[str], Luck]
"""Makes a source of luck of a seed: ``random.Random`` will do."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A game to be checked: ``components`` are the documents of its component sets by name, the
    standard one first; ``rules`` is the text of RULES.md, ``sources`` that of each module.
    """

    game: AnyGame
    components: Mapping[str, Mapping[str, Any]]
    rules: str
    sources: Mapping[str, str]
    lucks: Lucks
    seed: str = ""

    @property
    def standard(self) -> Mapping[str, Any]:
        """The document of the standard component set."""
        return self.components[registry.STANDARD]

    def luck(self, *parts: object) -> Luck:
        """Luck that depends on the seed, the game and these parts, and on nothing else."""
        return self.lucks("-".join(map(str, (self.seed, self.game.info.name, *parts))))

    def setup(self, seats: int) -> Setup:
        """A match with the standard components and options."""
        return Setup(seats, self.game.options(), self.game.load_components(self.standard))

    @property
    def rule_numbers(self) -> tuple[str, ...]:
        """The numbers at the heads of lines of the rules, in their order."""
        return tuple(re.findall(r"^\W*([A-Z]\d+(?:\.\d+)*)\b", self.rules, re.MULTILINE))


@dataclass(frozen=True, slots=True)
class Match:
    """A match that was played to the end: ``states[n]`` is the state at ply n."""

    subject: Subject
    setup: Setup
    number: int
    log: tuple[Entry[Any], ...]
    states: tuple[Any, ...]

    @property
    def game(self) -> AnyGame:
        """What was played."""
        return self.subject.game

    @property
    def seats(self) -> int:
        """How many seats there are."""
        return self.setup.seats

    @property
    def viewers(self) -> tuple[Viewer, ...]:
        """Everybody who may look."""
        return (SPECTATOR, *range(self.seats))

    @property
    def names(self) -> tuple[str, ...]:
        """What the seats are called."""
        return names(self.seats)

    @property
    def luck(self) -> Luck:
        """Luck of this match, the same whenever it is asked for."""
        return self.subject.luck(self.seats, self.number, "choices")

    def plies(self) -> Iterator[tuple[int, Any, Entry[Any], Any]]:
        """Each ply with the state before, the entry and the state after."""
        for ply, entry in enumerate(self.log):
            yield ply, self.states[ply], entry, self.states[ply + 1]

    def decisions(self) -> Iterator[tuple[int, Any, Seat]]:
        """Each ply at which a seat may act, with the state and each such seat."""
        for ply, state in enumerate(self.states):
            for seat in self.game.to_act(state):
                if seat != CHANCE:
                    yield ply, state, seat

    def sample(self, count: int) -> tuple[Any, ...]:
        """About so many states spread over the match, first and last included."""
        step = max(1, len(self.states) // count)
        return (*self.states[::step], self.states[-1])


def subject_of(name: str, lucks: Lucks, seed: str = "") -> Subject:
    """The game of that name, as it is registered; raises ``UnknownGame``."""
    package = registry.package(name)
    return Subject(
        package.game,
        {which: registry.component_document(name, which) for which in registry.component_sets(name)},
        registry.rules_text(name),
        dict(sorted(_sources(importlib.resources.files(package.module)))),
        lucks,
        seed,
    )


def _sources(folder: Traversable, path: str = "") -> Iterator[tuple[str, str]]:
    """The modules of a package with their texts, but not those of earlier versions of the game."""
    for file in folder.iterdir():
        if file.is_dir() and not re.fullmatch(r"v\d+", file.name):
            yield from _sources(file, f"{path}{file.name}/")
        elif file.name.endswith(".py"):
            yield f"{path}{file.name}", file.read_text(encoding="utf-8")


def play(subject: Subject, seats: int, number: int) -> Match:
    """A whole match between players who do anything legal. Raises ``DeadEnd``."""
    setup = subject.setup(seats)
    log, states = [], [subject.game.setup(setup)]
    for state, entry in course(subject.game, setup, subject.luck(seats, number)):
        log.append(entry)
        states.append(subject.game.apply(state, entry.seat, entry.action))
    return Match(subject, setup, number, tuple(log), tuple(states))


class DeadEnd(Exception):
    """A match that does not come to its end; the message says where."""


def course(game: AnyGame, setup: Setup, luck: Luck) -> Iterator[tuple[Any, Entry[Any]]]:
    """Each state of such a match, with the entry that follows it. Raises ``DeadEnd`` where a seat
    is awaited that has nothing to do, and where there is no end.
    """
    state = game.setup(setup)
    for ply in range(LONGEST):
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
        yield state, Entry(seat, action)
        state = game.apply(state, seat, action)
    raise DeadEnd(f"the match is not over after {LONGEST} plies")


def anything(legal: Sequence[Any], luck: Luck) -> Any:
    """One of these actions: first its type, then one of that type, so that whatever is rare among
    many comes up too.
    """
    kind = luck.choice(sorted({action.type for action in legal}))
    return luck.choice([action for action in legal if action.type == kind])


@cache
def names(seats: int) -> tuple[str, ...]:
    """So many names, some of them strange."""
    return tuple(_NAMES[seat] if seat < len(_NAMES) else f"Player {seat}" for seat in range(seats))
