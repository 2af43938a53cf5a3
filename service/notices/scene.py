"""A match at one ply as one seat may know it: what was told, the board, what can be done.

The scene is that of one ply and no later, so a mail that is written late says no more than one that
is written at once. Nothing leaves this module but what ``observe``, ``narrate``, ``text``,
``svg`` and the judge let the viewer know.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.game import AnyGame
from engine.play import Replayed
from engine.types import CHANCE, Outcome, Seat
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


def look(game: AnyGame, state: Any, ply: int, steps: Sequence[Replayed], viewer: Seat, names: Sequence[str]) -> Scene:
    """The scene in ``state``, at ``ply``; ``steps``, which led there, are told."""
    observation = game.observe(state, viewer)
    awaited = tuple(seat for seat in game.to_act(state) if seat != CHANCE)
    mine = viewer in awaited
    return Scene(
        ply=ply,
        told=_told(game, steps, viewer, names),
        awaited=awaited,
        asked=tuple(game.prompt(state, seat) for seat in awaited),
        prompt=game.prompt(state, viewer) if mine else "",
        text=game.text(observation, names),
        svg=game.svg(observation, names),
        outcome=game.outcome(state),
        suggestions=suggest(game, state, viewer) if mine else None,
    )


def _told(game: AnyGame, steps: Sequence[Replayed], viewer: Seat, names: Sequence[str]) -> tuple[str, ...]:
    """What happened, the sentences of a turn and of the chance behind it together."""
    sentences: list[str] = []
    acting = telling = CHANCE
    for _, before, entry, after in steps:
        acting = acting if entry.seat == CHANCE else entry.seat
        if sentence := game.narrate(before, entry.seat, entry.action, after, viewer, names):
            if sentences and acting == telling != CHANCE:
                sentences[-1] += f" {sentence}"
            else:
                sentences.append(sentence)
            telling = acting
    return tuple(sentences)


def described(svg: str) -> str:
    """The picture in words, from its title and desc: what stands in its place for those who do not
    see it.
    """
    parts = (re.search(rf"<{tag}\b[^>]*>(.*?)</{tag}>", svg, re.DOTALL) for tag in ("title", "desc"))
    return " ".join(
        " ".join(html.unescape(found[1]).split()).rstrip(".") + "." for found in parts if found and found[1].strip()
    )
