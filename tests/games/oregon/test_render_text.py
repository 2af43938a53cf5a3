"""The text board as it is sent in mails."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.games.oregon.observe import Observation
from engine.games.oregon.render_text import text
from tests.games.oregon.observations import NAMES, busy, early, finished, start

OBSERVATIONS = pytest.mark.parametrize(
    "observation",
    [start(), early(), busy(), busy(None), finished(), finished(1)],
    ids=["start", "early", "busy", "spectator", "finished", "finished for a seat"],
)


@OBSERVATIONS
def test_the_board_is_plain_ascii_but_for_the_names(observation: Observation) -> None:
    assert text(observation, ["Ada", "Bob", "Cyd", "Dee"]).isascii()


@OBSERVATIONS
def test_no_line_looks_like_a_quotation_or_a_mailbox_separator(observation: Observation) -> None:
    assert not any(line.startswith((">", "From ")) for line in text(observation, NAMES).splitlines())


def test_an_early_board_is_shown_whole() -> None:
    assert (
        text(early(), NAMES)
        == """\
OREGON  Round 3. Ada Lovelace (R) is to play two cards.

               WAGON        BISON       SETTLER       EAGLE       CAMPFIRE
              A   B   C    D   E   F    G   H   I    J   K   L    M   N   O
           +------------+------------+------------+------------+------------+
WAGON    1 |  .  /\\  /\\ | /\\  CM   . | ==   .   . |  .   .   . |  .  /\\  /\\ |
         2 |  .   .  /\\ | /\\   .  (R)| ==   .   . |  .  ~~  ~~ |  .   .   . |
           +------------+------------+------------+------------+------------+
BISON    3 |  .   .   . |  .  /\\   . | ==   .  (R)| HB   .  ~~ | ~~   .   . |
         4 |  .   .   . |  .  /\\   . | ==  PO  /\\ |*(B)  .   . | ~~  ~~   . |
           +------------+------------+------------+------------+------------+
SETTLER  5 | ==  ==  == | ==   .   . | ==   .   . | /\\   .   . |  .  ~~   . |
         6 |  .   .   . |  .  ==  == | ==  ==   . |  .   .   . |  .   .  /\\ |
           +------------+------------+------------+------------+------------+
EAGLE    7 | /\\   .   . |  .   .   . |  .   .  == |  .   .   . | /\\  /\\  /\\ |
         8 | /\\  /\\   . | ~~  ~~   . |  .   .   . | ==   .   . |  .   .  /\\ |
           +------------+------------+------------+------------+------------+
CAMPFIRE 9 |  .   .  ~~ | ~~  ~~   . |  .  /\\  /\\ |  .  ==  == | ==  ==  == |
        10 |  .   .   . | ~~   .   . | /\\  /\\  /\\ | /\\   .   . |  .   .   . |
           +------------+------------+------------+------------+------------+

  . prairie   /\\ mountain   == railway   ~~ water   (R) farmer   * latest turn

 What each farmer next to a building earns, and the tiles left:
 PO post office 3 points       4 left   HB harbour     4 points       4 left
 CH church      1 per farmer   4 left   CM coal mine   coal, 1 to 3   3 left
 GM gold mine   gold, 3 to 5   4 left   WH warehouse   1 + joker      4 left
 ST station     1 + extra turn 4 left      group of 3  5 points, side by side
 Church: 1 for each farmer around it, of all colours.

     player                points  farmers  joker  extra  cards   coal  gold
=> R Ada Lovelace               7       12  ready  -      2L 2B   1     0
   B Bjørn                      4       13  ready  ready  3L 1B   0     0

Your hand: wagon, settler, church and station.
Your tokens: coal 1 (3), gold 0.

You may type now:
  farmer                two landscape cards
  building              its card, a landscape card
  joker                 for one landscape card

Decks        36 landscape cards (draw landscape)
             17 building cards (draw building)
Supply       20 coal, 1 to 3 each
             21 gold, 3 to 5 each
Discards     wagon 1, bison 2, eagle 2
             coal mine 1
"""
    )


def test_the_latest_placements_are_marked() -> None:
    shown = text(busy(), NAMES)
    assert shown.count("*(Y)") == 2


def test_a_spectator_sees_no_hand_and_no_token_values() -> None:
    shown = text(busy(None), NAMES)
    assert "hand:" not in shown
    assert "tokens:" not in shown


def test_the_hand_is_labelled_with_the_seat_that_holds_it() -> None:
    assert "Yellow's hand: eagle, eagle and warehouse." in text(replace(busy(), viewer=1), NAMES)


def test_the_end_shows_the_score_sheet_in_order_of_rank() -> None:
    shown = text(finished(), NAMES)
    ranks = [line.split()[0] for line in shown.splitlines() if "points on the track" in line]
    assert ranks == ["1.", "2.", "3.", "4."]
    assert "The match is over: Chandrasekhara Venkata Raman wins." in shown


def test_a_shared_victory_names_all_winners() -> None:
    over = finished()
    assert over.outcome is not None
    shared = replace(over, outcome=replace(over.outcome, ranks=(1, 3, 1, 4)))
    assert "Ada Lovelace and Chandrasekhara Venkata Raman share the victory." in " ".join(text(shared, NAMES).split())


def test_start_tiles_lie_face_up() -> None:
    assert "Bjørn has the start tile harbour." in text(start(), NAMES)


@given(st.lists(st.text(max_size=60), min_size=4, max_size=4))
def test_no_name_breaks_the_layout(names: list[str]) -> None:
    usual = text(busy(), ["Ada", "Bob", "Cyd", "Dee"])
    shown = text(busy(), names)
    board = slice(usual.index("               WAGON"), usual.index("     player"))
    assert usual[board] in shown
    assert "\x1b" not in shown
    assert "\r" not in shown
