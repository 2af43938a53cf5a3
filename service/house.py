"""The players of the house: bots that have seats of their own, one for each level and place within
a match, as nobody can hold two seats of one. They are known by their fixed ids, have no address, no
token and no settings, and nothing is told to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine.bots import LEVELS, Level

MOST_SEATS: Final = 8  # of a match


@dataclass(frozen=True, slots=True)
class HousePlayer:
    """A bot that can take a seat."""

    id: str
    name: str
    level: Level


def _house(level: Level, place: int) -> HousePlayer:
    name = f"{level.capitalize()} bot"
    return HousePlayer(_id(level, place), name if place == 1 else f"{name} {place}", level)


def _id(level: Level, place: int) -> str:
    return f"{level}-bot-{place}"


HOUSE: Final[Mapping[str, HousePlayer]] = {
    player.id: player for player in (_house(level, place) for level in LEVELS for place in range(1, MOST_SEATS + 1))
}
"""All of them by id. No id of a person has a hyphen."""


def bot_level(player_id: str | None) -> Level | None:
    """The level of the bot with that id; ``None`` for a person, and where there is nobody."""
    known = HOUSE.get(player_id or "")
    return None if known is None else known.level


def seated(levels: Sequence[Level | None]) -> tuple[HousePlayer | None, ...]:
    """The bots of those levels, by seat, each a player of its own; ``None`` for the other seats."""
    return tuple(
        None if level is None else HOUSE[_id(level, levels[: seat + 1].count(level))]
        for seat, level in enumerate(levels)
    )
