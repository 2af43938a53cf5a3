"""The boards shown in docs/images: each game in the middle of a match of sensible players, as SVG;
and those shown in the RULES.md of each game, after its example turn.

    python -m tests.games.pictures          writes docs/images/<game>*.svg for every game, or for
    those that are named, and engine/games/<game>/example.svg for every game (make pictures)

The same code draws the same pictures: the luck is a fixed seed's, the players look one step ahead.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from engine import registry
from engine.bots import greedy
from engine.game import AnyGame
from engine.play import begin, settle
from engine.types import CHANCE, SPECTATOR, Layout, Setup
from tests.games import examples as turns

FOLDER = Path(__file__).parents[2] / "docs" / "images"
GAMES = Path(__file__).parents[2] / "engine" / "games"
NAMES = ("Ada", "Bela", "Cleo", "Dora")
SEED = "a picture"
PART = 0.6
"""How much of the match has been played."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of a match with that many seats, in a layout."""

    game: AnyGame
    seats: int
    layout: Layout

    @property
    def name(self) -> str:
        """The name of the file: that of the game, and whatever is not as in the README."""
        parts = [self.game.info.name]
        parts += [str(self.seats)] if self.seats != max(self.game.info.seats) else []
        parts += [self.layout.value] if self.layout is not Layout.DESKTOP else []
        return f"{'-'.join(parts)}.svg"


def shown(game: AnyGame) -> tuple[Shown, ...]:
    """The pictures of a game: for screens with the most seats and with the fewest, for print with
    the most.
    """
    most, fewest = max(game.info.seats), min(game.info.seats)
    screens = (Shown(game, seats, layout) for seats in (most, fewest) for layout in (Layout.DESKTOP, Layout.PHONE))
    return (*screens, Shown(game, most, Layout.PRINT))


def drawing(which: Shown) -> str:
    """The board as a spectator sees it, whenever a seat is awaited next."""
    game, states = which.game, played(which.game, which.seats)
    at = int(PART * len(states))
    state = next(state for state in states[at:] if game.to_act(state) != (CHANCE,))
    return game.svg(game.observe(state, SPECTATOR), NAMES[: which.seats], which.layout)


@cache
def played(game: AnyGame, seats: int) -> Sequence[object]:
    """The states of the match in which a seat was awaited, and the last."""
    luck = Random(f"{SEED} of {game.info.name}")
    setup = Setup(seats, game.options(), registry.components(game.info.name))
    state, _ = begin(game, setup, lambda _, total: luck.randrange(total))
    states = [state]
    while awaited := game.to_act(state):
        state = game.apply(state, awaited[0], greedy(game, state, awaited[0]))
        state, _ = settle(game, state, 0, lambda _, total: luck.randrange(total))
        states.append(state)
    return states


def examples() -> dict[Path, str]:
    """The pictures of the example turns by their files."""
    return {GAMES / name / "example.svg": turns.picture(registry.game(name)) + "\n" for name in turns.EXAMPLES}


def main(names: Sequence[str]) -> None:
    """Writes the files."""
    for name in names or list(registry.games()):
        for which in shown(registry.game(name)):
            (FOLDER / which.name).write_text(drawing(which) + "\n", encoding="utf-8")
            print(f"Written: docs/images/{which.name}")
    for file, drawn in examples().items():
        file.write_text(drawn, encoding="utf-8")
        print(f"Written: {file.relative_to(GAMES.parents[1])}")


if __name__ == "__main__":
    main(sys.argv[1:])
