"""Pictures with a palette: small, and the same to the eye."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from service.pictures import picture
from service.pictures.picture import MOST_BYTES, png, with_palette

IMAGES = Path(__file__).parents[3] / "docs" / "images"


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def noise(side: int) -> bytes:
    """A picture that no compression makes small."""
    output = io.BytesIO()
    Image.frombytes("RGB", (side, side), random.Random(7).randbytes(side * side * 3)).save(output, "PNG")
    return output.getvalue()


@pytest.mark.parametrize(("game", "kilobytes"), [("oregon", 75), ("ozeanien", 75), ("montana", 130)])
def test_the_picture_of_a_mail_is_small_and_looks_the_same(
    game: str, kilobytes: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    svg = (IMAGES / f"{game}-phone.svg").read_text(encoding="utf-8")
    small = png(svg, 420)
    assert len(small) <= kilobytes * 1000
    assert opened(small).mode == "P"
    assert png(svg, 420) == small
    monkeypatch.setattr("service.pictures.picture.with_palette", lambda drawn: drawn)
    drawn = opened(png(svg, 420)).convert("RGB")
    differences = ImageStat.Stat(ImageChops.difference(drawn, opened(small).convert("RGB")))
    assert max(differences.rms) < 8, "of 255"


def test_a_picture_that_stays_large_gets_fewer_colours() -> None:
    large = with_palette(noise(420))
    colours = opened(large).getcolors()
    assert colours is not None
    assert len(colours) <= 64
    assert len(large) > MOST_BYTES, "nothing makes noise small"


@pytest.mark.parametrize("side", [50, 600])
def test_a_small_picture_and_one_that_is_far_too_large_keep_their_colours(side: int) -> None:
    colours = opened(with_palette(noise(side))).getcolors()
    assert colours is not None
    assert 64 < len(colours) <= picture.MOST_COLOURS[0]


def test_few_colours_stay_exactly_as_they_are() -> None:
    output = io.BytesIO()
    flag = Image.new("RGB", (60, 20), "#1f5a80")
    flag.paste("#fffdf8", (20, 0, 40, 20))
    flag.paste("#7a3b1e", (40, 0, 60, 20))
    flag.save(output, "PNG")
    assert opened(with_palette(output.getvalue())).convert("RGB").tobytes() == flag.tobytes()
