"""Matches and their seats, as a caller sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from engine import registry
from engine.documents import About
from engine.errors import UnknownGame
from service.api.answers.pages import NextPage
from service.api.shapes import Inlined
from service.matches.types import Match, SeatOfMatch
from service.players.types import Player

UNKNOWN_COLOURS = ("grey",)


@dataclass(frozen=True, slots=True)
class SeatAnswer:
    """A seat of a match."""

    seat: Annotated[SeatOfMatch, Inlined()]
    colour: str
    you: Annotated[bool, About("True if the seat is yours.")]


@dataclass(frozen=True, slots=True)
class MatchLinks:
    """Where the rest of a match is."""

    self: str
    game: str
    observation: str
    legal_actions: str
    turns: str
    components: str
    log: str
    record: str
    board_svg: str
    board_png: str
    board_txt: str


@dataclass(frozen=True, slots=True)
class MatchAnswer:
    """A match of a game."""

    match: Annotated[Match, Inlined()]
    you_created: Annotated[bool, About("True if you created the match.")]
    seats: tuple[SeatAnswer, ...]
    links: MatchLinks


@dataclass(frozen=True, slots=True)
class MatchPage:
    """A page of matches."""

    items: tuple[MatchAnswer, ...]
    next: NextPage


@dataclass(frozen=True, slots=True)
class MatchComponents:
    """What a match is played with."""

    match: str
    game: str
    name: Annotated[str, About("The name of the component set; `custom` for one that the creator supplied.")]
    digest: Annotated[str, About("SHA-256 of `components` as canonical JSON, which the commitment covers.")]
    components: Annotated[
        Mapping[str, Any], About("The set as a document. It can be sent as `components` of another match.")
    ]


def match_path(match_id: str) -> str:
    """The address of a match."""
    return f"/v1/matches/{match_id}"


def match_answer(match: Match, caller: Player | None) -> MatchAnswer:
    """A match as this caller sees it."""
    me = caller.id if caller is not None else None
    colours = _colours(match)
    seats = tuple(
        SeatAnswer(seat, colours[seat.seat % len(colours)], me is not None and seat.player_id == me)
        for seat in match.seats
    )
    return MatchAnswer(match, me is not None and match.created_by == me, seats, _links(match))


def _colours(match: Match) -> tuple[str, ...]:
    """The colours of the seats; ``UNKNOWN_COLOURS`` where the match's rules are not installed."""
    try:
        return registry.game(match.game, match.rules_version).info.seat_colours
    except UnknownGame:
        return UNKNOWN_COLOURS


def _links(match: Match) -> MatchLinks:
    root = match_path(match.id)
    return MatchLinks(
        self=root,
        game=f"/v1/games/{match.game}",
        observation=f"{root}/observation",
        legal_actions=f"{root}/legal-actions",
        turns=f"{root}/turns",
        components=f"{root}/components",
        log=f"{root}/log",
        record=f"{root}/record",
        board_svg=f"{root}/board.svg",
        board_png=f"{root}/board.png",
        board_txt=f"{root}/board.txt",
    )
