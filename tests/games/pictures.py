"""The boards shown in the README: each game in the middle of a match of sensible players, as SVG;
and those shown in the RULES.md of each game, after its example turn.

    python -m tests.games.pictures          writes docs/images/<game>.svg for every game, or for
    those that are named, and docs/images/<game>-example.svg for every game (make pictures)

The same code draws the same pictures: the luck is a fixed seed's, the players look one step ahead.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

from engine import registry
from engine.bots import greedy
from engine.game import AnyGame
from engine.play import begin, settle
from engine.types import CHANCE, SPECTATOR, Layout, Setup
from tests.games import examples as turns

FOLDER = Path(__file__).parents[2] / "docs" / "images"
NAMES = ("Ada", "Bela", "Cleo", "Dora")
SEED = "a picture"
PART = 0.6
"""How much of the match has been played."""


def picture(game: AnyGame) -> str:
    """The board as a spectator sees it, in a match of as many as can play, whenever a seat is
    awaited next.
    """
    states = list(played(game))
    at = int(PART * len(states))
    state = next(state for state in states[at:] if game.to_act(state) != (CHANCE,))
    return game.svg(game.observe(state, SPECTATOR), NAMES, Layout.DESKTOP)


def played(game: AnyGame) -> Sequence[object]:
    """The states of the match in which a seat was awaited, and the last."""
    luck = Random(f"{SEED} of {game.info.name}")
    setup = Setup(max(game.info.seats), game.options(), registry.components(game.info.name))
    state, _ = begin(game, setup, lambda _, total: luck.randrange(total))
    states = [state]
    while awaited := game.to_act(state):
        state = game.apply(state, awaited[0], greedy(game, state, awaited[0]))
        state, _ = settle(game, state, 0, lambda _, total: luck.randrange(total))
        states.append(state)
    return states


def examples() -> dict[str, str]:
    """The pictures of the example turns by the names of their files."""
    return {f"{name}-example.svg": turns.picture(registry.game(name)) + "\n" for name in turns.EXAMPLES}


def main(names: Sequence[str]) -> None:
    """Writes the files."""
    for name in names or list(registry.games()):
        (FOLDER / f"{name}.svg").write_text(picture(registry.game(name)) + "\n", encoding="utf-8")
        print(f"Written: docs/images/{name}.svg")
    for name, drawn in examples().items():
        (FOLDER / name).write_text(drawn, encoding="utf-8")
        print(f"Written: docs/images/{name}")


if __name__ == "__main__":
    main(sys.argv[1:])
