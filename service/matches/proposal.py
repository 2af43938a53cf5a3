"""The request for a new match, checked as a whole before the match is created."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import structlog

from engine import registry
from engine.bots import LEVELS
from engine.documents import from_document, to_document
from engine.errors import DocumentError, UnknownGame
from engine.game import AnyGame
from engine.play import longest
from engine.types import Setup
from engine.wording import either
from service.addresses import check_mailed_line, folded, read_email
from service.clocks.rule import DEFAULT, PRESETS, ClockRule
from service.errors import Invalid
from service.matches.types import CUSTOM, SeatRequest

LONGEST_TITLE = 80
_log = structlog.get_logger(__name__)
NO_SUCH_BOT: Final = "You have no such bot: GET /v1/me/bots lists yours. Others take a seat themselves, by the link."


@dataclass(frozen=True, slots=True)
class Proposal:
    """A valid request for a match: ``options`` and ``components`` in full, as the documents that
    the commitment covers; addresses as they were typed.
    """

    game: AnyGame
    title: str
    options: Mapping[str, Any]
    components_name: str
    components: Mapping[str, Any]
    seats: tuple[SeatRequest, ...]


def default_clock(seats: Sequence[SeatRequest]) -> ClockRule | None:
    """The rule of the clocks where none is chosen: none for a person who plays with bots alone."""
    people = sum(1 for seat in seats if seat.kind != "bot")
    return PRESETS[DEFAULT] if people > 1 else None


def read_proposal(
    known: Collection[str],
    own_bots: Collection[str],
    game_name: str,
    options: Mapping[str, Any] | None,
    seats: Sequence[SeatRequest],
    title: str | None,
    components: str | Mapping[str, Any],
) -> Proposal:
    """Parses a proposal of the player with the ``known`` addresses and ``own_bots``. Raises
    ``Invalid`` with everything that is wrong with it.
    """
    try:
        game = registry.game(game_name)
    except UnknownGame as error:
        raise Invalid((("/game", str(error)),)) from error
    problems: list[tuple[str, str]] = []
    read_options = _options(game, options, problems)
    document = _components(game, game_name, components, problems)
    read_seats = _seats(game, known, seats, problems)
    _check_own_bots(own_bots, seats, problems)
    read_title = title.strip() if title else game.info.title
    problems += check_mailed_line("/title", "A title", read_title, LONGEST_TITLE)
    if problems:
        raise Invalid(tuple(problems))
    _check_begins(game, read_options, document, len(read_seats))
    name = components if isinstance(components, str) else CUSTOM
    return Proposal(game, read_title, read_options, name, document, read_seats)


def _check_begins(game: AnyGame, options: Mapping[str, Any], components: Mapping[str, Any], seats: int) -> None:
    """Raises ``Invalid`` where the rules fail at the beginning, as the last to join would find."""
    try:
        longest(game, game.setup(Setup(seats, from_document(game.options, options), game.load_components(components))))
    except Exception as error:
        _log.exception("game.not_begun", game=game.info.name)
        sentence = (
            f"The rules of {game.info.title} fail at the beginning of such a match. Choose other options, or seats."
        )
        raise Invalid((("/options", sentence),)) from error


def _options(game: AnyGame, options: Mapping[str, Any] | None, problems: list[tuple[str, str]]) -> Mapping[str, Any]:
    try:
        document: Mapping[str, Any] = to_document(from_document(game.options, options or {}, "/options"))
    except DocumentError as error:
        problems.extend(error.problems)
        return {}
    return document


def _components(
    game: AnyGame, game_name: str, components: str | Mapping[str, Any], problems: list[tuple[str, str]]
) -> Mapping[str, Any]:
    """A component set of the game, by name, or a supplied one, normalised by the game."""
    document: Mapping[str, Any] = {}
    if isinstance(components, str):
        try:
            document = to_document(registry.components(game_name, components))
        except UnknownGame as error:
            problems.append(("/components", str(error)))
        return document
    try:
        document = to_document(game.load_components(components))
    except DocumentError as error:
        problems.extend((f"/components{pointer}", sentence) for pointer, sentence in error.problems)
    return document


def _seats(
    game: AnyGame, known: Collection[str], seats: Sequence[SeatRequest], problems: list[tuple[str, str]]
) -> tuple[SeatRequest, ...]:
    if len(seats) not in game.info.seats:
        allowed = either(map(str, game.info.seats))
        problems.append(("/seats", f"{game.info.title} is for {allowed} players, not {len(seats)}."))
    if sum(1 for seat in seats if seat.kind in ("me", "reserved")) > 1:
        problems.append(("/seats", "Nobody can hold two seats in a match; ask for only one yourself."))
    if seats and all(seat.kind == "bot" for seat in seats):
        problems.append(("/seats", "Bots do not play among themselves here: a match has a seat for a person."))
    read: list[SeatRequest] = []
    for index, seat in enumerate(seats):
        email = None
        if seat.kind == "invite":
            others = {folded(other.email) for other in read if other.email is not None}
            email = _invited(f"/seats/{index}/email", known, seat.email, others, problems)
        elif seat.email is not None:
            problems.append((f"/seats/{index}/email", f"A seat of kind {seat.kind} takes no email."))
        if seat.kind == "bot" and seat.level not in LEVELS:
            problems.append((f"/seats/{index}/level", f"How well is the bot to play? One of {', '.join(LEVELS)}."))
        elif seat.kind != "bot" and seat.level is not None:
            problems.append((f"/seats/{index}/level", f"A seat of kind {seat.kind} takes no level."))
        read.append(SeatRequest(seat.kind, email, seat.level, seat.player))
    return tuple(read)


def _check_own_bots(own_bots: Collection[str], seats: Sequence[SeatRequest], problems: list[tuple[str, str]]) -> None:
    """Adds what is wrong with the seats that bots of the player are to have."""
    for index, seat in enumerate(seats):
        pointer = f"/seats/{index}/player"
        if seat.kind != "own_bot":
            if seat.player is not None:
                problems.append((pointer, f"A seat of kind {seat.kind} takes no player."))
        elif seat.player not in own_bots:
            problems.append((pointer, NO_SUCH_BOT))
        elif any(other.player == seat.player for other in seats[:index]):
            problems.append((pointer, "This bot has another seat already; nobody can hold two."))


def _invited(
    pointer: str, known: Collection[str], email: str | None, others: set[str], problems: list[tuple[str, str]]
) -> str | None:
    try:
        read = read_email(email or "", pointer)
    except Invalid as error:
        problems.extend(error.problems)
        return None
    if folded(read) in known:
        problems.append((pointer, "This is your own address: ask for the seat with the kind me or reserved."))
    if folded(read) in others:
        problems.append((pointer, f"{read} is already invited to another seat; nobody can hold two."))
    return read
