"""Result types of the views of a match. None of them ever contains a secret of a running match."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, TypedDict

from engine.documents import About
from engine.types import ToldStatement
from service.ids import ID_PATTERN
from service.matches.types import Document, OfGame
from service.statuses import MatchStatus


class Awaited(TypedDict):
    """A seat that the match waits for, its player, and its prompt."""

    seat: Annotated[int, About("The seat.")]
    player: Annotated[str, About("The name of its player.")]
    prompt: Annotated[ToldStatement, About("What the seat is asked.")]


class LookedAt(TypedDict):
    """A match as one caller may know it: ``seat`` is ``None`` for a spectator.

    ``awaited`` has the prompt of each seat in ``to_act``; ``prompt`` is the caller's own, or the
    first of them where the caller is not awaited.
    """

    match: Annotated[str, About("The id of the match.", pattern=ID_PATTERN)]
    game: Annotated[str, OfGame("game"), About("The name of the game.")]
    status: Annotated[MatchStatus, About("What has become of the match.")]
    ply: Annotated[int, About("The ply a turn has to answer.")]
    seat: Annotated[int | None, About("The seat of the viewer; `null` for a spectator.")]
    nonces_digest: Annotated[
        str | None,
        About("The digest of the nonces, as in the match: it must never change."),
    ]
    to_act: Annotated[tuple[int, ...], About("The seats the match waits for.")]
    awaited: Annotated[
        tuple[Awaited, ...], About("What each of these seats is asked; everybody may know that, spectators too.")
    ]
    prompt: Annotated[
        ToldStatement | None,
        About(
            "What you are asked; where the match does not wait for you, what the first of `awaited` is asked; `null` if"
            " nobody is."
        ),
    ]
    observation: Annotated[Document, OfGame("observation"), About("What the viewer may know.")]


class LogEntry(TypedDict):
    """An entry of the log, narrated for one caller: for chance ``player`` is ``None`` and ``seat``
    -1; ``action`` is ``None`` where it is concealed.
    """

    game: Annotated[str, OfGame("game"), About("The name of the match's game.")]
    ply: Annotated[int, About("How many entries stand before it.", minimum=0)]
    seat: Annotated[int, About("Who acted; -1 is chance.", minimum=-1)]
    player: Annotated[str | None, About("The name of who had the seat then; `null` for chance.")]
    sentence: Annotated[str, About("What happened; empty where there is nothing to tell.")]
    action: Annotated[
        Document | None,
        OfGame("logged_action"),
        About("The action; `null` where it is concealed from the caller."),
    ]
    at: Annotated[datetime, About("When it was made.")]
