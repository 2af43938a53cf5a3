"""``python -m engine oregon``: a match at one keyboard.

Exit code 0: the match was played or left. 2: an argument is wrong; the message says what would
work.
"""

from __future__ import annotations

import argparse
import hashlib
import secrets
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from engine import registry
from engine.choices import components_of, named_components, option_lines, options_of
from engine.errors import DocumentError
from engine.game import AnyGame
from engine.terminal import LocalMatch, run
from engine.types import Setup


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the match that the arguments describe; raises ``SystemExit`` if one is wrong."""
    names = ", ".join(registry.games())
    parser = argparse.ArgumentParser(
        prog="python -m engine",
        description="Play a match at one keyboard.",
        epilog="\n\n".join("\n".join(_offered(game)) for game in registry.games().values()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("game", choices=tuple(registry.games()), metavar="GAME", help=f"one of: {names}")
    parser.add_argument("--seats", type=int, default=None, help="how many seats (default: the fewest)")
    parser.add_argument("--seed", default=None, help="a text that determines all draws (default: random)")
    bot = "let a bot play this seat, counted from 0; may be repeated"
    parser.add_argument("--bot", type=int, action="append", default=[], metavar="SEAT", help=bot)
    option = "choose an option of the game, listed below; may be repeated"
    parser.add_argument("--option", action="append", default=[], metavar="NAME=VALUE", help=option)
    components = "a component set that comes with the game, or a file of your own (default: standard)"
    parser.add_argument("--components", default=registry.STANDARD, metavar="NAME-or-FILE.json", help=components)
    given = parser.parse_args(arguments)
    game = registry.game(given.game)
    seats = given.seats if given.seats is not None else min(game.info.seats)
    if seats not in game.info.seats:
        parser.error(f"{game.info.title} is for {' or '.join(map(str, game.info.seats))} players, not {seats}.")
    if not set(given.bot) <= set(range(seats)):
        parser.error(f"the seats are 0 to {seats - 1}.")
    seed = given.seed if given.seed is not None else secrets.token_urlsafe(12)
    try:
        parts, document = _components(game, given.components)
        setup = Setup(seats, options_of(game, given.option), parts)
    except DocumentError as error:
        problems = [f"{pointer} {sentence}".strip() for pointer, sentence in error.problems]
        parser.error("\n".join([*problems, *_offered(game)]))
    try:
        run(_local_match(game, setup, document, seed, tuple(given.bot)), _keyboard(), _say, _pass_to)
    except (EOFError, KeyboardInterrupt):
        _say("\nThe match is left unfinished.")
    return 0


def _components(game: AnyGame, which: str) -> tuple[Any, dict[str, Any]]:
    """The component set of that name or file, and its document. Raises ``DocumentError``."""
    if (found := named_components(game, which)) is not None:
        return found
    try:
        text = Path(which).read_text(encoding="utf-8")
    except OSError as error:
        sentence = f"{game.info.title} has no component set {which!r}, and no such file can be read: {error.strerror}."
        raise DocumentError((("", sentence),)) from error
    except UnicodeDecodeError as error:
        raise DocumentError((("", f"{which} is not text in UTF-8: byte {error.start} cannot be read."),)) from error
    try:
        return components_of(game, text)
    except DocumentError as error:
        title = ("", f"{which} is not a component set of {game.info.title}:")
        raise DocumentError((title, *error.problems)) from error


def _offered(game: AnyGame) -> list[str]:
    lines = [f"  --option {line}" for line in option_lines(game)] or ["  no options"]
    sets = [f"  --components {name}" for name in registry.component_sets(game.info.name)]
    return [f"What can be chosen in {game.info.title}:", *lines, *sets, "  --components FILE.json"]


def _local_match(game: AnyGame, setup: Setup, document: dict[str, Any], seed: str, bots: tuple[int, ...]) -> LocalMatch:
    digest = hashlib.sha256(seed.encode())
    names = tuple(
        f"{colour.capitalize()}{' (bot)' if seat in bots else ''}"
        for seat, colour in enumerate(game.info.seat_colours[: setup.seats])
    )
    return LocalMatch(game, setup, document, names, bots, f"hotseat-{digest.hexdigest()[:12]}", digest.digest())


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
