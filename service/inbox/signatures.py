"""Recognises what stands below a text: signatures, footers of phones and gateways, sign-offs."""

from __future__ import annotations

import re
from typing import Final

from service.inbox.mail_programs import PATTERNS

_SEPARATOR: Final = re.compile(r"\s*--\s*")
_FOOTER: Final = re.compile(rf"\W*(?:{PATTERNS['footer']})", re.IGNORECASE)
_DISCLAIMER: Final = re.compile(rf"\W*(?:{PATTERNS['disclaimer']})", re.IGNORECASE)
_WARNING: Final = re.compile(rf"\W*(?:{PATTERNS['warning']})", re.IGNORECASE)
_NAME: Final = r"(?:[,.! ]+[^\W\d_]+){0,2}\W*"
_SIGN_OFF: Final = re.compile(
    r"(?:(?:best|kind|kindest|warm|warmest|many|with (?:best|kind)|all the) )?"
    rf"(?:{PATTERNS['sign-off']})(?: (?:and|et|e|und) [^\W\d_]+)?{_NAME}",
    re.IGNORECASE,
)
_THANKS: Final = re.compile(
    rf"(?:many |lots of )?(?:{PATTERNS['thanks']})"
    r"(?: (?:a lot|so much|very much|again|all|everyone|beaucoup|mille|tante|schön|vielmals|encore|ancora))?" + _NAME,
    re.IGNORECASE,
)
_GREETING: Final = re.compile(
    rf"(?:{PATTERNS['greeting']})"
    rf"(?: (?:there|all|everyone|everybody|overland|zusammen|à tous|a tutti|tutti|tous|team))?{_NAME}",
    re.IGNORECASE,
)


def is_separator(line: str) -> bool:
    """Whether the line separates a signature (RFC 3676, section 4.3), its trailing space lost or
    not.
    """
    return _SEPARATOR.fullmatch(line) is not None


def is_footer(line: str) -> bool:
    """Whether a mail program wrote the line below the text: "Sent from my iPhone"."""
    return len(line) <= 200 and _FOOTER.fullmatch(line) is not None


def is_disclaimer(line: str) -> bool:
    """Whether the line begins what a company adds below its mails."""
    return _DISCLAIMER.match(line) is not None


def is_warning(line: str) -> bool:
    """Whether a mail server put the line above a text that came from outside."""
    return _WARNING.match(line) is not None


def is_sign_off(line: str) -> bool:
    """Whether the line ends a mail politely: "Cheers, Bob"; what follows is a signature."""
    return len(line) <= 80 and _SIGN_OFF.fullmatch(line.strip()) is not None


def is_thanks(line: str) -> bool:
    """Whether the line only thanks."""
    return len(line) <= 80 and _THANKS.fullmatch(line.strip()) is not None


def is_greeting(line: str) -> bool:
    """Whether the line only greets: "Hello Anna,"."""
    return len(line) <= 80 and _GREETING.fullmatch(line.strip()) is not None
