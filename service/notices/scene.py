"""A match at one ply as one seat may know it: what happened, the board, what can be done.

It contains nothing later than that ply, however late the mail is written, and nothing but what
``observe``, ``narrate``, ``text``, ``svg`` and the judge disclose to the viewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import structlog

from engine import play
from engine.game import AnyGame
from engine.listing import Listing, listed
from engine.play import Replayed, legal_actions, prompt
from engine.svg import said, undescribed
from engine.types import CHANCE, Layout, Outcome, Seat
from service.notices.example import Example, example

_log = structlog.get_logger("service.notices")


@dataclass(frozen=True, slots=True)
class Scene:
    """What may be shown to the viewer.

    ``told`` has one text per turn, ``awaited`` are the seats to act, ``asked`` their prompts, which
    are public. ``svg`` is the board alone, the same to the letter for all who see the same on it,
    and ``words`` says what the viewer may know, a line for each matter; both are empty unless they
    were asked for. ``moves`` is ``None`` unless the viewer is awaited and they were asked for.
    """

    ply: int
    told: tuple[str, ...]
    awaited: tuple[Seat, ...]
    asked: tuple[str, ...]
    prompt: str
    text: str
    svg: str
    words: tuple[str, ...]
    outcome: Outcome | None
    moves: LegalMoves | None


@dataclass(frozen=True, slots=True)
class LegalMoves:
    """All legal actions of the viewer as ``lines`` of notation and as a table, and a turn that
    begins with one of them, unless an action raises when it is played, which is a fault of the
    game.
    """

    lines: tuple[str, ...]
    listing: Listing
    example: Example | None


def look(
    game: AnyGame,
    state: Any,
    ply: int,
    steps: Sequence[Replayed],
    viewer: Seat,
    names: Sequence[str],
    with_moves: bool = True,
    pictured: bool = True,
) -> Scene:
    """The scene in ``state``, at ``ply``; ``steps``, which led there, are narrated."""
    observation = game.observe(state, viewer)
    awaited = tuple(seat for seat in game.to_act(state) if seat != CHANCE)
    mine = viewer in awaited
    board = game.svg(observation, names, Layout.BOARD) if pictured else ""
    return Scene(
        ply=ply,
        told=_told(game, steps, viewer, names),
        awaited=awaited,
        asked=tuple(game.prompt(state, seat) for seat in awaited),
        prompt=prompt(game, state, viewer, viewer) if mine else "",
        text=game.text(observation, names),
        svg=undescribed(board),
        words=said(board, "desc"),
        outcome=play.outcome(game, state, ply),
        moves=_moves(game, state, viewer) if mine and with_moves else None,
    )


def _moves(game: AnyGame, state: Any, viewer: Seat) -> LegalMoves:
    actions = legal_actions(game, state, viewer)
    lines = tuple(game.format(action) for action in actions)
    try:
        found = example(game, state, viewer, actions)
    except Exception:
        _log.exception("notice.without_example", game=game.info.name)
        found = None
    return LegalMoves(lines, listed(lines), found)


def _told(game: AnyGame, steps: Sequence[Replayed], viewer: Seat, names: Sequence[str]) -> tuple[str, ...]:
    """The narrated steps; the sentences of a turn and of the draws after it are joined."""
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
    """The text alternative of the picture, from its title and desc."""
    parts = (" ".join(said(svg, tag)) for tag in ("title", "desc"))
    return " ".join(part.rstrip(".") + "." for part in parts if part)
