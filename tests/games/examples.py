"""The example turn in the RULES.md of every game: its position, what is typed, what chance adds.

    python -m tests.games.examples          prints the dialogue of every example turn

tests/games/test_examples.py compares the dialogues with the texts; tests/games/pictures.py draws
the boards afterwards.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from engine import registry
from engine.game import AnyGame
from engine.games.montana import GAME as MONTANA
from engine.games.montana.actions import LayTile
from engine.games.montana.components import Options, Terrain
from engine.games.montana.state import Ground
from engine.play import judge
from engine.types import CHANCE, SPECTATOR, Layout, Setup
from tests.games.montana import positions as montana
from tests.games.oregon import positions as oregon
from tests.games.ozeanien import positions as ozeanien

NAMES: Final = ("Ada", "Bela")
WIDTH: Final = 88


@dataclass(frozen=True, slots=True)
class Example:
    """A turn of seat 0 of two: the position before it, the lines that are typed, and the draws of
    chance in notation, in their order.
    """

    before: Callable[[], Any]
    lines: tuple[str, ...]
    chance: tuple[str, ...] = ()


def dialogue(game: AnyGame) -> str:
    """What is typed, each line after "> ", and what the player is told of it."""
    told, _ = _played(game)
    return "\n".join(told)


def picture(game: AnyGame) -> str:
    """The board after the example turn, as a spectator sees it."""
    _, state = _played(game)
    return game.svg(game.observe(state, SPECTATOR), NAMES, Layout.DESKTOP)


def _played(game: AnyGame) -> tuple[list[str], Any]:
    """The lines of the dialogue, and the state afterwards. Every action is legal, every draw is
    possible, and none is left over.
    """
    example = EXAMPLES[game.info.name]
    state, draws, told = example.before(), iter(example.chance), list[str]()
    for line in example.lines:
        sentences = []
        for action in game.parse(line):
            refusal = judge(game, state, 0, action)
            assert refusal is None, refusal
            steps = [(0, action)]
            while steps:
                seat, each = steps.pop()
                after = game.apply(state, seat, each)
                sentences.append(game.narrate(state, seat, each, after, 0, NAMES))
                state = after
                if game.to_act(state) == (CHANCE,):
                    (drawn,) = game.parse(next(draws))
                    assert drawn in [outcome for outcome, _ in game.outcomes(state)], drawn
                    steps.append((CHANCE, drawn))
        told += [f"> {line}", *_wrapped(" ".join(filter(None, sentences)))]
    assert game.check(state) == ()
    assert next(draws, None) is None
    return told, state


def _wrapped(text: str) -> list[str]:
    """The text in lines, none of which begins with the name of a space: at the beginning of a line
    in RULES.md that would be read as the number of a rule.
    """
    joined = re.sub(r" (?=[A-Z]\d)", "\0", text)
    return [line.replace("\0", " ") for line in textwrap.wrap(joined, WIDTH)]


def _oregon() -> Any:
    return oregon.position(
        """
        .  R  .  .  .
        R  .  .  .  .
        .  PO CH B  .
        .  .  B  .  .
        """,
        "H1",
        hands=["wagon settler eagle harbour", "bison bison campfire church"],
    )


def _montana() -> Any:
    landscape = MONTANA.setup(Setup(2, Options(), montana.STANDARD))
    for tile, turned in zip("KCIGHDL", (0, 2, 2, 2, 1, 1, 2), strict=True):
        landscape = MONTANA.apply(landscape, CHANCE, LayTile(tile, turned))
    names = landscape.table.geometry.names
    state = montana.position(
        "; ".join(f"{name} {_drawn(ground)}" for name, ground in zip(names, landscape.land, strict=True)),
        montana.me("wwpss", "wc", coins=2, cows=1),
        montana.me("wpps", "ss", coins=3, cows=1),
        start="E6",
        built="0:E7 0:F7 1:F5 1:E4x2",
    )
    components = replace(state.table.components, shop_columns=montana.STANDARD.shop_columns)
    return replace(state, table=replace(state.table, components=components))


def _drawn(ground: Ground) -> str:
    letters = "".join(letter * number for letter, number in zip("wpcsCS", ground.cost, strict=True))
    kind = letters if ground.terrain is Terrain.PRAIRIE else ground.terrain.value
    marks = {"cow": ground.cow, "double": ground.double, "canteen": ground.canteen}
    return " ".join((kind, *(mark for mark, has in marks.items() if has)))


def _ozeanien() -> Any:
    document = registry.component_document("ozeanien")
    counts = {name: document[name]["value"] for name in ("sea_tiles", "reserve_tiles")}
    return ozeanien.position(
        """
        . .    . . .      .   .
        . .    . . .      .   .
        . ~    . . .      .   .
        ~ a/E  . ~ b/E:1G .   .
        ~ a/E:1W . ~ b    ~   .
        """,
        **counts,
    )


EXAMPLES: Final[Mapping[str, Example]] = {
    "oregon": Example(
        _oregon,
        ("farmer wagon settler I2", "extra; harbour eagle J2", "draw landscape landscape landscape building"),
        ("deal bison to seat 0", "deal wagon to seat 0", "deal campfire to seat 0", "deal station to seat 0"),
    ),
    "montana": Example(_montana, ("build G7", "build H7", "trade cow for coins", "end")),
    "ozeanien": Example(_ozeanien, ("ship D4", "place C4 SW", "explorer 2"), ("draw coast",)),
}


def main() -> None:
    """Prints the dialogues."""
    for name in EXAMPLES:
        print(f"{name}\n\n{textwrap.indent(dialogue(registry.game(name)), '    ')}\n")


if __name__ == "__main__":
    main()
