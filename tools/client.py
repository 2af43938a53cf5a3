"""Somebody who knows the service only by its address: signs up, reads mails, plays.

HTTP and nothing else.

Used by the demonstration and to time the first turn. The mails are read where a development service
shows them, at `/dev/mail.json`.
"""

import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import requests

Document = dict[str, Any]
Pick = Callable[[Sequence[Document]], Document]
"""How a player chooses among legal actions."""

MAIL_PATIENCE = 30.0
VERDICT_PATIENCE = 20
NAMES = ("Ann", "Bela", "Chiara", "Dov", "Emre", "Fay", "Goran", "Hana")


class Unhappy(Exception):
    """The service did not do what a stranger may expect; the message says what happened instead,
    `status` what HTTP said, if it did.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        self.status = status
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Player:
    """Somebody who has signed up."""

    name: str
    email: str
    token: str


@dataclass(frozen=True, slots=True)
class Played:
    """One turn that was judged: who, what, and the seconds from the request to the verdict."""

    player: Player
    notation: str
    status: str
    ply: int
    seconds: float


class Service:
    """A running service, at an address."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._session = requests.Session()
        self._session.headers["User-Agent"] = "overland-demo"

    def get(self, path: str, player: Player | None = None, **query: str) -> Any:
        """The document at a path. Raises Unhappy."""
        return self._ask("GET", path, player, params=query)

    def post(self, path: str, body: Mapping[str, Any], player: Player | None = None, **headers: str) -> Any:
        """The answer to a document. Raises Unhappy."""
        return self._ask("POST", path, player, json=body, headers=headers)

    def _ask(
        self, method: str, path: str, player: Player | None, *, headers: Mapping[str, str] | None = None, **rest: Any
    ) -> Any:
        sent = dict(headers or {})
        if player is not None:
            sent["Authorization"] = f"Bearer {player.token}"
        try:
            answer = self._session.request(method, self.url + path, headers=sent, timeout=60, **rest)
        except requests.RequestException as problem:
            reason = (
                "nobody listens there"
                if isinstance(problem, requests.ConnectionError)
                else "it takes too long to answer"
            )
            raise Unhappy(
                f"There is no service to talk to at {self.url}: {reason}. Start one with `make run`, or name another"
                " with --url."
            ) from None
        if not answer.ok:
            raise Unhappy(
                f"{method} {path} was answered by {answer.status_code}: {_reason(answer)}", answer.status_code
            )
        try:
            return answer.json()
        except ValueError:
            raise Unhappy(
                f"{method} {path} was answered, but not with JSON. Is {self.url} an Overland service?"
            ) from None


def sign_up(service: Service, name: str) -> Player:
    """A new player with an address nobody had before, confirmed by the code from the mail.

    Raises Unhappy.
    """
    email = f"{name.lower()}-{secrets.token_hex(4)}@demo.example"
    service.post("/v1/players", {"name": name, "email": email})
    mail = await_mail(service, email, r"confirmation code[^:]*:\s+(\S+)")
    answer = service.post("/v1/players/confirm", {"token": mail})
    return Player(name, email, answer["token"])


def await_mail(service: Service, address: str, pattern: str, patience: float = MAIL_PATIENCE) -> str:
    """What the pattern finds in a mail to this address, waiting until one comes. Raises Unhappy.

    As long as other mails to the address keep coming, the one that is waited for is only further
    back in the queue: each gives new patience.
    """
    deadline, seen = time.monotonic() + patience, 0
    pause = 0.05
    while time.monotonic() < deadline:
        mails = mails_to(service, address)
        if len(mails) > seen:
            deadline, seen = time.monotonic() + patience, len(mails)
        for mail in mails:
            if found := re.search(pattern, mail["text"]):
                return found[found.lastindex or 0]
        time.sleep(pause)
        pause = min(2.0, pause * 1.5)
    raise Unhappy(
        f"The mail that {address} was promised did not come, and no other either for {patience:g} s; look at"
        f" {service.url}/dev/mail."
    )


def mails_to(service: Service, address: str) -> list[Document]:
    """The mails a development service has sent to this address."""
    try:
        mails: list[Document] = service.get("/dev/mail.json", to=address)
    except Unhappy as problem:
        if problem.status == 404:
            raise Unhappy(
                f"{service.url} does not show its mails: only a service in development mode with a mail folder does."
            ) from None
        raise
    return mails


def sit_down(service: Service, game: str, players: Sequence[Player], title: str) -> str:
    """The id of a match that all these players have taken their seats in, so that it runs.

    Raises Unhappy.
    """
    seats = [{"kind": "me"}, *({"kind": "invite", "email": player.email} for player in players[1:])]
    match = service.post("/v1/matches", {"game": game, "title": title, "seats": seats}, players[0])
    for player in players[1:]:
        match = service.post(f"/v1/matches/{match['id']}/join", {}, player)
    if match["status"] != "running":
        raise Unhappy(f"All seats of match {match['id']} are taken, and yet it is {match['status']}.")
    found: str = match["id"]
    return found


def play_turn(service: Service, match_id: str, players: Sequence[Player], pick: Pick) -> Played | None:
    """One turn of whoever is awaited, waiting for the verdict; None when the match is over.

    Raises Unhappy.
    """
    match = service.get(f"/v1/matches/{match_id}", players[0])
    awaited = [seat["seat"] for seat in match["seats"] if seat["to_act"]]
    if match["status"] == "finished":
        return None
    if not awaited:
        raise Unhappy(f"Match {match_id} is {match['status']} at ply {match['ply']} and waits for nobody.")
    player = players[awaited[0]]
    legal = service.get(f"/v1/matches/{match_id}/legal-actions", player)
    chosen = pick(legal["items"])
    began = time.perf_counter()
    wait = {"Prefer": f"wait={VERDICT_PATIENCE}", "Idempotency-Key": secrets.token_hex(12)}
    turn = service.post(
        f"/v1/matches/{match_id}/turns", {"ply": legal["ply"], "actions": [chosen["action"]]}, player, **wait
    )
    seconds = time.perf_counter() - began
    if turn["status"] == "queued":
        raise Unhappy(f"No verdict within {VERDICT_PATIENCE} s: do the workers run? Turn {turn['id']} is still queued.")
    return Played(player, chosen["notation"], turn["status"], turn["verdict"]["ply_after"], seconds)


def _reason(answer: requests.Response) -> str:
    try:
        problem = answer.json()
        faults = "; ".join(
            f"{fault.get('pointer', '')} {fault.get('detail', '')}".strip() for fault in problem.get("errors", ())
        )
        return str(problem.get("detail") or problem.get("title") or answer.reason) + (f" ({faults})" if faults else "")
    except (ValueError, AttributeError):
        return answer.reason
