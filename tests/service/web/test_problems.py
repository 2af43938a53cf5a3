"""What a browser is told when something goes wrong, through the whole application."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from io import BytesIO
from typing import Final
from unittest.mock import Mock

import pytest
from flask import Flask, abort
from flask.testing import FlaskClient
from sqlalchemy.exc import OperationalError
from werkzeug.test import TestResponse

from service.api import limits
from service.api.limits import Budget
from service.app import create_app
from service.context import Context
from service.matches import chat
from service.rates import Limit
from service.store import maintenance
from service.store.batched import REMEMBERED_SECONDS
from service.store.maintenance import Maintenance
from tests.service.fakes import later, limited, person, started
from tests.service.web.conftest import browsers_of

BROWSER: Final = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


def told(page: TestResponse, status: int, heading: str) -> str:
    """What a page of a problem says, which leads home and shows nothing to programs alone."""
    assert (page.status_code, page.mimetype) == (status, "text/html")
    assert f"<h1>{heading}</h1>" in page.text
    assert '<a class="button quiet" href="/">To the start page</a>' in page.text
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    assert page.cache_control.no_store
    main = unescape(page.text.partition("<main")[2].partition("</main>")[0])
    assert not re.search("/v1/|Idempotency|GET |JSON|[Tt]oken", main)
    return main


# ---- every page of a problem, for this module and for a real browser


def not_for_the_visitor(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    return create_app(context).test_client().get("/events/stream", headers=BROWSER)


def unstorable(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    return create_app(context).test_client().get("/orders/a%00b", headers=BROWSER)


def nothing_there(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    return create_app(context).test_client().get("/nowhere", headers=BROWSER)


def no_match(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    return create_app(context).test_client().get("/matches/nowhere", headers=BROWSER)


def only_a_button(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    return create_app(context).test_client().get("/sign-out", headers=BROWSER)


def removed(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    app = create_app(context)
    app.add_url_rule("/gone", "gone", lambda: abort(410))
    return app.test_client().get("/gone", headers=BROWSER)


def too_many(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    client = create_app(limited(context)).test_client()
    for _time in range(30):
        client.get("/sign-in")
    return client.get("/sign-in?x=1", headers=BROWSER)


def fault(context: Context, monkeypatch: pytest.MonkeyPatch) -> TestResponse:
    return _failing(context, monkeypatch, RuntimeError("a fault"))


def no_database(context: Context, monkeypatch: pytest.MonkeyPatch) -> TestResponse:
    return _failing(context, monkeypatch, OperationalError("SELECT secrets", {}, OSError()))


def in_a_maintenance(context: Context, _: pytest.MonkeyPatch) -> TestResponse:
    ada = browsers_of(create_app(context), context)(person(context, "Ada"))
    page, now = ada.get("/"), context.clock()
    with context.database.write() as connection:
        maintenance.begin(connection, Maintenance(now, now + timedelta(minutes=5), "The disk is exchanged."))
    context.timer.advance(REMEMBERED_SECONDS)  # type: ignore[attr-defined]
    assert ada.get("/matches").status_code == 200
    return ada.press(page, "/sign-out")


Bring = Callable[[Context, pytest.MonkeyPatch], TestResponse]
PROBLEMS: Final[dict[str, Bring]] = {
    "400": unstorable,
    "403": not_for_the_visitor,
    "404": nothing_there,
    "404, a match": no_match,
    "405": only_a_button,
    "410": removed,
    "429": too_many,
    "500": fault,
    "503": no_database,
    "maintenance": in_a_maintenance,
}
TOLD: Final[dict[str, tuple[str, str]]] = {
    "400": ("The request cannot be read", "leave it out"),
    "403": ("That is not for you", "signed in"),
    "404": ("There is nothing here", "No page of this service"),
    "404, a match": ("There is nothing here", "no match nowhere"),
    "405": ("That does not work here", "press its button"),
    "410": ("That is gone", "removed for good"),
    "429": ("That was too much at once", "Ask again in "),
    "500": ("Something went wrong", "find it by"),
    "503": ("The service cannot answer just now", "Your matches are kept"),
    "maintenance": ("Maintenance", "The disk is exchanged."),
}
"""The heading of each, and what else it says."""


def _failing(context: Context, monkeypatch: pytest.MonkeyPatch, error: Exception) -> TestResponse:
    """The start page, where nothing can be asked of the database."""

    def fails(*given: object, **named: object) -> None:
        raise error

    monkeypatch.setattr("service.matches.lobby.open_matches", fails)
    monkeypatch.setattr("service.web.blueprints.visitor", fails)
    return create_app(context).test_client().get("/", headers=BROWSER)


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_browser_is_told_what_is_wrong_and_where_to_go_on(
    context: Context, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    heading, words = TOLD[name]
    page = PROBLEMS[name](context, monkeypatch)
    status = 503 if name == "maintenance" else int(name[:3])
    assert words in told(page, status, heading)
    assert "secrets" not in page.text
    again = re.search('<a class="button" href="([^"]*)">Try again</a>', page.text)
    assert (again is not None) == (status in (429, 500, 503) and page.request.method == "GET")
    assert again is None or unescape(again[1]) == page.request.full_path.rstrip("?")
    assert ("find it by" in page.text) == (status == 500)


def sent_again(page: TestResponse) -> dict[str, str]:
    """What the button of a problem's page sends to the address that the page is at."""
    form = re.search('<form method="post">(.*?<button[^>]*>Try again</button>)</form>', page.text, re.DOTALL)
    assert form is not None, page.text
    return {name: unescape(value) for name, value in re.findall('name="(.*?)" value="(.*?)"', form[1], re.DOTALL)}


@pytest.mark.parametrize("cause", ["a limit", "an outage"])
def test_what_was_typed_is_not_lost_and_is_sent_again_by_a_button(
    context: Context, monkeypatch: pytest.MonkeyPatch, cause: str, pearls: None
) -> None:
    """A browser that goes back has forgotten it, as these pages are not stored."""
    monkeypatch.setattr(limits, "BUDGETS", {**limits.BUDGETS, Budget.CHANGES: Limit("changes", 1, 60)})
    slow, table = limited(context), started(context, "pearls")
    ada, path = browsers_of(create_app(slow), slow)(table.players[0]), f"/matches/{table.match.id}"
    page = ada.get(path)
    with monkeypatch.context() as broken:
        if cause == "a limit":
            assert ada.press(page, f"{path}/notes", note="x").status_code == 303
        else:
            away = OperationalError("INSERT secrets", {}, OSError())
            broken.setattr("service.matches.chat.say", Mock(side_effect=away))
        refused = ada.press(page, f"{path}/chat", headers=BROWSER, text='"A"\r\n<b>')
        assert refused.status_code == (429 if cause == "a limit" else 503)
    later(slow, minutes=1)
    assert ada.client.post(f"{path}/chat", data=sent_again(refused)).status_code == 303
    assert ada.client.post(f"{path}/chat", data=sent_again(refused)).status_code in (303, 429)
    lines = chat.heard(context, table.players[0], table.match.id, 0, 10)
    assert [each.text for each in lines] == ['"A" <b>']


def test_a_file_that_was_sent_is_chosen_again(context: Context) -> None:
    client = create_app(limited(context)).test_client()
    answers = [client.post("/new", data={"set_file": (BytesIO(b"{}"), "set.json")}) for _ in range(121)]
    assert answers[-1].status_code == 429
    assert "Try again" not in answers[-1].text


def test_who_is_to_wait_or_to_use_another_method_is_told_so_in_a_header(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert int(in_a_maintenance(context, monkeypatch).headers["Retry-After"]) > 200
    assert "Retry-After" in too_many(context, monkeypatch).headers
    assert "POST" in only_a_button(context, monkeypatch).headers["Allow"]


def test_no_page_looks_for_what_no_database_can_hold(app: Flask, client: FlaskClient) -> None:
    rules = [rule for rule in app.url_map.iter_rules() if rule.endpoint.startswith("web.")]
    assert len(rules) > 60
    for rule in rules:
        path = re.sub("<[^>]+>", "abc", rule.rule)
        if "GET" in (rule.methods or ()):
            assert client.get(path, query_string={"match": "a", "after": "b\0c"}).status_code == 400, path
        if "POST" in (rule.methods or ()):
            assert client.post(path, data={"id": ["a", "b\0c"]}).status_code == 400, path


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/problem+json"])
def test_a_program_is_told_a_problem(client: FlaskClient, accept: str) -> None:
    assert client.get("/nowhere", headers={"Accept": accept}).mimetype == "application/problem+json"
    assert client.get("/v1/nowhere", headers=BROWSER).mimetype == "application/problem+json"
