"""The bounds of a mail that came in, which its bytes are checked against before a parser sees them.

Python's parsers of mails take quadratic time for some of what a sender can write: parameters in an
open quote, comments within comments, thousands of parts. So fields, parts and lines are counted by
two passes over the bytes; whatever a parser could take for the beginning of a header counts as one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from service.texts import gettext as _

MOST_BYTES: Final = 2 * 1024 * 1024
"""Of a mail. A reply with our mail in it, picture and all, has 0.2 MB."""
PARSING_SECONDS: Final = 1.0
"""Of processor time, to open a mail, and to tell what of it was typed. Both take some hundredths; a
process that takes longer is ended, and the mail waits in the slow lane.
"""


class Beyond(Exception):
    """A mail is beyond a bound, and is not read; ``str(error)`` is a sentence that says which."""


@dataclass(frozen=True, slots=True)
class MailBounds:
    """The largest mail that is read: bytes and lines in all; bytes of a header field, and of all
    header fields, those of parts among them; number of fields; comments of a field; parameters of a
    field that says what a part is; parts, and their depth within each other; characters of a text,
    lines of all texts; characters of an HTML text, its elements, their depth, and blanks that fill
    its tables.
    """

    octets: int = MOST_BYTES
    lines: int = 60_000
    field: int = 16 * 1024
    all_fields: int = 256 * 1024
    fields: int = 2_000
    comments: int = 100
    parameters: int = 50
    parts: int = 100
    depth: int = 12
    text: int = 400_000
    text_lines: int = 5_000
    html: int = 1_000_000
    elements: int = 5_000
    nested: int = 100
    blanks: int = 40_000_000


BOUNDS: Final = MailBounds()
_FIELD: Final = rb"(?:[!-9;-~]*[ \t]*:|From )[^\n]*\n?(?:[ \t][^\n]*\n?)*"
_HEADER: Final = re.compile(rb"(?:\A|(?<=\n)\n|(?<=\n)--[^\n]*\n)(?:[ \t][^\n]*\n)*((?:" + _FIELD + rb")+)")
"""What a parser may take for a header: fields at the beginning, after a blank line (of a mail in
the mail), and after a line that may be a boundary.
"""
_FIELDS: Final = re.compile(_FIELD)
_CONTAINER: Final = re.compile(rb"content-type[ \t]*:[^;]*(?:multipart|message)\s*/", re.IGNORECASE)


def plain_lines(raw: bytes) -> bytes:
    """The mail with lines that end in LF."""
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def check_header(text: bytes, bounds: MailBounds = BOUNDS) -> None:
    """Checks the header of a mail with plain lines. Raises ``Beyond``."""
    _check_fields([text.partition(b"\n\n")[0] + b"\n"], bounds)


def check_body(text: bytes, bounds: MailBounds = BOUNDS) -> None:
    """Checks whatever else the bytes of a mail with plain lines tell. Raises ``Beyond``."""
    check(len(text), bounds.octets, _("It has more than {most} bytes."))
    check(text.count(b"\n"), bounds.lines, _("It has more than {most} lines."))
    check(text.count(b"\n--") // 10, bounds.parts, _("It has more than {most} parts."))
    containers = _check_fields([found[1] for found in _HEADER.finditer(text)], bounds)
    check(containers, 2 * bounds.depth, _("More than {most} of its parts have parts."))
    if containers and b"delivery-status" in text.lower():  # each of its paragraphs is a part
        check(text.count(b"\n\n") // 10, bounds.parts, _("It has more than {most} parts."))


def check(count: int, most: int, sentence: str) -> None:
    """Raises ``Beyond`` with the sentence, which has ``{most}``, if the count is greater."""
    if count > most:
        raise Beyond(sentence.format(most=most))


def _check_fields(headers: list[bytes], bounds: MailBounds) -> int:
    """Checks the fields of headers. Returns how many say that there are parts in the part."""
    check(sum(map(len, headers)), bounds.all_fields, _("Its header fields have more than {most} bytes."))
    fields = [field for header in headers for field in _FIELDS.findall(header)]
    check(len(fields), bounds.fields, _("It has more than {most} header fields."))
    check(max(map(len, fields), default=0), bounds.field, _("One of its header fields has more than {most} bytes."))
    brackets = max((field.count(b"(") for field in fields), default=0)
    check(brackets, bounds.comments, _("One of its header fields has more than {most} comments."))
    of_parts = [field for field in fields if field[:8].lower() == b"content-"]
    parameters = max((field.count(b";") for field in of_parts), default=0)
    check(parameters, bounds.parameters, _("One of its header fields has more than {most} parameters."))
    return sum(_CONTAINER.match(field) is not None for field in of_parts)
