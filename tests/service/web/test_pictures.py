"""Pictures of boards on pages: their colours on dark screens."""

from __future__ import annotations

from xml.etree import ElementTree

from flask.testing import FlaskClient

from engine.svg import DARK, INK, PAPER
from service.api.views import SVG_POLICY
from service.context import Context
from tests.service.fakes import started
from tests.service.web.conftest import SignedIn

RULE = f'[fill="{INK}"]{{fill:{DARK[INK]}}}[stroke="{INK}"]{{stroke:{DARK[INK]}}}'


def test_every_page_inks_boards_for_a_dark_screen(client: FlaskClient) -> None:
    assert '<link rel="stylesheet" href="/boards.css" media="(prefers-color-scheme: dark)">' in client.get("/").text
    found = client.get("/boards.css")
    assert found.mimetype == "text/css"
    assert "max-age" in found.headers["Cache-Control"]
    assert RULE in found.text
    assert found.text.count(f'[fill="{PAPER}"]') == 1
    assert '[fill="#dfe8b9"]' in found.text  # a colour of Oregon alone


def test_a_picture_on_its_own_has_its_colours_in_it(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon")
    browser, rules = signed_in(table.players[0]), signed_in(None).get("/boards.css").text
    for path in (f"/matches/{table.match.id}/board.svg", "/games/oregon/pictures/example.svg"):
        answer = browser.get(path)
        assert answer.headers["Content-Security-Policy"] == SVG_POLICY
        assert answer.text.rstrip().endswith(f"<style>@media (prefers-color-scheme: dark){{{rules}}}</style></svg>")
        ElementTree.fromstring(answer.text)
