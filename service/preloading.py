"""What each part of the service would make when it first needs it, made once before they are
forked: the games with their components, and what they remember of these.
"""

from __future__ import annotations

from typing import Final

from engine import registry
from engine.bots import planned
from engine.documents import from_document
from engine.game import AnyGame
from engine.listing import listing
from engine.play import adjudicate, begin
from engine.types import SPECTATOR, Layout, Setup

TURNS: Final = 6
POSITIONS: Final = 30  # the positions at which the bot looks for a turn, at most


def preload() -> None:
    """Loads every game, and plays and shows the first turns of a match of those that come with the
    service: so Python has adapted their code, too, and parts need not write where they share.
    """
    for name, game in registry.games().items():
        if not registry.package(name).origin:  # what was installed may hang or crash, and is played by children alone
            _play(game)


def _play(game: AnyGame) -> None:
    seats = game.info.seats[0]
    names = tuple(f"Player {seat}" for seat in range(seats))
    setup = Setup(seats, from_document(game.options, {}), registry.components(game.info.name))
    state, entries = begin(game, setup, _draw)
    ply = len(entries)
    for _ in range(TURNS):
        for seat in game.to_act(state)[:1]:
            listing(game, state, seat)
            turn = planned(game, state, seat, positions=POSITIONS)
            judged = adjudicate(game, state, ply, seat, turn, _draw)
            game.narrate(state, seat, turn[0], judged.states[0], seat, names)
            state, ply = judged.state, ply + len(judged.entries)
        for viewer in (*range(seats), SPECTATOR):
            observation = game.observe(state, viewer)
            game.text(observation, names)
            for layout in Layout:
                game.svg(observation, names, layout)


def _draw(ply: int, total: int) -> int:
    return ply % total
