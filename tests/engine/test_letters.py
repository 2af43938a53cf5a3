"""Widths of letters against the fonts, and where text may be cut."""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

import pytest
import uharfbuzz
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.letters import clusters, is_right_to_left, width
from engine.svg import text_width
from service.pictures.picture import FONT_FILES
from tests.games.measure.glyphs import measured

each_weight = pytest.mark.parametrize("bold", [False, True], ids=["regular", "bold"])
ROUNDING = 0.001


@cache
def covered() -> str:
    """All characters of the fonts."""
    fonts = (uharfbuzz.Face(Path(file).read_bytes()) for file in FONT_FILES)
    return "".join(chr(code) for code in sorted({code for font in fonts for code in font.unicodes}))


def shortage(words: str, bold: bool) -> float:
    """By how much the text is wider than was estimated; 0 or less where it is not."""
    extent = measured(words, bold)
    return 0.0 if extent is None else extent.advance - text_width(words, 1, bold)


def too_wide(texts: list[str], bold: bool) -> dict[str, float]:
    return {words: missing for words in texts if (missing := shortage(words, bold)) > ROUNDING}


@pytest.mark.deep
@each_weight
def test_no_letter_is_wider_than_its_estimate(bold: bool) -> None:
    assert too_wide(list(covered()), bold) == {}


@pytest.mark.deep
@each_weight
def test_no_letter_is_wider_after_another(bold: bool) -> None:
    """A few pairs of letters are moved apart (kerning)."""
    latin = [letter for letter in covered() if "\u0020" <= letter < "\u017f" and letter.isprintable()]
    marks = [letter for letter in covered() if "\u2010" <= letter <= "\u2026"]
    assert too_wide([one + other for one in latin for other in (*latin[:190], *marks)], bold) == {}


@each_weight
def test_no_joined_letter_of_arabic_is_wider(bold: bool) -> None:
    letters = [letter for letter in covered() if "\u0620" <= letter <= "\u06d3"]
    assert (
        too_wide(
            [before + letter + after for letter in letters for before in ("", "\u0628") for after in ("", "\u0628")],
            bold,
        )
        == {}
    )


@settings(max_examples=300)
@given(st.text(st.sampled_from(covered()), max_size=30), st.booleans())
@example("\u0e81\u0eb3\u0ec2\u0eb3", False)
def test_no_text_of_known_letters_is_wider_than_its_estimate(words: str, bold: bool) -> None:
    assert shortage(words, bold) <= ROUNDING


@settings(max_examples=200)
@given(st.text(max_size=30), st.booleans())
def test_no_text_at_all_is_wider_than_its_estimate(words: str, bold: bool) -> None:
    assert shortage(words, bold) <= ROUNDING


@each_weight
@pytest.mark.parametrize(
    "words",
    [
        "Chandrasekhara Venkata Raman",
        "\u041b\u0435\u0432 \u0422\u043e\u043b\u0441\u0442\u043e\u0439",
        "\u05e9\u05e8\u05d4 \u05dc\u05d5\u05d9",
        "\u0645\u062d\u0645\u062f",
        "\u738b\u5c0f\u660e",
        "A\u0301e\u0302",
    ],
)
def test_the_estimate_of_a_name_is_close(words: str, bold: bool) -> None:
    extent = measured(words, bold)
    assert extent is not None
    assert text_width(words, 1, bold) < 1.7 * extent.advance


def test_marks_and_joiners_have_no_width_of_their_own() -> None:
    assert width("w") == width("w\u0303") == width("w\u0303\u0330\u200d\ufe0f")
    assert width("\u0e19") == width("\u0e19\u0e38\u0e48")


@pytest.mark.parametrize(
    ("first", "last"),
    [
        *(("\u0300", "\u034f"), ("\u0483", "\u0487"), ("\u05b0", "\u05bd"), ("\u05c1", "\u05c2")),
        *(("\u05bf", "\u05bf"), ("\u05c7", "\u05c7"), ("\u064b", "\u0655"), ("\u0657", "\u0657")),
        *(("\u0670", "\u0670"), ("\ufe00", "\ufe0f")),
    ],
)
def test_a_mark_that_the_fonts_draw_onto_any_letter_has_no_width(first: str, last: str) -> None:
    for letter in "o\u0436\u1e9e":
        assert {width(letter + mark) for mark in (first, last)} == {width(letter)}


@each_weight
def test_no_mark_is_wider_on_a_letter_than_its_estimate(bold: bool) -> None:
    marks = [mark for mark in map(chr, range(0x300, 0x11000)) if unicodedata.category(mark) in ("Mn", "Me")]
    assert len(marks) > 1000
    assert too_wide([f"o{mark}" for mark in marks], bold) == {}


def test_a_mark_that_no_font_joins_with_its_letter_is_drawn_beside_it() -> None:
    assert width("e\u0e38") > width("e") + 500


@pytest.mark.parametrize(
    "parts",
    [
        ["A", "d", "a"],
        ["e\u0301\u0323", "a"],
        ["\U0001f469\u200d\U0001f469\u200d\U0001f467", "x"],
        ["\U0001f44d\U0001f3fd", "\u2764\ufe0f"],
        ["\U0001f1ef\U0001f1f5", "\U0001f1e9\U0001f1ea", "\U0001f1eb"],
        ["1\ufe0f\u20e3"],
        ["\u0928", "\u092e", "\u0938\u094d\u0924\u0947"],
        ["\u0e19\u0e33"],
        [unicodedata.normalize("NFD", "\uae40"), unicodedata.normalize("NFD", "\ucca0")],
        ["\u0628\u064e", "\u0628"],
    ],
)
def test_what_belongs_together_is_one_part(parts: list[str]) -> None:
    assert clusters("".join(parts)) == parts


@given(st.text())
def test_the_parts_make_the_text_again(words: str) -> None:
    assert "".join(clusters(words)) == words


def test_the_direction_is_that_of_the_last_letter_that_has_one() -> None:
    assert is_right_to_left("Ada \u05e9 1.")
    assert not is_right_to_left("\u05e9 Ada!")
    assert not is_right_to_left("12")
