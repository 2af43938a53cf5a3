"""Proofs of a mailbox: whoever signs in by a mail has shown that they read the player's mail, for
``LASTS``, with the token that they got for it.

Without one no token changes what else gives access to the account, so a stolen one does not become
the account.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from service.context import Context
from service.errors import Forbidden
from service.store.tokens import Token
from service.texts import gettext as _

LASTS: Final = timedelta(minutes=15)


def check(context: Context, by: Token) -> None:
    """Raises ``Forbidden`` (``proof_needed``) unless the token was given for reading a mail to the
    player at most ``LASTS`` ago.
    """
    if by.proven_at is None or context.clock() - by.proven_at > LASTS:
        sentence = _(
            "This needs a proof that you read your mail, at most {minutes} minutes old: sign in by mail again, and use"
            " the token that you get."
        )
        raise Forbidden(sentence.format(minutes=int(LASTS.total_seconds() // 60)), "proof_needed")
