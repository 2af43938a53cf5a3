"""Verifiable draws, derived from a committed secret, the seats' nonces and the ply.

1. Before anyone takes a seat the service draws a secret and publishes ``commitment(secret,
   terms(...))``.
2. Every seat adds a nonce when it joins, so the host cannot choose the draws either.
3. The number at a ply is ``number(secret, match, nonces, ply, total)``.
4. The secret is published when the match ends, and anyone can compute the draws again.

docs/decisions/0003 specifies the scheme byte by byte.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import struct
from collections.abc import Mapping, Sequence
from typing import Any

from engine.play import Draw

SECRET_BYTES = 32
NONCE_PATTERN = "[A-Za-z0-9_-]{8,64}"
MATCH_PATTERN = "[A-Za-z0-9_-]{1,64}"
_SCHEME = "overland/1"
_BLOCK = 1 << 64


def terms(
    match: str, game: str, rules_version: int, seats: int, options: Mapping[str, Any], components: Mapping[str, Any]
) -> str:
    """The text that the commitment covers beside the secret: seven lines, joined by newlines.

    ``options`` and ``components`` are the JSON documents that the match's record holds.
    """
    return "\n".join((_SCHEME, match, game, str(rules_version), str(seats), digest(options), digest(components)))


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a document as canonical JSON, in lower-case hexadecimal. Canonical: keys sorted,
    no spaces, characters outside ASCII escaped.
    """
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def commitment(secret: bytes, agreed: str) -> str:
    """SHA-256 of the secret followed by ``agreed`` (see ``terms``) in UTF-8, in lower-case
    hexadecimal.

    Raises ``ValueError`` if the secret is not ``SECRET_BYTES`` long.
    """
    if len(secret) != SECRET_BYTES:
        raise ValueError(f"a secret has {SECRET_BYTES} bytes, not {len(secret)}")
    return hashlib.sha256(secret + agreed.encode()).hexdigest()


def is_nonce(text: str) -> bool:
    """Whether the text has the form of a nonce: 8 to 64 ASCII letters, digits, ``_`` and ``-``."""
    return re.fullmatch(NONCE_PATTERN, text) is not None


def is_match_id(text: str) -> bool:
    """Whether the text has the form of a match id: 1 to 64 ASCII letters, digits, ``_``, ``-``."""
    return re.fullmatch(MATCH_PATTERN, text) is not None


def number(secret: bytes, match: str, nonces: Sequence[str], ply: int, total: int) -> int:
    """A uniform number from 0 to ``total`` - 1.

    HMAC-SHA-256 of a message with the secret as key gives four big-endian 64-bit blocks; a block at
    or above the largest multiple of ``total`` is skipped, so there is no modulo bias. The message
    is UTF-8 of ``overland/1``, the match, the nonces in seat order, the ply and a counter from 0,
    joined by newlines. Raises ``ValueError`` if ``total`` is less than 1.
    """
    if total < 1:
        raise ValueError("a draw needs a positive total weight")
    limit = _BLOCK - _BLOCK % total
    counter = 0
    while True:
        message = "\n".join((_SCHEME, match, *nonces, str(ply), str(counter))).encode()
        for block in struct.unpack(">4Q", hmac.digest(secret, message, "sha256")):
            if block < limit:
                return int(block % total)
        counter += 1


def drawing(secret: bytes, match: str, nonces: Sequence[str]) -> Draw:
    """The draws of one match as the function that ``engine.play`` takes: (ply, total) to number."""

    def draw(ply: int, total: int) -> int:
        return number(secret, match, nonces, ply, total)

    return draw
