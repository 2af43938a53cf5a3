"""The form that creates a match: first the game, then its seats, clock, options and components.

It has a key of its own, so that a form that is sent twice creates one match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, Response, request

from engine import registry
from engine.bots import LEVELS, Level
from engine.documents import from_document, schema, to_document
from engine.game import AnyGame
from service.api.auth import visitor
from service.api.games import find_game
from service.api.requests import context
from service.clocks.rule import DEFAULT, NONE, POLICIES, PRESETS, ClockRule, IfLate, read_rule, rule_words
from service.errors import Invalid, ServiceError
from service.matches import lobby
from service.matches.proposal import default_clock
from service.matches.types import SeatRequest
from service.store.players import Player
from service.texts import gettext as _
from service.web import forms, sign_in
from service.web.forms import NOTHING_FILLED, Filled
from service.web.games import first_picture, page_of_games

FORM: Final = "new"
LONGEST_FIELD: Final = 300


@dataclass(frozen=True, slots=True)
class OptionField:
    """A field of the form for an option of the game: ``choices`` are those of an enumeration."""

    name: str
    label: str
    about: str
    type: str
    default: Any
    choices: tuple[Any, ...]

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The choices as values and words of the form."""
        return [(str(choice), str(choice).replace("_", " ")) for choice in self.choices]


def add_pages(web: Blueprint) -> None:
    """Adds `/new`."""

    def new_match() -> Response:
        player, name = visitor(), request.args.get("game", "")
        if player is None or player.is_guest:
            return sign_in.asked_first()
        if not name:
            return page_of_games(player)
        return _page(find_game(name), forms.new_key())

    def create_match() -> Response:
        player, game = visitor(), find_game(request.form.get("game", ""))
        if player is None or player.is_guest:
            return sign_in.asked_first()
        key = forms.key() or forms.new_key()
        if not forms.is_from_our_page():
            return _page(game, key, forms.from_elsewhere(FORM))
        try:
            match = _created(player, game, key)
        except ServiceError as error:
            return _page(game, key, forms.filled(FORM, error))
        return forms.to_page("match", match=match)

    web.add_url_rule("/new", "new_match", new_match)
    web.add_url_rule("/new", "create_match", create_match, methods=["POST"])


def _page(game: AnyGame, key: str, filled: Filled = NOTHING_FILLED) -> Response:
    return forms.page(
        "new_match.html",
        filled.status,
        info=game.info,
        picture=first_picture(game.info.name),
        key=key,
        filled=filled,
        seats=[(seat, _seat_choices(seat, game)) for seat in range(max(game.info.seats))],
        clocks=_clock_choices(),
        policies=_policy_choices(),
        options=list(_option_fields(game)),
        sets=[(each, each) for each in registry.component_sets(game.info.name)],
    )


def _created(player: Player, game: AnyGame, key: str) -> str:
    """The id of the match that the form of this request creates. Raises ``ServiceError``, whose
    pointers are names of fields.
    """
    rows, seats = [], []
    for row in range(max(game.info.seats)):
        seat = _seat(request.form.get(f"seat{row}", ""), request.form.get(f"email{row}", "")[:LONGEST_FIELD])
        if seat is not None:
            rows.append(row)
            seats.append(seat)
    try:
        match = lobby.create(
            context(),
            player,
            game.info.name,
            {field.name: _option(field) for field in _option_fields(game)},
            seats,
            request.form.get("title", "")[:LONGEST_FIELD] or None,
            components=request.form.get("components", "") or registry.component_sets(game.info.name)[0],
            match_id=lobby.match_id_of(f"form {player.id} {key}"),
            clock=_clock(seats),
            unlisted="unlisted" in request.form,
        )
    except Invalid as error:
        raise Invalid(tuple((_field_of(pointer, rows), sentence) for pointer, sentence in error.problems)) from error
    return match.id


def _seat(kind: str, email: str) -> SeatRequest | None:
    """The seat of a row of the form; ``None`` where the match has no such seat."""
    level: Level | None = next((each for each in LEVELS if kind == f"bot-{each}"), None)
    if level is not None:
        return SeatRequest("bot", level=level)
    match kind:
        case "me":
            return SeatRequest("me")
        case "open":
            return SeatRequest("open")
        case "invite":
            return SeatRequest("invite", email)
        case _:
            return None


def _seat_choices(seat: int, game: AnyGame) -> list[tuple[str, str]]:
    """How a seat may be filled, what is chosen at first in front."""
    bots = {"easy": _("A bot that plays easily"), "fair": _("A bot that plays fairly well")}
    mine = ("me", _("Me"))
    others = [
        ("open", _("Whoever takes the seat, or gets the link from me")),
        ("invite", _("Somebody I invite by mail")),
        *((f"bot-{level}", bots[level]) for level in LEVELS),
    ]
    if seat == 0:
        return [mine, *others]
    nobody = [("", _("Nobody: there is no such seat"))] if seat >= min(game.info.seats) else []
    return [*nobody, *others, mine]


def _clock_choices() -> list[tuple[str, str]]:
    """The presets of clocks in words."""
    others = [(name, rule_words(rule)) for name, rule in PRESETS.items() if name != DEFAULT]
    return [("", rule_words(PRESETS[DEFAULT])), *others, (NONE, _("no clock"))]


def _policy_choices() -> list[tuple[str, str]]:
    words: Mapping[IfLate, str] = {
        "bot_turn": _("a bot plays that turn"),
        "bot_seat": _("a bot takes the seat for good"),
        "resign": _("the seat resigns"),
    }
    return [(policy, words[policy]) for policy in POLICIES]


def _clock(seats: list[SeatRequest]) -> ClockRule | None:
    name, policy = request.form.get("clock", ""), request.form.get("if_late", "")
    if name == NONE or (not name and default_clock(seats) is None):
        return None
    preset = name if name in PRESETS else DEFAULT
    return read_rule({"preset": preset} | ({"if_late": policy} if policy in POLICIES else {}))


def _option_fields(game: AnyGame) -> Iterator[OptionField]:
    definitions: dict[str, Any] = {}
    schema(game.options, definitions, written=True)
    described = definitions[game.options.__name__]["properties"]
    for name, default in to_document(from_document(game.options, {})).items():
        about = described[name]
        label = name.replace("_", " ").capitalize()
        choices = tuple(about.get("enum", ()))
        yield OptionField(name, label, about.get("description", ""), about.get("type", "string"), default, choices)


def _option(field: OptionField) -> Any:
    """The value of an option as it was chosen; what cannot be read stays as it was typed, and is
    refused by the game.
    """
    typed = request.form.get(f"option_{field.name}", "")[:LONGEST_FIELD]
    if field.type == "boolean":
        return typed == "on"
    chosen = next((choice for choice in field.choices if str(choice) == typed), None)
    if chosen is not None:
        return chosen
    return int(typed) if field.type == "integer" and re.fullmatch(r"-?\d{1,9}", typed) else typed


def _field_of(pointer: str, rows: list[int]) -> str:
    """The field of the form, as a pointer, of what a pointer of the request is about; that of the
    whole form where it has none.
    """
    parts = pointer.split("/")[1:]
    match parts:
        case ["seats", seat, "email"]:
            return f"/email{rows[int(seat)]}"
        case ["seats", seat, *_rest]:
            return f"/seat{rows[int(seat)]}"
        case ["options", name, *_rest]:
            return f"/option_{name}"
        case ["title" | "seats"]:
            return pointer
        case _:
            return "/"
