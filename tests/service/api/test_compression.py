"""What is compressed, and what is not because its length would tell of a secret; what pages of
other origins may not read; and browsers that come by TLS alone.
"""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest
from flask.testing import FlaskClient

from service.api.auth import SIGNED_IN
from service.app import create_app
from service.context import Context
from service.players import tokens
from service.store import players
from tests.service.api.conftest import Person, latest_secret
from tests.service.api.test_edges import problem
from tests.service.fakes import limited

GZIP = {"Accept-Encoding": "gzip"}


def test_a_picture_of_the_board_is_a_sixth_as_long(ada: Person, match: str) -> None:
    plain, packed = (ada.get(f"/v1/matches/{match}/board.svg", headers=headers) for headers in ({}, GZIP))
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) * 6 < len(plain.data)
    assert packed.headers["ETag"] == plain.headers["ETag"], "it is weak: the same picture in another coding"


@pytest.mark.parametrize(
    ("accepted", "is_packed"),
    [
        ("gzip, deflate, br", True),
        ("*", True),
        ("gzip;q=0.1", True),
        ("gzip;q=0", False),
        ("gzip;q=0.5, identity", False),
        ("br", False),
        ("", False),
    ],
)
def test_a_client_is_sent_what_it_accepts(client: FlaskClient, accepted: str, is_packed: bool) -> None:
    answer = client.get("/openapi.json", headers={"Accept-Encoding": accepted})
    assert ("Content-Encoding" in answer.headers) is is_packed
    assert "Accept-Encoding" in answer.headers["Vary"]


def test_answers_to_posts_and_problems_are_compressed_too(ada: Person, bela: Person, match: str) -> None:
    who = ada if ada.get(f"/v1/matches/{match}").get_json()["seats"][0]["to_act"] else bela
    path, wrong = f"/v1/matches/{match}/legal-actions", {f"nonsense{number}": 1 for number in range(30)}
    for body, status in (({}, 200), (wrong, 422)):
        packed = who.post(path, body, headers=GZIP)
        assert (packed.status_code, packed.headers["Content-Encoding"]) == (status, "gzip")
        assert gzip.decompress(packed.data).startswith(b"{")


def test_what_shows_a_secret_beside_what_others_may_write_is_not_compressed(
    context: Context, client: FlaskClient, ada: Person
) -> None:
    long = "x" * 60
    client.post("/v1/players", json={"name": "Cleo", "email": "cleo@example.org"})
    code = latest_secret(context)
    page = client.get(f"/confirm?token={code}&more={long * 40}", headers=GZIP)
    answers = [
        page,
        client.post("/v1/confirm", json={"token": code}, headers=GZIP),
        ada.post("/v1/tokens", {"label": long}, headers=GZIP),
        ada.post("/v1/me/calendar", headers=GZIP),
    ]
    assert all("Content-Encoding" not in answer.headers for answer in answers)
    assert [answer.headers["Cache-Control"] for answer in answers] == ["no-store, no-transform"] * 4
    assert len(page.data) > 1024
    assert 'name="nonce"' in page.text


def test_a_page_for_one_person_is_not_compressed_and_its_files_are(
    context: Context, client: FlaskClient, ada: Person
) -> None:
    with context.database.read() as connection:
        player = players.by_email(connection, ada.email)
    assert player is not None
    client.set_cookie(SIGNED_IN, tokens.sign_in(context, player))
    page = client.get("/", headers=GZIP)
    assert "Content-Encoding" not in page.headers
    plain, packed, again = (client.get("/static/overland.css", headers=headers) for headers in ({}, GZIP, GZIP))
    assert gzip.decompress(packed.data) == plain.data
    assert again.data == packed.data


@pytest.mark.parametrize("path", ["/", "/confirm", "/sign-in", "/healthz", "/static/overland.css", "/nowhere"])
def test_pages_are_for_no_other_origin(client: FlaskClient, path: str) -> None:
    for method in ("GET", "OPTIONS"):
        answer = client.open(path, method=method, headers={"Origin": "https://club.example"})
        assert [name for name, _ in answer.headers if name.startswith("Access-Control")] == []


def test_where_the_address_is_https_a_browser_comes_by_nothing_else(context: Context, client: FlaskClient) -> None:
    secure = replace(context, settings=replace(context.settings, base_url="https://play.example"))
    for path in ("/", "/v1/games", "/v1/nothing", "/nowhere"):
        app = create_app(secure)
        assert app.test_client().get(path).headers["Strict-Transport-Security"] == "max-age=31536000"
        assert "Strict-Transport-Security" not in client.get(path).headers


def test_asking_what_is_allowed_is_free(context: Context) -> None:
    strict = create_app(limited(context)).test_client()
    asked = strict.options("/v1/matches", headers={"Origin": "https://club.example"})
    assert (asked.status_code, "RateLimit-Limit" in asked.headers) == (204, False)
    problem(strict.options("/v1/nothing"), 404, "not_found")
