"""Players of a soak: they sign up by mail, sit down and play over HTTP, repeat what was not
answered with the same key, and book what they see.
"""

from __future__ import annotations

import random
import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import requests

from tools.soak.book import Book
from tools.soak.mail import MailServer
from tools.soak.service import await_

Document = dict[str, Any]
ANSWER_SECONDS: Final = 20.0
WAIT_SECONDS: Final = 2
FIRST_PAUSE: Final = 0.1
LONGEST_PAUSE: Final = 1.0
MAIL_SECONDS: Final = 90.0


class Stopped(Exception):
    """The players were asked to stop while one of them waited for an answer."""


@dataclass(frozen=True, slots=True)
class Guest:
    """Somebody who has signed up."""

    name: str
    token: str = field(repr=False)


@dataclass(slots=True)
class Desk:
    """How one thread talks to the service, at one of ``urls`` after the other: patiently, with a
    connection of its own.
    """

    urls: Sequence[str]
    book: Book
    stop: threading.Event
    patience: float = ANSWER_SECONDS
    session: requests.Session = field(default_factory=requests.Session)
    _turn: int = 0

    def ask(
        self, method: str, path: str, guest: Guest | None = None, body: object = None, **headers: str
    ) -> tuple[int, Document]:
        """The status and the document, after as many tries as it takes. Raises Stopped."""
        sent = headers | ({"Authorization": f"Bearer {guest.token}"} if guest is not None else {})
        pause = FIRST_PAUSE
        while True:
            url = self.urls[self._turn % len(self.urls)]
            try:
                answer = self.session.request(method, url + path, json=body, headers=sent, timeout=self.patience)
                if answer.status_code < 500:
                    return answer.status_code, answer.json()
                self.book.unreached(True)
                if answer.status_code != 503 or "Retry-After" not in answer.headers:
                    self.book.surprise(f"{method} {path} was answered by {answer.status_code}: {answer.text[:200]}")
            except (requests.RequestException, ValueError):
                self.book.unreached(False)
            self._turn += 1
            if self.stop.wait(pause):
                raise Stopped
            pause = min(LONGEST_PAUSE, pause * 2)


def sign_up(desk: Desk, mail: MailServer, name: str) -> Guest:
    """A new player, confirmed by the code from the mail."""
    address = f"{name.lower()}-{secrets.token_hex(4)}@soak.example"
    desk.ask("POST", "/v1/players", body={"name": name, "email": address})
    await_(lambda: mail.code_for(address), MAIL_SECONDS, f"The mail to {address}")
    _, answer = desk.ask("POST", "/v1/players/confirm", body={"token": mail.code_for(address)})
    return Guest(name, answer["token"])


def sit_down(desk: Desk, guests: Sequence[Guest], title: str, game: str = "oregon") -> str:
    """The id of a running match of these players."""
    _, match = desk.ask(
        "POST",
        "/v1/matches",
        guests[0],
        {"game": game, "title": title, "seats": [{"kind": "me"}, *({"kind": "open"} for _ in guests[1:])]},
    )
    for guest in guests[1:]:
        desk.ask("POST", f"/v1/matches/{match['id']}/join", guest, {})
    return str(match["id"])


def play_turn(desk: Desk, match_id: str, guests: Sequence[Guest], luck: random.Random) -> bool:
    """One turn of whoever is awaited, up to its verdict; False when the match is over.

    Raises Stopped.
    """
    _, match = desk.ask("GET", f"/v1/matches/{match_id}", guests[0])
    if match["status"] == "finished":
        return False
    guest = guests[next(seat["seat"] for seat in match["seats"] if seat["to_act"])]
    _, legal = desk.ask("GET", f"/v1/matches/{match_id}/legal-actions", guest)
    if not legal["items"]:
        return True  # the match has moved on between the two questions
    body = {"ply": legal["ply"], "actions": [luck.choice(legal["items"])["action"]]}
    key = {"Idempotency-Key": secrets.token_hex(12), "Prefer": f"wait={WAIT_SECONDS}"}
    status, turn = desk.ask("POST", f"/v1/matches/{match_id}/turns", guest, body, **key)
    if status not in (200, 202):
        desk.book.surprise(f"a legal turn was answered by {status}: {turn.get('code')}: {turn.get('detail')}")
        return True
    desk.book.taken(turn["id"])
    while turn["status"] == "queued":
        if desk.stop.wait(FIRST_PAUSE):
            raise Stopped
        status, turn = desk.ask("GET", f"/v1/matches/{match_id}/turns/{turn['id']}", guest)
        if status != 200:
            desk.book.surprise(f"a turn that was taken is answered by {status}: {turn.get('detail')}")
            return True
    desk.book.judged(match_id, turn["id"], turn["status"])
    if turn["status"] != "accepted":
        desk.book.surprise(f"a legal turn was {turn['status']}: {turn['verdict']}")
    return True


class Club:
    """So many tables, a thread each, at which matches are played one after the other until the club
    closes.
    """

    def __init__(
        self,
        urls: Sequence[str],
        mail: MailServer,
        tables: int,
        seed: str,
        pace: float,
        patience: float = ANSWER_SECONDS,
    ) -> None:
        self.urls, self.mail, self.pace, self.seed = tuple(urls), mail, pace, seed
        self.patience = patience
        self.book = Book()
        self.failures: list[str] = []
        self._stop = threading.Event()
        self._go = threading.Event()
        self._go.set()
        self._resting: set[int] = set()
        self._tables = tables
        self._threads: list[threading.Thread] = []

    def open(self) -> None:
        """Signs the players up, seats them, and lets them begin. While nothing is broken yet."""
        desk = Desk(self.urls, self.book, self._stop, self.patience)
        guests = [sign_up(desk, self.mail, name) for name in ("Ann", "Bela", "Chiara", "Dov")]
        for number in range(self._tables):
            pair = (guests[(2 * number) % 4], guests[(2 * number + 1) % 4])
            match_id = sit_down(desk, pair, f"Soak {number}")
            self.book.open(match_id)
            thread = threading.Thread(
                target=self._play, args=(match_id, pair, number), name=f"table {number}", daemon=True
            )
            self._threads.append(thread)
        for thread in self._threads:
            thread.start()

    def pause(self, seconds: float = 90.0) -> None:
        """Lets every table finish the turn at hand and rest.

        Raises NotThere where one does not come to an end.
        """
        self._go.clear()
        await_(
            lambda: len(self._resting) == len([thread for thread in self._threads if thread.is_alive()]),
            seconds,
            "The rest of every table",
        )

    def resume(self) -> None:
        """Lets the tables go on."""
        self._go.set()

    def close(self, seconds: float = 60.0) -> None:
        """Asks the players to stop, and waits for them."""
        self._stop.set()
        self._go.set()
        deadline = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
            if thread.is_alive():
                self.failures.append(f"{thread.name} did not stop within {seconds:g} s")

    def _play(self, match_id: str, guests: tuple[Guest, Guest], number: int) -> None:
        luck, desk = random.Random(f"{self.seed}-{number}"), Desk(self.urls, self.book, self._stop, self.patience)
        try:
            while not self._stop.wait(self.pace * luck.uniform(0.5, 1.5)):
                self._rest(number)
                if not play_turn(desk, match_id, guests, luck):
                    again = sit_down(desk, guests, f"Soak {number}")
                    self.book.open(again)
                    self.book.close(match_id)
                    match_id = again
        except Stopped:
            return
        except (
            Exception
        ) as error:  # whatever ends a table is told by the report instead of by a thread that nobody hears
            self.failures.append(f"table {number} ended: {type(error).__name__}: {error}")

    def _rest(self, number: int) -> None:
        if not self._go.is_set():
            self._resting.add(number)
            self._go.wait()
            self._resting.discard(number)
