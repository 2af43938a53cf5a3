"""Many clients at one match in the same moment, over two API processes and two workers: one turn is
accepted, and every other client is told why theirs is not.
"""

from __future__ import annotations

import secrets
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.ledger.check import check_ledger
from tests.faults.trial import GAME, Trial
from tools.client import Account, ClientAnswer, Document, start_match

pytestmark = pytest.mark.deep

ROUNDS = 8
AT_ONCE = 8

Turn = tuple[Account, int, Document, str]
"""Who, the ply, the action, the idempotency key."""


class Match:
    """A match of two players, each of whom may send many requests at once."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial
        self.players = trial.players.sign_up(2)
        self.path = f"/v1/matches/{start_match(trial.players.client(), GAME, self.players, 'At once')}"

    def awaited(self) -> tuple[Account, Account, int, list[Document]]:
        """The awaited player, the other one, the ply, and the legal actions."""
        client = self.trial.players.client()
        seats = client.get(self.path, self.players[0])["seats"]
        seat = next(seat["seat"] for seat in seats if seat["to_act"])
        legal = client.get(f"{self.path}/legal-actions", self.players[seat])
        actions = [item["action"] for item in legal["items"]]
        return self.players[seat], self.players[1 - seat], legal["ply"], actions

    def submit(self, player: Account, ply: int, action: Document, key: str) -> ClientAnswer:
        """The answer to a turn; what is answered by 202 is looked up until it is judged."""
        client = self.trial.players.client()
        headers = {"Prefer": "wait=20", "Idempotency-Key": key}
        body = {"ply": ply, "actions": [action]}
        status, answer = client.request("POST", f"{self.path}/turns", player, body, headers=headers)
        while status in (200, 202) and answer["status"] == "queued":
            status, answer = client.request("GET", f"{self.path}/turns/{answer['id']}", player)
        turn = answer if status == 200 else answer.get("turn")
        if turn is not None:
            self.trial.players.journal.turn_taken(turn["id"])
        return ClientAnswer(status, answer)

    def ply(self) -> int:
        return int(self.trial.players.client().get(self.path, self.players[0])["ply"])


def at_once(match: Match, turns: Sequence[Turn]) -> list[ClientAnswer]:
    """The answers to all these turns, which are submitted in the same moment."""
    barrier = threading.Barrier(len(turns))

    def submit(turn: Turn) -> ClientAnswer:
        barrier.wait(60)
        return match.submit(*turn)

    with ThreadPoolExecutor(len(turns)) as pool:
        return list(pool.map(submit, turns))


def said(answer: ClientAnswer) -> str:
    """What became of a turn, in a word."""
    status, document = answer
    return str(document["status"] if status in (200, 202) else document["code"])


def check(trial: Trial) -> None:
    """The ledger is clean; the mails about all this may still be on their way, for other tests wait
    for mails.
    """
    findings = check_ledger(trial.database, trial.players.journal.seen)
    assert not findings.breaches, findings.breaches
    assert not findings.pending_turns
    assert not trial.players.journal.errors, trial.players.journal.errors


REFUSALS = {"stale_ply", "not_your_turn", "turn_waiting"}


def test_of_many_turns_for_one_seat_one_is_accepted(quiet: Trial) -> None:
    match = Match(quiet)
    for _ in range(ROUNDS):
        player, _, ply, actions = match.awaited()
        chosen = [actions[number % len(actions)] for number in range(AT_ONCE)]
        answers = at_once(match, [(player, ply, action, secrets.token_hex(8)) for action in chosen])
        words = Counter(said(answer) for answer in answers)
        assert words["accepted"] == 1, words
        assert set(words) <= {"accepted", *REFUSALS}, words
        assert all(status in (200, 409, 422) for status, _ in answers)
        assert all(document["detail"].endswith((".", "?")) for status, document in answers if status >= 400)
    check(quiet)


def test_turns_of_other_seats_at_the_same_moment_are_refused(quiet: Trial) -> None:
    match = Match(quiet)
    for _ in range(ROUNDS):
        player, other, ply, actions = match.awaited()
        turns = [(who, ply, actions[0], secrets.token_hex(8)) for who in (player, other) * 3]
        words = Counter(said(answer) for answer in at_once(match, turns))
        assert words["accepted"] == 1, words
        assert set(words) <= {"accepted", *REFUSALS}, words
    check(quiet)


def test_the_same_key_at_the_same_moment_is_one_turn(quiet: Trial) -> None:
    match = Match(quiet)
    for _ in range(ROUNDS):
        player, _, ply, actions = match.awaited()
        key = secrets.token_hex(8)
        answers = at_once(match, [(player, ply, actions[0], key)] * AT_ONCE)
        assert {said(answer) for answer in answers} == {"accepted"}
        assert len({document["id"] for _, document in answers}) == 1
        assert match.submit(player, ply, actions[0], key)[1]["id"] == answers[0][1]["id"]
    check(quiet)


def test_the_same_key_with_another_body_is_refused_and_changes_nothing(quiet: Trial) -> None:
    match = Match(quiet)
    for _ in range(ROUNDS):
        player, _, ply, actions = match.awaited()
        key, bodies = secrets.token_hex(8), [actions[number % len(actions)] for number in range(AT_ONCE)]
        answers = at_once(match, [(player, ply, action, key) for action in bodies])
        accepted = [document for status, document in answers if status == 200]
        assert len({document["id"] for document in accepted}) == 1
        assert {said(answer) for answer in answers} <= {"accepted", "idempotency_key_reused"}
        for body, (status, document) in zip(bodies, answers, strict=True):
            assert (status == 200) == (body == accepted[0]["actions"][0]), document
        assert match.ply() == accepted[0]["verdict"]["ply_after"]
    check(quiet)
