"""The published counts of each game: how many sequences of 1, 2 and 3 plies follow fixed positions,
by the engine and by brute force.

    python -m tests.games.perft
        counts everything again, both ways, and compares it with what is published (make perft)
    python -m tests.games.perft --deeper
        also counts one ply deeper, by the engine
    python -m tests.games.perft --write
        chooses positions and publishes their counts, for the games named after it

A position is a log from the beginning of a match with the standard components, or with the set of
the tests that ``components`` names, so that its counts stay valid when the standard one changes.
``counts[n]`` belong to n + 1 plies. ``asked[n]`` says how many times brute force goes through the
whole grammar for it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

from engine import registry
from engine.conformance.grammar import brute_force, grammar
from engine.conformance.subject import course
from engine.documents import to_document
from engine.game import AnyGame
from engine.perft import actions_of, perft
from engine.play import legal_actions, read_action, replay
from engine.types import CHANCE, Entry, Setup

DEEPEST = 3
MOST_ASKED = 15_000_000
"""What brute force may ask the judge for one published count, when the counts are made."""
POSITIONS = 12
"""The most positions of a game."""
WANTED = 3
"""How many positions are looked for, for each number of seats, in a game with few kinds of them. A
game with shorter matches may have fewer.
"""
Published = Mapping[str, Any]


def table_file(name: str) -> Path:
    """Where the counts of a game are published."""
    return Path(__file__).parent / name / "perft.json"


def published(name: str) -> list[Published]:
    """The positions of a game with their counts."""
    found: list[Published] = json.loads(table_file(name).read_text())["positions"]
    return found


def setup_of(game: AnyGame, seats: int, components: str | None = None) -> Setup:
    """A match with the standard options, and with the standard components or those of the file of
    that name beside the counts.
    """
    if components is None:
        return Setup(seats, game.options(), registry.components(game.info.name))
    file = table_file(game.info.name).with_name(f"{components}.json")
    return Setup(seats, game.options(), game.load_components(json.loads(file.read_text(encoding="utf-8"))))


def state_of(game: AnyGame, position: Published) -> Any:
    """The state after the log of a position."""
    log = [Entry(entry["seat"], read_action(game, entry["seat"], entry["action"])) for entry in position["log"]]
    return replay(game, setup_of(game, position["seats"], position.get("components")), log)


def asked(game: AnyGame, state: Any, depth: int) -> int:
    """How many times a list of legal actions is asked for, counting so many plies."""
    if depth == 0:
        return 0
    own = len([seat for seat in game.to_act(state) if seat != CHANCE])
    if depth == 1:
        return own
    followed = ((seat, action) for seat in game.to_act(state) for action in actions_of(game, state, seat))
    return own + sum(asked(game, game.apply(state, seat, action), depth - 1) for seat, action in followed)


def deepest(game: AnyGame, state: Any) -> int:
    """How many plies brute force can be expected to count from that position."""
    affordable = MOST_ASKED // len(grammar(game))
    return max(depth for depth in range(1, DEEPEST + 1) if depth == 1 or asked(game, state, depth) <= affordable)


def main(arguments: Sequence[str]) -> int:
    """Counts, compares and says so; 1 where something differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.games.perft")
    parser.add_argument("games", nargs="*", default=[])
    parser.add_argument("--write", action="store_true", help="choose positions and publish their counts")
    parser.add_argument("--deeper", action="store_true", help="one ply deeper too, by the engine alone")
    wanted = parser.parse_args(arguments)
    differing = 0
    for name in wanted.games or list(registry.games()):
        game = registry.game(name)
        if wanted.write:
            _write(name, game)
        print(f"{name}: the grammar has {len(grammar(game))} actions")
        for position in published(name):
            differing += _compared(game, position, wanted.deeper)
    return 1 if differing else 0


def _compared(game: AnyGame, position: Published, deeper: bool) -> int:
    state, depths = state_of(game, position), range(1, len(position["counts"]) + 1)
    started = time.perf_counter()
    engine = [perft(game, state, depth) for depth in depths]
    brute = [perft(game, state, depth, brute_force) for depth in depths]
    same = engine == brute == position["counts"]
    further = f", {len(depths) + 1} plies: {perft(game, state, len(depths) + 1)}" if deeper else ""
    said = "agree" if same else f"DIFFER: engine {engine}, brute force {brute}"
    print(
        f"  {position['name']}: {position['counts']} {said}{further} ({time.perf_counter() - started:.1f} s)",
        flush=True,
    )
    return not same


def _write(name: str, game: AnyGame) -> None:
    positions = [_counted(game, seats, log) for seats, log in _chosen(game)]
    text = ",\n".join(json.dumps(position, ensure_ascii=False) for position in positions)
    table_file(name).write_text(f'{{"positions": [\n{text}\n]}}\n')


def _chosen(game: AnyGame) -> Iterator[tuple[int, list[Entry[Any]]]]:
    """Positions of as many kinds as there are, spread over the numbers of seats: a kind is what
    types of action are legal. Where there are few kinds, further positions of the same.
    """
    seen: list[tuple[str, ...]] = []
    counts = game.info.seats
    for number in range(40 * len(counts)):
        seats = counts[number % len(counts)]
        start = game.setup(setup_of(game, seats))
        played = list(course(game, start, Random(f"published-{number}")))
        for ply, state, _, _ in played:
            awaited = [seat for seat in game.to_act(state) if seat != CHANCE]
            kind = tuple(sorted({action.type for seat in awaited for action in legal_actions(game, state, seat)}))
            wanted = kind not in seen or (number >= 30 * len(counts) and len(seen) < WANTED * len(counts))
            if awaited and wanted and ply >= len(played) * (number % 4) // 4:
                seen.append(kind)
                yield seats, [step.entry for step in played[:ply]]
                break
        if len(seen) == POSITIONS:
            return


def _counted(game: AnyGame, seats: int, log: Sequence[Entry[Any]]) -> dict[str, Any]:
    state = replay(game, setup_of(game, seats), log)
    depth = deepest(game, state)
    types = sorted({action.type for seat in game.to_act(state) for action in legal_actions(game, state, seat)})
    return {
        "name": f"{seats} seat{'' if seats == 1 else 's'}, ply {len(log)}: {', '.join(types)}",
        "seats": seats,
        "counts": [perft(game, state, plies) for plies in range(1, depth + 1)],
        "asked": [asked(game, state, plies) for plies in range(1, depth + 1)],
        "log": [{"seat": entry.seat, "action": to_document(entry.action)} for entry in log],
    }


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
