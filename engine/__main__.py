"""``python -m engine oregon``: a match at one keyboard.

The only module of the engine that reads command-line arguments and standard input; no module
imports it.
"""

from __future__ import annotations

import argparse
import hashlib
import secrets
import sys
from collections.abc import Iterator, Sequence

from engine import registry
from engine.terminal import LocalMatch, run
from engine.types import Setup


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the match that the command-line arguments describe; returns the exit status, 0.

    Raises ``SystemExit`` if an argument is wrong.
    """
    names = ", ".join(registry.games())
    parser = argparse.ArgumentParser(prog="python -m engine", description="Play a match at one keyboard.")
    parser.add_argument("game", choices=tuple(registry.games()), metavar="GAME", help=f"one of: {names}")
    parser.add_argument("--seats", type=int, default=None, help="how many seats (default: the fewest)")
    parser.add_argument("--seed", default=None, help="a text that determines all draws (default: random)")
    parser.add_argument(
        "--bot",
        type=int,
        action="append",
        default=[],
        metavar="SEAT",
        help="let a bot play this seat, counted from 0; may be repeated",
    )
    given = parser.parse_args(arguments)
    game = registry.game(given.game)
    seats = given.seats if given.seats is not None else min(game.info.seats)
    if seats not in game.info.seats:
        parser.error(f"{game.info.title} is for {' or '.join(map(str, game.info.seats))} players, not {seats}.")
    if not set(given.bot) <= set(range(seats)):
        parser.error(f"the seats are 0 to {seats - 1}.")
    seed = given.seed if given.seed is not None else secrets.token_urlsafe(12)
    try:
        run(_local_match(given.game, seats, seed, tuple(given.bot)), _keyboard(), _say, _pass_to)
    except (EOFError, KeyboardInterrupt):
        _say("\nThe match is left unfinished.")
    return 0


def _local_match(name: str, seats: int, seed: str, bots: tuple[int, ...]) -> LocalMatch:
    game = registry.game(name)
    digest = hashlib.sha256(seed.encode())
    names = tuple(
        f"{colour.capitalize()}{' (bot)' if seat in bots else ''}"
        for seat, colour in enumerate(game.info.seat_colours[:seats])
    )
    setup = Setup(seats, game.options(), registry.components(name))
    return LocalMatch(
        game,
        setup,
        registry.component_document(name),
        names,
        bots,
        f"hotseat-{digest.hexdigest()[:12]}",
        digest.digest(),
    )


def _keyboard() -> Iterator[str]:
    while True:
        try:
            yield input("> " if sys.stdin.isatty() else "")
        except EOFError:
            return


def _say(text: str) -> None:
    print(text, flush=True)


def _pass_to(name: str) -> None:
    """Clears the terminal and waits for the next player; does nothing if the input is a pipe."""
    if not sys.stdin.isatty():
        return
    input(f"\nPass the screen to {name}: press Enter. ")
    print("\033[2J\033[3J\033[H", end="", flush=True)
    input(f"{name}, press Enter when nobody else is looking. ")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        sys.stderr.close()
