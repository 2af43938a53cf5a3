"""A maintenance, over HTTP: reads go on, whatever would write is refused and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask.testing import FlaskClient

from service.context import Context
from service.store import maintenance as rows
from service.store.batched import REMEMBERED_SECONDS
from service.store.maintenance import Maintenance
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem
from tests.service.fakes import Timer

SENTENCE = "We move to another house; back at noon."


def begin(context: Context, minutes: float | None = None) -> None:
    """Begins a maintenance, and lets the time pass after which every process knows it."""
    now = context.clock()
    expected_end = None if minutes is None else now + timedelta(minutes=minutes)
    with context.database.write() as connection:
        rows.begin(connection, Maintenance(now, expected_end, SENTENCE))
    pass_time(context)


def end(context: Context) -> None:
    with context.database.write() as connection:
        assert rows.end(connection)
    pass_time(context)


def pass_time(context: Context, seconds: float = REMEMBERED_SECONDS) -> None:
    assert isinstance(context.timer, Timer)
    context.timer.advance(seconds)


@pytest.fixture
def turn(ada: Person, match: str) -> dict[str, object]:
    """A legal turn of Ada's."""
    legal = ada.get(f"/v1/matches/{match}/legal-actions").get_json()
    return {"ply": legal["ply"], "actions": [legal["items"][0]["action"]]}


def writes(ada: Person, match: str, turn: dict[str, object]) -> Iterator[tuple[str, str, object]]:
    yield "POST", f"/v1/matches/{match}/turns", turn
    for word in ("join", "leave", "start", "resign"):
        yield "POST", f"/v1/matches/{match}/{word}", None
    yield "POST", "/v1/matches", {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}
    yield "POST", "/v1/players", {"name": "Cleo", "email": "cleo@example.org"}
    yield "POST", "/v1/confirm", {"token": "a" * 32}
    yield "POST", "/v1/tokens", {}
    yield "DELETE", f"/v1/tokens/{ada.get('/v1/tokens').get_json()['items'][0]['id']}", None


def test_in_a_maintenance_every_write_is_refused_with_the_operators_sentence(
    context: Context, ada: Person, match: str, turn: dict[str, object]
) -> None:
    asked = list(writes(ada, match, turn))
    begin(context)
    for method, path, body in asked:
        answer = ada.post(path, body) if method == "POST" else ada.delete(path)
        found = problem(answer, 503, "maintenance")
        assert (found["detail"], found["retry_after"], answer.headers["Retry-After"]) == (SENTENCE, 60, "60")
    end(context)
    assert ada.post(f"/v1/matches/{match}/turns", turn, headers={"Prefer": "wait=1"}).status_code == 200


def test_in_a_maintenance_everything_can_be_read(
    context: Context, ada: Person, match: str, turn: dict[str, object]
) -> None:
    begin(context)
    for path in ("observation", "log", "record", "board.txt", "legal-actions", "turns"):
        assert ada.get(f"/v1/matches/{match}/{path}").status_code == 200
    assert ada.get("/v1/me").status_code == 200
    assert ada.post(f"/v1/matches/{match}/legal-actions", {"actions": []}).status_code == 200
    assert ada.post(f"/v1/matches/{match}/turns", turn | {"dry_run": True}).status_code == 200
    problem(ada.post(f"/v1/matches/{match}/turns", turn | {"dry_run": False}), 503, "maintenance")
    for body in (b"[" * 30_000, b'{"dry_run"', b"\xff"):
        answer = ada.client.post(f"/v1/matches/{match}/turns", data=body, content_type="application/json")
        problem(answer, 503, "maintenance")


def test_the_service_stays_ready_and_says_that_it_is_in_maintenance(context: Context, client: FlaskClient) -> None:
    begin(context)
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.get_json()["maintenance"] == SENTENCE


@pytest.mark.parametrize(("minutes", "seconds"), [(5, 300), (0.01, 10), (-30, 10), (600, 3600)])
def test_the_time_to_come_back_is_the_expected_end(
    context: Context, client: FlaskClient, minutes: float, seconds: int
) -> None:
    begin(context, minutes)
    found = problem(client.post("/v1/players", json={}), 503, "maintenance")
    assert seconds - 2 <= found["retry_after"] <= seconds


def test_a_process_knows_of_a_maintenance_after_a_second_at_most(context: Context, client: FlaskClient) -> None:
    assert client.post("/v1/players", json={}).status_code == 422
    with context.database.write() as connection:
        rows.begin(connection, Maintenance(context.clock(), None, SENTENCE))
    pass_time(context, 0.9)
    assert client.post("/v1/players", json={}).status_code == 422
    pass_time(context, 0.1)
    assert client.post("/v1/players", json={}).status_code == 503


def test_the_page_that_confirms_shows_the_sentence_and_when_to_come_again(
    context: Context, client: FlaskClient
) -> None:
    begin(context)
    cookie = client.get("/confirm")
    nonce = cookie.text.split('name="nonce" value="')[1].split('"')[0]
    page = client.post("/confirm", data={"token": "", "nonce": nonce})
    assert page.status_code == 503
    assert SENTENCE in page.text
    assert page.headers["Retry-After"] == "60"
