"""Argument and result types of the use cases of a match, without secrets of running matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, Literal, TypeAlias

from engine.bots import Level
from engine.documents import About
from engine.record import EarlyEnd, StopKind
from engine.types import ToldOutcome, ToldStatement
from service.clocks.rule import IfLate
from service.ids import ID_PATTERN
from service.statuses import MatchStatus

Document: TypeAlias = Mapping[str, Any]
CUSTOM: Final = "custom"
"""The name of a component set supplied by a player."""


@dataclass(frozen=True, slots=True)
class OfGame:
    """Marks a document whose form depends on the game: the ``part`` of the game it is."""

    part: Literal["game", "options", "components", "action", "logged_action", "observation"]


SeatKind: TypeAlias = Literal["me", "reserved", "open", "invite", "bot", "own_bot"]


@dataclass(frozen=True, slots=True)
class SeatRequest:
    """How a seat of a new match is to be filled; ``email`` is required for ``invite``, ``level``
    for ``bot``, the id of a bot of the creator's in ``player`` for ``own_bot``, and otherwise they
    are ``None``. A ``reserved`` seat is kept for the creator, who takes it by joining.
    """

    kind: SeatKind
    email: str | None = None
    level: Level | None = None
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Clock:
    """How much time the seats of a match have, as ISO 8601 durations, and what follows when it is
    up.
    """

    preset: Annotated[str | None, About("The preset with these times, if there is one.", example="relaxed")]
    base: Annotated[str | None, About("What a clock begins with; `null` where there is a total.", example="P3D")]
    increment: Annotated[str | None, About("What each turn after the first adds.", example="PT12H")]
    most: Annotated[str | None, About("A clock never has more than that.", example="P5D")]
    total: Annotated[str | None, About("The time for the whole match, where nothing is added.", example="P10D")]
    reserve: Annotated[str, About("What each seat has for the whole match, beyond its time.", example="P2D")]
    if_late: Annotated[IfLate, About("What follows when the time of a seat and its reserve are up.")]
    weekends: Annotated[
        str | None, About("The time zone whose Saturdays and Sundays stop the clocks; `null` if none do.")
    ]
    days_off: Annotated[bool, About("True if days off of a player stop their clock.")]
    words: Annotated[str, About("The times in words.")]
    policy: Annotated[str, About("What follows when time is up, in words.")]


@dataclass(frozen=True, slots=True)
class SeatClockShown:
    """The clock of a seat. ``deadline`` and ``main_until`` are by all that is known; they are
    ``None`` where the clock does not run, and while an outage stops it.
    """

    deadline: Annotated[
        datetime | None,
        About(
            "When its time and its reserve are up, with all that stops it until then; `null` if the match does not wait"
            " for it, and during an outage of the service, whose end nobody knows."
        ),
    ]
    main_until: Annotated[
        datetime | None, About("When its time is up and its reserve begins to be used; `null` also where it has begun.")
    ]
    remaining: Annotated[
        int, About("What is left of its time before the reserve, in seconds; it stays the same while it is stopped.")
    ]
    reserve: Annotated[int, About("What is left of its reserve, in seconds.")]
    stopped_by: Annotated[StopKind | None, About("What stops the clock now; `null` while it runs.")]
    stopped_until: Annotated[
        datetime | None, About("Until when it is stopped, by all that is known; `null` during an outage.")
    ]


@dataclass(frozen=True, slots=True)
class SeatOfMatch:
    """A seat as a caller may see it: ``invited_email`` is set for the creator only; ``invited``
    means that the seat is kept for somebody; ``nonce`` is ``None`` until the match starts.

    ``prompt`` is what the seat is asked, where the match awaits it; it is ``None`` also where it
    was not computed, as in lists of matches.
    """

    seat: Annotated[int, About("Its number, from 0.")]
    player_id: Annotated[str | None, About("The player's id, for `/v1/players`; `null` while the seat is free.")]
    player_name: Annotated[str | None, About("The player's name; `null` while the seat is free.")]
    invited_email: Annotated[str | None, About("Who is invited; shown to the creator of the match only.")]
    joined_at: Annotated[datetime | None, About("When it was taken; `null` while it is free.")]
    resigned_at: Annotated[datetime | None, About("When it resigned; `null` if it has not.")]
    to_act: Annotated[bool, About("True if the match waits for this seat.")]
    bot: Annotated[
        Level | None, About("How well the bot plays that has the seat from the start; `null` if it is no bot's seat.")
    ] = None
    invited: Annotated[bool, About("True if the seat is kept for somebody who is invited, or for the creator.")] = False
    nonce: Annotated[
        str | None, About("What the seat adds to every draw, shown from the start on; `null` until then.")
    ] = None
    prompt: Annotated[
        ToldStatement | None,
        About(
            "What the seat is asked, which everybody may know; `null` if the match does not wait for it, and in lists"
            " of matches."
        ),
    ] = None
    by_bot: Annotated[
        bool,
        About(
            "True if a bot plays the seat because its player's time was up: until they come back, or for good where"
            " `if_late` of the match is `bot_seat`."
        ),
    ] = False
    clock: Annotated[
        SeatClockShown | None, About("The clock of the seat; `null` if the match has none, or does not run.")
    ] = None
    owner_id: Annotated[
        str | None, About("The player whose bot has the seat; `null` for a person, and for a bot of this service.")
    ] = None
    timed_out: Annotated[int, About("How often a bot acted for the seat, or it resigned, because its time was up.")] = 0


@dataclass(frozen=True, slots=True)
class Match:
    """A match as a caller may see it.

    ``options`` is the JSON document of all options, ``components_digest`` the SHA-256 of the
    component set, whose name is ``custom`` where a player supplied it; ``outcome`` is set once the
    match is finished.
    """

    id: Annotated[str, About("The id of the match.", pattern=ID_PATTERN)]
    game: Annotated[str, OfGame("game"), About("The name of the game.")]
    title: Annotated[str, About("Its title.")]
    status: Annotated[MatchStatus, About("What has become of it.")]
    options: Annotated[Document, OfGame("options"), About("All options of the match.")]
    components_name: Annotated[str, About("The name of the component set; `custom` for one that the creator supplied.")]
    components_digest: Annotated[
        str,
        About(
            "SHA-256 of the component set as canonical JSON, which the commitment covers; `overland components check`"
            " prints it."
        ),
    ]
    rules_version: Annotated[int, About("The version of the rules that it is played with.")]
    ply: Annotated[int, About("The number of entries in the log: the version of the match.")]
    created_by: str
    created_at: Annotated[datetime, About("When it was created.")]
    started_at: Annotated[datetime | None, About("When it started; `null` until then.")]
    finished_at: Annotated[datetime | None, About("When it ended; `null` until then.")]
    commitment: Annotated[
        str, About("What the service committed to before anyone sat down; the record of the finished match reveals it.")
    ]
    scheme: Annotated[Literal["overland/1"], About("How the draws are made.")]
    nonces_digest: Annotated[
        str | None,
        About(
            "SHA-256 of the scheme, the match, the commitment and the nonces of all seats. Keep it: with it `overland"
            " verify` finds out whether a nonce was exchanged. `null` until the match starts."
        ),
    ]
    seats: Annotated[tuple[SeatOfMatch, ...], About("The seats, from the first.")]
    outcome: Annotated[ToldOutcome | None, About("How it ended; `null` until then, and where it was called off.")]
    longest: Annotated[
        int | None,
        About(
            "The most entries that the log of the match may have: after the turn that reaches it the match ends, and"
            " the current scores count. `null` in lists, once it is over, and where the game is not installed."
        ),
    ] = None
    unreadable_at: Annotated[
        datetime | None, About("Since when the log cannot be read; turns are refused until the host has mended it.")
    ] = None
    clock: Annotated[Clock | None, About("How much time the seats have; `null` if the match has no clock.")] = None
    join_url: Annotated[
        str | None,
        About(
            "The join link, to be passed on: whoever has it may look at the match, and take a free seat. Shown to who"
            " created the match and, while a seat is free, to who sits in it; `null` to others, and in lists."
        ),
    ] = None
    unlisted: Annotated[
        bool, About("True if it is shown to those alone who sit in it, are invited, or have its join link.")
    ] = False
    early_end: Annotated[
        EarlyEnd | None,
        About(
            "How the match was ended before its rules ended it, and the seats that agreed on that, or that asked for it"
            " if it was `abandoned`; otherwise `null`. A match that was called off or abandoned is `cancelled`, and has"
            " no outcome."
        ),
    ] = None
