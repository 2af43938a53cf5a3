"""Derives the marshmallow schemas of answers from their dataclasses and TypedDicts.

`X | None` is nullable, a `Literal` an enumeration, a tuple a list, a type a nested schema; a key of
a TypedDict with `total=False` may be absent unless it is `Required`. `About` adds a description,
`Format` a format, `OfGame` marks a document whose form depends on the game, and types of the engine
are described and serialised by `engine.documents`. What the API adds to the result of a use case is
a dataclass that contains it in a field marked `Inlined`.
"""

from __future__ import annotations

import dataclasses
import functools
import types
import typing
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from operator import attrgetter, itemgetter, methodcaller
from typing import Annotated, Any, ClassVar, Literal, Required, TypeAlias, TypeVar, Union, get_args, get_origin

import marshmallow as ma
from marshmallow import fields

from engine.documents import About, to_document
from engine.types import ToldOutcome, ToldStatement
from service.api import derived
from service.api.fields import ByGame, Derived, Describe, Moment
from service.matches.types import Match, OfGame, SeatOfMatch
from service.store.addresses import PlayerAddress
from service.store.players import Blocked, Player, Stopped
from service.store.reports import PlayerReport
from service.store.tokens import Token
from service.turns.types import BrokenRule, Refusal, Turn

Getter: TypeAlias = Callable[[Any], Any]
Field: TypeAlias = fields.Field[Any]
N = TypeVar("N")

NAMES: Mapping[type, Mapping[str, str | None]] = {
    Blocked: {"player_id": "player"},
    Match: {"components_name": "components", "created_by": None},
    PlayerAddress: {
        "player_id": None,
        "address": "email",
        "folded": None,
        "is_primary": "primary",
        "soft_bounces": None,
        "last_bounce_at": None,
    },
    Player: {"left_at": None, "suspended_at": None, "suspended_for": None},
    SeatOfMatch: {"player_name": "player"},
    Turn: {"match_id": "match", "player_id": None, "awaited": None},
    Refusal: {"message": "detail", "action_index": None, "pointer": "pointer"},
    BrokenRule: {"message": "detail"},
    Token: {"player_id": None},
    PlayerReport: {"reporter_id": None, "about_id": None, "thing": None, "match_id": "match", "settled_at": None},
    Stopped: {"match_id": "match"},
}
"""Published names of attributes of the use cases' types where they differ, also of properties to
publish; ``None`` for attributes that are not published.
"""

PLAIN: Mapping[Any, type[Field]] = {str: fields.String, int: fields.Integer, bool: fields.Boolean}
PLAIN_NAMES: Mapping[Any, str] = {str: "string", int: "integer", bool: "boolean"}
BY_GAME: Mapping[str, Describe] = {
    "options": derived.options,
    "components": derived.components,
    "logged_action": derived.logged_action,
    "observation": derived.observation,
}
"""What differs by game, in answers that are told apart by it."""
OF_ENGINE: Mapping[Any, Describe] = {ToldOutcome: derived.outcome, ToldStatement: derived.prompt}
"""What has codes of games."""
OF_ANY_GAME: Mapping[str, Describe] = {"game": derived.game_name, "action": derived.action}


@dataclass(frozen=True, slots=True)
class Inlined:
    """Marks a field whose value's own fields are published in its place, except those in
    ``without`` and those that the outer type defines too.
    """

    without: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Format:
    """Marks a text with its format in JSON Schema, such as `uri-reference`."""

    name: str


LinkAddress: TypeAlias = Annotated[str, Format("uri-reference")]


@dataclass(frozen=True, slots=True)
class _Sometimes:
    """Marks a key that may be absent from a TypedDict."""


class Shape(ma.Schema):
    """A derived schema; ``getters`` read the values of its fields from the answered object."""

    getters: ClassVar[Mapping[str, Getter]] = {}

    def get_attribute(self, obj: Any, attr: str, default: Any) -> Any:
        """The value of a field."""
        return self.getters[attr](obj)


class OfEngine(Derived):
    """A value of a type of the engine."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> Any:
        return to_document(value)


@functools.cache
def schema_of(kind: Any) -> type[ma.Schema]:
    """The schema of a dataclass or TypedDict, with its name less `Answer`. Raises ``TypeError``
    where a field has an unsupported type.
    """
    members = _members(kind)
    found = Shape.from_dict(
        {name: _field(hint) for name, (hint, _) in members.items()}, name=kind.__name__.removesuffix("Answer")
    )
    found.__doc__ = kind.__doc__
    found.getters = {name: getter for name, (_, getter) in members.items()}  # type: ignore[attr-defined]
    return found


@functools.cache
def made(kind: Any) -> ma.Schema:
    """An instance of the schema of a type, or of a schema class; shared by all requests, since
    making one is expensive.
    """
    wanted = kind if issubclass(kind, ma.Schema) else schema_of(kind)
    return wanted()


def _members(kind: Any) -> dict[str, tuple[Any, Getter]]:
    """The published fields of a type: name to annotation and getter."""
    found: dict[str, tuple[Any, Getter]] = {}
    names = NAMES.get(kind, {})
    for name, hint, getter in _attributes(kind, names):
        place = _note(hint, Inlined)
        if place is None:
            if (published := names.get(name, name)) is not None:
                found[published] = (hint, getter)
            continue
        for inner, (inner_hint, inner_getter) in _members(get_args(hint)[0]).items():
            if inner not in place.without:
                found.setdefault(inner, (inner_hint, _composed(inner_getter, getter)))
    return found


def _attributes(kind: Any, names: Mapping[str, str | None]) -> Iterator[tuple[str, Any, Getter]]:
    """Name, annotation and getter of every attribute, and of the properties in ``names``."""
    hints = typing.get_type_hints(kind, include_extras=True)
    if typing.is_typeddict(kind):
        for name, hint in hints.items():
            if get_origin(hint) is Required:
                yield name, get_args(hint)[0], itemgetter(name)
            elif kind.__total__:
                yield name, hint, itemgetter(name)
            else:
                yield name, Annotated[hint, _Sometimes()], methodcaller("get", name, ma.missing)
        return
    for name in [field.name for field in dataclasses.fields(kind)]:
        yield name, hints[name], attrgetter(name)
    for name in names:
        found = getattr(kind, name, None)
        if isinstance(found, property):
            yield name, typing.get_type_hints(found.fget, include_extras=True)["return"], attrgetter(name)


def _composed(inner: Getter, outer: Getter) -> Getter:
    return lambda value: inner(outer(value))


def _field(hint: Any) -> Field:
    """The field of an annotated type."""
    kind, nullable = _without_none(get_args(hint)[0] if get_origin(hint) is Annotated else hint)
    about, of_game, form = _note(hint, About) or About(), _note(hint, OfGame), _note(hint, Format)
    said = {
        "description": about.description or None,
        "format": None if form is None else form.name,
        "minimum": about.minimum,
        "maximum": about.maximum,
        "pattern": about.pattern,
        "minItems": about.min_items,
        "maxItems": about.max_items,
        "examples": None if about.example is None else [about.example],
    }
    options: dict[str, Any] = {
        "required": _note(hint, _Sometimes) is None,
        "allow_none": nullable,
        "metadata": {key: value for key, value in said.items() if value is not None},
    }
    if of_game is not None:
        known = OF_ANY_GAME.get(of_game.part)
        return ByGame(BY_GAME[of_game.part], **options) if known is None else Derived(known, **options)
    return _field_of(kind, options)


def _field_of(kind: Any, options: dict[str, Any]) -> Field:
    origin, args = get_origin(kind), get_args(kind)
    if isinstance(kind, types.UnionType):
        names = [PLAIN_NAMES[member] for member in get_args(kind)]
        return Derived(lambda definitions: {"type": names}, **options)
    if kind in PLAIN:
        return PLAIN[kind](**options)
    if kind is datetime:
        return Moment(**options)
    if origin is Literal:
        if len(args) == 1 and not options["allow_none"]:
            options["metadata"]["const"] = args[0]
        else:
            options["metadata"]["enum"] = [*args, None] if options["allow_none"] else list(args)
        return PLAIN[type(args[0])](**options)
    if origin is tuple:
        item = _field(args[0])
        if isinstance(item, fields.Nested):
            return fields.Nested(item.nested, many=True, **options)
        return fields.List(item, **options)
    if origin is not None and issubclass(origin, Mapping):
        return fields.Dict(keys=_field(args[0]), values=_field(args[1]), **options)
    if kind.__module__.startswith("engine."):
        return OfEngine(OF_ENGINE.get(kind) or (lambda definitions: definitions.of(kind, written=True)), **options)
    if dataclasses.is_dataclass(kind) or typing.is_typeddict(kind):
        return fields.Nested(schema_of(kind), **options)
    raise TypeError(f"no field for {kind!r}")


def _without_none(hint: Any) -> tuple[Any, bool]:
    """The type without `None`, and whether `None` was among its members."""
    members = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    kept = [member for member in members if member is not types.NoneType]
    if len(kept) == 1:
        return kept[0], len(kept) < len(members)
    if len(kept) == len(members) and all(member in PLAIN for member in kept):
        return hint, False
    raise TypeError(f"no field for {hint!r}")


def _note(hint: Any, kind: type[N]) -> N | None:
    """The first annotation of that class, or ``None``."""
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((note for note in notes if isinstance(note, kind)), None)
