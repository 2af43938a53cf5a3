"""The list of legal actions compared with brute force, which judges every action of the grammar:
the published counts of every game, and random positions of each.

Each test is a function of the name in its id. ``make perft`` counts all that is published both
ways, also what would take too long here.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import registry
from engine.conformance.grammar import brute_force, compared, grammar, the_list_of_legal_actions_agrees_with_brute_force
from engine.conformance.subject import play
from engine.perft import perft
from engine.play import legal_actions
from tests.engine.matches import TOYS, subject
from tests.games.perft import Published, asked, deepest, published, state_of

GAMES = list(registry.games())
MATCHES = 5
"""How many matches of a game give random positions."""
MOST_ASKED_HERE = 260_000
"""What brute force asks the judge for one published count in the deep test; for more there is
``make perft``.
"""
MOST_ASKED_QUICKLY = 40_000
"""The same in the quick tests, beside the first ply of each position."""

POSITIONS = [
    pytest.param(name, position, id=f"{name}-{position['name']}") for name in GAMES for position in published(name)
]
each_position = pytest.mark.parametrize(("name", "position"), POSITIONS)


@each_position
def test_the_engine_agrees_with_the_published_counts(name: str, position: Published) -> None:
    game = registry.game(name)
    state = state_of(game, position)
    depths = range(1, len(position["counts"]) + 1)
    assert [perft(game, state, depth) for depth in depths] == position["counts"]
    assert [asked(game, state, depth) for depth in depths] == position["asked"]


@pytest.mark.parametrize("most", [MOST_ASKED_QUICKLY, pytest.param(MOST_ASKED_HERE, marks=pytest.mark.deep)])
@each_position
def test_brute_force_agrees_with_the_published_counts(name: str, position: Published, most: int) -> None:
    game = registry.game(name)
    state = state_of(game, position)
    for depth, (count, times) in enumerate(zip(position["counts"], position["asked"], strict=True), 1):
        if depth == 1 or times * len(grammar(game)) <= most:
            assert perft(game, state, depth, brute_force) == count, f"{depth} plies"


@pytest.mark.parametrize("name", GAMES)
def test_counts_are_published_for_every_number_of_seats_and_as_deep_as_brute_force_can_go(name: str) -> None:
    """How many positions there are depends on the game: ``make perft`` looks for all kinds."""
    game, positions = registry.game(name), published(name)
    assert {position["seats"] for position in positions} == set(game.info.seats)
    assert len({(position["seats"], str(position["log"])) for position in positions}) == len(positions)
    for position in positions:
        assert len(position["counts"]) == len(position["asked"]) == deepest(game, state_of(game, position))


@pytest.mark.deep
@pytest.mark.parametrize("number", range(MATCHES))
@pytest.mark.parametrize("name", [*GAMES, *TOYS])
def test_the_list_of_legal_actions_agrees_with_brute_force_on_random_positions(name: str, number: int) -> None:
    """20 positions of each of five matches: what is listed leads where what is not refused leads,
    and nowhere twice.
    """
    asked_of = subject(name)
    seats = asked_of.game.info.seats[number % len(asked_of.game.info.seats)]
    assert list(the_list_of_legal_actions_agrees_with_brute_force(play(asked_of, seats, number))) == []


@pytest.mark.parametrize("name", list(TOYS))
@pytest.mark.parametrize("fault", ["lacks one", "has one twice"])
def test_a_list_that_differs_from_brute_force_is_detected(name: str, fault: str) -> None:
    game = subject(name).game
    state, seat = next(
        (state, seat)
        for _, state, seat in play(subject(name), game.info.seats[-1], 0).decisions()
        if len(legal_actions(game, state, seat)) > 1
    )
    whole = legal_actions(game, state, seat)
    faulty = replace(game, candidates=lambda state, seat: whole[1:] if fault == "lacks one" else (*whole, whole[0]))
    assert list(compared(game, state, seat)) == []
    assert len(list(compared(faulty, state, seat))) == 1
