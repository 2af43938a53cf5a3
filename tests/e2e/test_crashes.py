"""kill -9 in the middle of a match: every submitted turn has exactly one verdict afterwards, and
the match goes on.

Turns are submitted without waiting, and something is killed while they are queued or being judged.
"""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tools.client import (
    NAMES,
    Account,
    Client,
    Document,
    Retry,
    await_verdict,
    choose,
    fewest_players,
    first_game_of,
    play_turn,
    sign_up,
    start_match,
    submit,
)
from tools.launch import PartKind, Service

PATIENCE = 240.0


class Match:
    """A match between two players, who repeat what is not answered."""

    def __init__(self, client: Client) -> None:
        self.client, self.luck = client, random.Random("crash")
        game = first_game_of(client)
        self.players = [sign_up(client, name) for name in NAMES[: fewest_players(client, game)]]
        self.id = start_match(client, game, self.players, "Crash")
        self.submitted: list[tuple[Account, Document]] = []

    def submit(self) -> None:
        """One turn of whoever is awaited, without waiting for its verdict."""
        choice = choose(self.client, self.id, self.players, self.luck.choice)
        assert choice is not None
        self.submitted.append((choice.player, submit(self.client, self.id, choice)))

    def await_last(self) -> None:
        """Waits for the verdict on the turn that was submitted last."""
        player, turn = self.submitted[-1]
        await_verdict(self.client, self.id, player, turn, PATIENCE)

    def check(self) -> None:
        """Every submitted turn is there once, with its one verdict, and the log has each of them
        once and no more.
        """
        for player, turn in self.submitted:
            await_verdict(self.client, self.id, player, turn, PATIENCE)
        path = f"/v1/matches/{self.id}"
        listed: list[Any] = [
            turn for player in self.players for turn in self.client.get(f"{path}/turns", player, limit="100")["items"]
        ]
        assert sorted(turn["id"] for turn in listed) == sorted(turn["id"] for _, turn in self.submitted)
        assert {turn["status"] for turn in listed} == {"accepted"}
        spans = sorted((turn["verdict"]["ply_before"], turn["verdict"]["ply_after"]) for turn in listed)
        assert all(earlier[1] == later[0] for earlier, later in pairwise(spans)), "verdicts overlap or leave plies out"
        assert spans[-1][1] == self.client.get(path, self.players[0])["ply"]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    """A running service, which may be killed and started again."""
    service = Service(tmp_path)
    try:
        service.start()
        yield service
    finally:
        print(service.output()[-6000:])
        service.kill()


@pytest.fixture
def match(service: Service) -> Match:
    return Match(Client(service.url, retry=Retry(PATIENCE)))


@pytest.mark.parametrize(
    "kind", ["turns", *(pytest.param(kind, marks=pytest.mark.deep) for kind in ("arbiter", "valkey"))]
)
def test_a_part_killed_in_the_middle_of_turns_costs_none_of_them(
    service: Service, match: Match, kind: PartKind
) -> None:
    for _ in range(3):
        match.submit()
        service.part(kind).kill()
        match.await_last()
    match.check()


@pytest.mark.deep
def test_everything_killed_at_once_again_and_again_costs_no_turn(service: Service, match: Match) -> None:
    for _ in range(3):
        for _ in range(3):
            match.submit()
            match.await_last()
        match.submit()
        service.kill()
        service.start()
        match.check()
    assert len(match.submitted) == 12
    assert play_turn(match.client, match.id, match.players, match.luck.choice) is not None


@pytest.mark.deep
def test_a_queue_that_lost_everything_costs_no_turn(service: Service, match: Match) -> None:
    match.submit()
    service.kill()
    shutil.rmtree(service.data_dir / "valkey")
    service.start()
    match.check()
