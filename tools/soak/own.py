"""A match of the soak's own, for the faults that come through a match: nothing is measured by it,
and its turns are none of the load.
"""

from __future__ import annotations

import random
import secrets
from collections.abc import Sequence
from typing import Any

from tools.client import Account, Choice, await_verdict, choose, fewest_players, start_match, submit
from tools.soak.players import Players


class OwnMatch:
    """A running match; another one where it is over."""

    def __init__(self, players: Players, game: str) -> None:
        self.client, self.journal, self._game = players.client(), players.journal, game
        self._players: Sequence[Account] = players.sign_up(fewest_players(self.client, game))
        self.id = self._start()

    @property
    def path(self) -> str:
        """Where the match is in the API."""
        return f"/v1/matches/{self.id}"

    def get(self, path: str = "") -> Any:
        """A document of the match. Raises ``ClientError``."""
        return self.client.get(self.path + path, self._players[0])

    def choice(self, luck: random.Random) -> Choice:
        """A legal action of an awaited player. Raises ``ClientError``."""
        while (choice := choose(self.client, self.id, self._players, luck.choice)) is None:
            self.id = self._start()
        return choice

    def play(self, luck: random.Random) -> None:
        """Plays a turn up to its verdict. Raises ``ClientError``."""
        choice = self.choice(luck)
        turn = submit(self.client, self.id, choice)
        self.journal.turn_taken(turn["id"])
        await_verdict(self.client, self.id, choice.player, turn, seconds=float("inf"))

    def _start(self) -> str:
        return start_match(self.client, self._game, self._players, f"Own {secrets.token_hex(2)}")
