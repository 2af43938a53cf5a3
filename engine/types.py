"""The types that all games share: seats, log entries, problems, violations, outcomes, setups."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any, Final, Generic, Literal, TypeAlias, TypeVar

from engine.documents import About

Seat: TypeAlias = int
"""A place at a match, counted from 0, or ``CHANCE``."""

Viewer: TypeAlias = int | None
"""A seat, or ``None`` for a spectator; never ``CHANCE``."""

VerdictStatus: TypeAlias = Literal["accepted", "partly_accepted", "rejected"]
"""How much of a turn is accepted: all of its actions, the first ones, or none."""

Ending: TypeAlias = Literal["standing", "draw", "called_off", "abandoned"]
"""How a match ends before its rules end it: by what its players have agreed on, or, ``abandoned``,
by the wish of those who are left, as others have been away for long.
"""

CHANCE: Final[Seat] = -1
SPECTATOR: Final[Viewer] = None

A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Entry(Generic[A]):
    """One entry of the log: who acted (a seat, or ``CHANCE``) and the action."""

    seat: Seat
    action: A


@dataclass(frozen=True, slots=True)
class Problem:
    """A rule that an action breaks, as code and parameters, which can be stored.

    ``code`` does not change, ``rule`` is the rule's number in RULES.md. ``values`` are the
    parameters from which the sentence is made, as JSON values: numbers, codes and names of the game
    rather than English words. They contain everything that the sentence quotes or suggests.
    """

    code: str
    rule: str
    values: Mapping[str, Any] = field(default_factory=dict)


Value: TypeAlias = str | int | bool | tuple[str, ...] | None
"""What a sentence is made from: a number, or codes and names of the game, no English words."""


@dataclass(frozen=True, slots=True)
class Statement:
    """What a game tells, such as a prompt, as code and parameters, which can be stored.

    ``code`` does not change. ``values`` are all parameters from which the sentence is made.
    """

    code: Annotated[str, About("What is told, as a stable code.", example="place")]
    values: Annotated[
        Mapping[str, Value], About("What its sentence is made from: numbers, codes and names of the game.")
    ] = field(default_factory=dict)


Sentence: TypeAlias = str | Callable[[Mapping[str, Any]], str]
"""A template for ``str.format``, or a function that makes a sentence from the values of a problem
or a statement.
"""


@dataclass(frozen=True, slots=True)
class ToldStatement:
    """A statement with its sentence."""

    code: Annotated[str, About("What is told, as a stable code.", example="place")]
    values: Annotated[
        Mapping[str, Value], About("What the sentence is made from: numbers, codes and names of the game.")
    ]
    sentence: Annotated[str, About("The same as a whole sentence.", example="Place a coast tile.")]


@dataclass(frozen=True, slots=True)
class Violation:
    """Why an action is refused: its first problem, with the sentence for the player.

    ``message`` is that sentence: it quotes what was wrong and says what would work. ``others`` has
    every further rule broken by the same action.
    """

    code: str
    rule: str
    message: str
    others: tuple[Violation, ...] = ()
    values: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """A line of the score sheet of a seat: points, or what decides between equal scores."""

    code: Annotated[str, About("What is counted, as a stable code.", example="islands")]
    number: Annotated[int, About("How much of it the seat has.")]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a match ended."""

    scores: Annotated[tuple[int, ...], About("The points of every seat.")]
    ranks: Annotated[tuple[int, ...], About("The rank of every seat, from 1; equal results share a rank.")]
    ended: Annotated[Statement, About("What ended the match.")]
    details: Annotated[
        tuple[tuple[ScoreLine, ...], ...],
        About("The score sheet of every seat, with the same codes, tie-breakers included; empty where there is none."),
    ] = ()

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


@dataclass(frozen=True, slots=True)
class ToldScoreLine:
    """A line of the score sheet of a seat, with its label."""

    code: Annotated[str, About("What is counted, as a stable code.", example="islands")]
    label: Annotated[str, About("The same in words.", example="islands")]
    number: Annotated[int, About("How much of it the seat has.")]


@dataclass(frozen=True, slots=True)
class ToldOutcome:
    """How a match ended, with the sentences."""

    scores: Annotated[tuple[int, ...], About("The points of every seat.")]
    ranks: Annotated[tuple[int, ...], About("The rank of every seat, from 1; equal results share a rank.")]
    ended: Annotated[ToldStatement, About("What ended the match.")]
    details: Annotated[
        tuple[tuple[ToldScoreLine, ...], ...],
        About("The score sheet of every seat, with the same codes, tie-breakers included; empty where there is none."),
    ]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)


Layout = StrEnum("Layout", "DESKTOP PHONE PRINT BOARD")
"""What a picture of the board is drawn for: a wide screen; a screen of 360 pixels, with the
panels below the board; a sheet of A4 paper, in ink on white; a text that says the rest, for
which the board alone is drawn, as on the screen of 360 pixels and without names.
"""


@dataclass(frozen=True, slots=True)
class Setup:
    """Number of seats, options and components (both of the game's own types) of a match."""

    seats: int
    options: Any
    components: Any
