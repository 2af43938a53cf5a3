"""Reads the header field Authentication-Results (RFC 8601, section 2.2)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

VERSION: Final = "1"
MOST_NESTED: Final = 20
"""Comments within comments."""
_WORD: Final = re.compile(r'[^\s;="()]+')
_SPACE: Final = re.compile(r"\s+")
_QUOTED: Final = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)


class UnreadableResults(Exception):
    """A field that does not follow the grammar. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """A method, such as ``dkim``, and its result, both in lower case, and the properties by name,
    such as ``header.d``, with the values as they were written.
    """

    method: str
    result: str
    properties: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, a quoted string (``text`` is its content), ``;`` or ``=``. ``joined``: nothing stands
    between it and the token before.
    """

    text: str
    kind: str
    joined: bool


def authserv_id(value: str) -> str:
    """The id of the host that wrote the field, in lower case; empty where there is none."""
    try:
        first = next(_tokens(value), None)
    except UnreadableResults:
        return ""
    return first.text.lower() if first is not None and first.kind in ("word", "quoted") else ""


def parse_results(value: str) -> tuple[MethodResult, ...]:
    """The results in the value of such a field, none for ``none``.

    Raises ``UnreadableResults``, also for a version other than 1.
    """
    sections: list[list[_Token]] = [[]]
    for token in _tokens(value):
        if token.kind == ";":
            sections.append([])
        else:
            sections[-1].append(token)
    head, *rest = sections
    if len(head) == 2 and head[1].text != VERSION:
        raise UnreadableResults(f"Version {head[1].text!r} of the field is not known.")
    if not 1 <= len(head) <= 2 or any(token.kind == "=" for token in head):
        raise UnreadableResults("The field does not begin with the name of a host.")
    stated = [section for section in rest if section]
    if [token.text.lower() for section in stated for token in section] == ["none"]:
        return ()
    return tuple(_result(section) for section in stated)


def _result(section: list[_Token]) -> MethodResult:
    pairs = list(_pairs(section))
    (method, result), properties = pairs[0], pairs[1:]
    name, _, version = method.lower().partition("/")
    if version not in ("", VERSION):
        raise UnreadableResults(f"Version {version!r} of the method {name!r} is not known.")
    found: dict[str, str] = {}
    for key, text in properties:
        if key.lower() in found:
            raise UnreadableResults(f"The property {key!r} is stated twice.")
        found[key.lower()] = text
    return MethodResult(name, result.lower(), found)


def _pairs(section: list[_Token]) -> Iterator[tuple[str, str]]:
    """The names and values of a section. Blanks may stand around ``=``, ``.`` and ``/``."""
    at = 0
    while at < len(section):
        name = ""
        while at < len(section) and section[at].kind == "word":
            name, at = name + section[at].text, at + 1
        if not name or at + 1 >= len(section) or section[at].kind != "=" or section[at + 1].kind == "=":
            raise UnreadableResults("A result or property is not of the form name=value.")
        value, at = section[at + 1].text, at + 2
        while at < len(section) and section[at].joined:  # "local part"@domain, or the padding of base64
            value, at = value + section[at].text, at + 1
        yield name, value


def _tokens(value: str) -> Iterator[_Token]:
    at, joined = 0, False
    while at < len(value):
        if found := _SPACE.match(value, at):
            at, joined = found.end(), False
        elif value[at] == "(":
            at, joined = _after_comment(value, at), False
        elif value[at] == '"':
            quoted = _QUOTED.match(value, at)
            if quoted is None:
                raise UnreadableResults("A quoted string does not end.")
            yield _Token(re.sub(r"\\(.)", r"\1", quoted[1], flags=re.DOTALL), "quoted", joined)
            at, joined = quoted.end(), True
        elif word := _WORD.match(value, at):
            yield _Token(word.group(), "word", joined)
            at, joined = word.end(), True
        elif value[at] == ")":
            raise UnreadableResults("A comment ends that has not begun.")
        else:
            yield _Token(value[at], value[at], joined)
            at, joined = at + 1, value[at] == "="


def _after_comment(value: str, at: int) -> int:
    """The index after the comment that begins at ``at``. Comments nest (RFC 5322, section
    3.2.2).
    """
    depth = 0
    while at < len(value):
        character = value[at]
        if character == "\\":
            at += 1
        elif character == "(":
            depth += 1
            if depth > MOST_NESTED:
                raise UnreadableResults("Comments are nested too deeply.")
        elif character == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise UnreadableResults("A comment does not end.")
