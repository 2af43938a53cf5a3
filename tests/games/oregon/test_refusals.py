"""The sentence of every refusal of Oregon, each for a position."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.actions import Action, PlaceBuilding, PlaceFarmer, PlaceStart
from engine.games.oregon.components import Building, Options, Symbol
from engine.games.oregon.sentences import SENTENCES
from engine.games.oregon.state import Phase, State
from tests.games.oregon.positions import play, position
from tests.games.refusals import sentences

HAND = ["wagon wagon settler church"]
NO_BUILDINGS = (0,) * 7
STUCK = position(hands=["wagon bison settler church"], farmers=(0, 14), stacks={"church": 0})
FIRST = play(position(hands=HAND), "farmer wagon wagon A1")
"""Behind the first play of a turn."""
SECOND = play(FIRST, "extra")
"""Before the play of an extra turn."""


def starting(tile: int, drawing: str = "") -> State:
    """Seat 0 is to place its start tile, of that number."""
    left = tuple(0 if index == tile else 1 for index in range(7))
    return position(drawing, start_tile=(tile, None), start_tiles=left, phase=Phase.START, round=0)


CASES: list[tuple[Callable[[], State], str | Action, str, str]] = [
    (lambda: starting(2), "farmer wagon bison A1", "start_tile_first", "Place your start tile first, a church."),
    (lambda: starting(2), "extra", "start_tile_first", "Place your start tile first, a church."),
    (lambda: starting(2), "done", "start_tile_first", "Place your start tile first, a church."),
    (lambda: position(), "start A1", "start_tile_placed", "Your start tile is already on the board."),
    (lambda: starting(2), PlaceStart("Z99"), "no_such_space", "There is no space 'Z99'; spaces are named A1 to O10."),
    (
        lambda: position(),
        PlaceFarmer("A1\n", (Symbol.SETTLER, Symbol.SETTLER)),
        "no_such_space",
        "There is no space 'A1\\n'; spaces are named A1 to O10.",
    ),
    (
        lambda: position("R", hands=HAND),
        "farmer wagon wagon A1",
        "space_taken",
        "A1 is taken by your own farmer. Free with these cards: B1, C1, A2, B2, C2.",
    ),
    (
        lambda: position("B", hands=HAND),
        "farmer wagon wagon A1",
        "space_taken",
        "A1 is taken by another seat's farmer. Free with these cards: B1, C1, A2, B2, C2.",
    ),
    (
        lambda: position("PO", hands=HAND),
        "church wagon A1",
        "space_taken",
        "A1 is taken by a post office. Free with these cards: F1, H1, I1, J1, K1, L1 and 28 more.",
    ),
    (
        lambda: starting(3),
        "start A1",
        "wrong_terrain",
        "A coal mine goes on mountain; A1 is prairie. Spaces free for it: B1, C1, D1, E1, N1, O1 and 21 more.",
    ),
    (
        lambda: starting(1),
        "start G1",
        "wrong_terrain",
        "A harbour goes on prairie next to water; G1 is railway. "
        "Spaces free for it: J1, K1, L1, M1, J2, M2 and 25 more.",
    ),
    (
        lambda: position(hands=HAND),
        "church wagon G1",
        "wrong_terrain",
        ("A church goes on prairie; G1 is railway. Free with these cards: A1, F1, H1, I1, J1, K1 and 29 more."),
    ),
    (
        lambda: position(hands=HAND),
        "harbour wagon A1",
        "harbour_without_water",
        (
            "A harbour must touch water, at least at a corner; A1 does not. Free with these cards: J1, K1, L1, "
            "M1, J2, M2 and 6 more."
        ),
    ),
    (
        lambda: position(hands=["wagon settler settler church"]),
        "church wagon H5",
        "outside_band",
        (
            "The wagon card names columns A-C and rows 1-2; H5 is in a settler column and a settler row. "
            "Free with these cards: A1, F1, H1, I1, J1, K1 and 29 more."
        ),
    ),
    (
        lambda: position(hands=HAND),
        "farmer wagon wagon K2",
        "outside_area",
        (
            "Two wagon cards name A1-C2; K2 is in an eagle column and a wagon row. Free with these cards: "
            "A1, B1, C1, A2, B2, C2."
        ),
    ),
    (
        lambda: position(hands=["wagon eagle settler church"]),
        "farmer wagon eagle A1",
        "outside_area",
        (
            "Wagon and eagle meet in A7-C8 and J1-L2; A1 is in a wagon column and a wagon row. Free with "
            "these cards: J1, K1, L1, J2, A7, B7 and 4 more."
        ),
    ),
    (
        lambda: position(hands=HAND, joker=(True, True)),
        "farmer settler joker A1",
        "outside_area",
        (
            "Settler and the joker name columns G-I and rows 5-6; A1 is in a wagon column and a wagon row. "
            "Free with these cards: G1, H1, I1, G2, H2, I2 and 47 more."
        ),
    ),
    (
        lambda: position(hands=HAND),
        PlaceFarmer("A1", (Symbol.WAGON,)),
        "wrong_card_count",
        "A farmer costs two landscape cards, one of which an active joker can replace; you named one.",
    ),
    (
        lambda: position(hands=HAND),
        PlaceFarmer("A1", (Symbol.WAGON,) * 5),
        "wrong_card_count",
        "A farmer costs two landscape cards, one of which an active joker can replace; you named 5.",
    ),
    (
        lambda: position(hands=HAND),
        PlaceFarmer("A1", (), True),
        "wrong_card_count",
        "With the joker a farmer costs one landscape card; you named none.",
    ),
    (
        lambda: position(hands=HAND),
        PlaceBuilding("A1", Building.CHURCH),
        "wrong_card_count",
        "A building costs a landscape card too, which an active joker can replace; you named none.",
    ),
    (
        lambda: position(hands=HAND),
        PlaceBuilding("A1", Building.CHURCH, (Symbol.WAGON,), True),
        "wrong_card_count",
        "The joker stands for the landscape card of a building, so no landscape card is named; you named one.",
    ),
    (lambda: STUCK, "draw landscape", "discard_first", "No play is possible: discard two cards before you draw."),
    (
        lambda: STUCK,
        "extra",
        "discard_first",
        "No play is possible: discard two cards, after which no extra turn follows.",
    ),
    (lambda: STUCK, "discard wagon", "wrong_card_count", "You discard exactly two cards; you named 1."),
    (
        lambda: position(hands=HAND),
        "farmer eagle eagle J1",
        "card_not_in_hand",
        "You hold no eagle card; your landscape cards are wagon, wagon and settler.",
    ),
    (
        lambda: position(hands=["wagon bison settler church"]),
        "farmer wagon wagon A1",
        "card_not_in_hand",
        "You hold one wagon card, not two; your landscape cards are wagon, bison and settler.",
    ),
    (
        lambda: position(hands=HAND),
        "harbour wagon C8",
        "card_not_in_hand",
        "You hold no harbour card; your building card is church.",
    ),
    (
        lambda: FIRST,
        "set aside station",
        "card_not_in_hand",
        "You hold no station card; your building card is church.",
    ),
    (
        lambda: position(hands=HAND, joker=(False, True)),
        "farmer wagon joker A1",
        "joker_inactive",
        (
            "Your joker token is inactive; a warehouse that scores for you makes it active again. Possible "
            "now, for instance: a farmer on A1 with wagon and wagon."
        ),
    ),
    (
        lambda: STUCK,
        "farmer wagon bison A3",
        "no_farmer_left",
        "All 14 of your farmers are on the board: what can still be placed is a building.",
    ),
    (
        lambda: STUCK,
        "church wagon A1",
        "stack_empty",
        "No church tile is left; its card can only be set aside when you draw.",
    ),
    (
        lambda: play(STUCK, "discard wagon church"),
        "farmer bison settler G3",
        "plays_over",
        "You have discarded because no play was possible. Possible now: draw landscape or draw building.",
    ),
    (
        lambda: FIRST,
        "discard settler church",
        "plays_over",
        (
            "Cards are discarded instead of the play that opens a turn. Possible now: extra, draw landscape "
            "or draw building."
        ),
    ),
    (
        lambda: play(SECOND, "church settler H5"),
        "farmer settler joker H6",
        "plays_over",
        "Your plays are over. Possible now: draw landscape or draw building.",
    ),
    (
        lambda: play(FIRST, "draw landscape", "deal bison to seat 0"),
        "farmer bison settler H3",
        "plays_over",
        "Your plays are over. Possible now: draw landscape or draw building.",
    ),
    (
        lambda: position(hands=HAND),
        "extra",
        "play_first",
        "An extra turn follows a play; make your first play of this turn.",
    ),
    (lambda: position(hands=HAND), "draw landscape", "play_first", "You cannot draw before you have made a play."),
    (
        lambda: position(hands=HAND),
        "set aside church",
        "play_first",
        "You cannot set a card aside before you have made a play.",
    ),
    (lambda: position(hands=HAND), "done", "play_first", "You cannot end your turn before you have made a play."),
    (
        lambda: SECOND,
        "draw building",
        "play_first",
        "You cannot draw now: you have used your extra turn, so its play comes first.",
    ),
    (
        lambda: SECOND,
        "set aside church",
        "play_first",
        "You cannot set a card aside now: you have used your extra turn, so its play comes first.",
    ),
    (
        lambda: SECOND,
        "done",
        "play_first",
        "You cannot end your turn now: you have used your extra turn, so its play comes first.",
    ),
    (
        lambda: FIRST,
        "church settler I5",
        "extra_turn_needed",
        (
            "You have made your play; a second one needs your extra turn token, so use that first. Possible "
            "now: extra, draw landscape or draw building."
        ),
    ),
    (
        lambda: SECOND,
        "extra",
        "extra_turn_used",
        "You have already used an extra turn, and there is at most one in a turn; make its play.",
    ),
    (
        lambda: play(SECOND, "church settler H1"),
        "extra",
        "extra_turn_used",
        (
            "You have already used an extra turn, and there is at most one in a turn. Possible now: draw "
            "landscape or draw building."
        ),
    ),
    (
        lambda: play(position(hands=HAND, extra=(False, True)), "farmer wagon wagon A1"),
        "extra",
        "extra_turn_inactive",
        (
            "Your extra turn token is inactive; a station that scores for you makes it active again. "
            "Possible now: draw landscape or draw building."
        ),
    ),
    (
        lambda: play(STUCK, "discard wagon church"),
        "extra",
        "no_extra_turn_after_discard",
        "No extra turn follows when you had to discard. Possible now: draw landscape or draw building.",
    ),
    (
        lambda: play(FIRST, "draw landscape", "deal bison to seat 0"),
        "extra",
        "refill_begun",
        (
            "You have begun to refill your hand, and an extra turn comes before that. Possible now: draw "
            "landscape or draw building."
        ),
    ),
    (
        lambda: play(position(hands=HAND, farmers=(0, 14)), "church wagon A1"),
        "extra",
        "no_play_left",
        (
            "The cards left in your hand allow no play, so the extra turn cannot be used. Possible now: draw "
            "landscape or draw building."
        ),
    ),
    (
        lambda: position(hands=HAND),
        "discard wagon church",
        "play_possible",
        "You discard only when no play is possible; one is, for instance a farmer on A1 with wagon and wagon.",
    ),
    (
        lambda: position(hands=["settler church church harbour"], farmers=(0, 14), joker=(True, True)),
        "discard settler church",
        "play_possible",
        "You discard only when no play is possible; one is, for instance a harbour on L5 with settler.",
    ),
    (
        lambda: play(
            position(hands=HAND, stacks={"station": 0}),
            "farmer wagon wagon A1",
            "draw landscape",
            "deal eagle to seat 0",
            "draw landscape",
            "deal eagle to seat 0",
        ),
        "draw landscape",
        "hand_full",
        "You already hold four cards. Possible now: done.",
    ),
    (
        lambda: FIRST,
        "done",
        "hand_not_full",
        (
            "You hold 2 cards; draw up to four before you end your turn. Possible now: extra, draw landscape "
            "or draw building."
        ),
    ),
    (
        lambda: play(position(hands=HAND, building_deck=NO_BUILDINGS), "farmer wagon wagon A1"),
        "draw building",
        "deck_empty",
        "The building deck and its discards are empty. Possible now: extra or draw landscape.",
    ),
    (
        lambda: play(
            position(hands=["wagon wagon settler settler"]),
            "farmer wagon wagon A1",
            "draw landscape",
            "deal eagle to seat 0",
        ),
        "draw landscape",
        "needs_both_kinds",
        "You must end with at least one building card in hand. Possible now: draw building.",
    ),
    (
        lambda: play(
            position(hands=["wagon wagon church harbour"]),
            "farmer wagon wagon A1",
            "draw building",
            "deal station to seat 0",
        ),
        "draw building",
        "needs_both_kinds",
        "You must end with at least one landscape card in hand. Possible now: draw landscape.",
    ),
    (
        lambda: FIRST,
        "set aside church",
        "card_useful",
        "A card is set aside only when no tile of it is left; there are 4 church tiles, so keep the card.",
    ),
    (
        lambda: play(position(hands=HAND, options=Options(discard_duplicates=True)), "farmer wagon wagon A1"),
        "set aside church",
        "card_useful",
        (
            "A card is set aside when no tile of it is left, or when it is a second one just drawn; there "
            "are 4 church tiles."
        ),
    ),
    (
        lambda: play(position(hands=HAND, stacks={"church": 0}, building_deck=NO_BUILDINGS), "farmer wagon wagon A1"),
        "set aside church",
        "cannot_replace",
        (
            "The decks and discards could not complete your hand afterwards, so the card has to stay. "
            "Possible now: extra or draw landscape."
        ),
    ),
    (
        lambda: position(hands=HAND),
        "farmer wagon wagon K2",
        "farmer_on_water",
        "K2 is water, where no farmer can stand. Free with these cards: A1, B1, C1, A2, B2, C2.",
    ),
]


@pytest.mark.parametrize(("state", "action", "code", "sentence"), CASES, ids=[case[2] for case in CASES])
def test_the_sentence_of_a_refusal(state: Callable[[], State], action: str | Action, code: str, sentence: str) -> None:
    assert sentence in sentences(GAME, state(), action, code)


def test_every_code_has_its_sentences_in_the_table() -> None:
    assert {code for _, _, code, _ in CASES} == set(SENTENCES)
