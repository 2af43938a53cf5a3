"""A match at one ply as one seat may know it: what was told, the board, what can be done.

The log is replayed up to that ply and no further, so a mail that is written late says no more than
one that is written at once. Nothing leaves this module but what ``observe``, ``narrate``, ``text``,
``svg`` and the judge let the viewer know.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import AnyGame
from engine.types import CHANCE, Entry, Outcome, Seat, Setup
from service.notices.suggestions import Suggestions, suggest


@dataclass(frozen=True, slots=True)
class Scene:
    """What may be shown.

    ``told`` has the sentences of a turn together, ``awaited`` are the seats that act, ``asked``
    what each of them is asked, for everybody to see; ``suggestions`` is ``None`` unless the viewer
    is one of them.
    """

    ply: int
    told: tuple[str, ...]
    awaited: tuple[Seat, ...]
    asked: tuple[str, ...]
    prompt: str
    text: str
    svg: str
    outcome: Outcome | None
    suggestions: Suggestions | None


def look(
    game: AnyGame, setup: Setup, log: Sequence[Entry[Any]], viewer: Seat, names: Sequence[str], since: int
) -> Scene:
    """The scene behind the whole of ``log``; what happened from ply ``since`` on is told."""
    state = game.setup(setup)
    told: list[str] = []
    acting = telling = CHANCE
    for ply, entry in enumerate(log):
        after = game.apply(state, entry.seat, entry.action)
        acting = acting if entry.seat == CHANCE else entry.seat
        if ply >= since and (sentence := game.narrate(state, entry.seat, entry.action, after, viewer, names)):
            if told and acting == telling != CHANCE:
                told[-1] += f" {sentence}"
            else:
                told.append(sentence)
            telling = acting
        state = after
    observation = game.observe(state, viewer)
    awaited = tuple(seat for seat in game.to_act(state) if seat != CHANCE)
    mine = viewer in awaited
    return Scene(
        ply=len(log),
        told=tuple(told),
        awaited=awaited,
        asked=tuple(game.prompt(state, seat) for seat in awaited),
        prompt=game.prompt(state, viewer) if mine else "",
        text=game.text(observation, names),
        svg=game.svg(observation, names),
        outcome=game.outcome(state),
        suggestions=suggest(game, state, viewer) if mine else None,
    )


def since_last_turn(log: Sequence[Entry[Any]], seat: Seat) -> int:
    """The ply at which somebody else first did something after the seat's last turn; 0 if the seat
    has not had one.

    What chance did right behind that turn belongs to it, and the seat has been told.
    """
    own = max((ply for ply, entry in enumerate(log) if entry.seat == seat), default=None)
    if own is None:
        return 0
    return next((ply for ply in range(own + 1, len(log)) if log[ply].seat != CHANCE), len(log))


def described(svg: str) -> str:
    """The picture in words, from its title and desc: what stands in its place for those who do not
    see it.
    """
    parts = (re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", svg, re.DOTALL) for tag in ("title", "desc"))
    return " ".join(
        " ".join(html.unescape(found[1]).split()).rstrip(".") + "." for found in parts if found and found[1].strip()
    )
