"""The form that creates a match: first the game, then its seats, clock, options and components. By
a key of its own, a form that is sent twice creates one match.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import Blueprint, Response, request

from engine import registry
from engine.bots import LEVELS, Level
from engine.choices import json_of
from engine.documents import from_document, schema, to_document
from engine.game import AnyGame
from service.api.games import find_game
from service.api.requests import context
from service.clocks.rule import DEFAULT, NONE, POLICIES, PRESETS, ClockRule, IfLate, RuleError, read_rule, rule_words
from service.errors import Invalid
from service.matches import lobby
from service.matches.proposal import default_clock
from service.matches.types import SeatRequest
from service.players import bots, choosing
from service.store.players import Player
from service.texts import gettext as _
from service.web import forms, sign_in
from service.web.forms import NOTHING_FILLED, Filled
from service.web.games import page_of_games

FORM: Final = "new"
LONGEST_FIELD: Final = 400
OWN: Final = "own"
OWN_TOTAL: Final = "own_total"
OWN_BOT: Final = "own-bot-"
"""The start of the value of a seat for a bot of one's own; its id follows."""


@dataclass(frozen=True, slots=True)
class OptionField:
    """A field for an option of the game: its label, and the values of an enumeration in words. One
    that ``may_be_empty`` is ``None`` then.
    """

    name: str
    words: str
    about: str
    type: str
    default: Any
    choices: tuple[tuple[str, str], ...]
    may_be_empty: bool


def add_pages(web: Blueprint) -> None:
    """Adds `/new`."""

    def new_match() -> Response:
        player, name = sign_in.account(), request.args.get("game", "")
        if not name:
            return page_of_games(player)
        return _page(player, find_game(name), forms.new_key())

    def create_match() -> Response:
        game, player = find_game(request.form.get("game", "")), sign_in.account()
        key = forms.key() or forms.new_key()
        match = forms.done(FORM, lambda: _created(player, game, key))
        return _page(player, game, key, match) if isinstance(match, Filled) else forms.to_page("match", match=match)

    web.add_url_rule("/new", "new_match", new_match)
    web.add_url_rule("/new", "create_match", create_match, methods=["POST"])


def _page(player: Player, game: AnyGame, key: str, filled: Filled = NOTHING_FILLED) -> Response:
    own_set = _own_set()
    if own_set:  # a browser sends a file once: its text is shown, to be mended
        filled = replace(filled, typed={**filled.typed, "set": own_set})
    own_bots = bots.of_player(context(), player)
    return forms.page(
        "new_match.html",
        filled.status,
        info=game.info,
        key=key,
        filled=filled,
        seats=[(seat, _seat_choices(seat, game, own_bots)) for seat in range(max(game.info.seats))],
        clocks=_clock_choices(),
        policies=_policy_choices(),
        zone=choosing.wanted(context(), player).time_zone,
        options=list(_option_fields(game)),
        sets=[(each, each.replace("_", " ").capitalize()) for each in registry.component_sets(game.info.name)],
    )


def _created(player: Player, game: AnyGame, key: str) -> str:
    """The id of the match that the form of this request creates. Raises ``ServiceError``, whose
    pointers are names of fields.
    """
    chosen = [(row, _seat(_typed(f"seat{row}"), _typed(f"email{row}"))) for row in range(max(game.info.seats))]
    seats = [seat for _row, seat in chosen if seat is not None]
    rows = [row for row, seat in chosen if seat is not None]
    own_set, name = _own_set(), game.info.name
    try:
        match = lobby.create(
            context(),
            player,
            name,
            {field.name: _option(field) for field in _option_fields(game)},
            seats,
            _typed("title") or None,
            components=_components(own_set) if own_set else _typed("components") or registry.component_sets(name)[0],
            match_id=lobby.match_id_of(f"form {player.id} {key}"),
            clock=_clock(seats),
            unlisted="unlisted" in request.form,
        )
    except Invalid as error:
        raise Invalid(tuple(_at_field(*problem, rows, bool(own_set)) for problem in error.problems)) from error
    return match.id


def _typed(name: str) -> str:
    return request.form.get(name, "")[:LONGEST_FIELD].strip()


def _own_set() -> str:
    """The text of the component set that was sent, as a file or in its field; or nothing."""
    file = request.files.get("set_file")
    sent = ""
    if file is not None:
        file.seek(0)
        sent = file.read().decode(errors="replace")
    return (sent or request.form.get("set", "")).strip()


def _components(text: str) -> Mapping[str, Any]:
    """A component set as a document. Raises ``Invalid``."""
    try:
        document = json_of(text)
    except (ValueError, RecursionError) as error:
        raise Invalid((("/components", _("This is not JSON: {reason}.").format(reason=error)),)) from error
    if not isinstance(document, Mapping):
        raise Invalid((("/components", _("A component set is an object: { … }.")),))
    return document


def _seat(kind: str, email: str) -> SeatRequest | None:
    """The seat of a row of the form; ``None`` where the match has no such seat."""
    level: Level | None = next((each for each in LEVELS if kind == f"bot-{each}"), None)
    if level is not None:
        return SeatRequest("bot", level=level)
    if kind.startswith(OWN_BOT):
        return SeatRequest("own_bot", player=kind.removeprefix(OWN_BOT))
    match kind:
        case "me" | "reserved" | "open":
            return SeatRequest(kind)
        case "invite":
            return SeatRequest("invite", email)
        case _:
            return None


def _seat_choices(seat: int, game: AnyGame, own_bots: Sequence[Player]) -> list[tuple[str, str]]:
    """How a seat may be filled, what is chosen at first in front; a phone shows thirty letters."""
    words: Mapping[Level, str] = {"easy": _("A bot that plays easily"), "fair": _("A bot that plays well")}
    mine = [("me", _("Me")), ("reserved", _("Me, once I take the seat"))]
    others = [
        ("open", _("Free")),
        ("invite", _("Invited by mail")),
        *((f"bot-{level}", words[level]) for level in LEVELS),
        *((OWN_BOT + bot.id, bot.name) for bot in own_bots),
    ]
    if seat == 0:
        return [*mine, *others]
    nobody = [("", _("No such seat"))] if seat >= min(game.info.seats) else []
    return [*nobody, *others, *mine]


def _clock_choices() -> list[tuple[str, str]]:
    """The presets of clocks in words, then other ways to say how much time there is."""
    others = [(name, rule_words(rule)) for name, rule in PRESETS.items() if name != DEFAULT]
    own = [(OWN, _("another time for each turn")), (OWN_TOTAL, _("another time for the whole match"))]
    return [("", rule_words(PRESETS[DEFAULT])), *others, *own, (NONE, _("no clock"))]


def _policy_choices() -> list[tuple[str, str]]:
    words: Mapping[IfLate, str] = {
        "bot_turn": _("a bot plays that turn"),
        "bot_seat": _("a bot takes the seat for good"),
        "resign": _("the seat resigns"),
    }
    return [(policy, words[policy]) for policy in POLICIES]


def _clock(seats: list[SeatRequest]) -> ClockRule | None:
    """The clock that is chosen. Raises ``Invalid``."""
    name = _typed("clock")
    if name == NONE or (not name and default_clock(seats) is None):
        return None
    if name == OWN:
        times = {part: _duration(part) for part in ("base", "increment", "most") if part == "base" or _typed(part)}
    elif name == OWN_TOTAL:
        times = {"total": _duration("total")}
    else:
        times = {"preset": name or DEFAULT}
    rest = {"days_off": "days_off" in request.form, "weekends": _typed("zone") if "weekends" in request.form else None}
    try:
        return read_rule({**times, **rest, "if_late": _typed("if_late") or POLICIES[0]})
    except RuleError as error:
        field = {"": "clock", "preset": "clock", "weekends": "zone"}.get(error.field, error.field)
        raise Invalid(((f"/{field}", error.sentence),)) from error


def _duration(part: str) -> str:
    """A span of the form as a duration. Raises ``Invalid``."""
    number = _typed(part)
    if not re.fullmatch("[0-9]{1,5}", number):
        raise Invalid(((f"/{part}", _("Write a whole number of days or hours.")),))
    return f"PT{number}H" if _typed(f"{part}_unit") == "H" else f"P{number}D"


def _option_fields(game: AnyGame) -> Iterator[OptionField]:
    definitions: dict[str, Any] = {}
    schema(game.options, definitions, written=True)
    described = definitions[game.options.__name__]["properties"]
    for name, default in to_document(from_document(game.options, {})).items():
        about = described[name]
        kinds = about.get("anyOf") or about.get("oneOf", [about])
        may_be_empty, kind = {"type": "null"} in kinds, kinds[0]
        choices = [(str(each), _words(game, f"{name}={each}")) for each in kind.get("enum", ())]
        if may_be_empty and choices:
            choices.insert(0, ("", _("None of these")))
        words, type_, told = _words(game, name), kind.get("type", "string"), about.get("description", "")
        given = "" if default is None else default
        yield OptionField(name, words, told, type_, given, tuple(choices), may_be_empty)


def _words(game: AnyGame, key: str) -> str:
    return game.option_words.get(key, key)


def _option(field: OptionField) -> Any:
    """The value of an option; what cannot be read stays as typed, and the game refuses it."""
    typed = _typed(f"option_{field.name}")
    if field.type == "boolean":
        return typed == "on"
    if field.may_be_empty and not typed:
        return None
    return int(typed) if field.type == "integer" and re.fullmatch(r"-?\d{1,9}", typed) else typed


def _at_field(pointer: str, sentence: str, rows: list[int], has_own_set: bool) -> tuple[str, str]:
    """A problem of the request with a pointer to its field of the form, or to the whole form."""
    match pointer.split("/")[1:]:
        case ["seats", seat, "email"]:
            return f"/email{rows[int(seat)]}", sentence
        case ["seats", seat, *_rest]:
            return f"/seat{rows[int(seat)]}", sentence
        case ["options", name, *_rest]:
            return f"/option_{name}", sentence
        case ["components", *where] if has_own_set:
            return "/set", f"{'/'.join(where)}: {sentence}" if where else sentence
        case [("title" | "seats" | "components" | "clock" | "base" | "increment" | "most" | "total" | "zone") as name]:
            return f"/{name}", sentence
        case _:
            return "/", sentence
