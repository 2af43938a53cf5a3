"""Narrates what happened to one viewer, in sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.game import AnyGame
from engine.play import Replayed
from engine.types import Viewer


def told(game: AnyGame, steps: Iterable[Replayed], viewer: Viewer, names: Sequence[str]) -> tuple[str, ...]:
    """The sentences for the entries of a walk; entries of which there is nothing to tell are passed
    over.
    """
    sentences = (
        game.narrate(before, entry.seat, entry.action, after, viewer, names) for _, before, entry, after in steps
    )
    return tuple(sentence for sentence in sentences if sentence)
