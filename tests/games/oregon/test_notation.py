"""Oregon's notation: reading, writing, and the errors."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.errors import NotationError
from engine.games.oregon.actions import (
    CHANCE_ACTIONS,
    SEAT_ACTIONS,
    Action,
    DealBuilding,
    DealCoal,
    DealGold,
    DealStartTile,
    DealSymbol,
    Discard,
    Done,
    DrawCard,
    PlaceBuilding,
    PlaceFarmer,
    PlaceStart,
    SetAside,
    UseExtraTurn,
)
from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.notation import NOTATION, format_action, parse

SPACES = [f"{column}{row}" for column in "ABCDEFGHIJKLMNO" for row in range(1, 11)]
BISON_WAGON_C7 = PlaceFarmer("C7", (Symbol.WAGON, Symbol.BISON))
CHURCH_EAGLE_D3 = PlaceBuilding("D3", Building.CHURCH, (Symbol.EAGLE,))
LANDSCAPE, BUILDING = DrawCard(Deck.LANDSCAPE), DrawCard(Deck.BUILDING)

spaces = st.sampled_from(SPACES)
symbols = st.sampled_from(Symbol)
buildings = st.sampled_from(Building)
seats = st.integers(0, 3)
a_card_or_more = st.lists(symbols, min_size=1, max_size=3).map(tuple)
seat_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(PlaceStart, spaces),
    st.builds(PlaceFarmer, spaces, a_card_or_more, st.booleans()),
    st.builds(PlaceBuilding, spaces, buildings, a_card_or_more, st.booleans()),
    st.builds(PlaceBuilding, spaces, buildings, st.just(()), st.just(True)),
    st.just(UseExtraTurn()),
    st.builds(DrawCard, st.sampled_from(Deck)),
    st.builds(SetAside, buildings),
    st.builds(Discard, a_card_or_more, st.lists(buildings, max_size=3).map(tuple)),
    st.builds(Discard, st.just(()), st.lists(buildings, min_size=2, max_size=3).map(tuple)),
    st.just(Done()),
)
chance_actions: st.SearchStrategy[Action] = st.one_of(
    st.builds(DealSymbol, seats, symbols),
    st.builds(DealBuilding, seats, buildings),
    st.builds(DealStartTile, seats, buildings),
    st.builds(DealCoal, seats, st.integers(1, 3)),
    st.builds(DealGold, seats, st.integers(3, 5)),
)
WORDS = """
start farmer building extra draw set aside discard done deal joker j w b s e c l C7 c 7 3 P4 church
gold mine mine st wa d ; / then landscape to seat 1 coal on
"""
words = st.sampled_from(WORDS.split())


@given(seat_actions | chance_actions)
def test_every_action_is_read_back_from_how_it_is_written(action: Action) -> None:
    assert parse(format_action(action)) == (action,)


def test_a_new_line_ends_an_action_as_a_semicolon_does() -> None:
    assert parse("draw landscape\nbuilding post office wagon H6") == (
        DrawCard(Deck.LANDSCAPE),
        PlaceBuilding("H6", Building.POST_OFFICE, (Symbol.WAGON,)),
    )


@given(
    st.lists(seat_actions, min_size=1, max_size=6),
    st.sampled_from(["; ", " ; ", " / ", "\n", " then ", " and then ", " | "]),
)
def test_a_whole_turn_is_read_from_one_line(actions: list[Action], between: str) -> None:
    assert parse(between.join(map(format_action, actions))) == tuple(actions)


@given(seat_actions)
def test_capitals_and_spaces_do_not_matter(action: Action) -> None:
    written = format_action(action)
    assert parse(f"  {written.upper().replace(' ', '   ')} .") == (action,)


@given(
    st.one_of(
        st.text(), st.lists(words, max_size=8).map(" ".join), st.text("abcdefgjlmnopstw 0123456789;/-_,", max_size=40)
    )
)
@example("C" + "9" * 5000)
@example("9" * 5000 + "C")
@example("draw " + "9" * 5000 + " L")
@example("x" * 5000)
@example("\u0661\u0662")
@example("a" * 3 + "\u0301")
def test_any_text_is_parsed_or_refused_at_a_column_of_the_line(line: str) -> None:
    found: tuple[Action, ...] | NotationError
    try:
        found = parse(line)
    except NotationError as error:
        found = error
    if isinstance(found, NotationError):
        assert 0 <= found.column <= len(line)
        assert found.line == line
        assert found.message
        assert found.expected
    else:
        assert found
        assert all(isinstance(action, SEAT_ACTIONS + CHANCE_ACTIONS) for action in found)


@pytest.mark.parametrize(
    ("line", "actions"),
    [
        ("start C7", (PlaceStart("C7"),)),
        ("farmer bison wagon C7", (BISON_WAGON_C7,)),
        ("farmer wagon bison C7", (BISON_WAGON_C7,)),
        ("farmer C7 bison, wagon", (BISON_WAGON_C7,)),
        ("FARMER: b + w at c 7", (BISON_WAGON_C7,)),
        ("bison wagon C7", (BISON_WAGON_C7,)),
        ("b w 7c", (BISON_WAGON_C7,)),
        ("f bis wag C7", (BISON_WAGON_C7,)),
        ("place a farmer on C7 with bison and wagon", (BISON_WAGON_C7,)),
        ("farmer bison joker C7", (PlaceFarmer("C7", (Symbol.BISON,), True),)),
        ("j b a7", (PlaceFarmer("A7", (Symbol.BISON,), True),)),
        ("building church eagle D3", (CHURCH_EAGLE_D3,)),
        ("church eagle D3", (CHURCH_EAGLE_D3,)),
        ("D3 eagle church", (CHURCH_EAGLE_D3,)),
        ("ch e d3", (CHURCH_EAGLE_D3,)),
        ("church joker D3", (PlaceBuilding("D3", Building.CHURCH, (), True),)),
        ("building church campfire D3", (PlaceBuilding("D3", Building.CHURCH, (Symbol.CAMPFIRE,)),)),
        ("extra", (UseExtraTurn(),)),
        ("extra turn", (UseExtraTurn(),)),
        ("extra farmer bison wagon C7", (UseExtraTurn(), BISON_WAGON_C7)),
        ("draw landscape", (LANDSCAPE,)),
        ("draw building", (BUILDING,)),
        ("draw L L B", (LANDSCAPE, LANDSCAPE, BUILDING)),
        ("draw llb", (LANDSCAPE, LANDSCAPE, BUILDING)),
        ("draw 2 landscape cards, 1 building card", (LANDSCAPE, LANDSCAPE, BUILDING)),
        ("draw 2L B", (LANDSCAPE, LANDSCAPE, BUILDING)),
        ("set aside church", (SetAside(Building.CHURCH),)),
        ("Set-aside church, harbour", (SetAside(Building.CHURCH), SetAside(Building.HARBOUR))),
        ("discard bison church", (Discard((Symbol.BISON,), (Building.CHURCH,)),)),
        ("discard w w", (Discard((Symbol.WAGON, Symbol.WAGON)),)),
        ("done", (Done(),)),
        ("end turn", (Done(),)),
        (
            "farmer bison wagon C7; extra; church eagle D3; draw L B; done",
            (BISON_WAGON_C7, UseExtraTurn(), CHURCH_EAGLE_D3, LANDSCAPE, BUILDING, Done()),
        ),
        (
            "farmer bison wagon C7 extra building church eagle D3 draw L B",
            (BISON_WAGON_C7, UseExtraTurn(), CHURCH_EAGLE_D3, LANDSCAPE, BUILDING),
        ),
        ("deal bison to seat 1", (DealSymbol(1, Symbol.BISON),)),
        ("deal coal mine to seat 1", (DealBuilding(1, Building.COAL_MINE),)),
        ("deal coal 2 to seat 1", (DealCoal(1, 2),)),
        ("deal start gold mine to seat 1", (DealStartTile(1, Building.GOLD_MINE),)),
    ],
)
def test_different_spellings_are_read(line: str, actions: tuple[Action, ...]) -> None:
    assert parse(line) == actions


@pytest.mark.parametrize(
    ("said", "building"),
    [
        ("harbor", Building.HARBOUR),
        ("port", Building.HARBOUR),
        ("porto", Building.HARBOUR),
        ("coal pit", Building.COAL_MINE),
        ("coal", Building.COAL_MINE),
        ("train station", Building.STATION),
        ("depot", Building.STATION),
        ("gare", Building.STATION),
        ("post", Building.POST_OFFICE),
        ("post-office", Building.POST_OFFICE),
        ("post_office", Building.POST_OFFICE),
        ("Bureau de poste", Building.POST_OFFICE),
        ("Église", Building.CHURCH),
        ("E\u0301glise", Building.CHURCH),
        ("chiesa", Building.CHURCH),
        ("mine d'or", Building.GOLD_MINE),
        ("miniera d\u2019oro", Building.GOLD_MINE),
        ("Entrepôt", Building.WAREHOUSE),
        ("emporio", Building.WAREHOUSE),
        ("war", Building.WAREHOUSE),
        ("h", Building.HARBOUR),
    ],
)
def test_other_names_of_a_building_are_understood(said: str, building: Building) -> None:
    assert parse(f"{said} eagle D3") == (PlaceBuilding("D3", building, (Symbol.EAGLE,)),)


@pytest.mark.parametrize(
    ("said", "symbol"),
    [
        ("buffalo", Symbol.BISON),
        ("pioneer", Symbol.SETTLER),
        ("feu de camp", Symbol.CAMPFIRE),
        ("falò", Symbol.CAMPFIRE),
        ("aquila", Symbol.EAGLE),
        ("chariot", Symbol.WAGON),
    ],
)
def test_other_names_of_a_symbol_are_understood(said: str, symbol: Symbol) -> None:
    assert parse(f"farmer {said} joker D3") == (PlaceFarmer("D3", (symbol,), True),)


def test_how_an_action_is_written() -> None:
    assert format_action(BISON_WAGON_C7) == "farmer wagon bison C7"
    assert format_action(PlaceBuilding("D3", Building.POST_OFFICE, (), True)) == "building post office joker D3"
    assert format_action(Discard((Symbol.BISON,), (Building.CHURCH,))) == "discard bison church"
    assert format_action(DealGold(1, 4)) == "deal gold 4 to seat 1"


@pytest.mark.parametrize(
    ("line", "column", "quoted", "expected"),
    [
        ("", 0, "no action", "farmer"),
        ("  ;  ", 3, "no action", "farmer"),
        ("farmer bisson wagon C7", 7, '"bisson"', "bison"),
        ("farmar bison wagon C7", 0, '"farmar"', "farmer"),
        ("farmer bison wagon P4", 19, '"P4"', "a column from A to O and a row from 1 to 10, such as C7"),
        ("farmer bison wagon C11", 19, '"C11"', "a column from A to O and a row from 1 to 10, such as C7"),
        ("farmer bison wagon", 18, "farmer needs a space", "a space such as C7"),
        ("church eagle", 12, "church needs a space", "a space such as C7"),
        ("farmer church bison C7", 7, '"church"', "bison"),
        ("farmer bison wagon C7 D8", 22, "C7 was already named", '";" before the next action'),
        ("farmer bison joker joker C7", 19, "only one joker", "bison"),
        ("church harbour D3", 7, "church was already named", "eagle"),
        ("farmer bison wagon 7", 13, "One or two cards of a kind", "a space such as C7"),
        ("building eagle D3", 17, "which building", "church"),
        ("C7", 0, "what C7 is for", "start C7"),
        ("3", 0, '"3"', "farmer"),
        ("d", 0, '"d"', "draw"),
        ("sta C7", 0, '"sta"', "start"),
        ("wa eagle C7", 0, '"wa"', "warehouse"),
        ("draw", 4, "which deck", "landscape"),
        ("draw 0 L", 5, "1 to 9", "landscape"),
        ("draw banana", 5, '"banana"', "landscape"),
        ("set aside", 9, "which building card", "church"),
        ("draw L \u00a7", 7, '"\u00a7"', "words, numbers or ;"),
        ("deal joker to seat 0", 5, '"joker"', "bison"),
        ("deal bison", 10, "which seat", "to seat 0"),
        ("deal bison 4 to seat 0", 11, "cannot be dealt", "coal 2"),
        ("C7 farmer bison wagon D7", 22, "C7 was already named", '";" before the next action'),
        ("farmer C7 farmer bison wagon D7", 10, "needs two landscape cards", "bison"),
        ("bison wagon C7 church eagle D3", 28, "C7 was already named", '";" before the next action'),
        ("bison wagon C7 draw L", 15, '"draw"', '";" before the next action'),
        ("farmer bison wagon C7 and", 22, '"and"', '";" before the next action'),
        ("farmer and bison wagon C7", 7, '"and"', "bison"),
        ("farmer with with bison wagon C7", 12, '"with"', "bison"),
        ("farmer bison on wagon C7", 16, '"wagon"', "a space such as C7"),
        ("farmer 3 bison C7", 7, "One or two cards", "bison"),
        ("farmer bison wagon C7 x2", 22, '"x2"', '";" before the next action'),
        ("church C7", 9, "church needs a landscape card", "church eagle C7"),
        ("church C7", 9, "church needs a landscape card", "start C7"),
        ("start church C7", 6, "by its space alone", "a space such as C7"),
        ("place", 5, "not finished", "start tile"),
        ("use bison wagon C7", 4, '"bison"', "extra turn"),
        ("mine eagle D3", 0, '"mine"', "gold mine"),
        ("draw two cards", 5, "which deck", "landscape"),
        ("draw L 2 B", 7, 'The number 2 could belong to "L" or to "B"', '"2 L, B"'),
        ("BB", 0, '"BB"', "bison bison C7"),
        ("draw landscapes", 5, 'how many "landscapes"', '"2 landscapes"'),
        ("draw sea", 5, '"sea"', "landscape"),
        ("discard church", 8, "One building card", "set aside church"),
        ("discard", 7, "which two cards", "bison"),
    ],
)
def test_a_refusal_says_where_parsing_failed_and_what_would_work(
    line: str, column: int, quoted: str, expected: str
) -> None:
    with pytest.raises(NotationError) as refused:
        parse(line)
    assert refused.value.column == column
    assert quoted in refused.value.message
    assert expected in refused.value.expected


def test_a_misspelt_word_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(NotationError, match='did you mean "warehouse"'):
        parse("warehose eagle D3")


def test_a_long_word_is_shortened_in_the_message() -> None:
    with pytest.raises(NotationError) as refused:
        parse("x" * 4000)
    assert len(refused.value.message) < 300


def test_the_examples_of_the_help_text_can_be_typed() -> None:
    examples = [line[2:29].strip() for line in NOTATION.splitlines() if line.startswith("  ") and line[2] != " "]
    found = {type(action) for line in examples for action in parse(line)}
    assert found == set(SEAT_ACTIONS)
    assert parse(NOTATION.splitlines()[-1].split(":")[1])
    assert parse("f b w C7; draw l b") == (BISON_WAGON_C7, LANDSCAPE, BUILDING)


def test_the_help_text_fits_a_mail() -> None:
    assert max(map(len, NOTATION.splitlines())) <= 78
    assert NOTATION.isascii()
