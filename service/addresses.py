"""Parses mail addresses, and lines that others are mailed, so that they are safe in a mail header.

An address is kept as it was typed, because only its own server knows what its local part means (RFC
5321, section 2.4), and compared folded: in one case, with the domain in ASCII.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

import idna

from service.errors import Invalid

LONGEST_EMAIL = 254
LONGEST_LOCAL_PART = 64
_ATOM: Final = r"[A-Za-z0-9!#$%&'*+/=?^_`{|}~\u0080-\U0010ffff-]+"
_LABEL: Final = r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?"
_LOCAL: Final = re.compile(rf"{_ATOM}(?:\.{_ATOM})*")
_HOST: Final = re.compile(rf"{_LABEL}(?:\.{_LABEL})*")
"""The dot-atom form of RFC 5322, section 3.4.1, as RFC 6532 extends it, with a host name: no
quotes, no comments, no spaces. ``=?``, which begins an encoded word (RFC 2047), is left out,
because no mail is written to an address with it.
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
NOWHERE: Final = ".invalid"
"""The end of names that no host has (RFC 6761, section 6.4)."""
_DOTS = str.maketrans("\u3002\u2024\uff61", "...")
"""The characters that stand for the dot in names of hosts (UTS 46), where NFKC leaves them."""


def read_email(text: str, pointer: str = "/email") -> str:
    """The address as it was typed, composed (NFC), with its domain in lower case. Raises
    ``Invalid`` at ``pointer``, also for an address to which no mail ever leads, as those that stand
    here for players without any.

    Of letters that look like others only those are taken that no normal form replaces, so that an
    address has one form (RFC 6532, section 3.1).
    """
    local, at, domain = unicodedata.normalize("NFC", text.strip(" ")).rpartition("@")
    try:
        host = _ascii_host(domain)
        too_long = len(f"{local}@{host}".encode()) > LONGEST_EMAIL
        if not at or not _is_local_part(local) or host.endswith(NOWHERE) or too_long:
            raise ValueError(text)
    except ValueError:
        raise Invalid(((pointer, f"{_shown(text)} is not a mail address such as ada@example.org."),)) from None
    return f"{local}@{idna.decode(host) if 'xn--' in host else host}"


def folded(address: str) -> str:
    """The address as it is compared: the local part composed and in one case, the domain in ASCII
    and lower case. Raises ``ValueError`` where its domain is none.
    """
    local, _, domain = unicodedata.normalize("NFC", address).rpartition("@")
    same = "".join(_same_case(character) for character in local)
    return f"{unicodedata.normalize('NFC', same)}@{_ascii_host(domain)}"


def mailable(address: str) -> str:
    """The address as mails are sent to it: the local part as it is, the domain in ASCII, which
    every server can use (RFC 5890, section 2.3.2.1).
    """
    local, _, domain = address.rpartition("@")
    return address if domain.isascii() else f"{local}@{_ascii_host(domain)}"


def masked_address(address: str) -> str:
    """The address as it is shown to somebody who may not have it: ``b…@example.org``."""
    local, _, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}"


def check_mailed_line(pointer: str, what: str, text: str, longest: int) -> list[tuple[str, str]]:
    """Returns the problems of a one-line text that others are mailed, as (pointer, sentence): those
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
    """Returns the problems of a one-line text as (pointer, sentence): it must have 1 to ``longest``
    characters, none of them invisible.
    """
    if not 1 <= len(text) <= longest:
        return [(pointer, f"{what} has 1 to {longest} characters, not {len(text)}.")]
    if any(unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for character in text):
        return [(pointer, f"{what} has no line breaks, no control characters and no invisible ones.")]
    return []


def _is_local_part(local: str) -> bool:
    """Whether it has letters, marks and digits of any script, and signs that need no quotes."""
    return (
        len(local.encode("utf-8", "replace")) <= LONGEST_LOCAL_PART
        and "=?" not in local
        and _LOCAL.fullmatch(local) is not None
        and (local.isascii() or unicodedata.normalize("NFKC", local) == local)
        and all(character.isascii() or unicodedata.category(character)[0] in "LMN" for character in local)
    )


def _ascii_host(domain: str) -> str:
    """The domain in ASCII and lower case (UTS 46, non-transitional). Raises ``ValueError``."""
    if not domain.isascii() or "xn--" in domain.lower():
        domain = idna.encode(domain, uts46=True, std3_rules=True).decode("ascii")
    if len(domain) > LONGEST_EMAIL or not _HOST.fullmatch(domain):
        raise ValueError(f"{domain!r} is no name of a host.")
    return domain.lower()


def _same_case(character: str) -> str:
    """The character in the case in which characters are compared; those that would become several
    (as the German sharp s) stay, since they spell other names.
    """
    one = character.casefold()
    return one if len(one) == 1 else character.lower()


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:57] + "...")
