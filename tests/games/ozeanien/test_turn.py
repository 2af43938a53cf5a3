"""R1 to R4: starting points, the draw, discarded tiles, placements."""

from __future__ import annotations

from engine import registry
from engine.games.ozeanien import GAME
from engine.games.ozeanien.actions import DrawTile, Place
from engine.games.ozeanien.components import Options
from engine.games.ozeanien.state import Phase
from engine.games.ozeanien.tiles import KIND_OF, KINDS, PARTS, WAYS_ROUND, Kind
from engine.play import adjudicate, judge, preview
from engine.types import CHANCE, Setup
from tests.games.ozeanien.positions import does, legal, position, refused

STANDARD = registry.components("ozeanien")


def starts(lines: list[str]) -> list[str]:
    return [line.removeprefix("ship ").removeprefix("tile ") for line in lines]


# R1.1
def test_the_board_has_seven_columns_and_five_rows_all_unexplored() -> None:
    state = GAME.setup(Setup(2, Options(), STANDARD))
    assert state.table.ground.names[0] == "A1"
    assert state.table.ground.names[-1] == "G5"
    assert set(state.board) == {-1}
    assert len(state.board) == 35


# R1.1
def test_the_board_can_be_turned_upright() -> None:
    state = GAME.setup(Setup(1, Options(upright=True), STANDARD))
    assert state.table.ground.names[-1] == "E7"
    assert "ship east 7" in legal(state)
    assert refused(state, "ship south F").code == "no_such_start"
    assert refused(state, "ship F3").code == "no_such_start"


# R6.4
def test_an_explorer_that_was_not_offered_may_be_declined_after_the_tile() -> None:
    state = position(". . .\n. . .", ship="west 1", tile=Kind.SEA)
    turn = GAME.parse("place A1; skip")
    judgement = adjudicate(GAME, state, 9, state.seat, turn, lambda ply, total: 0)
    assert (judgement.verdict, judgement.accepted, len(judgement.entries)) == ("accepted", 2, 1)
    assert preview(GAME, state, state.seat, turn).violation is None
    assert adjudicate(GAME, judgement.state, 10, 1, GAME.parse("skip"), lambda ply, total: 0).verdict == "rejected"


# R1.2
def test_there_are_six_kinds_and_ways_round_that_look_the_same_are_one() -> None:
    assert [len(ways) for ways in WAYS_ROUND] == [1, 4, 4, 2, 4, 1]
    assert sorted(land for ways in WAYS_ROUND for land in ways) == list(range(16))
    assert KINDS[KIND_OF[0b0101]] is Kind.STRAIT
    assert KINDS[KIND_OF[0b1001]] is Kind.COAST


# R1.3
def test_the_frame_is_sea() -> None:
    state = position(". . \n . .", ship="west 1", tile=Kind.CAPE)
    assert legal(state) == ["place A1 E", "place A1 S"]
    assert "its north edge has to be sea, as the frame is" in refused(state, "place A1 N").message


# R1.4
def test_circles_lie_in_the_west_south_and_east_and_a_southern_corner_has_two() -> None:
    assert starts(legal(position(". . .\n. . ."))) == [
        "west 1",
        "west 2",
        "south A",
        "south B",
        "south C",
        "east 1",
        "east 2",
    ]
    assert refused(position(". . .\n. . ."), "ship north A").code == "no_such_start"
    for start in ("west 2", "south A"):
        state = does(position(". . .\n. . ."), f"ship {start}; draw sea")
        assert legal(state) == ["place A2"]


# R1.5
def test_routes_lead_out_of_sea_edges_only() -> None:
    state = position("~ ~ ~\n~ ~/ES ~/W\n. . .\n. . .")
    assert "ship tile B2" not in legal(state)
    assert {"ship tile A2", "ship tile C2"} <= set(legal(state))


# R1.6
def test_a_strait_has_two_parts_and_any_other_tile_with_land_one() -> None:
    assert [len(PARTS[ways[0]]) for ways in WAYS_ROUND] == [0, 1, 1, 2, 1, 1]


# R1.7
def test_the_standard_components() -> None:
    assert sum(STANDARD.sea_tiles.value.values()) == 35
    assert STANDARD.sea_tiles.value["inland"] == 0
    assert STANDARD.sea_tiles.value["sea"] >= 4
    assert sum(STANDARD.reserve_tiles.value.values()) == 25
    assert all(STANDARD.reserve_tiles.value.values())
    assert STANDARD.explorers.value == {"1": 5, "2": 2, "3": 1}


# R2.1
def test_the_bag_holds_the_sea_tiles_and_the_reserve_the_others() -> None:
    state = GAME.setup(Setup(2, Options(), STANDARD))
    assert dict(zip(KINDS, state.bag, strict=True)) == STANDARD.sea_tiles.value
    assert dict(zip(KINDS, state.reserve, strict=True)) == STANDARD.reserve_tiles.value


# R2.2
def test_three_tiles_are_never_drawn_but_any_tile_may_be() -> None:
    state = GAME.setup(Setup(2, Options(), STANDARD))
    assert state.draws == 32
    drawing = does(state, "ship west 1")
    assert GAME.to_act(drawing) == (CHANCE,)
    assert sum(weight for _, weight in GAME.outcomes(drawing)) == 35


# R2.3
def test_seat_0_begins_with_the_grey_explorers() -> None:
    state = GAME.setup(Setup(2, Options(), STANDARD))
    assert GAME.to_act(state) == (0,)
    assert [seat.explorers for seat in state.seats] == [(5, 2, 1)] * 2
    assert state.ship is None
    assert GAME.info.seat_colours[:2] == ("grey", "white")


# R3.1
def test_the_seats_take_turns_and_the_steps_keep_their_order() -> None:
    state = position(". . .\n. . .")
    assert refused(state, "place A1").code == "ship_first"
    assert refused(state, "explorer 1").code == "ship_first"
    state = does(state, "ship west 1; draw cape")
    assert refused(state, "ship east 1").code == "tile_at_hand"
    assert refused(state, "skip").code == "tile_at_hand"
    state = does(state, "place A1 S")
    assert refused(state, "place A2").code == "tile_placed"
    assert refused(state, "ship east 1").code == "explorer_due"
    assert does(state, "skip").seat == 1


# R3.1
def test_the_other_seat_has_to_wait() -> None:
    refusal = judge(GAME, position(". .\n. ."), 1, GAME.parse("ship west 1")[0])
    assert refusal is not None
    assert refusal.code == "not_your_turn"


# R3.2
def test_the_ship_may_start_anywhere_a_route_leads_into_the_unknown() -> None:
    state = position("~ . .\n~ ~/S ~\n~ ~/N ~\n. . .")
    assert starts(legal(state)) == [
        "west 4",
        "south A",
        "south B",
        "south C",
        "east 1",
        "east 4",
        "A1",
        "B2",
        "C2",
        "A3",
        "B3",
        "C3",
    ]
    assert refused(state, "ship west 1").code == "circle_closed"
    assert refused(state, "ship A2").code == "no_route"
    assert refused(state, "ship B1").code == "start_unexplored"
    assert "Open starting points" in refused(state, "ship A2").message


# R3.2
def test_where_the_ship_was_does_not_matter() -> None:
    far = position("~ . .\n. . .", ship="A1")
    assert "ship east 2" in legal(far)


# R3.3
def test_a_tile_is_drawn_by_chance_never_by_a_seat() -> None:
    state = does(position(". .\n. ."), "ship west 1")
    assert GAME.to_act(state) == (CHANCE,)
    assert DrawTile(Kind.CAPE) in [action for action, _ in GAME.outcomes(state)]
    assert refused(position(". .\n. ."), "draw cape").code == "not_an_action"


# R3.4
def test_a_discarded_tile_costs_an_explorer_for_good() -> None:
    state = position("~ . .\n~ . .", discarded=({Kind.BAY: 1, Kind.SEA: 1}, {}))
    after = does(state, "ship A2 with sea for 2")
    assert after.seats[0].explorers == (5, 1, 1)
    assert after.seats[0].given_up == (0, 1, 0)
    assert after.seats[0].discarded[0] == 0
    assert legal(after) == ["place B2"]
    assert after.draws == state.draws


# R3.4
def test_only_ones_own_discarded_tiles_and_remaining_explorers_can_be_used() -> None:
    state = position("~ . .\n~ . .", discarded=({Kind.SEA: 1}, {Kind.CAPE: 1}), given_up=((0, 0, 1), (0, 0, 0)))
    assert refused(state, "ship A2 with cape for 1").code == "tile_not_discarded"
    assert "the kinds you have: sea" in refused(state, "ship A2 with cape for 1").message
    both = refused(state, "ship B2 with cape for 3")
    assert [both.code, *(other.code for other in both.others)] == [
        "start_unexplored",
        "tile_not_discarded",
        "explorer_not_left",
    ]
    assert not [line for line in legal(state) if "for 3" in line or "cape" in line]


# R3.5
def test_a_discarded_tile_is_taken_only_where_it_fits() -> None:
    state = position("~ . .\n~ . .", discarded=({Kind.INLAND: 1}, {}))
    refusal = refused(state, "ship A2 with inland for 1")
    assert (refusal.code, refusal.rule) == ("tile_does_not_fit", "R3.5")
    assert not [line for line in legal(state) if "inland" in line]


# R4.1
def test_the_tile_goes_where_a_route_leads_and_must_be_placed() -> None:
    state = position(". . .\n. ~ .\n. . .", ship="B2", tile=Kind.SEA)
    assert legal(state) == ["place B1", "place A2", "place C2", "place B3"]
    assert refused(state, "place A1").code == "out_of_reach"
    assert refused(state, "place B2").code == "space_explored"
    assert refused(state, "place G7").code == "no_such_space"
    assert refused(state, "skip").code == "tile_at_hand"


# R4.2
def test_every_edge_has_to_match() -> None:
    state = position(". . .\n. ~/E .\n. . .", ship="B2", tile=Kind.CAPE)
    assert legal(state) == ["place B1 E", "place B1 W", "place A2 N", "place A2 S", "place B3 E", "place B3 W"]
    refusal = refused(state, "place B3 N")
    assert (refusal.code, refusal.rule) == ("edges_clash", "R4.2")
    assert "its north edge has to be sea, as B2 is" in refusal.message
    assert "Turned another way, it fits there" in refusal.message
    land = position(". . .\n. ~/E ~/W\n. ~ .\n. . .", ship="B3", tile=Kind.COAST)
    assert "its north edge has to be sea, as C2 is" in refused(land, "place C3 NE").message


# R4.2
def test_every_broken_rule_is_named() -> None:
    state = position(". . .\n. ~/E .\n. . .", ship="B2", tile=Kind.CAPE)
    refusal = refused(state, "place C2 NS")
    assert [refusal.code, *(other.code for other in refusal.others)] == ["wrong_shape", "out_of_reach", "edges_clash"]


# R4.3
def test_a_way_round_is_named_by_its_land_edges() -> None:
    state = position(". . .\n. ~ .\n. . .", ship="B2", tile=Kind.STRAIT)
    assert legal(state) == ["place B1 EW", "place A2 NS", "place C2 NS", "place B3 EW"]
    assert judge(GAME, state, 0, Place("A2", "SN")) is not None
    assert refused(state, "place A2 NE").code == "wrong_shape"
    assert "a strait tile, with land on two opposite edges" in refused(state, "place A2 NE").message


# R4.4
def test_a_tile_that_fits_nowhere_is_discarded_and_ends_the_turn() -> None:
    state = does(position("~ ~/S ~\n. . .\n. . ."), "ship west 3; draw inland")
    assert (state.seat, state.phase) == (1, Phase.SHIP)
    assert state.seats[0].discarded[5] == 1
    assert GAME.standing(state) == (-2, 0)


# R3.2, R4.1, R6.1
def test_the_rulebooks_example_of_a_turn() -> None:
    """White crosses mark where the ship may start and red ones where no route leads on; the tile
    may go in two ways; grey puts an explorer of value 2.

    The pictures are lost, so the board is ours: what is told of them holds on it.
    """
    state = position(". . . .\n. ~/NESW . ~\n. . . .")
    assert "D2" in starts(legal(state))
    assert refused(state, "ship B2").code == "no_route"
    drawn = does(state, "ship D2; draw coast")
    assert legal(drawn) == ["place C2 SW", "place C2 NW"]
    after = does(drawn, "place C2 SW; explorer 2")
    assert [(each.seat, each.value) for each in after.explorers] == [(0, 2)]
    assert after.seat == 1
