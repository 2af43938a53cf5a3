"""The pages of the games."""

from __future__ import annotations

import html
import re

import pytest
from flask.testing import FlaskClient

from engine import registry
from service.web import games

GAMES = tuple(registry.games())


def test_every_game_is_shown_and_leads_to_its_page(client: FlaskClient) -> None:
    page = client.get("/games").text
    for name in GAMES:
        assert f'href="/games/{name}"' in page
        assert f'action="/games/{name}/play"' in page


@pytest.mark.parametrize("game", GAMES)
def test_a_game_has_its_rules_its_words_and_its_pictures_on_one_page(client: FlaskClient, game: str) -> None:
    page = client.get(f"/games/{game}")
    info = registry.game(game).info
    assert page.status_code == 200
    (heading,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page.text)
    assert heading == info.title
    assert "<strong>R1.1</strong>" in page.text
    assert info.credits in html.unescape(page.text)
    assert info.notation.splitlines()[0] in html.unescape(page.text)
    anchors = re.findall(r'href="#([^"]+)"', page.text)
    assert len(anchors) > 10
    assert [anchor for anchor in anchors if page.text.count(f'id="{anchor}"') != 1] == []
    pictures = set(re.findall(r'<img src="([^"]+)" alt="[^"]+"', page.text.split("<main")[1]))
    assert len(pictures) == 1
    shown = client.get(pictures.pop())
    assert (shown.status_code, shown.mimetype) == (200, "image/svg+xml")
    assert "sandbox" in shown.headers["Content-Security-Policy"]


def test_options_and_component_sets_are_on_the_page(client: FlaskClient) -> None:
    page = client.get("/games/ozeanien").text
    assert "Turn the board upright" in page
    sets = re.findall(r'href="(/v1/games/ozeanien/components[^"]*)"', page)
    assert [client.get(each).status_code for each in sets] == [200]


def test_html_in_rules_is_text(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    games._rules.cache_clear()
    text = '# T\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) <img src="x">'
    monkeypatch.setattr(registry, "rules_text", lambda name: text)
    page = client.get(f"/games/{GAMES[0]}").text
    games._rules.cache_clear()
    assert "&lt;script&gt;" in page
    assert 'href="javascript' not in page


@pytest.mark.parametrize("file", ["standard.json", "none.svg", "RULES.md", "..%2Fexample.svg", "__init__.py"])
def test_no_other_file_of_a_game_is_served(client: FlaskClient, file: str) -> None:
    assert client.get(f"/games/{GAMES[0]}/pictures/{file}").status_code == 404


def test_an_unknown_game_has_no_page(client: FlaskClient) -> None:
    missing = client.get("/games/none")
    assert (missing.status_code, missing.mimetype) == (404, "text/html")
