"""Matches of people with bots, and what plays for the bots in them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engine import registry
from engine.bots import Level, random_action
from engine.documents import to_document
from service.bots.playing import BotTurn, Wanted, choice, play_due
from service.clocks.rule import ClockRule
from service.context import Context
from service.matches import lobby, replays
from service.matches.types import Match, SeatRequest
from service.store import matches as match_rows
from service.store.players import Player
from service.turns.submit import submit
from tests.service.fakes import Here, judge_one, judged_batch, person


def seated(
    context: Context, game: str, levels: Sequence[Level | None], clock: ClockRule | None = None
) -> tuple[Match, Player]:
    """A running match of bots of these levels and people (``None``), and the player in the first
    seat of a person, who has created it.
    """
    ada = person(context, "Ada")
    first = levels.index(None)
    kinds = [
        SeatRequest("bot", level=level) if level else SeatRequest("me" if seat == first else "open")
        for seat, level in enumerate(levels)
    ]
    match = lobby.create(context, ada, game, {}, kinds, clock=clock)
    for number in range(levels.count(None) - 1):
        match = lobby.join(context, person(context, f"Visitor{number}"), match.id)
    return match, ada


def bots_play(context: Context, choose: Callable[[Wanted], Any] | None = None) -> Counter[BotTurn]:
    """What one job does for the bots; they choose in this process."""
    return play_due(context, Here(choose or partial(choice, context)))


def until_a_person_is_awaited(context: Context, match_id: str) -> Match:
    """The match after the turns of its bots, when it awaits a person or is over."""
    while True:
        match = lobby.find(context, None, match_id)
        if match.status != "running" or any(seat.to_act and seat.bot is None for seat in match.seats):
            return match
        assert bots_play(context)["chosen"]
        judged_batch(context)
        assert lobby.find(context, None, match_id).ply > match.ply


def played_out(context: Context, player: Player, match_id: str, luck: random.Random, most: int = 100_000) -> Match:
    """The match after random turns of the player and turns of its bots, at its end or a ply."""
    while (match := until_a_person_is_awaited(context, match_id)).status == "running" and match.ply < most:
        seat = next(seat.seat for seat in match.seats if seat.player_id == player.id)
        with context.database.read() as connection:
            stored = match_rows.find(connection, match_id)
            assert stored is not None
            state = replays.load(connection, context, stored)
        action = random_action(registry.game(match.game), state, seat, luck.choice)
        turn = submit(context, player, match_id, seat, match.ply, actions=[to_document(action)])
        assert judge_one(context, turn.id).status == "accepted"
    return match
