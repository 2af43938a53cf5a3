"""How fast Oregon is here: ``python -m tests.games.oregon.benchmark [matches]``.

Prints figures, asserts nothing.
"""

from __future__ import annotations

import sys
from statistics import mean, quantiles
from time import perf_counter

from engine.games.oregon import GAME
from engine.games.oregon.state import Phase
from engine.play import legal_actions
from engine.types import CHANCE
from tests.games.oregon.playouts import playout


def main(matches: int) -> None:
    """Plays matches of two, three and four seats; times are in milliseconds."""
    for seats in (2, 3, 4):
        listing: list[float] = []
        applying: list[float] = []
        rounds: list[int] = []
        scores: list[int] = []
        plays: list[int] = []
        for seed in range(matches):
            for step in playout(seed, seats):
                if step.seat != CHANCE:
                    begun = perf_counter()
                    found = legal_actions(GAME, step.before, step.seat)
                    listing.append(1000 * (perf_counter() - begun))
                    if step.before.phase is Phase.PLAY:
                        plays.append(len(found))
                begun = perf_counter()
                GAME.apply(step.before, step.seat, step.action)
                applying.append(1000 * (perf_counter() - begun))
                last = step.after
            rounds.append(last.round)
            scores += GAME.standing(last)
        print(
            f"{seats} seats, {matches} matches: {mean(rounds):.1f} turns a seat ({min(rounds)} to {max(rounds)}),"
            f" {mean(scores):.1f} points a seat, {mean(plays):.0f} plays a position; listing p99"
            f" {quantiles(listing, n=100)[98]:.2f} ms, applying mean {mean(applying):.3f} ms"
        )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
