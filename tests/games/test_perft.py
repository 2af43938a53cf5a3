"""What the engine lists against brute force that only asks the judge: the published counts of every
game, and 200 random positions of each.

Each test is a function of the name in its id. ``make perft`` counts all that is published both
ways, also what would take too long here.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.game import AnyGame
from engine.perft import perft
from engine.play import legal_actions
from engine.types import CHANCE, Seat
from tests.games.grammar import brute_force, grammar
from tests.games.perft import Published, asked, playout, published, state_of

GAMES = list(registry.games())
MATCHES, OF_EACH = 10, 20
"""The random positions of a game: so many matches, so many positions of each."""
MOST_ASKED_HERE = 260_000
"""What brute force asks the judge for one published count in this test; for more there is ``make
perft``.
"""

POSITIONS = [
    pytest.param(name, position, id=f"{name}-{position['name']}") for name in GAMES for position in published(name)
]
each_position = pytest.mark.parametrize(("name", "position"), POSITIONS)


@each_position
def test_the_engine_counts_what_is_published(name: str, position: Published) -> None:
    game = registry.game(name)
    state = state_of(game, position)
    depths = range(1, len(position["counts"]) + 1)
    assert [perft(game, state, depth) for depth in depths] == position["counts"]
    assert [asked(game, state, depth) for depth in depths] == position["asked"]


@each_position
def test_brute_force_counts_what_is_published(name: str, position: Published) -> None:
    game = registry.game(name)
    state = state_of(game, position)
    for depth, (count, times) in enumerate(zip(position["counts"], position["asked"], strict=True), 1):
        if depth == 1 or times * len(grammar(game)) <= MOST_ASKED_HERE:
            assert perft(game, state, depth, brute_force) == count, f"{depth} plies"


@pytest.mark.parametrize("name", GAMES)
def test_counts_are_published_for_every_number_of_seats_and_to_depth_2_or_3(name: str) -> None:
    positions = published(name)
    assert {position["seats"] for position in positions} == set(registry.game(name).info.seats)
    assert sum(len(position["counts"]) == 3 for position in positions) >= 3
    assert all(2 <= len(position["counts"]) == len(position["asked"]) <= 3 for position in positions)


@pytest.mark.parametrize("number", range(MATCHES))
@pytest.mark.parametrize("name", GAMES)
def test_the_list_is_what_brute_force_finds_on_random_positions(name: str, number: int) -> None:
    """20 positions of each of ten matches: what is listed leads where what is not refused leads,
    and nowhere twice.
    """
    game = registry.game(name)
    seed = f"{name}-{number}"
    seats = game.info.seats[number % len(game.info.seats)]
    for ply, state, seat in sampled(game, seats, seed):
        assert_the_same(game, state, seat, f"{seats} seats, seed {seed}, ply {ply}, seat {seat}")


@pytest.mark.parametrize("name", ["montana", "ozeanien"])
@pytest.mark.parametrize("fault", ["lacks one", "has one twice"])
def test_a_list_that_is_not_what_brute_force_finds_is_noticed(name: str, fault: str) -> None:
    game = registry.game(name)
    _, state, seat = next(
        found
        for found in sampled(game, game.info.seats[-1], "faulty")
        if len(legal_actions(game, found[1], found[2])) > 1
    )
    whole = legal_actions(game, state, seat)
    faulty = replace(game, candidates=lambda state, seat: whole[1:] if fault == "lacks one" else (*whole, whole[0]))
    assert_the_same(game, state, seat, "sound")
    with pytest.raises(AssertionError, match="faulty"):
        assert_the_same(faulty, state, seat, "faulty")


def assert_the_same(game: AnyGame, state: Any, seat: Seat, where: str) -> None:
    """The list against the whole grammar: as many, leading to the same states, no two to the
    same.
    """
    listed = [game.apply(state, seat, action) for action in legal_actions(game, state, seat)]
    found = brute_force(game, state, seat)
    assert len(found) == len(listed), where
    assert all(game.apply(state, seat, action) in listed for action in found), where
    assert all(after not in listed[:index] for index, after in enumerate(listed)), where


def sampled(game: AnyGame, seats: int, seed: str) -> list[tuple[int, Any, Seat]]:
    """Positions of a random match in which a seat may act, with one of those seats."""
    luck = Random(seed)
    played = [
        (ply, state) for ply, (state, _) in enumerate(playout(game, seats, seed)) if game.to_act(state) != (CHANCE,)
    ]
    assert len(played) >= OF_EACH
    return [
        (ply, state, luck.choice(game.to_act(state)))
        for ply, state in sorted(luck.sample(played, OF_EACH), key=lambda each: each[0])
    ]
