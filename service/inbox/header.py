"""The fields of a mail's header as they came in, without decoding: for what has to be safe from
whoever wrote the mail.
"""

from __future__ import annotations

import re
from typing import Final

MOST_FIELDS: Final = 1000
_FIELD: Final = re.compile(r"([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)", re.DOTALL)


class UnclearHeader(Exception):
    """A header that programs may read in different ways. The message is a sentence."""


def fields_of(raw: bytes) -> tuple[tuple[str, str], ...]:
    """The fields in order, as (name in lower case, unfolded value), of a mail with lines that end
    in CRLF or LF (RFC 5322, section 2.2).

    Raises ``UnclearHeader`` where it has a carriage return of its own, a NUL, or a line that is no
    field: a program that reads on there finds other fields than one that does not.
    """
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].removesuffix(b"\n")
    if b"\r" in head or b"\0" in head:
        raise UnclearHeader("The header has a carriage return alone, or a NUL.")
    text = re.sub(r"\n(?=[ \t])", "", head.decode("utf-8", "surrogateescape"))
    lines = text.split("\n") if text else []
    if len(lines) > MOST_FIELDS:
        raise UnclearHeader(f"The header has more than {MOST_FIELDS} fields.")
    found = []
    for line in lines:
        field = _FIELD.fullmatch(line)
        if field is None:
            raise UnclearHeader("The header has a line that is no field.")
        found.append((field[1].lower(), field[2].strip(" \t")))
    return tuple(found)
