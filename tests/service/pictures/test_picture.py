"""PNG made from SVG with the shipped fonts."""

from __future__ import annotations

import struct
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.svg import label, picture
from service.pictures.picture import FONT_FILES, as_drawn, drawable, png
from tests.games.measure.glyphs import measured


def drawn(*children: str) -> str:
    return picture(200, 100, "A picture", "of a test", *children)


def size_of(image: bytes) -> tuple[int, int]:
    width, height = struct.unpack(">II", image[16:24])
    return width, height


def test_a_picture_is_a_png_as_wide_as_asked_for() -> None:
    image = png(drawn(), 640)
    assert image.startswith(b"\x89PNG\r\n\x1a\n")
    assert size_of(image) == (640, 320)


def test_text_is_there_though_no_font_of_the_machine_is_used() -> None:
    assert png(drawn(label("Overland", 10, 50, 20)), 400) != png(drawn(), 400)


def test_bold_text_is_another_picture_than_plain_text() -> None:
    assert png(drawn(label("Overland", 10, 50, 20, font_weight="bold")), 400) != png(
        drawn(label("Overland", 10, 50, 20)), 400
    )


def test_different_words_are_different_pictures() -> None:
    assert png(drawn(label("Ada", 10, 50, 20)), 400) != png(drawn(label("Bob", 10, 50, 20)), 400)


def test_an_unknown_font_falls_back_to_the_shipped_one() -> None:
    strange = drawn(label("Overland", 10, 50, 20, font_family="No Such Font, sans-serif"))
    assert png(strange, 400) == png(drawn(label("Overland", 10, 50, 20)), 400)


NAMES = {
    "Chinese": "\u738b\u5c0f\u660e",
    "Japanese": "\u3055\u304f\u3089\u30ab\u30ca",
    "Korean": "\uae40\ucca0\uc218",
    "Korean, decomposed": unicodedata.normalize("NFD", "\uae40\ucca0\uc218"),
    "Arabic": "\u0645\u062d\u0645\u062f",
    "Hebrew": "\u05e9\u05e8\u05d4",
    "Thai": "\u0e2a\u0e21\u0e0a\u0e32\u0e22",
    "Amharic": "\u1230\u120b\u121d",
    "Georgian": "\u10e5\u10d0\u10e0\u10d7",
    "emoji": "\U0001f680\U0001f98a",
    "joined emoji": "\U0001f469\u200d\U0001f680",
    "a flag": "\U0001f1ef\U0001f1f5",
    "a skin tone": "\U0001f44d\U0001f3fd",
    "several": "\u0645\u062d\u0645\u062f \u738b \U0001f680 \u00c9va",
}
MISSING = "\U000f0000"
"""A character that no font has; a box is drawn instead."""


@pytest.mark.parametrize("bold", ["bold", None])
@pytest.mark.parametrize("name", NAMES.values(), ids=NAMES)
def test_names_of_many_scripts_are_drawn(name: str, bold: str | None) -> None:
    """Each letter is: a label with a box in its place would be another picture."""
    whole = png(drawn(label(f"{name} (R)", 10, 50, 20, font_weight=bold)), 400)
    shown = as_drawn(name).replace(" ", "")
    assert drawable(name)
    for place in range(len(shown)):
        boxed = shown[:place] + MISSING + shown[place + 1 :]
        assert png(drawn(label(f"{boxed} (R)", 10, 50, 20, font_weight=bold)), 400) != whole
    without = png(drawn(label(" (R)", 10, 50, 20, font_weight=bold)), 400)
    assert (
        len({whole, without, png(drawn(label(f"{MISSING * len(shown)} (R)", 10, 50, 20, font_weight=bold)), 400)}) == 3
    )


def test_right_to_left_names_run_from_right_to_left() -> None:
    first, second = "\u05e9", "\u05d0"
    advance = measured(second)
    assert advance is not None
    apart = label(second, 10, 50, 20) + label(first, 10 + 20 * advance.advance, 50, 20)
    assert png(drawn(label(first + second, 10, 50, 20)), 400) == png(drawn(apart), 400)
    assert png(drawn(label(second + first, 10, 50, 20)), 400) != png(drawn(apart), 400)


def test_letters_of_arabic_are_joined() -> None:
    apart = png(drawn(label("\u0628\u200c\u0628", 10, 50, 20)), 400)
    assert png(drawn(label("\u0628\u0628", 10, 50, 20)), 400) != apart


def test_a_keycap_is_drawn_as_its_key() -> None:
    assert png(drawn(label("1\ufe0f\u20e3", 10, 50, 20)), 400) == png(drawn(label("1", 10, 50, 20)), 400)


LETTERS = st.text(
    st.sampled_from("aW \u0301\u0645\u062d\u05e9\u738b\U0001f680\U0001f469\u200d\ufe0f\U0001f3fd\U0001f1ef\u0915\u094d")
)


@given(LETTERS, st.booleans())
@settings(max_examples=50)
def test_a_label_of_any_letters_can_be_drawn(words: str, bold: bool) -> None:
    png(drawn(label(words, 10, 50, 20, font_weight="bold" if bold else None)), 200)


def test_the_fonts_and_their_licences_are_shipped() -> None:
    for file in FONT_FILES:
        assert Path(file).read_bytes()[:4] == b"\x00\x01\x00\x00"
    folder = Path(FONT_FILES[0]).parent
    said = (folder / "LICENSE.txt").read_text()
    assert "Bitstream Vera" in said
    assert all(Path(file).name in said or Path(file).name.startswith("NotoSans") for file in FONT_FILES)
    assert "SIL OPEN FONT LICENSE" in (folder / "LICENSE-OFL.txt").read_text()
    assert "Apache License" in (folder / "LICENSE-Apache.txt").read_text()


@pytest.mark.parametrize("width", [0, -1, 4097])
def test_a_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=rf"^A picture is 1 to 4096 pixels wide, not {width}\.$"):
        png(drawn(), width)


def test_text_that_is_not_svg_is_refused() -> None:
    with pytest.raises(ValueError, match=r"."):
        png("no picture", 100)
