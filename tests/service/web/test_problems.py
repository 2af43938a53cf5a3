"""What a browser is told when something goes wrong, through the whole application."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from html import unescape
from typing import Final

import pytest
from flask import abort
from flask.testing import FlaskClient
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from service.app import create_app
from service.context import Context
from service.store import maintenance
from service.store.maintenance import Maintenance
from tests.service.fakes import person
from tests.service.web.conftest import SignedIn

BROWSER: Final = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def told(page: TestResponse, status: int, heading: str) -> str:
    """What a page of a problem says, which leads home and shows nothing to programs alone."""
    assert (page.status_code, page.mimetype) == (status, "text/html")
    assert f"<h1>{heading}</h1>" in page.text
    assert '<a class="button quiet" href="/">To the start page</a>' in page.text
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert page.headers["Cache-Control"] == "no-store"
    main = unescape(page.text.partition("<main")[2].partition("</main>")[0])
    assert not re.search("/v1/|Idempotency|GET |JSON|[Tt]oken", main)
    return main


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def fails(*given: object, **named: object) -> None:
        raise error

    monkeypatch.setattr("service.matches.lobby.open_matches", fails)


def test_an_address_where_there_is_nothing(client: FlaskClient) -> None:
    assert "No page of this service" in told(client.get("/nowhere", headers=BROWSER), 404, "There is nothing here")
    assert "no match nowhere" in told(client.get("/matches/nowhere", headers=BROWSER), 404, "There is nothing here")


def test_what_is_not_for_the_visitor(context: Context, signed_in: SignedIn) -> None:
    page = signed_in(None).client.get("/events/stream", headers=BROWSER)
    told(page, 403, "That is not for you")


def test_the_address_of_a_button_that_is_opened(client: FlaskClient) -> None:
    page = client.get("/sign-out", headers=BROWSER)
    assert "press its button" in told(page, 405, "That does not work here")
    assert "POST" in page.headers["Allow"]


def test_what_has_been_removed(context: Context) -> None:
    app = create_app(context)
    app.add_url_rule("/gone", "gone", lambda: abort(410))
    page = app.test_client().get("/gone", headers=BROWSER)
    assert "removed for good" in told(page, 410, "That is gone")


def test_too_many_requests_say_when_to_try_again(context: Context) -> None:
    settings = replace(context.settings, rate_limit=True)
    client = create_app(replace(context, settings=settings)).test_client()
    for _ in range(30):
        client.get("/sign-in")
    page = client.get("/sign-in?x=1", headers=BROWSER)
    assert re.search(r"Ask again in \d+ seconds", told(page, 429, "That was too much at once"))
    assert '<a class="button" href="/sign-in?x=1">Try again</a>' in page.text
    assert "Retry-After" in page.headers


@pytest.mark.parametrize(
    ("error", "status", "heading"),
    [
        (RuntimeError("a fault"), 500, "Something went wrong"),
        (OperationalError("SELECT secrets", {}, OSError()), 503, "The service cannot answer just now"),
    ],
)
def test_a_fault_needs_no_database_to_be_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, error: Exception, status: int, heading: str
) -> None:
    failing(monkeypatch, error)
    monkeypatch.setattr("service.web.blueprints.visitor", _broken(error))
    page = client.get("/", headers=BROWSER)
    assert "secrets" not in told(page, status, heading)
    assert '<a class="button" href="/">Try again</a>' in page.text
    assert ("find it by" in page.text) == (status == 500)


def test_a_maintenance_lets_everybody_look(context: Context, signed_in: SignedIn) -> None:
    ada = signed_in(person(context, "Ada"))
    page = ada.get("/")
    now = context.clock()
    with context.database.write() as connection:
        maintenance.begin(connection, Maintenance(now, now + timedelta(minutes=5), "The disk is exchanged."))
    assert ada.get("/matches").status_code == 200
    refused = ada.press(page, "/sign-out")
    assert "The disk is exchanged." in told(refused, 503, "Maintenance")
    assert "Try again" not in refused.text, "a form is sent again from its own page"
    assert int(refused.headers["Retry-After"]) > 200


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/problem+json"])
def test_a_program_is_told_a_problem(client: FlaskClient, accept: str) -> None:
    assert client.get("/nowhere", headers={"Accept": accept}).mimetype == "application/problem+json"
    assert client.get("/v1/nowhere", headers=BROWSER).mimetype == "application/problem+json"


def _broken(error: Exception) -> Callable[[], None]:
    def fails() -> None:
        raise error

    return fails
