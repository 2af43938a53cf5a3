"""Verifiable draws, derived from a committed secret, the seats' nonces and the ply.

1. When a match is created the service draws a secret and publishes ``commitment(secret,
   terms(...))``.
2. Every seat adds a nonce when it is taken, after that, so that the secret cannot suit the nonces.
3. When the match starts, the service publishes ``nonces_digest(...)``, so that no nonce can be
   exchanged.
4. The number at a ply is ``number(secret, heading(...), ply, total)``.
5. The secret is published when the match ends, and anyone can compute the draws again.

docs/decisions/0003 specifies it byte by byte.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import struct
from collections.abc import Mapping, Sequence
from typing import Any, Final

from engine.play import Draw

SCHEME: Final = "overland/1"
"""The name of this way of drawing, in every commitment, digest and record."""
SECRET_BYTES = 32
NONCE_PATTERN = "[A-Za-z0-9_-]{8,64}"
MATCH_PATTERN = "[A-Za-z0-9_-]{1,64}"
_MADE_LENGTH = 32
_BLOCK = 1 << 64


def terms(
    match: str, game: str, rules_version: int, seats: int, options: Mapping[str, Any], components: Mapping[str, Any]
) -> str:
    """The text that the commitment covers beside the secret: seven lines. ``options`` and
    ``components`` are the JSON documents of the record.
    """
    return "\n".join((SCHEME, match, game, str(rules_version), str(seats), digest(options), digest(components)))


def digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of canonical JSON (sorted keys, no spaces, ASCII), in lower-case hexadecimal."""
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


def made_nonce(secret: bytes, match: str, seat: int) -> str:
    """The nonce of a seat whose player sends none: 32 hexadecimal digits. It follows from the
    secret, so the host cannot choose it by the other nonces.
    """
    message = "\n".join((SCHEME, "nonce", match, str(seat))).encode()
    return hmac.digest(secret, message, "sha256").hex()[:_MADE_LENGTH]


def nonces_digest(match: str, committed: str, nonces: Sequence[str]) -> str:
    """SHA-256 of scheme, match, commitment and nonces in seat order, one a line, in hexadecimal."""
    return hashlib.sha256("\n".join((SCHEME, match, committed, *nonces)).encode()).hexdigest()


def heading(match: str, committed: str, nonces: Sequence[str]) -> str:
    """What the message of each draw begins with: scheme, match, digest of the nonces."""
    return "\n".join((SCHEME, match, nonces_digest(match, committed, nonces)))


def number(secret: bytes, head: str, ply: int, total: int) -> int:
    """A uniform number from 0 to ``total`` - 1.

    HMAC-SHA-256 of a message with the secret as key gives four big-endian 64-bit blocks; a block at
    or above the largest multiple of ``total`` is skipped, so there is no modulo bias. The message
    is UTF-8 of ``head`` (see ``heading``), the ply and a counter from 0, joined by newlines. Raises
    ``ValueError`` if ``total`` is less than 1.
    """
    if total < 1:
        raise ValueError("a draw needs a positive total weight")
    limit = _BLOCK - _BLOCK % total
    counter = 0
    while True:
        message = "\n".join((head, str(ply), str(counter))).encode()
        for block in struct.unpack(">4Q", hmac.digest(secret, message, "sha256")):
            if block < limit:
                return int(block % total)
        counter += 1


def drawing(secret: bytes, match: str, committed: str, nonces: Sequence[str]) -> Draw:
    """The draws of one match as the function that ``engine.play`` takes: (ply, total) to number."""
    head = heading(match, committed, nonces)

    def draw(ply: int, total: int) -> int:
        return number(secret, head, ply, total)

    return draw
