"""Notes which verdicts an answer contains: once it is written to the client, they need no mail.

The server (``service.serving``) calls what is in ``overland.written`` of the WSGI environment after
it has handed all bytes of the answer to the connection. Under another server nothing is noted, and
the verdicts are mailed.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Final

from flask import request

from service.api.current import context
from service.players.types import Player
from service.store.covering import Answered
from service.turns.types import Turn

WRITTEN: Final = "overland.written"
RECENT: Final = timedelta(hours=1)
"""The mail of an older verdict has been sent."""


def note_verdict(player: Player, turn: Turn) -> None:
    """Notes that the answer to this request tells the player the verdict on the turn, if there is
    one.
    """
    written: list[Callable[[], None]] | None = request.environ.get(WRITTEN)
    if written is None or turn.verdict is None or turn.judged_at is None:
        return
    service = context()
    if service.clock() - turn.judged_at < RECENT:
        answered = Answered(player.id, turn.match_id, turn.id)
        written.append(lambda: service.batched.answers.add(service.database, service.clock, answered))
