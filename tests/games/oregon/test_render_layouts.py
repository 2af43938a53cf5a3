"""What the picture and the text offer and explain, in every layout."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest

from engine.games.oregon import GAME
from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.facts import worth
from engine.games.oregon.observe import Hand, Observation, Offers
from engine.games.oregon.render_layout import PLANS
from engine.games.oregon.render_panel import panel_blocks
from engine.games.oregon.render_svg import svg
from engine.games.oregon.render_text import text
from engine.games.oregon.score import building_gains
from engine.games.oregon.terms import BUILDING_CODES
from engine.grid import column_letter
from engine.picks import NO_CHOICES
from engine.types import Layout, Statement
from tests.games.labels import faults
from tests.games.measure.drawn import read
from tests.games.oregon.observations import NAMES, busy, early, finished, start
from tests.games.oregon.positions import position, put

LAYOUTS = pytest.mark.parametrize("layout", [each for each in Layout if each is not Layout.BOARD])
"""Those with panels."""
SVG = "{http://www.w3.org/2000/svg}"
WIDE_NAMES = ("W" * 40,) * 4


def words(observation: Observation, layout: Layout = Layout.DESKTOP) -> list[str]:
    root = ElementTree.fromstring(svg(observation, NAMES, layout))
    return ["".join(found.itertext()) for found in root.iter(f"{SVG}text")]


def refilling(viewer: int | None = 2) -> Observation:
    """The busy board when the first play has been made and the extra turn is open."""
    offers = Offers(extra_turn=True, draw=tuple(Deck), set_aside=(Building.HARBOUR,))
    return replace(busy(viewer), phase="refill", offers=offers if viewer == 2 else None)


@LAYOUTS
def test_every_column_row_symbol_and_building_is_named(layout: Layout) -> None:
    shown = words(start(), layout)
    assert {*map(column_letter, range(15)), *(str(row + 1) for row in range(10))} <= set(shown)
    assert {*(symbol.capitalize() for symbol in Symbol), *(symbol[0].upper() for symbol in Symbol)} <= set(shown)
    assert set(BUILDING_CODES.values()) <= set(shown)


@LAYOUTS
def test_the_decks_show_their_size_and_what_is_typed_to_draw(layout: Layout) -> None:
    assert {"Landscape deck", "9 cards", "draw landscape", "Building deck", "3 cards", "draw building"} <= set(
        words(busy(), layout)
    )
    assert "draw landscape" not in words(finished(), layout)


@LAYOUTS
def test_discards_and_cards_set_aside_are_shown(layout: Layout) -> None:
    shown = words(busy(), layout)
    counts = shown[shown.index("Discards") + 1 :][:5]
    assert counts == ["8", "7", "6", "4", "8"]
    assert shown[shown.index("Set aside") + 1] == "1"
    assert words(early(), layout)[words(early(), layout).index("Set aside") + 1] == "none"


@LAYOUTS
def test_what_buildings_and_groups_are_worth_is_shown(layout: Layout) -> None:
    shown = set(words(early(), layout))
    assert {worth(building, early()) for building in Building} <= shown
    assert {"5 points, side by side", "Church: 1 for each farmer around it, of all colours."} <= shown


@pytest.mark.parametrize(
    ("building", "code"), [(building, code) for building, code in BUILDING_CODES.items() if "M" not in code]
)
def test_what_is_shown_is_what_is_scored(building: Building, code: str) -> None:
    """R6.3, R6.4: a farmer next to the building earns the number that its worth begins with."""
    state = put(position("R", "B2"), code, "A1")
    (gain,) = building_gains(state.board, 0, 2, 0)
    assert worth(building, GAME.observe(state, 0)).startswith(str(gain.points))


@LAYOUTS
def test_the_extra_turn_is_offered_to_the_seat_that_may_use_it(layout: Layout) -> None:
    assert {"You may type now", "extra", "draw landscape", "set aside harbour"} <= set(words(refilling(), layout))
    for viewer in (None, 0):
        assert not {"You may type now", "extra"} & set(words(refilling(viewer), layout))


def test_the_text_offers_the_same_and_to_nobody_else() -> None:
    assert "  extra                 your extra turn: play again\n" in text(refilling(), NAMES)
    assert "You may" not in text(refilling(None), NAMES)


def test_the_start_tile_is_offered_to_its_seat() -> None:
    mine = replace(start(1), offers=Offers())
    assert "start" in words(mine)
    assert "  start                 and a space, for a harbour\n" in text(mine, NAMES)


def test_where_no_play_is_possible_two_cards_are_asked_for() -> None:
    stuck = replace(early(), offers=Offers(discard=True))
    assert "  discard               two cards: no play is possible\n" in text(stuck, NAMES)


@LAYOUTS
def test_the_line_about_the_last_round_is_whole(layout: Layout) -> None:
    shown = " ".join(words(emptied(), layout))
    assert (
        "The last round: 7 stacks of building tiles are empty (post office, harbour, church, coal mine, gold mine,"
        " warehouse, station)." in shown
    )


@LAYOUTS
def test_after_the_end_the_picture_speaks_of_the_end(layout: Layout) -> None:
    shown = words(finished(2), layout)
    assert "The end" in shown
    assert "A seat has placed its last farmer." in " ".join(shown)
    assert not {"You may type now", "Your hand", "Round 12", "Joker", "Farmers left"} & set(shown)
    assert [word[:2] for word in shown if word[1:3] == ". "] == ["1.", "2.", "3.", "4."]


@LAYOUTS
@pytest.mark.parametrize("names", [NAMES, WIDE_NAMES], ids=["names", "wide names"])
def test_no_label_of_the_fullest_picture_collides(layout: Layout, names: tuple[str, ...]) -> None:
    for observation in (emptied(), finished(), start(), early(), refilling()):
        assert faults(svg(observation, names, layout)) == ()


def test_the_fullest_panel_ends_within_its_sheet() -> None:
    plan = PLANS[Layout.DESKTOP]
    assert plan.height is not None
    used = sum(block.height for block in panel_blocks(emptied(), WIDE_NAMES, plan, NO_CHOICES))
    assert plan.side[1] + used <= plan.height - plan.side[1]


def test_a_phone_shows_letters_of_legible_size() -> None:
    """The picture is as wide as the screen, 360 pixels."""
    drawing = svg(busy(), NAMES, Layout.PHONE)
    root = ElementTree.fromstring(drawing)
    assert (root.attrib["viewBox"].split()[2], root.attrib["width"]) == ("360", "360")
    sizes = [float(found.attrib["font-size"]) for found in root.iter(f"{SVG}text") if len(found.text or "") > 1]
    assert min(sizes) >= 11
    assert min(label.height for label in read(drawing, shapes=False).labels if label.words.isupper()) > 7


def test_a_print_has_the_proportions_of_a4_and_shows_what_the_screen_shows() -> None:
    drawn = read(svg(busy(), NAMES, Layout.PRINT), shapes=False)
    assert drawn.width / drawn.height == pytest.approx(297 / 210, rel=0.002)
    assert words(busy(), Layout.PRINT) == words(busy(), Layout.DESKTOP)


def test_a_print_fills_no_large_shape_and_no_farmer_with_ink() -> None:
    inks = PLANS[Layout.PRINT].inks
    fills = {inks.page, inks.panel, inks.idle, inks.plate, inks.tile, inks.active, *inks.farmers, *inks.cards}
    fills |= {fill for fill, _ in inks.ground.values()}
    assert fills == {"#ffffff"}


def test_many_tokens_are_shown_by_their_sums() -> None:
    seats = tuple(replace(seat, coal=(1,) * 12, gold=(3,) * 12) for seat in busy().seats)
    assert "Coal worth 12, gold worth 36" in words(replace(busy(), seats=seats))


def emptied() -> Observation:
    """A last round with as much to show as there can be."""
    cards = Hand((Symbol.CAMPFIRE,), (Building.WAREHOUSE, Building.POST_OFFICE))
    fuller = tuple(
        replace(seat, score=188, farmers_left=14, coal_tokens=12, gold_tokens=12, hand=seat.hand and cards)
        for seat in busy().seats
    )
    return replace(
        busy(),
        phase="refill",
        seats=fuller,
        stacks=dict.fromkeys(Building, 0),
        offers=Offers(extra_turn=True, draw=tuple(Deck), set_aside=(Building.WAREHOUSE, Building.POST_OFFICE)),
        set_aside=tuple(Building) * 2,
        landscape_discards=dict.fromkeys(Symbol, 10),
        building_discards=dict.fromkeys(Building, 13),
        ending=Statement("empty_stacks", {"stacks": tuple(building.value for building in Building)}),
    )
