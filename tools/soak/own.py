"""Matches of the soak's own, for the faults that come through a match: nothing is measured by them,
and their turns are none of the load.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from typing import Any

from tools.client import Account, Choice, Document, await_verdict, choose, fewest_players, start_match, submit
from tools.soak.players import Players


class OwnMatch:
    """A running match; another one where it is over."""

    def __init__(self, players: Players, game: str) -> None:
        self.client, self.journal, self._game = players.client(), players.journal, game
        self.players: Sequence[Account] = players.sign_up(fewest_players(self.client, game))
        self.start()

    @property
    def path(self) -> str:
        """Where the match is in the API."""
        return f"/v1/matches/{self.id}"

    def get(self, path: str = "") -> Any:
        """A document of the match. Raises ``ClientError``."""
        return self.client.get(self.path + path, self.players[0])

    def choice(self, luck: random.Random) -> Choice:
        """A legal action of an awaited player. Raises ``ClientError``."""
        while (choice := choose(self.client, self.id, self.players, luck.choice)) is None:
            self.start()
        return choice

    def turn(self, player: Account, turn_id: str) -> Document:
        """A turn, as its player sees it. Raises ``ClientError``."""
        turn: Document = self.client.get(f"{self.path}/turns/{turn_id}", player)
        return turn

    def submit(self, choice: Choice) -> Document:
        """Submits a turn. Raises ``ClientError``."""
        turn = submit(self.client, self.id, choice)
        self.journal.turn_taken(turn["id"])
        return turn

    def play(self, luck: random.Random) -> Document:
        """Plays a turn up to its verdict, and gives it. Raises ``ClientError``."""
        choice = self.choice(luck)
        return await_verdict(self.client, self.id, choice.player, self.submit(choice), seconds=float("inf"))

    def start(self) -> None:
        """Goes over to a new match. Raises ``ClientError``."""
        self.id = start_match(self.client, self._game, self.players, f"Own {secrets.token_hex(2)}")
