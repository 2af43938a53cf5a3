"""The players of a soak: one thread per match plays it over HTTP, repeats requests without an
answer, and writes what it sees into a journal.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Sequence
from typing import Final

from tools.client import (
    NAMES,
    Account,
    Client,
    ClientError,
    Retry,
    StoppedWaiting,
    await_verdict,
    choose,
    fewest_players,
    sign_up,
    start_match,
    submit,
)
from tools.soak.journal import Journal
from tools.soak.mail import MailServer
from tools.waiting import until

PLAYERS: Final = 4
REQUEST_SECONDS: Final = 20.0
VERDICT_WAIT: Final = 2
"""Seconds that a request waits for its verdict before the turn is polled."""


class Players:
    """Plays ``matches`` matches at once from ``start`` to ``close``, in each thread one after the
    other.

    ``pace``: seconds between two turns of a match, on average.
    """

    def __init__(
        self,
        urls: Sequence[str],
        mail: MailServer,
        game: str,
        matches: int,
        seed: str,
        pace: float,
        timeout: float = REQUEST_SECONDS,
    ) -> None:
        self._urls, self._mail, self._game, self._seed, self._pace = tuple(urls), mail, game, seed, pace
        self._timeout, self._matches = timeout, matches
        self.journal = Journal()
        self.failures: list[str] = []
        self._stop = threading.Event()
        self._resumed = threading.Event()
        self._resumed.set()
        self._resting: set[int] = set()
        self._threads: list[threading.Thread] = []

    def client(self, number: int = 0) -> Client:
        """A client for one thread, whose failed requests are recorded in the journal. It begins
        with the URL of that number, so that the matches are played at all of them.
        """
        retry, first = Retry(stop=self._stop, failed=self.journal.request_failed), number % len(self._urls)
        return Client(*self._urls[first:], *self._urls[:first], timeout=self._timeout, retry=retry)

    def sign_up(self, count: int) -> list[Account]:
        """Signs up ``count`` new players. Raises ``ClientError``."""
        client = self.client()
        return [sign_up(client, name, self._mail.texts) for name in NAMES[:count]]

    def start(self) -> None:
        """Signs players up, starts the matches and begins to play. Raises ``ClientError``."""
        client = self.client()
        seats = fewest_players(client, self._game)
        players = self.sign_up(max(PLAYERS, seats))
        for number in range(self._matches):
            seated = [players[(number * seats + seat) % len(players)] for seat in range(seats)]
            match_id = self._start_match(client, seated, number)
            thread = threading.Thread(
                target=self._play, args=(match_id, seated, number), name=f"match {number}", daemon=True
            )
            self._threads.append(thread)
        for thread in self._threads:
            thread.start()

    def pause(self) -> None:
        """Makes every thread pause after its present turn. Raises ``TimedOut`` where one does
        not.
        """
        self._resumed.clear()
        until(lambda: len(self._resting) == sum(thread.is_alive() for thread in self._threads), "every match is paused")

    def resume(self) -> None:
        """Ends a pause."""
        self._resumed.set()

    def close(self, seconds: float = 60.0) -> None:
        """Stops playing; a thread that does not stop within ``seconds`` is recorded in
        ``failures``.
        """
        self._stop.set()
        self._resumed.set()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                self.failures.append(f"{thread.name} did not stop within {seconds:g} s")

    def _start_match(self, client: Client, players: Sequence[Account], number: int) -> str:
        match_id = start_match(client, self._game, players, f"Soak {number}")
        self.journal.match_started(match_id)
        return match_id

    def _play(self, match_id: str, players: Sequence[Account], number: int) -> None:
        luck, client = random.Random(f"{self._seed}-{number}"), self.client(number)
        try:
            while not self._stop.wait(self._pace * luck.uniform(0.5, 1.5)):
                self._rest(number)
                if not self._play_turn(client, match_id, players, luck):
                    following = self._start_match(client, players, number)
                    self.journal.match_over(match_id)
                    match_id = following
        except StoppedWaiting:
            return
        except Exception as error:  # nothing would catch it in a thread: the report lists it
            self.failures.append(f"match {number} ended: {type(error).__name__}: {error}")

    def _play_turn(self, client: Client, match_id: str, players: Sequence[Account], luck: random.Random) -> bool:
        """Plays one turn up to its verdict; gives ``False`` when the match is over."""
        try:
            choice = choose(client, match_id, players, luck.choice)
            if choice is None:
                return False
            turn = submit(client, match_id, choice, VERDICT_WAIT)
            self.journal.turn_taken(turn["id"])
            turn = await_verdict(client, match_id, choice.player, turn, seconds=float("inf"))
        except ClientError as error:
            self.journal.error(str(error))
            return True
        self.journal.turn_judged(match_id, turn["id"], turn["status"])
        if turn["status"] != "accepted":
            self.journal.error(f"a legal turn was {turn['status']}: {turn['verdict']}")
        return True

    def _rest(self, number: int) -> None:
        if not self._resumed.is_set():
            self._resting.add(number)
            self._resumed.wait()
            self._resting.discard(number)
