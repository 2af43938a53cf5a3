"""Reads and writes JSON documents and makes their JSON Schema, all derived from the type of the
value.

Supports frozen dataclasses (a class variable ``type`` becomes the discriminator of a union, and is
required; generic ones with parameters), ``StrEnum``, ``Literal``, ``tuple[X, ...]`` and ``tuple[X,
Y]``, ``Mapping[K, X]`` with string-like keys, ``X | None``, unions of tagged dataclasses, ``int``,
``float``, ``str``, ``bool``, ``Any``, and ``Annotated[X, About(...)]``.
"""

from __future__ import annotations

import dataclasses
import json
import re
import sys
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias, TypeVar, Union, get_args, get_origin

from engine.errors import DocumentError

T = TypeVar("T")
_LARGEST = sys.float_info.max
ValueReader: TypeAlias = Callable[[Any, str], Any]
"""Takes JSON data and its JSON pointer, and gives the value."""
ValueWriter: TypeAlias = Callable[[Any], Any]
"""Takes a value and gives its JSON data."""
Problems: TypeAlias = list[tuple[str, str]]
"""Pairs of a JSON pointer and a sentence."""


@dataclass(frozen=True, slots=True)
class About:
    """What a type alone does not state: a description, bounds of a number, the pattern of a string
    (with ``^`` and ``$``), the length of a list; name and description of a generic dataclass.

    Every field of an action of seats states its bounds, unless it is ``unbounded``, and every
    pattern matches finitely many strings, so that all actions of a game can be enumerated.
    """

    description: str = ""
    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    min_items: int | None = None
    max_items: int | None = None
    example: Any = dataclasses.field(default=None, hash=False)
    name: str = ""


def to_document(value: Any) -> Any:
    """The value as JSON data: dataclasses become objects, tagged ones with their ``type`` first.
    Raises ``TypeError`` for a value of an unsupported type.
    """
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return str(value)
    if isinstance(value, tuple | list):
        return [to_document(item) for item in value]
    if isinstance(value, Mapping):
        return {str(key): to_document(item) for key, item in value.items()}
    kind: Any = type(value)
    return _writer(kind)(value)


def from_document(kind: type[T] | Any, document: Any, pointer: str = "") -> T:
    """The value of type ``kind`` that the JSON data, found at ``pointer``, describes. Raises
    ``DocumentError`` with every problem and its JSON pointer.
    """
    wanted: Any = kind
    return typing.cast(T, reader(wanted)(document, pointer))


@cache
def reader(kind: Any) -> ValueReader:
    """The function that reads values of the type ``kind``: it takes JSON data and its JSON pointer,
    gives the value, and raises ``DocumentError``. Raises ``TypeError`` for an unsupported type.
    """
    return _build_reader(kind)


def schema(
    kind: Any,
    definitions: dict[str, Any],
    prefix: str = "",
    refs: str = "#/components/schemas/",
    *,
    written: bool = False,
) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a type: of what is read as a value of it, or of what is
    ``written``, which has every field.

    Dataclasses are added to ``definitions`` as ``prefix`` + class name; the result refers to them
    by ``refs`` + that name. Raises ``TypeError`` for a generic dataclass without a name, and for
    two types of one name.
    """
    return _schema(kind, _Book(definitions, prefix, refs, written))


@dataclass(frozen=True, slots=True)
class _Book:
    """Where the definitions of a schema are, and how it is made (see ``schema``)."""

    definitions: dict[str, Any]
    prefix: str
    refs: str
    written: bool


def _schema(kind: Any, book: _Book) -> dict[str, Any]:
    about = About()
    if get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        about = next((note for note in notes if isinstance(note, About)), about)
    found = _schema_of(kind, book, about)
    extra = {
        "description": None if about.name else about.description or None,
        "minimum": about.minimum,
        "maximum": about.maximum,
        "pattern": about.pattern,
        "minItems": about.min_items,
        "maxItems": about.max_items,
        "examples": None if about.example is None else [about.example],
    }
    return found | {key: value for key, value in extra.items() if value is not None}


def _build_reader(kind: Any) -> ValueReader:
    origin, args = get_origin(kind), get_args(kind)
    if kind is Any:
        return lambda document, pointer: document
    if origin is Annotated:
        return _read_annotated(args[0], next((note for note in args[1:] if isinstance(note, About)), About()))
    if origin is Literal:
        return _read_choice(tuple(args), dict(zip(args, args, strict=True)))
    if origin in (Union, types.UnionType):
        return _read_union(args)
    if origin is tuple:
        return _read_tuple(args)
    if origin is not None and issubclass(origin, Mapping):
        return _read_mapping(*args)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _read_choice(tuple(str(member) for member in kind), {str(member): member for member in kind})
    if dataclasses.is_dataclass(origin or kind):
        return _read_dataclass(kind)
    if kind in (int, float, str, bool, type(None)):
        return _read_plain(kind)
    raise TypeError(f"no reader for {kind!r}")


_JSON_NAMES = {int: "a whole number", float: "a number", str: "a string", bool: "true or false", type(None): "null"}


def _refuse(pointer: str, sentence: str) -> DocumentError:
    return DocumentError(((pointer, sentence),))


def quoted(document: Any) -> str:
    """The value as JSON has it, in 60 characters at most."""
    text = json.dumps(document, ensure_ascii=False, default=repr)
    return text if len(text) <= 60 else text[:57] + "..."


def _plain(document: Any) -> Any:
    """The value with a whole float made an int: in JSON, 1.0 is the integer 1."""
    return int(document) if isinstance(document, float) and document.is_integer() else document


def _read_plain(kind: type) -> ValueReader:
    def read(document: Any, pointer: str) -> Any:
        value = _plain(document)
        if kind is bool or not isinstance(value, bool):
            if kind is float and isinstance(value, int | float) and abs(value) <= _LARGEST:
                return float(value)
            if kind is not float and isinstance(value, kind):
                return value
        raise _refuse(pointer, f"{quoted(document)} is not {_JSON_NAMES[kind]}.")

    return read


def _read_choice(shown: tuple[Any, ...], values: dict[Any, Any]) -> ValueReader:
    accepted = {(type(document), document): value for document, value in values.items()}
    known = ", ".join(quoted(item) for item in shown)

    def read(document: Any, pointer: str) -> Any:
        value = _plain(document)
        if value is None or isinstance(value, bool | int | str):
            found = accepted.get((str if isinstance(value, str) else type(value), value), MISSING)
            if found is not MISSING:
                return found
        raise _refuse(pointer, f"{quoted(document)} is not one of {known}.")

    return read


def _read_annotated(kind: Any, about: About) -> ValueReader:
    inner = reader(kind)
    # Python lets "$" match before a last newline and "\d" match digits of any script; JSON Schema's
    # patterns do neither.
    pattern = re.compile(re.sub(r"\$$", r"\\Z", about.pattern), re.ASCII) if about.pattern else None

    def read(document: Any, pointer: str) -> Any:
        value = inner(document, pointer)
        if isinstance(value, int | float) and not isinstance(value, bool):
            if about.minimum is not None and value < about.minimum:
                raise _refuse(pointer, f"{quoted(document)} is less than {about.minimum}.")
            if about.maximum is not None and value > about.maximum:
                raise _refuse(pointer, f"{quoted(document)} is more than {about.maximum}.")
        if pattern and isinstance(value, str) and not pattern.search(value):
            form = f", such as {quoted(about.example)}" if about.example is not None else ""
            raise _refuse(pointer, f"{quoted(document)} does not have the form {about.pattern}{form}.")
        if isinstance(value, tuple):
            _check_length(len(value), about, pointer)
        return value

    return read


def _check_length(length: int, about: About, pointer: str) -> None:
    if about.min_items is not None and length < about.min_items:
        raise _refuse(pointer, f"This list has {_items(length)}; the minimum is {about.min_items}.")
    if about.max_items is not None and length > about.max_items:
        raise _refuse(pointer, f"This list has {_items(length)}; the maximum is {about.max_items}.")


def _items(number: int) -> str:
    return f"{number} item{'' if number == 1 else 's'}"


def _read_union(args: tuple[Any, ...]) -> ValueReader:
    optional = type(None) in args
    members = [arg for arg in args if arg is not type(None)]
    tags = [_tag(member) for member in members]
    if len(members) == 1:
        inner = reader(members[0])
    elif None not in tags and len(set(tags)) == len(tags):
        inner = _read_tagged({str(tag): reader(member) for tag, member in zip(tags, members, strict=True)})
    elif _is_scalar_or_list(members):
        inner = _read_any({member: reader(member) for member in members})
    else:
        raise TypeError(f"a union of {members} has no discriminator")

    def read(document: Any, pointer: str) -> Any:
        return None if optional and document is None else inner(document, pointer)

    return read


def _is_scalar_or_list(members: Sequence[Any]) -> bool:
    """Whether JSON tells the members of a union apart: texts, whole numbers, booleans, one list."""
    kinds = [tuple if get_origin(member) is tuple else member for member in members]
    return set(kinds) <= {str, int, bool, tuple} and len(set(kinds)) == len(kinds)


def _read_any(readers: Mapping[Any, ValueReader]) -> ValueReader:
    def read(document: Any, pointer: str) -> Any:
        value = _plain(document)
        for member, inner in readers.items():
            if isinstance(value, list | tuple) if get_origin(member) is tuple else type(value) is member:
                return inner(value, pointer)
        said = " or ".join(_JSON_NAMES.get(member, "a list") for member in readers)
        raise _refuse(pointer, f"{quoted(document)} is not {said}.")

    return read


def _read_tagged(readers: dict[str, ValueReader]) -> ValueReader:
    names = ", ".join(readers)

    def read(document: Any, pointer: str) -> Any:
        if not isinstance(document, Mapping):
            raise _refuse(pointer, f"{quoted(document)} is not an object.")
        tag = document.get("type")
        found = readers.get(tag) if isinstance(tag, str) else None
        if found is None:
            missing = f"type is missing: it is one of {names}."
            raise _refuse(f"{pointer}/type", f"{quoted(tag)} is not one of {names}." if "type" in document else missing)
        return found(document, pointer)

    return read


def _read_tuple(args: tuple[Any, ...]) -> ValueReader:
    if len(args) == 2 and args[1] is Ellipsis:
        repeated, fixed = reader(args[0]), None
    else:
        repeated, fixed = None, [reader(arg) for arg in args]

    def read(document: Any, pointer: str) -> Any:
        if isinstance(document, str | Mapping) or not isinstance(document, Sequence):
            raise _refuse(pointer, f"{quoted(document)} is not a list.")
        if fixed is not None and len(document) != len(fixed):
            raise _refuse(pointer, f"This list has {_items(len(document))}, not {len(fixed)}.")
        readers = fixed if fixed is not None else [typing.cast(ValueReader, repeated)] * len(document)
        problems: Problems = []
        values = [
            _collect(read_item, item, f"{pointer}/{index}", problems)
            for index, (read_item, item) in enumerate(zip(readers, document, strict=True))
        ]
        if problems:
            raise DocumentError(tuple(problems))
        return tuple(values)

    return read


def _read_mapping(key_kind: Any, kind: Any) -> ValueReader:
    read_key, inner = reader(key_kind), reader(kind)

    def read(document: Any, pointer: str) -> Any:
        if not isinstance(document, Mapping):
            raise _refuse(pointer, f"{quoted(document)} is not an object.")
        problems: Problems = []
        values = {}
        for key, item in document.items():
            where = f"{pointer}/{escape(str(key))}"
            values[_collect(read_key, key, where, problems)] = _collect(inner, item, where, problems)
        if problems:
            raise DocumentError(tuple(problems))
        return values

    return read


@dataclass(frozen=True, slots=True)
class _Plan:
    """How a dataclass is read: its tag, a reader for each field, the names of required fields."""

    tag: str | None
    readers: Mapping[str, ValueReader]
    required: tuple[str, ...]


@cache
def _plan(kind: Any) -> _Plan:
    hints, tag, fields = _hints(kind), _tag(kind), dataclasses.fields(_origin(kind))
    needed = (field.name for field in fields if field.default is MISSING and field.default_factory is MISSING)
    required = (*needed,) if tag is None else ("type", *needed)
    return _Plan(tag, {field.name: reader(hints[field.name]) for field in fields}, required)


def _origin(kind: Any) -> Any:
    """The dataclass itself, also for a generic one with parameters."""
    return get_origin(kind) or kind


def _hints(kind: Any) -> Mapping[str, Any]:
    """The types of the fields of a dataclass by name, type variables replaced by the parameters."""
    origin = _origin(kind)
    given = dict(zip(getattr(origin, "__parameters__", ()), get_args(kind), strict=True))
    hints = typing.get_type_hints(origin, include_extras=True)
    return {name: _with_parameters(hint, given) for name, hint in hints.items()}


def _with_parameters(hint: Any, given: Mapping[Any, Any]) -> Any:
    if isinstance(hint, TypeVar):
        return given[hint]
    parameters = getattr(hint, "__parameters__", ())
    return hint[tuple(given[each] for each in parameters)] if parameters else hint


def _tag(kind: Any) -> str | None:
    """The discriminator of a dataclass: its class variable ``type``."""
    kind = _origin(kind)
    if not dataclasses.is_dataclass(kind) or any(field.name == "type" for field in dataclasses.fields(kind)):
        return None
    tag = getattr(kind, "type", None)
    return tag if isinstance(tag, str) else None


def _read_dataclass(kind: Any) -> ValueReader:
    def read(document: Any, pointer: str) -> Any:
        plan = _plan(kind)  # looked up only now, so that a type may contain itself
        if not isinstance(document, Mapping):
            raise _refuse(pointer, f"{quoted(document)} is not an object.")
        problems: Problems = []
        values = {}
        for key, item in document.items():
            if key in plan.readers:
                values[key] = _collect(plan.readers[key], item, f"{pointer}/{key}", problems)
            elif key != "type" or plan.tag is None:
                sentence = f"There is no field {quoted(key)} here; known: {', '.join(plan.readers) or 'none'}."
                problems.append((f"{pointer}/{escape(str(key))}", sentence))
            elif item != plan.tag:
                problems.append((f"{pointer}/type", f"{quoted(item)} is not {plan.tag}."))
        problems.extend((f"{pointer}/{name}", f"{name} is missing.") for name in plan.required if name not in document)
        if problems:
            raise DocumentError(tuple(problems))
        return _origin(kind)(**values)

    return read


def _collect(read: ValueReader, item: Any, pointer: str, problems: Problems) -> Any:
    try:
        return read(item, pointer)
    except DocumentError as error:
        problems.extend(error.problems)
        return None


def escape(key: str) -> str:
    """The key escaped as a reference token of a JSON pointer (RFC 6901, section 3)."""
    return key.replace("~", "~0").replace("/", "~1")


@cache
def _writer(kind: Any) -> ValueWriter:
    if not dataclasses.is_dataclass(kind):
        raise TypeError(f"{kind!r} cannot be written as a document")
    names = tuple(field.name for field in dataclasses.fields(kind))
    tag = _tag(kind)
    head = {} if tag is None else {"type": tag}

    def write(value: Any) -> Any:
        return head | {name: to_document(getattr(value, name)) for name in names}

    return write


def _schema_of(kind: Any, book: _Book, about: About) -> dict[str, Any]:
    origin, args = get_origin(kind), get_args(kind)
    if kind is Any:
        return {}
    if origin is Literal:
        return _choice_schema(args)
    if origin in (Union, types.UnionType):
        return _union_schema(args, book)
    if origin is tuple:
        return _tuple_schema(args, book)
    if origin is not None and issubclass(origin, Mapping):
        keys = {} if args[0] is str else {"propertyNames": _schema(args[0], book)}
        return {"type": "object", **keys, "additionalProperties": _schema(args[1], book)}
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return {"type": "string", "enum": [str(member) for member in kind]}
    if dataclasses.is_dataclass(origin or kind):
        return _dataclass_schema(kind, book, about)
    if kind not in _TYPE_NAMES:
        raise TypeError(f"{kind!r} has no schema")
    return {"type": _TYPE_NAMES[kind]}


_TYPE_NAMES = {int: "integer", float: "number", str: "string", bool: "boolean", type(None): "null"}


def _choice_schema(choices: tuple[Any, ...]) -> dict[str, Any]:
    kinds = list(dict.fromkeys(_TYPE_NAMES[type(choice)] for choice in choices))
    named = {"type": kinds[0] if len(kinds) == 1 else kinds}
    return named | ({"const": choices[0]} if len(choices) == 1 else {"enum": list(choices)})


def _union_schema(args: tuple[Any, ...], book: _Book) -> dict[str, Any]:
    members = [arg for arg in args if arg is not type(None)]
    found = [_schema(member, book) for member in members]
    if len(members) == 1:
        return {"anyOf": [found[0], {"type": "null"}]}
    if _is_scalar_or_list(members):
        return {"oneOf": found + [{"type": "null"}] * (len(members) < len(args))}
    mapping = {member.type: part["$ref"] for member, part in zip(members, found, strict=True)}
    tagged: dict[str, Any] = {"oneOf": found, "discriminator": {"propertyName": "type", "mapping": mapping}}
    return {"anyOf": [tagged, {"type": "null"}]} if len(members) < len(args) else tagged


def _tuple_schema(args: tuple[Any, ...], book: _Book) -> dict[str, Any]:
    if len(args) == 2 and args[1] is Ellipsis:
        return {"type": "array", "items": _schema(args[0], book)}
    items = [_schema(arg, book) for arg in args]
    alike = all(item == items[0] for item in items)
    each: dict[str, Any] = {} if not items else {"items": items[0]} if alike else {"prefixItems": items}
    return {"type": "array", **each, "minItems": len(items), "maxItems": len(items)}


def _dataclass_schema(kind: Any, book: _Book, about: About) -> dict[str, Any]:
    if get_origin(kind) is not None and not about.name:
        raise TypeError(f"{kind} is generic: name its schema with About(name=...)")
    name = book.prefix + (about.name or kind.__name__)
    description = about.description if about.name else said(kind) or name
    if name not in book.definitions:
        # Entered first, so that a type may contain itself.
        found = book.definitions[name] = {"type": "object", "description": description}
        hints, tag = _hints(kind), _tag(kind)
        properties: dict[str, Any] = {}
        if tag is not None:
            properties["type"] = {"type": "string", "const": tag, "description": f"What it is: `{tag}`."}
        for field in dataclasses.fields(_origin(kind)):
            properties[field.name] = _schema(hints[field.name], book)
            if field.default is not MISSING and not book.written:
                properties[field.name] = with_default(properties[field.name], to_document(field.default))
        required = list(properties) if book.written else [*_plan(kind).required]
        found |= {"properties": properties, "required": required, "additionalProperties": False}
    elif book.definitions[name].get("description") != description:
        raise TypeError(f"two types are called {name}: give one of them another name, or prefix")
    return {"$ref": book.refs + name}


def said(kind: type) -> str:
    """The docstring of a class as a description for people who know JSON, and no Python."""
    return " ".join((kind.__doc__ or "").split()).replace("``None``", "`null`").replace("``", "`")


def with_default(described: dict[str, Any], default: Any) -> dict[str, Any]:
    """The schema of a value that may be left out, whose description says what holds then; not by
    the keyword `default`, for which generators of clients make a value be sent always.
    """
    said = f"`{json.dumps(default, ensure_ascii=False)}` if left out."
    return described | {"description": f"{described['description']} {said}" if "description" in described else said}
