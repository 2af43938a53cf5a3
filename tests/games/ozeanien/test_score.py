"""R7 to R9: the end, islands, and the score of two seats or one."""

from __future__ import annotations

from engine import registry
from engine.games.ozeanien import GAME
from engine.games.ozeanien.score import islands
from engine.games.ozeanien.state import Ending, State
from engine.games.ozeanien.tiles import Kind
from engine.play import longest
from engine.types import ScoreLine, Setup, Statement
from tests.games.ozeanien.positions import does, legal, position, refused

SCORED = """
    a:1G a    ~ b    b    b    ~
    ~    a:1G ~ b:2W b:3G b    ~
    ~    ~    ~ b:2W b    ~    ~
    c/E  .    . ~    ~    ~    ~
    c:1W ~    . ~    ~    ~    ~
"""
ALONE = """
    a a a . b b b
    a a a . b b b
    a ~ ~ . ~ ~ ~
    c c ~ e d d ~
    c c c e d d ~
"""


def size_and_points(state: State) -> list[tuple[int, int]]:
    return [(len(island.spaces), island.points) for island in islands(state)]


# R8.3
def test_the_rulebooks_scoring_example() -> None:
    """Island A: 3 points for grey.

    Island B: white has 4, grey 3, so white scores 8. Island C is not explored to its end: nothing.
    """
    state = position(SCORED)
    assert size_and_points(state) == [(3, 3), (8, 8), (2, 0)]
    assert GAME.standing(state) == (3, 8)


# R9.3, R9.4
def test_the_rulebooks_example_of_playing_alone() -> None:
    """130 points for islands, less 60 for three unexplored spaces: 70.

    An island of 4 tiles gives 16 of them.
    """
    state = position(ALONE, seats=1)
    assert size_and_points(state) == [(7, 49), (6, 36), (5, 25), (2, 4), (4, 16)]
    assert GAME.standing(state) == (70,)


# R7.1
def test_the_match_ends_when_all_is_explored() -> None:
    state = does(position("~ ~ ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA), "place A3")
    assert state.ending is Ending.EXPLORED
    assert GAME.to_act(state) == ()
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert outcome.ended == Statement("explored")


# R7.1
def test_the_match_ends_when_no_tile_is_left() -> None:
    state = position(". . .\n. . .", draws=1)
    assert does(state, "ship west 1; draw sea; place A1").ending is Ending.NO_TILES


# R7.1
def test_the_match_ends_when_no_start_is_left() -> None:
    state = position("~/E . . ~/W\n~ ~/N . ~\n~ ~ ~ ~", ship="C3", tile=Kind.CAPE)
    assert does(state, "place C2 N; skip").ending is Ending.NO_START


# R7.2
def test_the_end_comes_after_a_tile_that_does_not_fit_too() -> None:
    state = position("~ ~/S ~\n. . .\n. . .", draws=1, discarded=({Kind.SEA: 1}, {}))
    after = does(state, "ship west 3; draw strait")
    assert after.ending is Ending.NO_TILES
    assert GAME.standing(after) == (-4, 0)


# R7.2
def test_the_explorer_still_goes_on_the_last_tile() -> None:
    state = does(position(". . .\n. . .", draws=1), "ship west 1; draw coast; place A1 ES")
    assert state.ending is None
    assert does(state, "explorer 1").ending is Ending.NO_TILES


# R8.1
def test_a_strait_whose_sides_meet_elsewhere_counts_once() -> None:
    state = position("~/ES ~/EW:W1G ~/SW\n~/NE ~/ESW ~/NW:2W\n~ ~/N ~\n. . .")
    assert [(len(island.spaces), island.strengths) for island in islands(state)] == [(7, (1, 2))]


# R8.1
def test_islands_are_connected_by_land_edges_only() -> None:
    state = position("a a ~\n~ ~ ~\nb b .\n. . .")
    assert [island.spaces for island in islands(state)] == [("A1", "B1"), ("A3", "B3")]


# R8.2
def test_one_side_of_a_strait_may_be_complete_while_the_other_is_not() -> None:
    state = position("~ ~/S:1G ~\n~ ~/NS:S2W ~\n~ . .\n. . .")
    assert [(island.spaces, island.complete) for island in islands(state)] == [(("B1", "B2"), True), (("B2",), False)]
    assert GAME.standing(state) == (2, 0)


# R8.4
def test_equal_sums_and_empty_islands_earn_nothing() -> None:
    state = position("a:2G a:2W ~\n~ ~ ~\nb b .\n. . .")
    assert GAME.standing(state) == (0, 0)


# R8.5
def test_discarded_tiles_cost_two_points_each_and_unexplored_spaces_nothing() -> None:
    state = position(". . .\n. . .", discarded=({Kind.SEA: 2, Kind.BAY: 1}, {}))
    assert GAME.standing(state) == (-6, 0)


# R8.6
def test_most_points_win_and_equal_points_share() -> None:
    won = GAME.outcome(does(position("a:1G a ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA, seat=1), "place A3"))
    assert won is not None
    assert (won.scores, won.ranks) == ((2, 0), (1, 2))
    assert won.details[0] == (ScoreLine("islands", 2), ScoreLine("discarded", 0))
    shared = GAME.outcome(does(position("~ ~ ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA), "place A3"))
    assert shared is not None
    assert shared.ranks == (1, 1)


# R9.1
def test_alone_there_are_no_explorers() -> None:
    state = does(position(". . .\n. . .", seats=1), "ship west 1; draw coast; place A1 ES")
    assert (state.phase, state.seat, state.turn) == ("ship", 0, 2)
    assert state.seats[0].explorers == (0, 0, 0)


# R9.2
def test_alone_discarded_tiles_are_lost_and_cost_nothing() -> None:
    state = does(position("~ ~/S ~\n. . .\n. . .", seats=1), "ship west 3; draw inland")
    assert GAME.standing(state) == (-120,)
    assert refused(state, "ship west 3 with inland for 1").code == "no_discards_alone"
    assert not [line for line in legal(state) if "with" in line]


# R9.5
def test_alone_the_score_is_the_result() -> None:
    state = does(position("a a ~\n~ ~ ~\n. . ~", seats=1, ship="A2", tile=Kind.SEA), "place A3")
    outcome = GAME.outcome(state)
    assert outcome is not None
    assert (outcome.scores, outcome.ranks) == ((4,), (1,))
    assert outcome.details == ((ScoreLine("islands", 4), ScoreLine("unexplored", 0)),)


def test_a_match_has_at_most_five_actions_for_each_tile_and_explorer() -> None:
    """R8.7: 35 sea tiles, and 8 explorers of each of two seats."""
    components = registry.components("ozeanien")
    assert longest(GAME, GAME.setup(Setup(2, GAME.options(), components))) == 5 * (35 + 2 * 8)
