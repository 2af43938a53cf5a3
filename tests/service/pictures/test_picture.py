"""PNG made from SVG with the shipped font."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from engine.svg import label, picture
from service.pictures.picture import FONT_FILES, png


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


def test_the_fonts_and_their_licence_are_shipped() -> None:
    for file in FONT_FILES:
        assert Path(file).read_bytes()[:4] == b"\x00\x01\x00\x00"
    assert "Bitstream Vera" in (Path(FONT_FILES[0]).parent / "LICENSE.txt").read_text()


@pytest.mark.parametrize("width", [0, -1, 4097])
def test_a_width_out_of_bounds_is_refused(width: int) -> None:
    with pytest.raises(ValueError, match=rf"^A picture is 1 to 4096 pixels wide, not {width}\.$"):
        png(drawn(), width)


def test_text_that_is_not_svg_is_refused() -> None:
    with pytest.raises(ValueError, match=r"."):
        png("no picture", 100)
