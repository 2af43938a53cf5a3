"""What pictures for phones and for print are like, in every game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import cycle
from math import sqrt
from typing import Final

import pytest

from engine import registry
from engine.conformance.subject import PlayedMatch, play
from engine.svg import DARK, said, undescribed
from engine.types import Layout
from tests.engine.matches import subject
from tests.games.labels import faults, in_the_dark
from tests.games.measure.contrast import WHITE, colour
from tests.games.measure.drawn import Drawn, read
from tests.games.tables import each_table

LEAST_SIZE = 11.0
"""The least size of text that can be read on a phone, in its 360 units."""
SAID_OTHERWISE: Final[Mapping[str, frozenset[str]]] = {
    name: frozenset(words.split())
    for name, words in {
        "oregon": """oregon the end draw tokens farmers latest active used none set aside b k r y prairie
            water mountain railway you may type now its space two another done ends""",
        "montana": """montana the end b g r y c p s w column price segment segments as many arrow not yet spun
            out take canteen two open build can be paid now latest action possible trade x2""",
        "ozeanien": """ozeanien g w type a number or it is as in if complete brackets fits way ways from with
            skip ew""",
    }.items()
}
"""Words beside the board that head a part, shorten a word of the description, name what is drawn
next to them, or tell what the list of actions tells.
"""


@cache
def match_of(name: str, seats: int) -> PlayedMatch:
    return play(subject(name, "layouts"), seats, 0)


def pictures(name: str, seats: int, layout: Layout, *, shapes: bool) -> Iterator[Drawn]:
    match = match_of(name, seats)
    for state, viewer in zip(match.sample(10), cycle(match.viewers), strict=False):
        yield read(match.game.svg(match.game.observe(state, viewer), match.names, layout), shapes=shapes)


@each_table
def test_a_picture_for_phones_is_360_units_wide_and_its_text_can_be_read(name: str, seats: int) -> None:
    for picture in pictures(name, seats, Layout.PHONE, shapes=False):
        assert picture.width == 360
        assert {label.words for label in picture.labels if label.size < LEAST_SIZE - 0.005} == set()


@each_table
@pytest.mark.parametrize("layout", [Layout.DESKTOP, Layout.PHONE])
def test_labels_on_a_dark_screen_have_contrast(name: str, seats: int, layout: Layout) -> None:
    match = match_of(name, seats)
    for ply in (0, len(match.states) // 3, len(match.states) * 2 // 3, len(match.states) - 1):
        seen = match.game.observe(match.states[ply], match.viewers[-1])
        assert faults(in_the_dark(match.game, match.game.svg(seen, match.names, layout))) == ()


def test_no_colour_has_two_others_in_the_dark() -> None:
    """One stylesheet is for the boards of all games."""
    found: dict[str, set[str]] = {}
    for inks in (DARK, *(registry.game(name).dark for name in registry.games())):
        for light, dark in inks.items():
            found.setdefault(light, set()).add(dark)
    assert {light: dark for light, dark in found.items() if len(dark) > 1} == {}


@each_table
def test_a_picture_for_print_has_the_proportions_of_a4_and_is_on_white(name: str, seats: int) -> None:
    for picture in pictures(name, seats, Layout.PRINT, shapes=True):
        sides = picture.width, picture.height
        assert max(sides) / min(sides) == pytest.approx(sqrt(2), rel=0.01)
        ground = next((shape for shape in picture.shapes if shape.width is None), None)
        assert ground is None or colour(ground.paint.colour) == WHITE


@each_table
def test_the_board_alone_is_one_for_all_viewers_and_names_nobody(name: str, seats: int) -> None:
    match = match_of(name, seats)
    for state in match.sample(10):
        seen = [match.game.observe(state, viewer) for viewer in match.viewers]
        boards = {
            undescribed(match.game.svg(each, names, Layout.BOARD)) for each in seen for names in (match.names, ())
        }
        assert len(boards) == 1
        assert read(boards.pop(), shapes=False).width == 360


@each_table
def test_the_description_has_a_line_for_every_seat(name: str, seats: int) -> None:
    match = match_of(name, seats)
    for state in match.sample(4):
        seen = match.game.observe(state, match.viewers[-1])
        lines = said(match.game.svg(seen, match.names, Layout.BOARD), "desc")
        assert all(any(line.startswith(each) for line in lines) for each in match.names[:seats])


@each_table
def test_all_that_is_written_beside_the_board_on_a_phone_is_in_the_description_that_mails_show(
    name: str, seats: int
) -> None:
    match = match_of(name, seats)
    for state, viewer in zip(match.sample(12), cycle(match.viewers), strict=False):
        seen = match.game.observe(state, viewer)
        whole, board = (match.game.svg(seen, match.names, layout) for layout in (Layout.PHONE, Layout.BOARD))
        beside = Counter(label.words for label in read(whole, shapes=False).labels if "…" not in label.words)
        beside.subtract(label.words for label in read(board, shapes=False).labels)
        written = words_of(*(words for words, number in beside.items() if number > 0))
        described = words_of(*said(board, "desc"))
        assert written - described - SAID_OTHERWISE[name] - {"0"} == set()  # of what there is none is not said


def words_of(*texts: str) -> set[str]:
    """The words and numbers of texts."""
    return {word for text in texts for word in re.findall(r"\w+", text.lower())}
