"""What is asked of a seat whose turn was judged: as long as the match has not moved on far."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from service.context import Context
from service.turns import trials
from service.turns.submit import submit
from service.turns.trials import next_turn
from tests.service.fakes import AT_ONCE, discovered, judge_one, started


@pytest.fixture(autouse=True)
def sealed() -> Iterator[None]:
    with discovered(AT_ONCE):
        yield


def test_only_a_limited_number_of_entries_after_a_turn_is_looked_at(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = started(context, "sealed", 3)

    def bid(seat: int, ply: int) -> str:
        return submit(context, table.players[seat], table.match.id, None, ply, notation="bid 1").id

    for seat in range(3):
        turn = judge_one(context, bid(seat, 1))
    judge_one(context, bid(0, 6))  # one entry after the turn, and a secret one
    monkeypatch.setattr(trials, "MOST_SINCE", 1)
    following = next_turn(context, turn)
    assert following is not None
    assert following.ply == 7
    monkeypatch.setattr(trials, "MOST_SINCE", 0)
    assert next_turn(context, turn) is None
