"""Marshmallow fields: strict numbers, booleans and texts, and documents whose schema is derived."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, TypeAlias

import marshmallow as ma
from marshmallow import fields

from engine import registry
from engine.documents import quoted
from service.addresses import LONGEST_EMAIL
from service.api.derived import LONGEST_NAME, Definitions, JsonSchema, clock, game_name, notation
from service.clocks.rule import RuleError, read_rule
from service.errors import Invalid
from service.ids import ID_PATTERN
from service.turns.intake import LONGEST_LINE, MOST_LINES

_CONTROLS = r"\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069"
"""Control characters, line and paragraph separators, and bidirectional controls."""
_UNPRINTABLE = re.compile(f"[{_CONTROLS}]")
_LINE: Final = r"^[^\x00-\x1f\x7f]*[^\x00-\x20\x7f][^\x00-\x1f\x7f]*$"
"""What is published of the form of a line: what regular expressions of every language say alike."""

EMAIL: Final = {"format": "email", "maxLength": LONGEST_EMAIL}
"""What is published of the form of a mail address."""

Query: TypeAlias = Mapping[str, fields.Field[Any]]
"""The fields of a query, by name."""
Describe: TypeAlias = Callable[[Definitions], JsonSchema]
"""Returns the schema of a field, and adds the definitions to which the schema refers."""


def whole(minimum: int = 0, maximum: int = 2**31 - 1, **options: Any) -> fields.Integer:
    """A whole number from ``minimum`` to ``maximum``; "1" and true are refused."""
    error = f"{{input}} is not a number from {minimum} to {maximum}."
    return StrictInteger(validate=ma.validate.Range(min=minimum, max=maximum, error=error), **options)


def text(shortest: int = 1, longest: int = 200, **options: Any) -> fields.String:
    """One line of ``shortest`` to ``longest`` characters, none of them a control character."""
    error = f"This text must have {shortest} to {longest} characters."
    metadata = {"pattern": _LINE, **options.pop("metadata", {})}
    form = ma.validate.Length(min=shortest, max=longest, error=error)
    return CheckedField(_read_line, validate=form, metadata=metadata, **options)


def _read_line(value: str) -> str:
    if _UNPRINTABLE.search(value):
        raise ma.ValidationError("This text must be one line without control characters.")
    return value.strip()


def id_of(what: str, *, metadata: Mapping[str, Any], **options: Any) -> fields.String:
    """The id of something."""
    form = ma.validate.Regexp(ID_PATTERN.replace("$", r"\Z"), error=f"{{input!r}} is not the id of a {what}.")
    return fields.String(validate=form, metadata={**metadata, "pattern": ID_PATTERN}, **options)


def one_of(choices: tuple[str, ...], **options: Any) -> fields.String:
    """One of these words."""
    error = f"{{input!r}} is not one of {', '.join(choices)}."
    return fields.String(validate=ma.validate.OneOf(choices, error=error), **options)


def must(description: str, **more: Any) -> dict[str, Any]:
    """The options of a field that has to be there; ``more`` is published beside the description."""
    return {"required": True, "metadata": {"description": description, **more}}


def otherwise(default: Any, description: str, **more: Any) -> dict[str, Any]:
    """The options of a field that is ``default`` where it is left out; null is refused."""
    return {"load_default": default, "allow_none": False, "metadata": {"description": description, **more}}


def in_query(default: Any, description: str) -> dict[str, Any]:
    """The options of a number or a boolean of a query: those of ``otherwise``, read from text."""
    return {"from_text": True, **otherwise(default, description)}


def may(description: str, **more: Any) -> dict[str, Any]:
    """The options of a field that may be left out or null, which is the same."""
    return {"load_default": None, "allow_none": True, "metadata": {"description": description, **more}}


def ply_field() -> fields.Integer:
    """Of when something is shown."""
    return whole(0, **in_query(None, "The ply that the match was at; the present one if you leave it out."))


class StrictInteger(fields.Integer):
    """A whole number in JSON, which may be written 3.0; with ``from_text``, for queries, its digits
    as text, with a sign where it is negative.
    """

    def __init__(self, *, from_text: bool = False, **options: Any) -> None:
        super().__init__(strict=True, **options)
        self.from_text = from_text

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if self.from_text and isinstance(value, str) and re.fullmatch(r"-?[0-9]{1,100}", value):
            return int(value)
        if isinstance(value, float) and value.is_integer() and not self.from_text:
            return int(value)
        if self.from_text or isinstance(value, bool) or not isinstance(value, int):
            raise ma.ValidationError(f"{quoted(value)} is not a whole number.")
        return value


class StrictBoolean(fields.Boolean):
    """A JSON boolean; with ``from_text``, for queries, one of the words true and false."""

    def __init__(self, *, from_text: bool = False, **options: Any) -> None:
        super().__init__(**options)
        self.from_text = from_text

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, bool):
            return value
        if self.from_text and value in ("true", "false"):
            return value == "true"
        raise ma.ValidationError(f"{quoted(value)} is not true or false.")


class Moment(fields.DateTime):
    """A moment of an answer, with `Z`: validators made from the description refuse `+00:00`."""

    def _serialize(self, value: Any, attr: str | None, obj: Any, **kwargs: Any) -> str | None:
        return None if value is None else value.isoformat().replace("+00:00", "Z")


class CheckedField(fields.String):
    """A text, parsed by ``read`` here already, so that all faults of a body are told at once."""

    def __init__(self, read: Callable[[str], str], **options: Any) -> None:
        super().__init__(**options)
        self.read = read

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str):
            raise ma.ValidationError(f"{quoted(value)} is not a text.")
        try:
            return self.read(value)
        except Invalid as error:
            raise ma.ValidationError([sentence for _, sentence in error.problems]) from error


class Derived(fields.Field[Any]):
    """JSON data, passed through unchanged, whose published schema ``describe`` makes; ``shape`` is
    the required type, ``most`` the greatest allowed length.
    """

    def __init__(self, describe: Describe, shape: type | None = None, most: int | None = None, **options: Any) -> None:
        super().__init__(**options)
        self.describe = describe
        self.shape = shape
        self.most = most

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if self.shape is not None and not isinstance(value, self.shape):
            raise ma.ValidationError(f"{quoted(value)} is not {'a list' if self.shape is list else 'an object'}.")
        if self.most is not None and len(value) > self.most:
            raise ma.ValidationError(f"This list has {len(value)} items; the maximum is {self.most}.")
        return value


class ByGame(Derived):
    """A document whose schema is that of one game; the schema that has the field has one for each
    game, told apart by its field `game`.
    """


class GameName(Derived):
    """The name of a registered game."""

    def __init__(self, **options: Any) -> None:
        super().__init__(game_name, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if not isinstance(value, str) or value not in registry.games():
            raise ma.ValidationError(f"There is no game {quoted(value)}; known: {', '.join(registry.games())}.")
        return value


class OneOfEachSeat(fields.List[Any]):
    """A list with an item for each seat of a match, of which a game has so many."""


class ComponentSet(ByGame):
    """The name of a component set, or a whole set, which is checked by its game later."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        if isinstance(value, Mapping):
            return value
        return text(1, LONGEST_NAME).deserialize(value)


class ClockField(Derived):
    """The rule of the clocks of a match: the name of a preset, or a document; ``None`` for none."""

    def __init__(self, **options: Any) -> None:
        super().__init__(clock, allow_none=True, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        document = {"preset": value} if isinstance(value, str) else value
        if not isinstance(document, Mapping):
            raise ma.ValidationError(f"{quoted(value)} is neither the name of a preset nor an object.")
        try:
            return read_rule(document)
        except RuleError as error:
            is_inside = document is value and error.field
            raise ma.ValidationError({error.field: [error.sentence]} if is_inside else error.sentence) from error


class Notation(Derived):
    """One line of notation, or a list of lines."""

    def __init__(self, **options: Any) -> None:
        super().__init__(notation, **options)

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> Any:
        lines = [value] if isinstance(value, str) else value
        if not isinstance(lines, list) or not lines or not all(isinstance(line, str) for line in lines):
            raise ma.ValidationError("Notation is one line of text, or a list of lines with at least one.")
        if len(lines) > MOST_LINES or any(len(line) > LONGEST_LINE for line in lines):
            most = f"{MOST_LINES} lines of at most {LONGEST_LINE} characters"
            raise ma.ValidationError(f"At most {most} can be read at once.")
        return value


@dataclass(frozen=True, slots=True)
class Form:
    """A form of a document: the name of its schema, what it requires and does not have, the values
    of the tag by which it is told apart, and what has one value in it.
    """

    name: str
    description: str
    required: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    constants: Mapping[str, Any] = field(default_factory=dict)


class FormsSchema(ma.Schema):
    """A document of several forms, told apart by the field ``tag``, or by what is there. ``noun``
    says in refusals what it is.
    """

    forms: ClassVar[tuple[Form, ...]]
    tag: ClassVar[str | None] = None
    noun: ClassVar[str] = ""

    @ma.validates_schema(pass_original=True)
    def check_form(self, data: Mapping[str, Any], original: Mapping[str, Any], **kwargs: Any) -> None:
        """Refuses what the form that the tag names does not have, and asks for what it requires."""
        if self.tag is None:
            return
        value = data[self.tag]
        form = next(form for form in self.forms if value in form.values)
        what = f"{self.noun} of {self.tag} {value}"
        faults = {name: [f"{what} takes no {name}."] for name in form.without if name in original}
        faults |= {
            name: [f"{what} needs {name}{self._choices(name)}."] for name in form.required if data.get(name) is None
        }
        if faults:
            raise ma.ValidationError(faults)

    def _choices(self, name: str) -> str:
        """The values of a field, where they are listed, as the end of a sentence."""
        found = next((each.choices for each in self.fields[name].validators if isinstance(each, ma.validate.OneOf)), ())
        return f": {' or '.join(map(str, found))}" if found else ""
