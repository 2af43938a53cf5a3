"""Narrates entries of a log for one viewer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.game import AnyGame
from engine.play import Replayed
from engine.types import Viewer


def told(game: AnyGame, steps: Iterable[Replayed], viewer: Viewer, names: Sequence[str]) -> tuple[str, ...]:
    """Returns the sentences for the entries of a walk; entries without a sentence are left out."""
    sentences = (
        game.narrate(before, entry.seat, entry.action, after, viewer, names) for _, before, entry, after in steps
    )
    return tuple(sentence for sentence in sentences if sentence)
