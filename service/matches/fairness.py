"""The secret, commitment, nonces and draws of a stored match.

The scheme itself is in ``engine.draws``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.draws import (
    SECRET_BYTES,
    commitment,
    drawing,
    is_nonce,
    nonces_digest,
    terms,
)
from engine.play import Draw
from service.context import Entropy
from service.errors import Invalid
from service.store.matches import StoredMatch

NOT_A_NONCE = "A random text of a player is 8 to 64 letters, digits, _ and -."


def new_secret(entropy: Entropy) -> bytes:
    """Returns the secret of a new match, before anyone takes a seat."""
    return entropy.random_bytes(SECRET_BYTES)


def commitment_to(
    secret: bytes,
    match_id: str,
    game: str,
    rules_version: int,
    seats: int,
    options: Mapping[str, Any],
    components: Mapping[str, Any],
) -> str:
    """Returns the published commitment to the secret and to the terms of the match."""
    return commitment(secret, terms(match_id, game, rules_version, seats, options, components))


def check_nonce(nonce: str | None) -> None:
    """Checks the form of a nonce that a player sent. Raises ``Invalid`` at ``/nonce``."""
    if nonce is not None and not is_nonce(nonce):
        raise Invalid((("/nonce", NOT_A_NONCE),))


def has_started(match: StoredMatch) -> bool:
    """Whether the match has started, so that its nonces are fixed and everybody may know them."""
    return match.started_at is not None


def digest_of(match: StoredMatch) -> str | None:
    """Returns the digest of all nonces of a match that has started; ``None`` before, and where one
    is missing, so that a damaged match can be shown.
    """
    nonces = _nonces(match)
    if not has_started(match) or len(nonces) != len(match.seats):
        return None
    return nonces_digest(match.id, match.commitment, nonces)


def draw_of(match: StoredMatch) -> Draw:
    """Returns the draws of a match. Raises ``ValueError`` where a seat has no nonce."""
    nonces = _nonces(match)
    if len(nonces) != len(match.seats):
        raise ValueError(f"match {match.id} has a seat without a nonce")
    return drawing(match.secret, match.id, match.commitment, nonces)


def _nonces(match: StoredMatch) -> list[str]:
    return [seat.nonce for seat in match.seats if seat.nonce is not None]
