"""The secret of a match, its commitment, the nonces and the draws, from what is stored.

The scheme itself is ``engine.draws``.
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
    """The secret of a new match, drawn before anyone takes a seat."""
    return entropy.bytes(SECRET_BYTES)


def commitment_to(
    secret: bytes,
    match_id: str,
    game: str,
    rules_version: int,
    seats: int,
    options: Mapping[str, Any],
    components: Mapping[str, Any],
) -> str:
    """What is published of the secret, together with what the match is played for."""
    return commitment(secret, terms(match_id, game, rules_version, seats, options, components))


def nonce_or_new(nonce: str | None, entropy: Entropy) -> str:
    """The player's share of the luck, made here where the player gave none.

    Raises ``Invalid`` at ``/nonce``.
    """
    if nonce is None:
        return entropy.token(NONCE_LENGTH)
    if not is_nonce(nonce):
        raise Invalid((("/nonce", "A nonce is 8 to 64 letters, digits, _ and -."),))
    return nonce


def draw_of(match: StoredMatch) -> Draw:
    """The draws of a match whose seats are all taken."""
    nonces = [seat.nonce for seat in match.seats]
    if None in nonces:
        raise ValueError(f"match {match.id} has a seat without a nonce")
    return drawing(match.secret, match.id, [nonce for nonce in nonces if nonce is not None])
