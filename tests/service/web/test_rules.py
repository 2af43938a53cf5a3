"""The pages of the rules."""

from __future__ import annotations

import re

import pytest
from flask.testing import FlaskClient

from engine import registry

GAMES = tuple(registry.games())


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_a_page_with_headings_tables_and_pictures(client: FlaskClient, game: str) -> None:
    page = client.get(f"/games/{game}/rules")
    assert page.status_code == 200
    (heading,) = re.findall(r"<h1[^>]*>(.*?)</h1>", page.text)
    assert registry.game(game).info.title in heading
    pictures = re.findall(r'<img src="([^"]+)" alt="([^"]+)"', page.text.split("<main")[1])
    assert len(pictures) == 1
    shown = client.get(pictures[0][0])
    assert (shown.status_code, shown.mimetype) == (200, "image/svg+xml")
    assert "sandbox" in shown.headers["Content-Security-Policy"]


def test_html_in_rules_is_text(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    from service.web import rules

    rules._as_html.cache_clear()
    text = '# T\n\n<script>alert(1)</script>\n\n[a](javascript:alert(1)) <img src="x">'
    monkeypatch.setattr(registry, "rules_text", lambda name: text)
    page = client.get(f"/games/{GAMES[0]}/rules").text
    rules._as_html.cache_clear()
    assert "&lt;script&gt;" in page
    assert 'href="javascript' not in page


@pytest.mark.parametrize("file", ["standard.json", "none.svg", "RULES.md", "..%2Fexample.svg", "__init__.py"])
def test_no_other_file_of_a_game_is_served(client: FlaskClient, file: str) -> None:
    assert client.get(f"/games/{GAMES[0]}/pictures/{file}").status_code == 404


def test_an_unknown_game_has_no_rules(client: FlaskClient) -> None:
    missing = client.get("/games/none/rules")
    assert (missing.status_code, missing.mimetype) == (404, "text/html")
