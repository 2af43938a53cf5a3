"""The stream of events of the pages: server-sent events for this service's own pages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, cast

import pytest
from flask.testing import FlaskClient

from service import following
from service.context import Context
from service.matches import chat
from service.players import suspending
from service.store.audit import Operator
from service.views import feed
from tests.service.fakes import Round, Timer, started
from tests.service.web.conftest import SignedIn


@pytest.fixture
def context(context: Context, monkeypatch: pytest.MonkeyPatch) -> Context:
    """The service, in which a stream ends after some looks."""
    monkeypatch.setattr(feed, "SILENCE", 0.01)
    return replace(context, timer=Timer(step=8.0))


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "oregon")


def events_of(stream: str) -> list[dict[str, Any]]:
    """The data of the events in a stream, as a browser reads them."""
    blocks = [dict(line.split(": ", 1) for line in block.splitlines()) for block in stream.split("\n\n") if block]
    return [json.loads(block["data"]) | {"id": block["id"]} for block in blocks if "data" in block]


def test_a_browser_that_comes_back_is_told_what_it_has_missed(
    context: Context, table: Round, signed_in: SignedIn
) -> None:
    browser = signed_in(table.players[0])
    first = browser.get("/events/stream")
    assert first.content_type == "text/event-stream"
    assert first.headers["Cache-Control"] == "no-store, no-transform"
    ids = [line.removeprefix("id: ") for line in first.text.splitlines() if line.startswith("id: ")]
    for text in ("One.", "Two."):
        chat.say(context, table.players[1], table.match.id, text)
    told = events_of(browser.client.get("/events/stream", headers={"Last-Event-ID": ids[0]}).text)
    assert [(each["kind"], each["line"]) for each in told] == [("chat", 1), ("chat", 2)]
    last = {"Last-Event-ID": told[0]["id"]}
    again = events_of(browser.client.get(f"/events/stream?after={ids[0]}", headers=last).text)
    assert [each["line"] for each in again] == [2], "the event that it had last counts"


def test_anybody_may_follow_a_match_as_a_spectator(context: Context, table: Round, client: FlaskClient) -> None:
    first = client.get(f"/events/stream?match={table.match.id}").text
    cursor = next(line.removeprefix("id: ") for line in first.splitlines() if line.startswith("id: "))
    chat.say(context, table.players[1], table.match.id, "Between us.")
    assert events_of(client.get(f"/events/stream?match={table.match.id}&after={cursor}").text) == []
    assert client.get("/events/stream?match=nothing").status_code == 404


def test_only_a_page_of_this_service_may_follow_a_player(table: Round, signed_in: SignedIn) -> None:
    assert signed_in(None).get("/events/stream").status_code == 403
    signed_in(table.players[0])
    for site in ("cross-site", "same-site", "none"):
        browser = signed_in(table.players[0])
        assert browser.client.get("/events/stream", headers={"Sec-Fetch-Site": site}).status_code == 403, site


def test_a_stream_is_counted_until_it_ends_also_if_nobody_reads_it(
    context: Context, table: Round, signed_in: SignedIn
) -> None:
    browser = signed_in(table.players[0])
    for _ in range(following.MOST_OF_ONE + 1):
        stream = browser.client.get("/events/stream", buffered=False)
        assert stream.status_code == 200
        stream.close()
    streams = [browser.client.get("/events/stream", buffered=False) for _ in range(following.MOST_OF_ONE)]
    assert browser.get("/events/stream").status_code == 429
    for stream in streams:
        stream.close()


@pytest.mark.parametrize("how", ["signs out", "is suspended"])
def test_a_stream_ends_when_its_player_signs_out_or_is_suspended(
    context: Context, table: Round, signed_in: SignedIn, how: str
) -> None:
    browser = signed_in(table.players[0])
    stream = browser.client.get("/events/stream", buffered=False)
    parts = iter(cast("Iterable[bytes]", stream.response))
    assert next(parts).startswith(b"retry: ")
    assert next(parts).startswith(b"id: ")
    if how == "signs out":
        assert browser.press(browser.get("/"), "/sign-out").status_code == 303
    else:
        suspending.suspend(context, table.players[0], Operator("root", "Rude words."))
    chat.say(context, table.players[1], table.match.id, "One.")
    assert list(parts) == []


def test_a_cursor_that_leads_nowhere_is_refused_before_the_stream_begins(table: Round, signed_in: SignedIn) -> None:
    assert signed_in(table.players[0]).get("/events/stream?after=nothing").status_code == 422
