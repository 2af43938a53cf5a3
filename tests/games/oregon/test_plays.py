"""R1 to R4: where pieces go, for which cards, and what a refusal says."""

from __future__ import annotations

from typing import Any

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.actions import Discard, DrawCard, PlaceBuilding, PlaceFarmer
from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.legal import candidates, plays
from engine.games.oregon.state import Phase, State, check
from engine.play import judge
from tests.games.oregon.positions import is_legal, play, position, refused

FARMER = "wagon bison settler church"


def farmer_spaces(state: State, first: Symbol, second: Symbol) -> set[str]:
    return {
        play.space
        for play in plays(state)
        if isinstance(play, PlaceFarmer) and set(play.cards) == {first, second} and not play.joker
    }


def building_spaces(state: State, building: Building, card: Symbol) -> set[str]:
    return {
        play.space
        for play in plays(state)
        if isinstance(play, PlaceBuilding) and play.building is building and play.cards == (card,)
    }


def test_spaces_are_named_by_column_and_row() -> None:
    """R1.1: A1 to O10; a name that slipped through the schema is refused, not raised."""
    state = position(hands=[FARMER])
    for name in ("P1", "A11", "A1\n", "", "a1", "🐎"):
        found = judge(GAME, state, 0, PlaceFarmer(name, (Symbol.WAGON, Symbol.BISON)))
        assert found is not None
        assert (found.code, found.rule) == ("no_such_space", "R1.1")


def test_two_different_cards_name_two_areas() -> None:
    """R1.2, R4.5: wagon and bison cross in A3-C4 and D1-F2, whichever is the row."""
    wanted = {"A3", "B3", "C3", "A4", "B4", "C4", "D1", "E1", "F1", "D2", "E2", "F2"}
    assert farmer_spaces(position(hands=[FARMER]), Symbol.WAGON, Symbol.BISON) == wanted


def test_two_equal_cards_name_one_area() -> None:
    """R4.5: two settlers cross in G5-I6 alone (Italian edition)."""
    state = position(hands=["settler settler wagon church"])
    assert farmer_spaces(state, Symbol.SETTLER, Symbol.SETTLER) == {"G5", "H5", "I5", "G6", "H6", "I6"}


def test_example_eleven_spaces_for_a_farmer() -> None:
    """R4.5, R4.6, R4.7.

    English and French editions: of the twelve spaces of two areas the taken ones and water are out;
    here one is taken, eleven are left.
    """
    state = position("CH", "D2", hands=[FARMER])
    assert len(farmer_spaces(state, Symbol.WAGON, Symbol.BISON)) == 11


def test_an_area_that_the_cards_do_not_name_is_refused() -> None:
    """R4.5: the refusal says where the cards meet and what is free there."""
    found = refused(position(hands=[FARMER]), "farmer wagon bison H5")
    assert (found.code, found.rule) == ("outside_area", "R4.5")
    assert (
        found.message
        == "Wagon and bison meet in A3-C4 and D1-F2; H5 is in a settler column and a settler row. Free with these"
        " cards: D1, E1, F1, D2, E2, F2 and 6 more."
    )


def test_a_farmer_may_not_stand_on_water() -> None:
    """R1.3, R4.6: K2 is water."""
    found = refused(position(hands=["wagon eagle settler church"]), "farmer wagon eagle K2")
    assert (found.code, found.rule) == ("farmer_on_water", "R4.6")


@pytest.mark.parametrize("space", ["A1", "B1", "A5"])
def test_a_farmer_may_stand_on_prairie_mountain_and_railway(space: str) -> None:
    """R4.6: A1 is prairie, B1 mountain, A5 railway."""
    assert is_legal(
        position(hands=["wagon wagon settler church"]),
        f"farmer wagon {'wagon' if space != 'A5' else 'settler'} {space}",
    )


@pytest.mark.parametrize(
    ("piece", "words"), [("R", "your own farmer"), ("B", "another seat's farmer"), ("PO", "a post office")]
)
def test_a_taken_space_is_refused(piece: str, words: str) -> None:
    """R4.7: and the refusal says by what."""
    found = refused(position(piece, "A1", hands=["wagon wagon settler church"]), "farmer wagon wagon A1")
    assert (found.code, found.rule) == ("space_taken", "R4.7")
    assert words in found.message


def test_a_building_may_not_stand_on_a_taken_space() -> None:
    """R4.7."""
    assert refused(position("R", "A1", hands=[FARMER]), "church wagon A1").code == "space_taken"


def test_a_seat_without_farmers_can_only_build() -> None:
    """R4.8: no farmer play is listed, and one is refused."""
    state = position(hands=[FARMER], farmers=(0, 14))
    assert all(isinstance(play, PlaceBuilding) for play in plays(state))
    assert any(plays(state))
    found = refused(state, "farmer wagon bison A3")
    assert (found.code, found.rule) == ("no_farmer_left", "R4.8")


def test_a_card_names_its_columns_and_its_rows() -> None:
    """R1.2, R4.3: a church for wagon goes anywhere in columns A-C and rows 1-2, on prairie."""
    spaces = building_spaces(position(hands=[FARMER]), Building.CHURCH, Symbol.WAGON)
    assert {"A1", "A10", "O2", "F1"} <= spaces
    assert all(space[0] in "ABC" or space[1:] in ("1", "2") for space in spaces)
    found = refused(position(hands=[FARMER]), "church wagon H5")
    assert (found.code, found.rule) == ("outside_band", "R4.3")
    assert found.message.startswith(
        "The wagon card names columns A-C and rows 1-2; H5 is in a settler column and a settler row."
    )


def test_a_band_has_54_spaces_before_terrain() -> None:
    """R1.2, R4.3: 30 in the columns, 30 in the rows, 6 in both."""
    geometry = position().table.geometry
    in_band = [space for space in range(150) if 0 in (geometry.column[space], geometry.row[space])]
    assert len(in_band) == 54
    assert set(geometry.bands[0]) == {space for space in in_band if geometry.terrain[space].value != "~"}


def test_example_a_gold_mine_in_the_campfire_row_or_column() -> None:
    """R4.1, R4.3.

    English and French editions: the gold mine goes on any mountain of the campfire columns or rows.
    """
    spaces = building_spaces(position(hands=["campfire wagon wagon gold_mine"]), Building.GOLD_MINE, Symbol.CAMPFIRE)
    assert spaces == {"N1", "O1", "O6", "M7", "N7", "O7", "O8", "H9", "I9", "G10", "H10", "I10", "J10"}


@pytest.mark.parametrize(
    ("card", "legal", "illegal"),
    [
        ("post_office", "A1", "B1"),
        ("church", "A1", "A5"),
        ("warehouse", "A1", "C9"),
        ("coal_mine", "B1", "A1"),
        ("gold_mine", "B1", "A5"),
        ("station", "A5", "A1"),
    ],
)
def test_each_building_has_its_ground(card: str, legal: str, illegal: str) -> None:
    """R4.1: A1 is prairie, B1 mountain, A5 railway, C9 water."""
    state = position(hands=[f"wagon wagon settler {card}"])
    word = card.replace("_", " ")
    assert is_legal(state, f"building {word} wagon {legal}")
    found = refused(state, f"building {word} wagon {illegal}")
    assert (found.code, found.rule) == ("wrong_terrain", "R4.1")


def test_a_harbour_touches_water_also_diagonally() -> None:
    """R4.2: B10 touches the water of C9 by a corner, A10 touches none."""
    state = position(hands=["wagon wagon settler harbour"])
    assert is_legal(state, "harbour wagon B10")
    found = refused(state, "harbour wagon A10")
    assert (found.code, found.rule) == ("harbour_without_water", "R4.2")


def test_a_harbour_stands_on_prairie() -> None:
    """R4.1: not on water itself."""
    assert refused(position(hands=["wagon wagon settler harbour"]), "harbour wagon C9").code == "wrong_terrain"


def test_an_empty_stack_gives_no_tile() -> None:
    """R4.4: the refusal says what the card is still good for."""
    state = position(hands=[FARMER], stacks={"church": 0})
    found = refused(state, "church wagon A1")
    assert (found.code, found.rule) == ("stack_empty", "R4.4")
    assert not any(isinstance(play, PlaceBuilding) for play in plays(state))


def test_two_landscape_cards_do_not_pay_for_a_building_and_two_building_cards_are_not_a_play() -> None:
    """R3.2: a play is a farmer or a building, for its cards."""
    state = position(hands=["wagon bison church harbour"])
    found = judge(GAME, state, 0, PlaceBuilding("A1", Building.CHURCH, (Symbol.WAGON, Symbol.BISON)))
    assert found is not None
    assert (found.code, found.rule) == ("wrong_card_count", "R3.2")
    assert judge(GAME, state, 0, PlaceBuilding("A1", Building.CHURCH)) is not None
    for each in plays(state):
        due = 2 if isinstance(each, PlaceFarmer) else 1
        assert len(each.cards) == (due - 1 if each.joker else due)


@pytest.mark.parametrize("cards", [(), ("wagon",), ("wagon", "bison", "settler"), ("wagon",) * 50])
def test_a_farmer_costs_two_cards(cards: tuple[str, ...]) -> None:
    """R3.2: any other number is refused."""
    found = judge(GAME, position(hands=[FARMER]), 0, PlaceFarmer("A3", tuple(Symbol(card) for card in cards)))
    assert found is not None
    assert (found.code, found.rule) == ("wrong_card_count", "R3.2")


def test_cards_come_from_the_hand() -> None:
    """R3.2: one that is not held is named, and so is a second of one that is held once."""
    state = position(hands=[FARMER])
    found = refused(state, "farmer wagon wagon A1")
    assert (found.code, found.rule) == ("card_not_in_hand", "R3.2")
    assert found.message == "You hold one wagon card, not two; your landscape cards are wagon, bison and settler."
    assert (
        refused(state, "farmer wagon eagle J1").message
        == "You hold no eagle card; your landscape cards are wagon, bison and settler."
    )
    assert refused(state, "harbour wagon C8").message == "You hold no harbour card; your building card is church."


def test_every_broken_rule_is_named() -> None:
    """R3.2, R4.1, R4.3, R4.4, R4.7, R5.1: the first as the refusal, the others after it."""
    state = position("B", "H9", hands=["wagon bison settler church"], stacks={"harbour": 0}, joker=(False, True))
    found = refused(state, "harbour eagle H9")
    assert [problem.code for problem in (found, *found.others)] == [
        "card_not_in_hand",
        "card_not_in_hand",
        "stack_empty",
        "space_taken",
        "wrong_terrain",
        "outside_band",
    ]
    joker = refused(state, "farmer joker eagle eagle K2")
    assert [problem.code for problem in (joker, *joker.others)] == [
        "wrong_card_count",
        "joker_inactive",
        "card_not_in_hand",
        "farmer_on_water",
    ]


def test_seat_0_begins_and_turns_go_clockwise() -> None:
    """R3.1: after seat 0 comes seat 1, after the last seat 0 again, a round later."""
    state = position(seats=3)
    for seat in (0, 1, 2):
        assert (state.seat, state.round) == (seat, 5)
        state = play(state, "farmer settler settler " + ("G5", "H5", "I5")[seat])
        state = play(
            state, "draw landscape", f"deal wagon to seat {seat}", "draw landscape", f"deal bison to seat {seat}"
        )
    assert (state.seat, state.round, state.phase) == (0, 6, Phase.PLAY)
    assert check(state) == ()


def test_a_play_comes_before_everything_else() -> None:
    """R3.1: no draw, no extra turn, no end of the turn without a play."""
    state = position()
    for line, rule in (("draw landscape", "R3.1"), ("extra", "R7.1"), ("done", "R3.1"), ("set aside harbour", "R3.1")):
        found = refused(state, line)
        assert (found.code, found.rule) == ("play_first", rule)


def test_only_the_seat_to_act_acts() -> None:
    """R3.1: the others wait."""
    assert refused(position(), "farmer settler settler G5", seat=1).code == "not_your_turn"


def test_played_cards_go_to_the_discards_at_once() -> None:
    """R3.3: face up, before anything is drawn."""
    after = play(position(hands=[FARMER]), "church wagon A1")
    assert after.landscape_discards == (1, 0, 0, 0, 0)
    assert after.building_discards == (0, 0, 1, 0, 0, 0, 0)
    assert check(after) == ()


def test_a_play_must_be_made_if_there_is_one() -> None:
    """R3.2, R3.4: no discard while a play is possible; the refusal shows one."""
    state = position(hands=[FARMER])
    found = refused(state, "discard wagon bison")
    assert (found.code, found.rule) == ("play_possible", "R3.4")
    assert (
        found.message
        == "You discard only when no play is possible; one is, for instance a farmer on D1 with wagon and bison."
    )


STUCK: dict[str, Any] = {"hands": ["wagon bison settler church"], "farmers": (0, 14), "stacks": {"church": 0}}


def test_without_any_play_two_cards_are_discarded() -> None:
    """R3.4: any two of the hand, and nothing else is possible."""
    state = position(**STUCK)
    listed = list(candidates(state, 0))
    assert len(listed) == 6
    assert all(isinstance(action, Discard) and judge(GAME, state, 0, action) is None for action in listed)
    after = play(state, "discard wagon church")
    assert (after.landscape_discards, after.building_discards) == ((1, 0, 0, 0, 0), (0, 0, 1, 0, 0, 0, 0))
    assert (after.seats[0].score, after.seats[0].cards) == (0, 2)


def test_the_order_of_named_cards_does_not_matter() -> None:
    """R3.2, R3.4: the same cards are the same action."""
    wagon, bison = Symbol.WAGON, Symbol.BISON
    assert Discard((bison, wagon)) == Discard((wagon, bison))
    assert Discard((), (Building.CHURCH, Building.HARBOUR)) == Discard((), (Building.HARBOUR, Building.CHURCH))
    assert PlaceFarmer("A1", (bison, wagon)) == PlaceFarmer("A1", (wagon, bison))


def test_no_extra_turn_follows_a_discard() -> None:
    """R3.4: the token stays active, but only drawing is possible."""
    after = play(position(**STUCK), "discard wagon church")
    found = refused(after, "extra")
    assert (found.code, found.rule) == ("no_extra_turn_after_discard", "R3.4")
    assert refused(after, "farmer bison settler G3").code == "plays_over"
    assert refused(after, "discard bison settler").code == "plays_over"
    assert is_legal(after, "draw landscape")
    assert list(candidates(after, 0)) == [DrawCard(Deck.LANDSCAPE), DrawCard(Deck.BUILDING)]


def test_an_active_joker_may_avoid_the_discard() -> None:
    """R3.4, R5.2: with two building cards and no landscape card the joker makes a play possible, an
    inactive one does not.
    """
    state = position(hands=["settler church church harbour"], farmers=(0, 14), joker=(True, True))
    assert any(plays(state))
    stuck = position(
        hands=["settler settler settler church"], stacks={"church": 0}, farmers=(0, 14), joker=(True, True)
    )
    assert not any(plays(stuck))
    farmers = position(
        _FULL_SETTLER_AREA, hands=["settler settler settler church"], stacks={"church": 0}, joker=(False, True)
    )
    assert not any(plays(farmers))
    joker = position(
        _FULL_SETTLER_AREA, hands=["settler settler settler church"], stacks={"church": 0}, joker=(True, True)
    )
    assert any(plays(joker))


_FULL_SETTLER_AREA = "\n".join([". . . . . . . . ."] * 4 + [". . . . . . B B B"] * 2)


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("discard wagon", "wrong_card_count"),
        ("discard wagon bison church", "wrong_card_count"),
        ("discard eagle eagle", "card_not_in_hand"),
    ],
)
def test_exactly_two_held_cards_are_discarded(line: str, code: str) -> None:
    """R3.4."""
    assert refused(position(**STUCK), line).code == code
