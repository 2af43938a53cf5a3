"""The text board: content, width, plain ASCII."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.games.montana import GAME
from engine.games.montana.apply import apply
from engine.games.montana.components import Options
from engine.games.montana.facts import SEAT_MARKS
from engine.games.montana.legal import outcomes
from engine.games.montana.observe import Awaited, Observation, RepresentativeObservation, observe
from engine.games.montana.render_svg import svg
from engine.games.montana.render_text import text
from engine.games.montana.state import State, setup, to_act
from engine.play import legal_actions
from engine.types import CHANCE, Setup, Statement
from tests.games.montana.observations import NAMES, busy, drawn, early, finished, laying, start, town, unusual

OBSERVATIONS = pytest.mark.parametrize(
    "observation",
    [laying(), start(), early(), town(), busy(), finished(), unusual()],
    ids=["laying", "start", "early", "town", "busy", "finished", "unusual"],
)


@OBSERVATIONS
def test_the_board_is_plain_ascii_but_for_the_names(observation: Observation) -> None:
    assert text(observation, ["Ada", "Bob", "Cyd", "Dee"]).isascii()


@OBSERVATIONS
def test_no_line_looks_like_a_quotation_or_a_mailbox_separator(observation: Observation) -> None:
    assert not any(line.startswith((">", "From ")) for line in text(observation, NAMES).splitlines())


@OBSERVATIONS
def test_every_hex_is_named(observation: Observation) -> None:
    shown = text(observation, NAMES)
    assert all(f"|{hexagon.name} " in shown for hexagon in observation.hexes)


def test_an_early_board_is_shown_whole() -> None:
    assert (
        text(early(), NAMES)
        == """\
MONTANA  Round 3. Ada Lovelace (B): Recruit, harvest or build.

                  +------+------+
                  |D1    |E1    |
                  | wwp  | /\\/\\ |
               +--+---+--+---+--+---+------+------+
               |C2   o|D2    |E2    |F2   o|G2    |
               | ppC  | wcs  | css  | wpC  | sC   |
    +------+---+--+---+--+---+--+---+--+---+--+---+--+
    |B3    |C3    |D3    |E3    |F3    |G3    |H3    |
    | wp   | pS   |~~(u)~|[psC] | /\\/\\ | wpc  | /\\/\\ |
 +--+---+--+---+--+---+--+---+--+---+--+---+--+---+--+
 |A4    |B4   2|C4    |D4   2|E4    |F4    |G4    |
 | ccs  | wpCS |[pcc] |[wpcs]| (B)  |[pss] | wc   |
 +--+---+--+---+--+---+--+---+--+---+--+---+--+---+--+
    |B5    |C5   o|D5    |E5    |F5   o|G5    |H5   o|
    | /\\/\\ |[wwc] | (B)  |~~~~~~|[wS]  | wC   | ppc  |
    +---+--+---+--+---+--+---+--+---+--+---+--+---+--+---+
        |B6   o|C6    |D6    |E6   *|F6    |G6    |H6   2|
        | wSS  |[pcc] |START | (Y)  |[wcs] | /\\/\\ | pCS  |
    +---+--+---+--+---+--+---+--+---+--+---+--+---+--+---+
    |B7    |C7    |D7    |E7   *|F7    |G7    |H7    |
    |~~(u)~| wcs  | /\\/\\ | (Y)  |[wsC] | p    | wws  |
    +---+--+---+--+---+--+---+--+---+--+---+--+------+
        |B8    |C8    |D8   o|E8    |F8    |
        | psC  | wp   |[pcs] |~~~~~~| pps  |
        +------+------+--+---+--+---+--+---+
                         |E9    |F9   o|
                         | wcc  | wS   |
                         +------+------+
  w wheat   p pumpkin   c small copper   s small stone   C/S large ones
  [ws] open   o cow   2 double (x2)   (u) canteen   (B) settled   * latest

     player           built left coins cows cans   w  p  c  s  C  S  workers
=> B Ada Lovelace         2   10     7    1    0   2  1  1  0  0  1  wpccs
   Y Bjørn                2   10     4    2    1   0  1  1  2  0  0  wws
     supply                              14       10 10 10 10  6  6
     workers in the supply          w 18 p 18 c 18 s 18

possible now     build: C5, F5
                 trade cow: 1 cow to trade

bank             1 $4 [.]  2 $8 [sp]  3 $8 [..]  4 $12 [...]
mine (copper)    1 $1=1c [c ][wp]    2 $3=2c [  ][  ]    3 $6=3c [  ][  ]
quarry (stone)   1 $1=1s [  ][  ]    2 $3=2s [cs][  ]    3 $6=3s [  ][  ]
field (wheat)    1 $1=2w [  ][  ]    2 $3=3w [  ][  ]    3 $6=4w [w ][pp]
garden (pumpkin) 1 $1=2p [  ][  ]    2 $3=3p [  ][  ]    3 $6=4p [  ][  ]
  $ price = goods [large box][small box, +1]

town   column      1      2      3      4
       price       1p     2p     3p     4p    p pumpkins
  row 1          [ + ]  [ + ]  [   ]  [   ]   1 cow, up to 3 upgrades
  row 2          [ + ]  [ + ]  [   ]  [   ]   3 of wheat, copper, stone
  row 3          [ + ]  [ + ]  [   ]  [   ]   up to 2 upgrades
  row 4          [ + ]  [ + ]  [   ]  [   ]   2 coins, up to 1 upgrade
                 [ + ] can be taken now

wheel            1 sp   2 ??   3 pp  >4 sc<  5 ww   6 ??   7 cc   8 ws
"""
    )


def test_the_town_says_which_seat_is_where_and_which_has_yet_to_decide() -> None:
    shown = text(town(), NAMES)
    assert "row 3          [   ]  [   ]  [ Y ]* [   ]   up to 2 upgrades" in shown
    assert "passed: Dee (R)" in shown
    assert "yet to decide: Ada Lovelace (B) and Chandrasekhara Venkata" in shown
    assert "Move your overtaken" in shown.splitlines()[0]


def test_a_seat_that_took_its_reward_is_served_and_has_not_passed() -> None:
    """R6.7"""
    shop = replace(town().shop, representatives=(RepresentativeObservation(0, served=True),))
    assert "served: Ada Lovelace (B)" in text(replace(town(), shop=shop), NAMES)
    assert "passed:" not in text(replace(town(), shop=shop), NAMES)


def test_a_canteen_that_can_be_used_is_offered() -> None:
    """R8.6"""
    offered = replace(
        early(), awaited=(Awaited(1, Statement("end", {"trade": False, "canteen": True}), can_use_canteen=True),)
    )
    assert "\n                 canteen: another turn at once, 1 to use\n" in text(offered, NAMES)
    assert "canteen:" not in text(early(), NAMES)


def test_the_wheat_that_moves_the_arrow_stands_below_each_segment() -> None:
    """R4.3"""
    wheel, wheat = text(replace(early(), phase="recruited"), NAMES).splitlines()[-2:]
    assert wheel == "wheel            1 sp   2 ??   3 pp  >4 sc<  5 ww   6 ??   7 cc   8 ws"
    assert wheat == "  wheat to pay     5w     6w     7w            1w     2w     3w     4w"
    assert "wheat: 1 to 2, for as many segments" in text(replace(early(), phase="recruited"), NAMES)


def test_hexes_touch_where_bricks_do() -> None:
    rows = text(early(), NAMES).splitlines()
    upper, lower = next(row for row in rows if "|E4 " in row), next(row for row in rows if "|F5 " in row)
    assert abs(upper.index("|E4 ") - lower.index("|E5 ")) == 4
    assert abs(upper.index("|E4 ") - lower.index("|F5 ")) == 3


def test_a_cost_that_is_too_long_for_its_hex_is_listed_below() -> None:
    shown = text(unusual(), NAMES)
    assert "www+" in shown
    assert "A1 wwwwpcsCS" in shown


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("wheel", ""),
        ("bank 2", "[sp]*"),
        ("mine 1", "[c ][wp]*"),
        ("mine 1 again", "[c ][wp]*"),
        ("town 1 1", "[ + ]*"),
    ],
)
def test_the_box_of_the_latest_action_has_a_star(place: str, line: str) -> None:
    assert line in text(replace(early(), last=(place,)), NAMES)


def test_the_end_shows_the_ranking_with_what_broke_the_tie() -> None:
    shown = text(finished(), NAMES)
    assert "The match is over: Chandrasekhara Venkata Raman wins." in " ".join(shown.split())
    ranks = [line.split()[0] for line in shown.splitlines() if "settlements 10" in line or "settlements 8" in line]
    assert ranks == ["1.", "2.", "3."]
    assert "cows and canteens 2" in shown


def test_nothing_is_open_to_build_after_the_end() -> None:
    assert "[" not in text(finished(), NAMES).split("  w wheat")[0]


def test_a_shared_victory_names_all_winners() -> None:
    over = finished()
    assert over.outcome is not None
    shared = replace(over, outcome=replace(over.outcome, ranks=(1, 3, 1)))
    assert "Ada Lovelace and Chandrasekhara Venkata Raman share the victory." in " ".join(text(shared, NAMES).split())


def test_the_last_round_is_announced() -> None:
    assert "The last round: A seat has built its last settlement" in text(busy(), NAMES)


@settings(max_examples=40)
@given(st.lists(st.text(max_size=60), min_size=4, max_size=4))
def test_no_name_breaks_the_layout(names: list[str]) -> None:
    usual = text(busy(), ["Ada", "Bob", "Cyd", "Dee"])
    shown = text(busy(), names)
    board = slice(usual.index("  +------"), usual.index("     player"))
    assert usual[board] in shown
    assert "\x1b" not in shown
    assert "\r" not in shown


def course(seats: int, random: Random) -> Iterator[State]:
    """A match of random actions, as long as it takes or 400 of them."""
    state = setup(Setup(seats, Options(), drawn()))
    for _ in range(400):
        yield state
        awaited = to_act(state)
        if not awaited:
            return
        seat = awaited[0]
        if seat == CHANCE:
            state = apply(state, CHANCE, random.choice(outcomes(state))[0])
        else:
            state = apply(
                state,
                seat,
                random.choice(legal_actions(GAME, state, seat)),
            )


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_any_position_of_a_match_can_be_shown(seats: int) -> None:
    random = Random(seats)
    for state in course(seats, random):
        observation = observe(state, None)
        shown = text(observation, NAMES)
        assert max(map(len, shown.splitlines())) <= 78
        assert all(
            f"({SEAT_MARKS[hexagon.owner]})" in shown for hexagon in observation.hexes if hexagon.owner is not None
        )
        if random.random() < 0.03:
            assert svg(observation, NAMES).startswith("<svg")
