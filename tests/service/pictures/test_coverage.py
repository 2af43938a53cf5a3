"""Names that no bundled font can draw."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence

import pytest

from engine.svg import label, picture
from service.pictures.picture import drawable, in_pixels
from tests.service.pictures.covered import COVERED, covered

SANSKRIT = "\u0928\u092e\u0938\u094d\u0924\u0947"


def draw(names: Sequence[str]) -> str:
    return picture(9, 9, "Game", f"Players: {', '.join(names)}.", *(label(name, 0, 0, 9) for name in names))


def test_the_characters_of_the_fonts_are_listed_beside_them() -> None:
    assert COVERED.read_text(encoding="ascii") == covered(), "python -m tests.service.pictures.covered writes it anew"


@pytest.mark.parametrize(
    "name", ["", "Ada", "\u00c9va", "\u738b \u5c0f", "\u0645\u200c\u062d", "\U0001f469\u200d\U0001f680\ufe0f"]
)
def test_names_of_known_characters_can_be_drawn(name: str) -> None:
    assert drawable(name)


@pytest.mark.parametrize("name", [SANSKRIT, f"Ada {SANSKRIT}", "\U000f0000"])
def test_names_with_unknown_characters_cannot(name: str) -> None:
    assert not drawable(name)


def test_a_name_that_cannot_be_drawn_is_replaced_by_the_seat_and_named_in_the_description() -> None:
    root = ElementTree.fromstring(in_pixels(("Ada", f"<{SANSKRIT}>"), draw))
    written = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
    assert written == ["Ada", "Seat 1 *"]
    (described,) = ("".join(desc.itertext()) for desc in root.iter("{http://www.w3.org/2000/svg}desc"))
    assert described == f"Players: Ada, Seat 1 *. * Seat 1 is <{SANSKRIT}>: no font for this name is at hand."


def test_a_picture_of_other_names_is_unchanged() -> None:
    assert in_pixels(("Ada", "\u738b"), draw) == draw(("Ada", "\u738b"))
