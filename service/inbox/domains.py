"""The form in which domains of mail addresses are compared."""

from __future__ import annotations

import idna


def folded_domain(domain: str) -> str:
    """A domain in ASCII (RFC 5891) and lower case; empty where it cannot be written so."""
    name = domain.strip().rstrip(".").lower()
    if not name or name.isascii():
        return name
    try:
        return idna.encode(name, uts46=True).decode()
    except (idna.IDNAError, UnicodeError):
        return ""
