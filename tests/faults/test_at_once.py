"""Many clients at one match in the same moment, over two API processes and two workers: one turn is
accepted, everyone else is told why theirs is not.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from service.ledger.check import check_ledger
from tests.faults.postgres import postgres_or_skip
from tests.faults.trial import Trial, begin
from tools.soak.players import Desk, Guest, sign_up, sit_down

ROUNDS = 8
AT_ONCE = 8

Answer = tuple[int, dict[str, Any]]
Turn = tuple[Guest, int, dict[str, Any], str]
"""Who, the ply, the action, the idempotency key."""


@pytest.fixture(scope="module", params=["SQLite", "PostgreSQL"])
def quiet(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, rows: Path) -> Iterator[Trial]:
    """A service at which nobody plays but the test."""
    folder = tmp_path_factory.mktemp("trial")
    if request.param == "SQLite":
        trial = begin(folder, rows, "SQLite", tables=0)
        yield trial
        trial.close()
        return
    with postgres_or_skip() as server:
        trial = begin(folder, rows, "PostgreSQL", tables=0, OVERLAND_DATABASE_URL=server.url)
        yield trial
        trial.close()


class Table:
    """Two players at a match, who have many hands."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.stop = threading.Event()
        desk = self.desk()
        self.guests: Sequence[Guest] = [sign_up(desk, trial.mail, name) for name in ("Ann", "Bela")]
        self.match_id = sit_down(desk, self.guests, "At once")

    def desk(self) -> Desk:
        return Desk([self.trial.service.url], self.trial.club.book, self.stop)

    def awaited(self) -> tuple[Guest, Guest, int, list[dict[str, Any]]]:
        """Whose turn it is, who else sits there, the ply, and the legal actions."""
        desk = self.desk()
        _, match = desk.ask("GET", f"/v1/matches/{self.match_id}", self.guests[0])
        seat = next(seat["seat"] for seat in match["seats"] if seat["to_act"])
        _, legal = desk.ask("GET", f"/v1/matches/{self.match_id}/legal-actions", self.guests[seat])
        return self.guests[seat], self.guests[1 - seat], legal["ply"], [item["action"] for item in legal["items"]]

    def submit(self, guest: Guest, ply: int, action: dict[str, Any], key: str | None = None) -> Answer:
        """The answer to a turn, waited for.

        What was answered by 202 is looked up until it is judged.
        """
        desk = self.desk()
        headers = {"Prefer": "wait=20"} | ({"Idempotency-Key": key} if key else {})
        status, answer = desk.ask(
            "POST", f"/v1/matches/{self.match_id}/turns", guest, {"ply": ply, "actions": [action]}, **headers
        )
        while status in (200, 202) and answer["status"] == "queued":
            status, answer = desk.ask("GET", f"/v1/matches/{self.match_id}/turns/{answer['id']}", guest)
        turn = answer if status == 200 else answer.get("turn")
        if turn is not None:
            self.trial.club.book.taken(turn["id"])
        return status, answer

    def ply(self) -> int:
        return int(self.desk().ask("GET", f"/v1/matches/{self.match_id}", self.guests[0])[1]["ply"])


def at_once(table: Table, turns: Sequence[Turn]) -> list[Answer]:
    """The answers to all these turns, which are submitted in the same moment."""
    barrier = threading.Barrier(len(turns))

    def submit(turn: Turn) -> Answer:
        barrier.wait(60)
        return table.submit(*turn)

    with ThreadPoolExecutor(len(turns)) as pool:
        return list(pool.map(submit, turns))


def said(answer: Answer) -> str:
    """What became of a turn, in a word."""
    status, document = answer
    return str(document["status"] if status in (200, 202) else document["code"])


def check(trial: Trial) -> None:
    """The ledger is clean; the mails about all this may still be on their way, for other tests wait
    for mails.
    """
    findings = check_ledger(trial.database, trial.club.book.seen)
    assert not findings.breaches, findings.breaches
    assert not findings.pending_turns
    assert not trial.club.book.surprises, trial.club.book.surprises


REFUSALS = {"stale_ply", "not_your_turn"}


def test_of_many_turns_for_one_seat_one_is_accepted(quiet: Trial) -> None:
    table = Table(quiet)
    for _ in range(ROUNDS):
        guest, _, ply, actions = table.awaited()
        chosen = [actions[number % len(actions)] for number in range(AT_ONCE)]
        answers = at_once(table, [(guest, ply, action, secrets.token_hex(8)) for action in chosen])
        words = Counter(said(answer) for answer in answers)
        assert words["accepted"] == 1, words
        assert set(words) <= {"accepted", *REFUSALS}, words
        assert all(status in (200, 409, 422) for status, _ in answers)
        assert all(document["detail"].endswith((".", "?")) for status, document in answers if status >= 400)
    check(quiet)


def test_turns_of_other_seats_at_the_same_moment_are_refused(quiet: Trial) -> None:
    table = Table(quiet)
    for _ in range(ROUNDS):
        guest, other, ply, actions = table.awaited()
        turns = [(who, ply, actions[0], secrets.token_hex(8)) for who in (guest, other) * 3]
        words = Counter(said(answer) for answer in at_once(table, turns))
        assert words["accepted"] == 1, words
        assert set(words) <= {"accepted", *REFUSALS}, words
    check(quiet)


def test_the_same_key_at_the_same_moment_is_one_turn(quiet: Trial) -> None:
    table = Table(quiet)
    for _ in range(ROUNDS):
        guest, _, ply, actions = table.awaited()
        key = secrets.token_hex(8)
        answers = at_once(table, [(guest, ply, actions[0], key)] * AT_ONCE)
        assert {said(answer) for answer in answers} == {"accepted"}
        assert len({document["id"] for _, document in answers}) == 1
        assert table.submit(guest, ply, actions[0], key)[1]["id"] == answers[0][1]["id"]
    check(quiet)


def test_the_same_key_with_another_body_is_refused_and_changes_nothing(quiet: Trial) -> None:
    table = Table(quiet)
    for _ in range(ROUNDS):
        guest, _, ply, actions = table.awaited()
        key, bodies = secrets.token_hex(8), [actions[number % len(actions)] for number in range(AT_ONCE)]
        answers = at_once(table, [(guest, ply, action, key) for action in bodies])
        accepted = [document for status, document in answers if status == 200]
        assert len({document["id"] for document in accepted}) == 1
        assert {said(answer) for answer in answers} <= {"accepted", "idempotency_key_reused"}
        for body, (status, document) in zip(bodies, answers, strict=True):
            assert (status == 200) == (body == accepted[0]["actions"][0]), document
        assert table.ply() == accepted[0]["verdict"]["ply_after"]
    check(quiet)
