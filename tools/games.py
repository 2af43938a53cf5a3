"""The default game of the tools."""

from __future__ import annotations

from collections.abc import Iterable

import click

from engine import registry


def first_game() -> str:
    """The name of the first registered game."""
    return next(iter(registry.games()))


def fewest_seats(seats: Iterable[int]) -> int:
    """The smallest number of seats above one, or 1 where there is none."""
    return min((count for count in seats if count > 1), default=1)


game_option = click.option(
    "--game",
    type=click.Choice(tuple(registry.games())),
    default=first_game,
    show_default="the first registered",
    help="What is played.",
)
