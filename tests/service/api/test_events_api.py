"""Events over HTTP: asked for, awaited, and refused."""

from __future__ import annotations

import json
import threading
from contextlib import ExitStack
from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.context import Context
from tests.service.api.conftest import Person, SignUp
from tests.service.api.test_edges import problem
from tests.service.serving.server import read_all, serving
from tools.memory_queue import MemoryQueue
from tools.waiting import LIMIT_SECONDS, until

TURN = {"notation": "1"}


def begun(asker: Person, path: str = "/v1/events") -> str:
    answer = asker.get(path)
    assert answer.get_json()["items"] == [], answer.text
    cursor: str = answer.get_json()["cursor"]
    return cursor


def play(asker: Person, match: str) -> None:
    ply = asker.get(f"/v1/matches/{match}").get_json()["ply"]
    answer = asker.post(f"/v1/matches/{match}/turns", {"ply": ply, **TURN}, headers={"Prefer": "wait=10"})
    assert answer.status_code == 200, answer.text


def test_a_request_that_waits_is_answered_by_what_happens(ada: Person, bela: Person, match: str) -> None:
    cursor, answers = begun(bela), list[TestResponse]()
    waits = threading.Thread(target=lambda: answers.append(bela.get(f"/v1/events?after={cursor}&wait=30")))
    waits.start()
    play(ada, match)
    waits.join(300)
    (answer,) = answers
    shown = answer.get_json()
    assert [each["kind"] for each in shown["items"]] == ["turn_played", "turn_awaited"]
    assert {each["match"] for each in shown["items"]} == {match}
    assert shown["cursor"] != cursor
    assert bela.get(f"/v1/events?after={shown['cursor']}").get_json()["items"] == []


def test_a_stop_answers_whoever_waits_with_what_there_is(
    context: Context, ada: Person, bela: Person, match: str
) -> None:
    assert isinstance(context.queue, MemoryQueue)
    context.queue.judge = None  # the judge has stopped already
    ply, cursor = ada.get(f"/v1/matches/{match}").get_json()["ply"], begun(bela)
    turn = json.dumps({"ply": ply, **TURN}).encode()
    host = "Host: localhost\r\nAuthorization: Bearer {}\r\n"
    head = f"{host}Content-Length: {len(turn)}\r\nContent-Type: application/json\r\nPrefer: wait=30\r\n\r\n"
    asked = [
        f"POST /v1/matches/{match}/turns HTTP/1.1\r\n{head.format(ada.token)}".encode() + turn,
        f"GET /v1/events?after={cursor}&wait=30 HTTP/1.1\r\n{host.format(bela.token)}\r\n".encode(),
    ]
    with serving(ada.client.application, graceful_timeout=int(LIMIT_SECONDS)) as server, ExitStack() as clients:
        connected = [clients.enter_context(server.connect()) for _ in asked]
        for client, request in zip(connected, asked, strict=True):
            client.sendall(request)
        until(lambda: len(server.worker.asgi._tasks.waiting) == 2, "both wait")
        server.stop()
        queued, nothing = (read_all(client).partition(b"\r\n\r\n") for client in connected)
    assert queued[0].startswith(b"HTTP/1.1 202 ")
    assert json.loads(queued[2])["status"] == "queued"
    assert nothing[0].startswith(b"HTTP/1.1 200 ")
    assert json.loads(nothing[2])["items"] == []


def test_who_waits_is_told_nothing_once_the_token_is_revoked(
    context: Context, ada: Person, bela: Person, match: str
) -> None:
    issued = bela.post("/v1/tokens", {"label": "lost", "scopes": ["read"]}).get_json()
    thief, cursor, answers = Person(bela.client, "", "", issued["token"]), begun(bela), list[TestResponse]()
    waits = threading.Thread(target=lambda: answers.append(thief.get(f"/v1/events?after={cursor}&wait=30")))
    waits.start()
    until(lambda: context.following._waiting, "it waits")
    assert bela.delete(f"/v1/tokens/{issued['id']}").status_code == 204
    play(ada, match)
    waits.join(300)
    problem(answers[0], 401, "unknown_token")


def test_whoever_may_see_a_match_may_follow_it(client: FlaskClient, ada: Person, bela: Person, match: str) -> None:
    path = f"/v1/matches/{match}/events"
    mine, spectators = begun(ada, path), client.get(path).get_json()["cursor"]
    play(ada, match)
    assert [each["kind"] for each in ada.get(f"{path}?after={mine}").get_json()["items"]] == ["turn_played", "verdict"]
    told = client.get(f"{path}?after={spectators}").get_json()["items"]
    assert [(each["kind"], each["seat"]) for each in told] == [("turn_played", 0)]
    assert client.get("/v1/matches/nothing/events").status_code == 404


def test_events_are_read_with_a_token_alone(client: FlaskClient) -> None:
    assert client.get("/v1/events").status_code == 401


def test_a_cursor_of_somebody_else_is_refused(ada: Person, bela: Person, match: str) -> None:
    for path in ("/v1/events", f"/v1/matches/{match}/events"):
        refused = bela.get(f"{path}?after={begun(ada)}")
        problem: Any = refused.get_json()
        assert (refused.status_code, problem["code"]) == (422, "unknown_cursor")
        assert problem["errors"][0]["parameter"] == "after"
        assert "Ask without `after`" in problem["detail"]


def test_bounds_are_named(ada: Person, sign_up: SignUp) -> None:
    for query in ("wait=31", "wait=soon", "limit=0", "limit=201", "since=1"):
        assert ada.get(f"/v1/events?{query}").status_code == 422, query
    for number in ("-1", "9" * 12):
        said = ada.get(f"/v1/events?limit={number}").get_json()["errors"]
        assert said == [{"parameter": "limit", "detail": f"{number} is not a number from 1 to 200."}]


def test_what_no_event_tells_is_what_the_guide_says(ada: Person, bela: Person, sign_up: SignUp) -> None:
    carl, cursor = sign_up("Carl"), begun(ada)

    def told() -> list[tuple[str, int | None]]:
        nonlocal cursor
        shown = ada.get(f"/v1/events?after={cursor}").get_json()
        cursor = shown["cursor"]
        return [(each["kind"], each["seat"]) for each in shown["items"]]

    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    path = f"/v1/matches/{ada.post('/v1/matches', {'game': 'oregon', 'seats': seats}).get_json()['id']}"
    bela.post(f"{path}/join")
    assert told() == []
    bela.post(f"{path}/leave")
    assert told() == [("seat_freed", 1)]
    bela.post(f"{path}/join")
    carl.post(f"{path}/join")
    assert [kind for kind, _ in told() if kind != "turn_awaited"] == ["match_started"]
    offer = ada.post(f"{path}/offers", {"kind": "pause"}).get_json()["items"][0]["id"]
    assert bela.post(f"{path}/offers/{offer}/answer", {"answer": "accept"}).status_code == 200
    assert told() == [("offer_made", 0)]
    assert carl.post(f"{path}/offers/{offer}/answer", {"answer": "accept"}).status_code == 200
    assert told() == [("offer_settled", 0)]
