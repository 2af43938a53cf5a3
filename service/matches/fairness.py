"""The secret, commitment, nonces and draws of a stored match.

The scheme itself is in ``engine.draws``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.draws import SECRET_BYTES, commitment, drawing, is_nonce, terms
from engine.play import Draw
from service.context import Entropy
from service.errors import Invalid
from service.store.matches import StoredMatch

NONCE_LENGTH = 26


def new_secret(entropy: Entropy) -> bytes:
    """Gives the secret of a new match, before anyone takes a seat."""
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
    """Gives the published commitment to the secret and to the terms of the match."""
    return commitment(secret, terms(match_id, game, rules_version, seats, options, components))


def nonce_or_new(nonce: str | None, entropy: Entropy) -> str:
    """Gives the player's nonce, or a new one where the player gave none.

    Raises ``Invalid`` at ``/nonce``.
    """
    if nonce is None:
        return entropy.token(NONCE_LENGTH)
    if not is_nonce(nonce):
        raise Invalid((("/nonce", "A nonce is 8 to 64 letters, digits, _ and -."),))
    return nonce


def draw_of(match: StoredMatch) -> Draw:
    """Gives the draws of a match. Raises ``ValueError`` where a seat has no nonce."""
    nonces = [seat.nonce for seat in match.seats]
    if None in nonces:
        raise ValueError(f"match {match.id} has a seat without a nonce")
    return drawing(match.secret, match.id, [nonce for nonce in nonces if nonce is not None])
