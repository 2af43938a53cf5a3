"""Parses names and mail addresses, so that what is stored is safe in a mail header."""

from __future__ import annotations

import re
import unicodedata

from service.errors import Invalid

LONGEST_EMAIL = 254
LONGEST_LOCAL_PART = 64
LONGEST_NAME = 40
_LOCAL = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*"
_LABEL = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_EMAIL = re.compile(rf"{_LOCAL}@{_LABEL}(?:\.{_LABEL})*")
"""The dot-atom form of RFC 5322, section 3.4.1, with a host name: no quotes, no comments, no
spaces. ``=?``, which begins an encoded word (RFC 2047), is left out, because no mail is written to
an address with it.
"""


_LINKED = re.compile(
    r"[\w.+-]+@\w[\w.-]*"
    r"|[a-z][a-z0-9+.-]*:/+[^\s]*"
    r"|\bmailto:"
    r"|\bwww\.\S*"
    r"|[\w-]+(?:\.[\w-]+)*\.[^\W\d_]{2,}",
    re.IGNORECASE,
)
"""What mail programs make a link of, after NFKC: an address, a page, a name of a host."""
_DOTS = str.maketrans("\u3002\u2024\uff61", "...")
"""The characters that stand for the dot in names of hosts (UTS 46), where NFKC leaves them."""


def read_email(text: str, pointer: str = "/email") -> str:
    """The address in lower case, as compared and stored. Raises ``Invalid`` at ``pointer``."""
    email = text.strip(" ").lower()
    if (
        len(email) > LONGEST_EMAIL
        or len(email.partition("@")[0]) > LONGEST_LOCAL_PART
        or not _EMAIL.fullmatch(email)
        or "=?" in email
    ):
        raise Invalid(((pointer, f"{_shown(text)} is not a mail address such as ada@example.org."),))
    return email


def read_name(text: str, pointer: str = "/name") -> str:
    """The name without surrounding spaces. Raises ``Invalid`` at ``pointer``."""
    name = text.strip()
    problems = check_mailed_line(pointer, "A name", name, LONGEST_NAME)
    if problems:
        raise Invalid(tuple(problems))
    return name


def check_mailed_line(pointer: str, what: str, text: str, longest: int) -> list[tuple[str, str]]:
    """Gives the problems of a one-line text that others are mailed, as (pointer, sentence): those
    of ``check_line``, and anything that a mail program would decode (RFC 2047) or make a link of.
    """
    problems = check_line(pointer, what, text, longest)
    if problems:
        return problems
    if "=?" in text:
        return [(pointer, f'{what} has no "=?", which begins an encoded word in mails.')]
    linked = _LINKED.search(unicodedata.normalize("NFKC", text).translate(_DOTS))
    if linked is None:
        return []
    sentence = f'{what} has no address of a mailbox or page, which mail programs take "{linked.group()}" for.'
    return [(pointer, f"{sentence} Put a blank after a full stop.")]


def check_line(pointer: str, what: str, text: str, longest: int) -> list[tuple[str, str]]:
    """Gives the problems of a one-line text as (pointer, sentence): it must have 1 to ``longest``
    characters, none of them invisible.
    """
    if not 1 <= len(text) <= longest:
        return [(pointer, f"{what} has 1 to {longest} characters, not {len(text)}.")]
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for character in text):
        return [(pointer, f"{what} has no line breaks and no control characters.")]
    return []


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
