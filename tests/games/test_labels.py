"""The labels of every game's pictures, in every layout: measured in random positions, with names
that are as wide as names can be.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.conformance.subject import play
from engine.types import CHANCE, SPECTATOR, Layout, Viewer
from tests.engine.matches import subject
from tests.games.labels import faults, in_the_dark
from tests.games.tables import each_table

pytestmark = pytest.mark.deep

SEED = "labels"
MATCHES = 8
POSITIONS = 80
EVERY = 10
"""Of so many positions one is also checked for contrast, which takes five times as long."""
NAMES = ("W" * 40, "\u9f98" * 40, "\u0645\u062d\u0645\u062f " * 8, "Ada")


@each_table
def test_no_label_collides_or_leaves_its_panel_or_is_pale(name: str, seats: int) -> None:
    """Each fault is shown once, with the first position that has it: the seats, the number of the
    match (``engine.conformance.subject.play``), and the ply.
    """
    game, luck = registry.game(name), Random(f"{SEED} {name} {seats}")
    found: dict[str, str] = {}
    for place, (number, ply, state) in enumerate(_positions(name, seats, luck)):
        viewers: list[Viewer] = [SPECTATOR, *range(seats), *(seat for seat in game.to_act(state) if seat != CHANCE)]
        viewer = luck.choice(viewers)
        observation, names = game.observe(state, viewer), luck.sample(NAMES, seats)
        for layout in Layout:
            picture = game.svg(observation, names, layout)
            shown = [(str(layout), fault) for fault in faults(picture, contrast=place % EVERY == 0)]
            if place % EVERY == 0 and layout is not Layout.PRINT:
                shown += [(f"{layout} in the dark", fault) for fault in faults(in_the_dark(game, picture))]
            for where, fault in shown:
                found.setdefault(f"{where}: {fault}", f"{seats}-{number}, ply {ply}, seen by {viewer}")
    listed = "\n".join(f"{fault} ({where})" for fault, where in sorted(found.items())[:100])
    assert not found, f"{len(found)} faults with the seed {SEED!r}:\n{listed}"


def _positions(name: str, seats: int, luck: Random) -> Iterator[tuple[int, int, Any]]:
    """Positions of random matches as (number of the match, ply, state), each match's first and last
    among them.
    """
    for number in range(MATCHES):
        states = play(subject(name, SEED), seats, number).states
        between = luck.sample(range(1, len(states) - 1), POSITIONS // MATCHES - 2)
        for ply in (0, *sorted(between), len(states) - 1):
            yield number, ply, states[ply]
