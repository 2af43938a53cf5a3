"""A match of sealed bids through the real service: three clients bid at the same moment, round by
round, and no turn is stale.
"""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine.record import read_record, verify
from tests.engine.sealed import GAME
from tests.service.fakes import AT_ONCE
from tools.client import Account, Client, sign_up
from tools.launch import running
from tools.waiting import LIMIT_SECONDS

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[2]
PLAYERS = ("Ada", "Bela", "Cleo")
SALE: dict[str, Any] = {"coins": 20, "lots": [1, 2, 2, 3]}
STARTS = f"""\
import engine.games

engine.games.__path__.append({str(AT_ONCE)!r})
"""
"""What every process of the service does as it starts, so that the game is in its registry."""


def bids(url: str, path: str, player: Account, coins: int, gate: threading.Barrier) -> dict[str, Any]:
    """A client's turn: looks, waits until the others have looked too, bids and waits for the
    verdict.
    """
    client = Client(url)
    legal = client.get(f"{path}/legal-actions", player)
    gate.wait(LIMIT_SECONDS)
    body = {"ply": legal["ply"], "notation": f"bid {coins}"}
    turn: dict[str, Any] = client.post(f"{path}/turns", body, player, Prefer="wait=30")
    return turn


def test_three_clients_bid_at_once_and_no_turn_is_stale(tmp_path: Path) -> None:
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    (hooks / "sitecustomize.py").write_text(STARTS)
    with running(tmp_path, PYTHONPATH=f"{hooks}:{ROOT}") as service:
        client = Client(service.url)
        people = [sign_up(client, name) for name in PLAYERS]
        seats = [{"kind": "me"}, *({"kind": "open"} for _ in people[1:])]
        match = client.post("/v1/matches", {"game": "sealed", "components": SALE, "seats": seats}, people[0])
        path = f"/v1/matches/{match['id']}"
        for player in people[1:]:
            client.post(f"{path}/join", {}, player)
        gate = threading.Barrier(len(people))
        with ThreadPoolExecutor(len(people)) as clients:
            for round_number in range(len(SALE["lots"])):
                running_bids = [
                    clients.submit(bids, service.url, path, player, (seat + round_number) % 3, gate)
                    for seat, player in enumerate(people)
                ]
                turns = [bid.result() for bid in running_bids]
                assert [turn["status"] for turn in turns] == ["accepted"] * 3, turns
                assert len({turn["ply"] for turn in turns}) == 1
                assert len({turn["verdict"]["ply_before"] for turn in turns}) == 3
        assert client.get(path)["status"] == "finished"
        record = read_record(client.get(f"{path}/record"))
        assert verify(record, lambda name, version: GAME).plies == 5 * len(SALE["lots"])
        assert "Traceback" not in service.output()
