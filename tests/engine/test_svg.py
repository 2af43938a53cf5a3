"""Markup for pictures: escaping, numbers, text that fits."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.svg import element, escape, fitted, label, lines, number, picture, polygon, said, text_width, use

SVG = "{http://www.w3.org/2000/svg}"


@given(st.text())
def test_any_text_makes_a_picture_that_parses(words: str) -> None:
    root = ElementTree.fromstring(picture(10, 10, words, words, label(words, 0, 0, 10), element("g", data_name=words)))
    assert text_of(root, "title").split() == unescaped(words).split()


def unescaped(words: str) -> str:
    """The words after escaping and parsing."""
    return "".join(ElementTree.fromstring(f"<a>{escape(words)}</a>").itertext())


def child(root: ElementTree.Element, tag: str) -> ElementTree.Element:
    """The only child with that tag."""
    (found,) = root.findall(f"{SVG}{tag}")
    return found


def text_of(root: ElementTree.Element, tag: str) -> str:
    """The text in the only child with that tag."""
    return "".join(child(root, tag).itertext())


def test_markup_in_text_is_escaped() -> None:
    drawing = picture(10, 10, "t", "d", label("<script>alert('1')</script>&\"", 0, 0, 10))
    assert "<script" not in drawing
    assert text_of(ElementTree.fromstring(drawing), "text") == "<script>alert('1')</script>&\""


def test_characters_that_xml_does_not_allow_are_left_out() -> None:
    assert escape("a\x00b\x1bc\ufffed\ud800e\U0001f600") == "abcde\U0001f600"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (1, "1"),
        (1.0, "1"),
        (10, "10"),
        (1.5, "1.5"),
        (1.234, "1.23"),
        (-0.001, "0"),
        (0, "0"),
        (-2.5, "-2.5"),
        (100.0, "100"),
    ],
)
def test_numbers_are_written_short(value: float, written: str) -> None:
    assert number(value) == written


def test_attributes_take_hyphens_and_may_be_left_out() -> None:
    assert element("g", stroke_width=2, id="board", fill=None) == '<g stroke-width="2" id="board"/>'


def test_a_copy_is_placed_or_scaled() -> None:
    assert use("pawn", 1, 2) == '<use href="#pawn" x="1" y="2"/>'
    assert use("pawn", 1, 2, 0.5) == '<use href="#pawn" transform="translate(1 2) scale(0.5)"/>'


def test_a_polygon_lists_its_corners() -> None:
    assert polygon(((0, 1.5), (2, 3))) == '<polygon points="0,1.5 2,3"/>'


def test_a_picture_is_standalone_with_title_and_description() -> None:
    root = ElementTree.fromstring(picture(30, 20, "Title", "All of it", prefix="here"))
    assert root.tag == f"{SVG}svg"
    assert root.attrib["viewBox"] == "0 0 30 20"
    assert root.attrib["role"] == "img"
    assert (text_of(root, "title"), text_of(root, "desc")) == ("Title", "All of it")
    assert root.attrib["aria-labelledby"] == child(root, "title").attrib["id"] == "here-title"


@given(st.text(), st.floats(20, 400), st.booleans())
def test_text_is_cut_to_the_width_it_has(words: str, width: float, bold: bool) -> None:
    assert text_width(fitted(words, width, 16, bold), 16, bold) <= width


def test_text_that_fits_is_unchanged_and_longer_text_ends_in_an_ellipsis() -> None:
    assert fitted("Ada", 100, 16) == "Ada"
    assert fitted("Chandrasekhara Venkata Raman", 100, 16).endswith("\u2026")


def test_text_is_not_cut_within_a_letter_or_an_emoji() -> None:
    family = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
    for whole in (family, "e\u0301\u0323", "\U0001f1ef\U0001f1f5"):
        for width in range(20, 120):
            assert fitted(whole * 9, width, 10).removesuffix("\u2026").replace(whole, "") == ""


def test_the_ellipsis_ends_a_name_in_the_direction_of_its_letters() -> None:
    """The mark after it has no width: bidirectional text puts the ellipsis left of Hebrew."""
    assert fitted("\u05e9" * 40, 100, 16).endswith("\u05e9\u2026\u200f")
    assert fitted("\u738b" * 40, 100, 16).endswith("\u738b\u2026")


@given(st.text(), st.integers(1, 4))
def test_words_fill_no_more_than_the_available_lines(words: str, most: int) -> None:
    found = lines(words, 80, 16, most)
    assert len(found) <= most
    assert all(text_width(line, 16) <= 80 for line in found)


def test_words_are_broken_between_words() -> None:
    assert lines("one two three", text_width("one two", 16), 16, 3) == ("one two", "three")


def test_the_title_and_the_description_of_a_picture_are_read() -> None:
    drawn = "<svg><title>Oregon</title>\n<desc>Anna &amp; Ben:\n 3 farmers</desc></svg>"
    assert (said(drawn, "title"), said(drawn, "desc")) == (("Oregon",), ("Anna & Ben:", "3 farmers"))
    assert said("<svg/>", "title") == said("<svg><title> </title></svg>", "title") == ()
