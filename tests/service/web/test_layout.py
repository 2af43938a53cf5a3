"""What frames every page: the ways to the others, and the colours, those of the boards."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from flask.testing import FlaskClient

import service.web
from engine import svg
from service.context import Context
from tests.service.fakes import started
from tests.service.web.conftest import SignedIn

STYLES: Final = (Path(service.web.__file__).parent / "static" / "overland.css").read_text()
SCHEMES: Final = tuple(
    dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block)) for block in STYLES.split(":root {")[1:3]
)


def contrast(one: str, other: str) -> float:
    """The contrast of two colours (WCAG 2.2, 1.4.3)."""
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_pages_have_the_colours_of_the_boards() -> None:
    light = SCHEMES[0]
    assert (light["ink"], light["soft"], light["paper"]) == (svg.INK, svg.SOFT, svg.PAPER)
    assert (light["sand"], light["line"], light["mine"]) == (svg.SAND, svg.BORDER, svg.ACCENT)


@pytest.mark.parametrize("colours", SCHEMES, ids=["light", "dark"])
def test_everything_can_be_read_on_every_ground(colours: dict[str, str]) -> None:
    for ground in ("paper", "sand", "card", "warn-paper"):
        for text in ("ink", "soft", "green", "green-lit", "warn", "mine"):
            assert contrast(colours[text], colours[ground]) >= 4.5, (text, ground)
        assert contrast(colours["edge"], colours[ground]) >= 3, ground
    assert contrast(colours["on-green"], colours["green"]) >= 4.5
    assert contrast(colours["on-green"], colours["green-lit"]) >= 4.5


def test_the_header_says_how_many_matches_wait_for_the_visitor(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon")
    first, second = (signed_in(player).get("/docs/problems").text for player in table.players)
    assert 'class="badge">1<span class="hidden"> match waits for you' in first
    assert "badge" not in second
    assert "badge" not in signed_in(None).get("/docs/problems").text


def test_no_cache_shows_the_header_of_a_player_to_others(client: FlaskClient) -> None:
    page = client.get("/docs/problems")
    assert page.headers["Cache-Control"] == "private, no-cache"
    assert "Cookie" in page.headers["Vary"]


def test_a_page_says_where_it_is_and_lets_its_header_be_skipped(client: FlaskClient) -> None:
    page = client.get("/").text
    assert page.index('href="#main"') < page.index("<header") < page.index('<main id="main"')
