"""The HTTP client of the tools and tests: it signs players up, starts matches and plays turns.

It uses the API and the mails only. A client is for one thread.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import requests

from tools.games import fewest_seats

Document = dict[str, Any]
Pick = Callable[[Sequence[Document]], Document]
"""Chooses one of the legal actions."""
Mails = Callable[[str], Sequence[str]]
"""Returns the texts of the mails that an address has received so far."""

NAMES = ("Ann", "Bela", "Chiara", "Dov", "Emre", "Fay", "Goran", "Hana")
MAIL_SECONDS = 120.0
VERDICT_SECONDS = 120.0
WAIT_SECONDS = 20
"""Seconds that a request waits for its verdict before the turn is polled."""
REQUEST_SECONDS = 60.0
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 1.0
CODE = r"confirmation code[^:]*:\s+(\S+)"


class ClientError(Exception):
    """The service did not do what was requested; ``status`` is that of the answer, if there was
    one.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


class StoppedWaiting(Exception):
    """The client was told to stop while it waited."""


class ClientAnswer(NamedTuple):
    """The status of a response, with its document."""

    status: int
    document: Any


@dataclass(frozen=True, slots=True)
class Account:
    """A player who has signed up."""

    name: str
    email: str
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Choice:
    """An action that an awaited player chose among the legal ones at this ply."""

    player: Account
    ply: int
    action: Document
    notation: str


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """A judged turn, and the seconds from the request to the verdict."""

    player: Account
    notation: str
    status: str
    ply: int
    seconds: float


def _ignore(request: str, response: requests.Response | None) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Retry:
    """Repeats a request without an answer, or answered by 503.

    ``seconds``: for how long. ``stop`` ends the waiting. ``failed`` is called for each failed
    attempt, with the request line and the response, if there was one.
    """

    seconds: float = float("inf")
    stop: threading.Event = field(default_factory=threading.Event)
    failed: Callable[[str, requests.Response | None], None] = _ignore


class Client:
    """Sends requests to a service at one of ``urls``, switching to the next after each failure."""

    def __init__(self, *urls: str, timeout: float = REQUEST_SECONDS, retry: Retry | None = None) -> None:
        self._urls = [url.rstrip("/") for url in urls]
        self._timeout = timeout
        self._retry = retry or Retry(0)
        self._session = requests.Session()
        self._session.headers["User-Agent"] = "overland-tools"

    @property
    def url(self) -> str:
        """The base URL of the next request."""
        return self._urls[0]

    def get(self, path: str, player: Account | None = None, **query: str) -> Any:
        """The document at a path. Raises ``ClientError`` and ``StoppedWaiting``."""
        return self._document("GET", path, self.request("GET", path, player, query=query))

    def post(self, path: str, body: Mapping[str, Any], player: Account | None = None, **headers: str) -> Any:
        """The answer to a posted document. Raises ``ClientError`` and ``StoppedWaiting``."""
        return self._document("POST", path, self.request("POST", path, player, body, headers=headers))

    def request(
        self,
        method: str,
        path: str,
        player: Account | None = None,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> ClientAnswer:
        """The answer, whatever its status. Raises ``ClientError`` where there is none, and
        ``StoppedWaiting``.
        """
        sent = {**(headers or {}), **({"Authorization": f"Bearer {player.token}"} if player is not None else {})}
        deadline, pause = time.monotonic() + self._retry.seconds, FIRST_PAUSE
        while True:
            response = None
            try:
                response = self._session.request(
                    method, self.url + path, json=body, params=query, headers=sent, timeout=self._timeout
                )
                answer = ClientAnswer(response.status_code, self._parsed(response))
                if answer.status != 503:
                    return answer
                failure = None
            except requests.RequestException as error:
                failure = ClientError(self._unanswered(error))
            self._retry.failed(f"{method} {path}", response)
            if time.monotonic() >= deadline:
                if failure is not None:
                    raise failure
                return answer
            self._urls.append(self._urls.pop(0))
            self.pause(pause)
            pause = min(LONGEST_PAUSE, pause * 2)

    def pause(self, seconds: float) -> None:
        """Waits. Raises ``StoppedWaiting`` where the client is told to stop."""
        if self._retry.stop.wait(seconds):
            raise StoppedWaiting

    def mails(self, address: str) -> list[Document]:
        """The mails that a development service has sent to this address. Raises ``ClientError``."""
        answer = self.request("GET", "/dev/mail.json", query={"to": address})
        if answer.status == 404:
            raise ClientError(
                f"{self.url} does not show its mails: only a service in development mode with a mail folder does.", 404
            )
        mails: list[Document] = self._document("GET", "/dev/mail.json", answer)
        return mails

    def mail_texts(self, address: str) -> list[str]:
        """The texts of these mails. Raises ``ClientError``."""
        return [mail["text"] for mail in self.mails(address)]

    def _document(self, method: str, path: str, answer: ClientAnswer) -> Any:
        if answer.status >= 400:
            raise ClientError(
                f"{method} {path} was answered by {answer.status}: {_reason(answer.document)}", answer.status
            )
        return answer.document

    def _parsed(self, response: requests.Response) -> Any:
        try:
            return response.json()
        except ValueError:
            if not response.ok:
                return {"detail": response.reason}
            raise ClientError(
                f"{self.url} answers, but not with JSON. Is it an Overland service?", response.status_code
            ) from None

    def _unanswered(self, error: requests.RequestException) -> str:
        reason = (
            "nobody listens there" if isinstance(error, requests.ConnectionError) else "it takes too long to answer"
        )
        return (
            f"There is no service to talk to at {self.url}: {reason}. Start one with `make run`, or name another with"
            " --url."
        )


def sign_up(client: Client, name: str, mails: Mails | None = None) -> Account:
    """Signs up a new player with a new address, confirmed by the code from the mail.

    The mail is read from ``mails``, by default from the pages of a development service. Raises
    ``ClientError``.
    """
    email = f"{name.lower()}-{secrets.token_hex(4)}@players.example"
    client.post("/v1/players", {"name": name, "email": email})
    code = find_in_mails(mails or client.mail_texts, email, CODE)
    return Account(name, email, client.post("/v1/confirm", {"token": code})["token"])


def find_in_mails(mails: Mails, address: str, pattern: str, seconds: float = MAIL_SECONDS) -> str:
    """The first match of the pattern in a mail to this address, as soon as there is one.

    The time limit of ``seconds`` begins again with each further mail to the address, since the
    wanted one may still be queued. Raises ``ClientError``.
    """
    deadline, count, pause = time.monotonic() + seconds, 0, 0.05
    while time.monotonic() < deadline:
        texts = mails(address)
        for text in texts:
            if found := re.search(pattern, text):
                return found[found.lastindex or 0]
        if len(texts) > count:
            deadline, count = time.monotonic() + seconds, len(texts)
        time.sleep(pause)
        pause = min(2.0, pause * 1.5)
    raise ClientError(
        f"The mail that {address} was promised did not come, and no other either for {seconds:g} s; a service in"
        " development shows its mails at /dev/mail."
    )


def first_game_of(client: Client) -> str:
    """The name of the first game of the service. Raises ``ClientError``."""
    return str(client.get("/v1/games")["items"][0]["name"])


def fewest_players(client: Client, game: str) -> int:
    """The fewest players of a match of this game, not counting solo play unless there is nothing
    else. Raises ``ClientError``.
    """
    return fewest_seats(client.get(f"/v1/games/{game}")["seats"])


def start_match(client: Client, game: str, players: Sequence[Account], title: str) -> str:
    """Starts a match of these players, in seat order, and gives its id.

    Each takes its seat with a nonce of its own, the creator too, once the commitment is published.
    Raises ``ClientError``.
    """
    seats = [{"kind": "reserved"}, *({"kind": "invite", "email": player.email} for player in players[1:])]
    match = client.post("/v1/matches", {"game": game, "title": title, "seats": seats}, players[0])
    path = f"/v1/matches/{match['id']}"
    for player in players:
        body = {"nonce": secrets.token_hex(16)}
        client.request("POST", f"{path}/join", player, body)  # refused where it is repeated: the status below decides
    if (status := client.get(path, players[0])["status"]) != "running":
        raise ClientError(f"All {len(players)} players were to join match {match['id']}, and yet it is {status}.")
    return str(match["id"])


def choose(client: Client, match_id: str, players: Sequence[Account], pick: Pick) -> Choice | None:
    """Chooses an action for the first awaited player; ``players`` are in seat order.

    ``None`` when the match is over. Raises ``ClientError``.
    """
    while True:
        match = client.get(f"/v1/matches/{match_id}", players[0])
        if match["status"] == "finished":
            return None
        awaited = [seat["seat"] for seat in match["seats"] if seat["to_act"]]
        if not awaited:
            raise ClientError(f"Match {match_id} is {match['status']} at ply {match['ply']} and awaits nobody.")
        player = players[awaited[0]]
        legal = client.get(f"/v1/matches/{match_id}/legal-actions", player)
        if legal["items"]:
            chosen = pick(legal["items"])
            return Choice(player, legal["ply"], chosen["action"], chosen["notation"])
        client.pause(FIRST_PAUSE)  # the match has moved on between the two requests


def submit(client: Client, match_id: str, choice: Choice, wait: int = 0) -> Document:
    """Submits a turn, and gives it after waiting at most ``wait`` seconds for its verdict.

    Repeated requests are one turn, by an idempotency key. Raises ``ClientError``.
    """
    headers = {"Idempotency-Key": secrets.token_hex(12)} | ({"Prefer": f"wait={wait}"} if wait else {})
    body = {"ply": choice.ply, "actions": [choice.action]}
    turn: Document = client.post(f"/v1/matches/{match_id}/turns", body, choice.player, **headers)
    return turn


def await_verdict(
    client: Client, match_id: str, player: Account, turn: Document, seconds: float = VERDICT_SECONDS
) -> Document:
    """The judged turn. Raises ``ClientError`` after ``seconds`` without a verdict."""
    deadline = time.monotonic() + seconds
    while turn["status"] == "queued":
        if time.monotonic() > deadline:
            raise ClientError(
                f"No verdict within {seconds:g} s: do the workers run? Turn {turn['id']} is still queued."
            )
        client.pause(FIRST_PAUSE)
        turn = client.get(f"/v1/matches/{match_id}/turns/{turn['id']}", player)
    return turn


def play_turn(client: Client, match_id: str, players: Sequence[Account], pick: Pick) -> PlayedTurn | None:
    """Plays one turn of the first awaited player up to its verdict; ``None`` when the match is
    over.

    Raises ``ClientError``.
    """
    choice = choose(client, match_id, players, pick)
    if choice is None:
        return None
    began = time.perf_counter()
    turn = submit(client, match_id, choice, WAIT_SECONDS)
    turn = await_verdict(client, match_id, choice.player, turn)
    seconds = time.perf_counter() - began
    return PlayedTurn(choice.player, choice.notation, turn["status"], turn["verdict"]["ply_after"], seconds)


def _reason(problem: Mapping[str, Any]) -> str:
    faults = "; ".join(
        f"{fault.get('pointer', '')} {fault.get('detail', '')}".strip() for fault in problem.get("errors", ())
    )
    return str(problem.get("detail") or problem.get("title")) + (f" ({faults})" if faults else "")
