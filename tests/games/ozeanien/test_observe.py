"""R10: everything is public but what the draws will bring; what may be done is numbered as the list
of legal actions is.
"""

from __future__ import annotations

import dataclasses
from random import Random

from engine import registry
from engine.bots import random_action
from engine.games.ozeanien import GAME
from engine.games.ozeanien.actions import Explore, UseDiscarded
from engine.games.ozeanien.components import Options
from engine.games.ozeanien.observe import Reuse
from engine.games.ozeanien.tiles import Kind
from engine.play import drawn, legal_actions
from engine.types import CHANCE, SPECTATOR, Setup
from tests.games.ozeanien.positions import does, position


# R10.1
def test_every_viewer_sees_the_same() -> None:
    state = position("a:1G a ~\n~ ~ ~\n. . .", discarded=({Kind.SEA: 1}, {}))
    seen = [dataclasses.replace(GAME.observe(state, viewer), viewer=None) for viewer in (SPECTATOR, 0, 1)]
    assert seen[0] == seen[1] == seen[2]
    drawing = does(state, "ship west 3")
    for action, _ in GAME.outcomes(drawing):
        assert GAME.seen(drawing, CHANCE, action, SPECTATOR) == action


# R10.2
def test_the_unseen_tiles_are_known_by_kind() -> None:
    state = GAME.setup(Setup(2, Options(), registry.components("ozeanien")))
    before = GAME.observe(state, 0)
    assert (sum(before.unseen.values()), before.draws) == (35, 32)
    after = GAME.observe(does(state, "ship west 1; draw coast"), 0)
    assert after.unseen[Kind.COAST] == before.unseen[Kind.COAST] - 1
    assert (sum(after.unseen.values()), after.draws, after.tile) == (34, 31, Kind.COAST)


# R3.4, R3.5
def test_the_discarded_tiles_that_may_be_taken_are_those_of_the_legal_actions() -> None:
    luck, taken = Random(3), 0
    for _ in range(4):
        state = GAME.setup(Setup(2, Options(), registry.components("ozeanien")))
        while awaited := GAME.to_act(state):
            if awaited == (CHANCE,):
                state = GAME.apply(state, CHANCE, drawn(GAME, state, 0, lambda _, total: luck.randrange(total)))
                continue
            reuses = [each for each in legal_actions(GAME, state, awaited[0]) if isinstance(each, UseDiscarded)]
            seen = GAME.observe(state, awaited[0])
            offered = {(start, each.tile) for each in seen.reuses for start in each.starts}
            assert offered == {(each.start, each.tile) for each in reuses}
            taken += len(offered)
            state = GAME.apply(state, awaited[0], random_action(GAME, state, awaited[0], luck.choice))
    assert taken


def test_nothing_is_offered_without_an_explorer_to_pay_with() -> None:
    thrown: tuple[dict[Kind, int], dict[Kind, int]] = ({Kind.SEA: 1}, {})
    assert GAME.observe(position("~ .\n. .", discarded=thrown), 0).reuses == (
        Reuse(Kind.SEA, ("west 2", "south A", "south B", "east 1", "east 2", "A1")),
    )
    spent = position("~ .\n. .", discarded=thrown, given_up=((5, 2, 1), (0, 0, 0)))
    assert GAME.observe(spent, 0).reuses == ()


# R8.2
def test_an_island_has_a_name_of_its_own_and_tells_what_it_would_earn() -> None:
    found = GAME.observe(position(". ~/S .\n. ~/NS:N2G .\n. . ~/N:1W"), 0).islands
    assert [(each.name, each.edges, each.worth, each.points) for each in found] == [
        ("B1", ("S", "N"), 2, 2),
        ("B2 south", ("S",), 0, 0),
        ("C3", ("N",), 1, 0),
    ]


def test_no_two_islands_have_the_same_name() -> None:
    luck = Random(5)
    for seats in (1, 2):
        state = GAME.setup(Setup(seats, Options(), registry.components("ozeanien")))
        while awaited := GAME.to_act(state):
            if awaited == (CHANCE,):
                state = GAME.apply(state, CHANCE, drawn(GAME, state, 0, lambda _, total: luck.randrange(total)))
            else:
                state = GAME.apply(state, awaited[0], random_action(GAME, state, awaited[0], luck.choice))
            names = [island.name for island in GAME.observe(state, 0).islands]
            assert len(set(names)) == len(names)


def test_the_numbers_are_those_of_the_legal_actions() -> None:
    luck = Random(7)
    for seats in (1, 2):
        state, ply = GAME.setup(Setup(seats, Options(), registry.components("ozeanien"))), 0
        while awaited := GAME.to_act(state):
            if awaited == (CHANCE,):
                state = GAME.apply(state, CHANCE, drawn(GAME, state, ply, lambda _, total: luck.randrange(total)))
                continue
            legal = [GAME.format(action) for action in legal_actions(GAME, state, awaited[0])]
            seen = GAME.observe(state, awaited[0])
            numbered = [(each.number, GAME.format(Explore(each.start))) for each in seen.starts]
            numbered += [(each.number, f"place {each.space} {each.land}".strip()) for each in seen.placements]
            numbered += [
                (each.number, f"explorer {each.value}{f' {each.part}' if each.part else ''}") for each in seen.stands
            ]
            assert numbered
            assert [legal[number - 1] for number, _ in numbered] == [line for _, line in numbered]
            if seen.stands:
                assert legal[len(numbered) :] == ["skip"]
            state = GAME.apply(state, awaited[0], random_action(GAME, state, awaited[0], luck.choice))
            ply += 1
