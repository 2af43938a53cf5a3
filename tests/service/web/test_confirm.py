"""The page that confirms an address: by its button only, in the browser that was shown it, and
never for another site.
"""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask.testing import FlaskClient
from sqlalchemy import func, select
from werkzeug.test import TestResponse

from service.app import create_app
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import accounts
from service.store.tables import tokens
from tests.service.fakes import person, sent_token
from tools.memory_queue import MemoryQueue

EMAIL = "eve@example.org"


@pytest.fixture
def token(context: Context) -> str:
    """A token that was sent to Eve."""
    accounts.sign_up(replace(context, queue=MemoryQueue()), "<b>Eve</b>", EMAIL)
    return sent_token(context, EMAIL)


def nonce(page: TestResponse) -> str:
    found = re.search(r'name="nonce" value="([a-z2-7]+)"', page.text)
    assert found is not None, page.text
    return found[1]


def press(client: FlaskClient, token: str, **headers: str) -> TestResponse:
    """Opens the page and presses its button."""
    shown = nonce(client.get("/confirm", query_string={"token": token}))
    return client.post("/confirm", data={"token": token, "nonce": shown}, headers=_named(headers))


def _named(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def is_unused(context: Context, token: str) -> bool:
    return accounts.to_confirm(context, token)[0].confirmed_at is None


def test_a_browser_confirms_by_the_button_and_not_by_opening_the_link(
    client: FlaskClient, context: Context, token: str
) -> None:
    for _ in range(2):
        page = client.get(f"/confirm?token={token}")
        assert (page.status_code, page.headers["Cache-Control"]) == (200, "no-store, no-transform")
        assert token in page.text
        assert is_unused(context, token)
    confirmed = press(client, token)
    assert (confirmed.status_code, confirmed.headers["Cache-Control"]) == (303, "no-store, no-transform")
    assert confirmed.headers["Location"] == "/matches"
    assert client.get("/matches").status_code == 200
    with context.database.read() as connection:
        assert connection.scalar(select(func.count()).select_from(tokens)) == 0, "API tokens are made in the settings"
    again = client.post("/confirm", data={"token": token, "nonce": nonce(client.get("/confirm"))})
    assert again.status_code == 409


def test_whoever_is_invited_to_a_match_is_led_to_it(client: FlaskClient, context: Context, token: str) -> None:
    seats = [SeatRequest("me"), SeatRequest("invite", EMAIL)]
    match = lobby.create(context, person(context, "Ada"), "oregon", {}, seats)
    assert press(client, token).headers["Location"] == f"/matches/{match.id}"


def test_the_page_says_whose_link_it_is(client: FlaskClient, token: str) -> None:
    page = client.get(f"/confirm?token={token}").text
    assert EMAIL in page
    assert "&lt;b&gt;Eve&lt;/b&gt;" in page
    assert "If this is not your address" in page


def test_a_link_that_cannot_be_used_says_so_and_asks_for_the_token(client: FlaskClient, token: str) -> None:
    unknown = client.get("/confirm?token=unknown")
    assert unknown.status_code == 404
    assert "This token is not known" in unknown.text
    assert "The token from the mail" in unknown.text
    press(client, token)
    used = client.get(f"/confirm?token={token}")
    assert used.status_code == 409
    assert EMAIL not in used.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
        {"Sec_Fetch_Site": "none"},
        {"Sec_Fetch_Site": "cross-site", "Origin": "null"},
    ],
)
def test_what_another_site_sends_confirms_nothing(
    client: FlaskClient, context: Context, token: str, headers: dict[str, str]
) -> None:
    answer = press(client, token, **headers)
    assert answer.status_code == 403
    assert client.get_cookie("overland-browser") is None
    assert is_unused(context, token)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "null"},
        {"Origin": "http://localhost", "Sec_Fetch_Site": "same-origin"},
        {"Origin": "http://127.0.0.1:8000"},
    ],
)
def test_what_our_page_sends_confirms(client: FlaskClient, token: str, headers: dict[str, str]) -> None:
    assert press(client, token, **headers).status_code == 303


def test_the_button_works_only_in_the_browser_that_was_shown_it(
    client: FlaskClient, context: Context, token: str
) -> None:
    attacker, victim = client, create_app(context).test_client()
    stolen = nonce(attacker.get("/confirm"))
    for data in ({"token": token}, {"token": token, "nonce": ""}, {"token": token, "nonce": stolen}):
        assert victim.post("/confirm", data=data).status_code == 403
    assert is_unused(context, token)
    assert press(victim, token).status_code == 303


def test_buttons_in_two_tabs_both_work_and_no_page_has_the_text_of_another(client: FlaskClient, token: str) -> None:
    first, second = (nonce(client.get(f"/confirm?token={token}")) for _ in range(2))
    assert first != second
    cookie = client.get_cookie("overland-form")
    assert cookie is not None
    assert cookie.value not in (first, second)
    for shown in (first, second):
        assert client.post("/confirm", data={"token": "unknown", "nonce": shown}).status_code == 404


@pytest.mark.parametrize("shown", ["a", "é", "1" * 64, "a" * 103, "a" * 9000])
def test_a_nonce_that_no_page_has_shown_is_refused(client: FlaskClient, token: str, shown: str) -> None:
    client.get("/confirm")
    assert client.post("/confirm", data={"token": token, "nonce": shown}).status_code == 403


def test_a_value_that_is_not_ours_is_replaced(client: FlaskClient) -> None:
    client.set_cookie("overland-form", "chosen by somebody else")
    client.get("/confirm")
    cookie = client.get_cookie("overland-form")
    assert cookie is not None
    assert cookie.value != "chosen by somebody else"


def test_the_cookie_is_for_this_site_alone_and_with_tls_for_this_host_alone(context: Context) -> None:
    def cookie(base_url: str) -> str:
        settings = replace(context.settings, base_url=base_url, mode="production")
        return create_app(replace(context, settings=settings)).test_client().get("/confirm").headers["Set-Cookie"]

    assert re.fullmatch(
        r"overland-form=[a-z2-7]{32}; Expires=[^;]*; Max-Age=86400; HttpOnly; Path=/; SameSite=Lax",
        cookie("http://127.0.0.1:8000"),
    )
    assert re.fullmatch(
        r"__Host-overland-form=[a-z2-7]{32}; Expires=[^;]*; Max-Age=86400; Secure; HttpOnly; Path=/; SameSite=Lax",
        cookie("https://overland.example"),
    )


def test_the_page_repeats_nothing_unescaped(client: FlaskClient) -> None:
    page = client.get('/confirm?token="><script>alert(1)</script>')
    assert "<script>alert" not in page.text
