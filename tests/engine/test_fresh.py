"""Freshness: a turn may be judged at a later ply than the one it answers while nothing has changed
for its seat.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.game import AnyGame
from engine.play import Replayed, adjudicate, begin, still_fresh, walk
from engine.types import CHANCE, Entry, Setup, Statement
from tests.engine import toy
from tests.engine.sealed import GAME, SALE, Bid, Options, State

THREE = Setup(3, Options(), SALE)
BEGUN, _ = begin(GAME, THREE, lambda ply, total: 0)


def after(*entries: Entry[Any], game: AnyGame = GAME, state: Any = BEGUN) -> list[Replayed]:
    return list(walk(game, state, 1, entries))


def test_a_turn_that_answers_the_ply_of_the_match_is_fresh_whoever_is_awaited() -> None:
    assert still_fresh(GAME, (), 0)
    assert still_fresh(toy.GAME, (), 1)


def test_a_turn_stays_fresh_while_others_bid_secretly() -> None:
    steps = after(Entry(0, Bid(3)), Entry(2, Bid(5)))
    assert still_fresh(GAME, steps, 1)
    assert still_fresh(GAME, steps[:1], 1)


def test_a_seat_that_has_bid_is_not_fresh_with_a_second_turn() -> None:
    steps = after(Entry(0, Bid(3)), Entry(2, Bid(5)))
    assert not still_fresh(GAME, steps, 0)
    assert not still_fresh(GAME, steps[1:], 0)  # it answers a ply at which it was not awaited


def test_a_turn_is_stale_once_the_bids_are_opened() -> None:
    judged = adjudicate(GAME, after(Entry(0, Bid(3)), Entry(2, Bid(5)))[-1].after, 3, 1, (Bid(1),), lambda *_: 0)
    steps = after(Entry(0, Bid(3)), Entry(2, Bid(5)), *judged.entries)
    assert steps[-1].entry.seat == CHANCE
    assert not any(still_fresh(GAME, steps, seat) for seat in range(3))


def test_what_the_seat_saw_makes_its_turn_stale() -> None:
    seen = replace(GAME, seen=lambda state, seat, action, viewer: action)
    assert not still_fresh(seen, after(Entry(0, Bid(3)), game=seen), 1)


def test_a_turn_is_stale_where_its_seat_was_not_awaited_all_along() -> None:
    def only_the_first(state: State) -> tuple[int, ...]:
        return GAME.to_act(state)[:1] if state.bids[0] is None else GAME.to_act(state)

    waiting = replace(GAME, to_act=only_the_first)
    assert not still_fresh(waiting, after(Entry(0, Bid(3)), game=waiting), 1)
    assert still_fresh(waiting, after(Entry(0, Bid(3)), Entry(1, Bid(3)), game=waiting)[1:], 2)


@pytest.mark.parametrize(
    "changed",
    [
        {"observe": lambda state, viewer: replace(GAME.observe(state, viewer), bag=state.bids.count(None))},
        {"prompt": lambda state, seat: Statement("bid", {"lot": state.bids.count(None)})},
        {"candidates": lambda state, seat: tuple(GAME.candidates(state, seat))[: 2 + state.bids.count(None)]},
    ],
    ids=["observation", "prompt", "list"],
)
def test_whatever_changes_for_the_seat_makes_its_turn_stale(changed: dict[str, Any]) -> None:
    game = replace(GAME, **changed)
    assert not still_fresh(game, after(Entry(0, Bid(3)), game=game), 1)


def test_two_who_bid_at_once_are_judged_in_either_order_with_the_same_result() -> None:
    last = Entry(2, Bid(1))
    first = after(Entry(0, Bid(3)), Entry(1, Bid(5)), last)[-1].after
    second = after(Entry(1, Bid(5)), Entry(0, Bid(3)), last)[-1].after
    assert first == second
