"""kill -9 in the middle of a match: every submitted turn has exactly one verdict afterwards, and
the match goes on.

Turns are submitted without waiting, and something is killed while they are queued or being judged.
"""

import random
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.running import Running, free_port, until
from tools.client import Player, Service, Unhappy, play_turn, sign_up, sit_down

Submitted = dict[str, Any]


@dataclass
class Table:
    """Two players at a match of a service that may be killed and started again on the same
    folder.
    """

    data_dir: Path
    port: int
    luck: random.Random = field(default_factory=lambda: random.Random("crash"))
    players: list[Player] = field(default_factory=list)
    match_id: str = ""
    submitted: list[Submitted] = field(default_factory=list)

    @property
    def service(self) -> Service:
        return Service(f"http://127.0.0.1:{self.port}")

    def sit_down(self) -> None:
        self.players = [sign_up(self.service, name) for name in ("Ann", "Bela")]
        self.match_id = sit_down(self.service, "oregon", self.players, "Crash")

    def match(self) -> dict[str, Any]:
        return self.patiently(lambda: self.service.get(f"/v1/matches/{self.match_id}", self.players[0]))

    def submit(self) -> Submitted:
        """One turn of whoever is awaited, without waiting for its verdict."""
        player = self.players[next(seat["seat"] for seat in self.match()["seats"] if seat["to_act"])]
        legal = self.patiently(lambda: self.service.get(f"/v1/matches/{self.match_id}/legal-actions", player))
        body = {"ply": legal["ply"], "actions": [self.luck.choice(legal["items"])["action"]]}
        key = {"Idempotency-Key": secrets.token_hex(8)}
        submitted = self.patiently(
            lambda: self.service.post(f"/v1/matches/{self.match_id}/turns", body, player, **key)
        ) | {"player": player}
        self.submitted.append(submitted)
        return submitted

    def look_up(self, turn: Submitted) -> dict[str, Any]:
        found: dict[str, Any] = self.service.get(f"/v1/matches/{self.match_id}/turns/{turn['id']}", turn["player"])
        return found

    def patiently(self, ask: Callable[[], Submitted]) -> Submitted:
        """What the API answers; while nobody listens, because it is on its way back, the same is
        asked again.
        """
        answers: list[Submitted] = []

        def answered() -> bool:
            try:
                answers.append(ask())
            except Unhappy as problem:
                if problem.status is not None:
                    raise
            return bool(answers)

        until(answered, 60, "the API")
        return answers[0]

    def judged(self, turn: Submitted) -> bool:
        try:
            return bool(self.look_up(turn)["status"] != "queued")
        except Unhappy:
            return False  # the API is on its way back

    def check(self) -> None:
        """Every submitted turn is there once, with its one verdict, and the log has each of them
        once and no more.
        """
        for turn in self.submitted:
            until(lambda turn=turn: self.judged(turn), 60, f"the verdict on turn {turn['id']}")
        pages = [
            self.patiently(
                lambda player=player: self.service.get(f"/v1/matches/{self.match_id}/turns", player, limit="100")
            )
            for player in self.players
        ]
        listed = [turn for page in pages for turn in page["items"]]
        assert sorted(turn["id"] for turn in listed) == sorted(turn["id"] for turn in self.submitted)
        assert {turn["status"] for turn in listed} == {"accepted"}
        spans = sorted((turn["verdict"]["ply_before"], turn["verdict"]["ply_after"]) for turn in listed)
        assert all(earlier[1] == later[0] for earlier, later in pairwise(spans)), "verdicts overlap or leave plies out"
        assert spans[-1][1] == self.match()["ply"]


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path / "data", free_port())


@pytest.mark.parametrize("words", ["workers turns", "gunicorn", "valkey-server"])
def test_a_part_killed_in_the_middle_of_turns_costs_none_of_them(table: Table, words: str) -> None:
    with Running(table.data_dir, table.port) as service:
        table.sit_down()
        for _ in range(3):
            turn = table.submit()
            service.part(words).kill()
            until(lambda turn=turn: table.judged(turn), 60, "the verdict")
        table.check()


def test_everything_killed_at_once_again_and_again_costs_no_turn(table: Table) -> None:
    first: list[Callable[[], Any]] = [table.sit_down]
    for _ in range(3):
        with Running(table.data_dir, table.port) as service:
            for step in first:
                step()
            first = [table.check]
            for _ in range(3):
                turn = table.submit()
                until(lambda turn=turn: table.judged(turn), 60, "the verdict")
            table.submit()
            service.kill()
    with Running(table.data_dir, table.port):
        table.check()
        assert len(table.submitted) == 12
        assert play_turn(table.service, table.match_id, table.players, table.luck.choice) is not None


def test_a_queue_that_forgot_everything_costs_no_turn(table: Table) -> None:
    with Running(table.data_dir, table.port) as service:
        table.sit_down()
        table.submit()
        service.kill()
    for file in sorted((table.data_dir / "valkey").rglob("*"), reverse=True):
        file.rmdir() if file.is_dir() else file.unlink()
    with Running(table.data_dir, table.port):
        table.check()
