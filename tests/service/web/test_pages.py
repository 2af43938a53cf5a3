"""The pages for people: there, linked, and loading nothing from elsewhere."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from service.api.problem_kinds import KINDS
from service.app import create_app
from service.context import Context


@pytest.mark.parametrize("path", ["/", "/docs", "/docs/problems", "/confirm", "/dev/mail"])
def test_every_page_loads_only_what_the_service_ships(client: FlaskClient, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    for address in re.findall(r'(?:src|href|action)="([^"]+)"', page.text):
        assert address.startswith(("/", "#")), address
        if not address.startswith("#"):
            assert client.get(address).status_code in (200, 503), address
    assert "<script>" not in page.text
    assert " style=" not in page.text


def test_the_documentation_ships_with_its_licence(client: FlaskClient) -> None:
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "LICENSE.txt", "NOTICE.txt"):
        assert client.get(f"/static/swagger/{name}").status_code == 200
    assert "Apache License" in client.get("/static/swagger/LICENSE.txt").text


def test_the_styles_load_nothing_from_elsewhere(client: FlaskClient) -> None:
    for name in ("overland.css", "swagger/swagger-ui.css"):
        found = re.findall(r"url\(([^)]{1,30})|(@import)", client.get(f"/static/{name}").text)
        assert all(address.strip("\"'").startswith(("data:", "#")) for address, _ in found)


def test_every_kind_of_problem_is_explained_where_its_type_leads(client: FlaskClient) -> None:
    index = client.get("/docs/problems").text
    for kind in KINDS.values():
        assert f'href="{kind.address}"' in index
        page = client.get(kind.address)
        assert page.status_code == 200
        text = html.unescape(page.text)
        assert all(part in text for part in (kind.code, str(kind.status), kind.title, kind.explanation))
    assert client.get("/docs/problems/unheard_of").status_code == 404


def test_the_start_page_shows_the_games(client: FlaskClient) -> None:
    assert "Oregon" in client.get("/").text


def test_mails_are_shown_in_development_only(context: Context) -> None:
    production = create_app(replace(context, settings=replace(context.settings, mode="production"))).test_client()
    for path in ("/dev/mail", "/dev/mail.json", "/dev/mail/a.eml"):
        assert production.get(path).status_code == 404
    assert "/dev/mail" not in production.get("/").text


def test_the_document_is_served(client: FlaskClient) -> None:
    assert client.get("/openapi.json").get_json()["openapi"].startswith("3.1")
