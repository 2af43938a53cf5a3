"""What is sent twice: a request that creates does so once for its idempotency key, and every other
POST says here what a second one does.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from threading import Barrier
from typing import Any, Final

import pytest
from sqlalchemy import func, select, update
from werkzeug.test import TestResponse

from service.api.openapi import openapi_document
from service.context import Context
from service.loop import Loop
from service.store import tables
from service.upkeep import UPKEEP
from tests.service.api.conftest import Person, latest_secret, served_from
from tests.service.api.test_edges import problem
from tools.memory_queue import MemoryQueue

SEATS: Final = [{"kind": "me"}, {"kind": "open"}]


WEBHOOK: Final = "https://example.org/overland"


@dataclass(frozen=True)
class Creation:
    """An operation that creates: its address, a body, another that fits too, and what it adds to
    the table.
    """

    path: str
    body: Any
    other: Any
    table: str
    adds: int = 1


CREATING: Final[Mapping[str, Creation]] = {
    "createMatch": Creation(
        "/v1/matches", {"game": "oregon", "seats": SEATS}, {"game": "montana", "seats": SEATS}, "matches"
    ),
    "say": Creation("/v1/matches/{match}/chat", {"text": "Good luck!"}, {"text": "Good luck?"}, "chat_lines"),
    "makeOffer": Creation("/v1/matches/{match}/offers", {"kind": "draw"}, {"kind": "end"}, "questions"),
    "declareDaysOff": Creation("/v1/me/days-off", {"days": 2}, {"days": 3}, "days_off"),
    "makeBot": Creation("/v1/me/bots", {"name": "Greedy"}, {"name": "Small"}, "tokens"),
    "issueBotToken": Creation("/v1/me/bots/{bot}/tokens", {"label": "here"}, {"label": "there"}, "tokens"),
    "issueToken": Creation("/v1/tokens", {"scopes": ["read"]}, {"scopes": ["play"]}, "tokens"),
    "renewCalendar": Creation("/v1/me/calendar", None, {}, "calendars"),
    "enterWebhook": Creation("/v1/me/webhooks", {"url": WEBHOOK}, {"url": WEBHOOK + "/2"}, "webhooks"),
    "enterWebhookOfMatch": Creation(
        "/v1/matches/{match}/webhooks", {"url": WEBHOOK}, {"url": WEBHOOK + "/2"}, "webhooks"
    ),
    "renewWebhookSecret": Creation("/v1/me/webhooks/{webhook}/secret", None, {}, "webhooks", adds=0),
    "report": Creation(
        "/v1/reports", {"kind": "name", "player": "{player}"}, {"kind": "name", "player": "nobody"}, "reports"
    ),
    "submitTurn": Creation(
        "/v1/matches/{match}/turns", {"ply": 0, "notation": "1"}, {"ply": 0, "notation": "2"}, "turns"
    ),
}


@pytest.fixture
def context(tmp_path: Path, database_url: str, laid: Callable[[frozenset[str]], Path]) -> Iterator[Context]:
    """Like that of all tests of the API, on both databases."""
    if database_url.startswith("sqlite"):
        shutil.copytree(laid(frozenset({"ada", "bela", "match"})), tmp_path, dirs_exist_ok=True)
    wired = served_from(tmp_path, database_url)
    yield wired
    wired.close()


def count(context: Context, name: str) -> int:
    with context.database.read() as connection:
        return connection.execute(select(func.count()).select_from(tables.metadata.tables[name])).scalar_one()


def path_of(creation: Creation, who: Person, match: str) -> str:
    """The address, with a bot or a webhook of the player where it names one."""
    path = creation.path.replace("{match}", match)
    if "{bot}" in path:
        path = path.replace("{bot}", who.post("/v1/me/bots", {"name": "Of mine"}).get_json()["player"]["id"])
    if "{webhook}" in path:
        path = path.replace("{webhook}", who.post("/v1/me/webhooks", {"url": WEBHOOK}).get_json()["id"])
    return path


def body_of(creation: Creation, ada: Person, match: str) -> Any:
    """The body, with the present ply in that of a turn, and the other player where it names one."""
    if "player" in (creation.body or {}):
        first, second = ada.get(f"/v1/matches/{match}").get_json()["seats"]
        return creation.body | {"player": (second if first["to_act"] else first)["player_id"]}
    if "ply" not in (creation.body or {}):
        return creation.body
    return creation.body | {"ply": ada.get(f"/v1/matches/{match}").get_json()["ply"]}


def awaited(ada: Person, bela: Person, match: str) -> Person:
    return ada if ada.get(f"/v1/matches/{match}").get_json()["seats"][0]["to_act"] else bela


QUICK: Final = ("createMatch", "say", "submitTurn")
"""Of those that the same code does once for their key; only turns have a way of their own."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in QUICK else pytest.mark.deep) for name in CREATING]
)
def test_eight_requests_with_one_key_at_once_create_one_thing_and_are_answered_alike(
    context: Context, ada: Person, bela: Person, match: str, name: str
) -> None:
    creation, who = CREATING[name], awaited(ada, bela, match)
    path, body = path_of(creation, who, match), body_of(creation, ada, match)
    before, barrier = count(context, creation.table), Barrier(8)

    def send(_: int) -> tuple[int, Any, str | None]:
        client = who.client.application.test_client()
        barrier.wait()
        answer = replace(who, client=client).post(path, body, headers={"Idempotency-Key": "one"})
        return answer.status_code, told(answer), answer.headers.get("Location")

    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(send, range(8)))
    assert answers[0][0] in (201, 202)
    assert answers == [answers[0]] * 8
    assert count(context, creation.table) == before + creation.adds


def told(answer: TestResponse) -> Any:
    """What is answered; of a turn, which may have been judged meanwhile, only which it is."""
    document = answer.get_json()
    return document["id"] if answer.status_code == 202 else document


@pytest.mark.parametrize("name", CREATING)
def test_a_key_is_for_one_request(ada: Person, bela: Person, match: str, name: str) -> None:
    creation, who = CREATING[name], awaited(ada, bela, match)
    path, key = path_of(creation, who, match), {"Idempotency-Key": "one"}
    body = body_of(creation, ada, match)
    assert who.post(path, body, headers=key).status_code in (201, 202)
    if name != "renewCalendar":  # which has no body
        other = creation.other | ({} if "ply" not in creation.other else {"ply": body["ply"]})
        found = problem(who.post(path, other, headers=key), 409, "idempotency_key_reused")
        assert "Use a new one" in found["detail"] or "use a new one" in found["detail"]
    if name != "submitTurn":  # whose keys are apart
        elsewhere = "/v1/tokens" if name != "issueToken" else "/v1/me/calendar"
        problem(who.post(elsewhere, {} if "tokens" in elsewhere else None, headers=key), 409, "idempotency_key_reused")
    assert who.post(path, body, headers=key).status_code in (201, 202)


def test_the_members_of_a_body_may_come_in_another_order(ada: Person) -> None:
    bodies = ('{"label": "a", "scopes": ["read"]}', '{"scopes": ["read"],\n "label": "a"}')
    first, second = (
        ada.post("/v1/tokens", headers={"Idempotency-Key": "k"}, data=body, content_type="application/json")
        for body in bodies
    )
    assert first.get_json() == second.get_json()


def test_a_key_is_one_of_its_player(ada: Person, bela: Person, match: str) -> None:
    path, key = f"/v1/matches/{match}/chat", {"Idempotency-Key": "1"}
    said = [who.post(path, {"text": "Hello"}, headers=key).get_json()["number"] for who in (ada, bela, ada)]
    assert said == [1, 2, 1]


def test_a_refused_request_leaves_no_key(ada: Person, match: str) -> None:
    path, key = f"/v1/matches/{match}/offers", {"Idempotency-Key": "1"}
    assert ada.post(path, {"kind": "draw"}).status_code == 201
    problem(ada.post(path, {"kind": "draw"}, headers=key), 409, "offer_open")
    offer = ada.get(path).get_json()["items"][0]["id"]
    assert ada.post(f"{path}/{offer}/answer", {"answer": "withdraw"}).status_code == 200
    assert ada.post(path, {"kind": "draw"}, headers=key).status_code == 201


def test_what_fails_before_the_commit_leaves_nothing_and_wakes_nobody(
    context: Context, ada: Person, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*arguments: object) -> None:
        raise RuntimeError("the process ends here")

    path, key = f"/v1/matches/{match}/chat", {"Idempotency-Key": "1"}
    queue = context.queue
    assert isinstance(queue, MemoryQueue)
    before = queue.notices
    with monkeypatch.context() as broken:
        broken.setattr("service.api.idempotency.rows.keep", fails)
        problem(ada.post(path, {"text": "Hello"}, headers=key), 500, "internal_error")
    assert (count(context, "chat_lines"), queue.notices) == (0, before)
    assert ada.post(path, {"text": "Hello"}, headers=key).get_json()["number"] == 1
    assert queue.notices == before + 1
    assert ada.post(path, {"text": "Hello"}, headers=key).get_json()["number"] == 1
    assert queue.notices == before + 1


def test_a_secret_is_stored_enciphered_and_repeated_to_the_token_that_asked(context: Context, ada: Person) -> None:
    body, key = {"scopes": ["account", "read"], "label": "first"}, {"Idempotency-Key": "1"}
    first = ada.post("/v1/tokens", body, headers=key).get_json()["token"]
    assert ada.post("/v1/tokens", body, headers=key).get_json()["token"] == first
    with context.database.read() as connection:
        stored = connection.execute(select(tables.keyed_requests)).one()
    assert first.encode() not in stored.body
    assert first[4:].encode() not in stored.body
    found = problem(replace(ada, token=first).post("/v1/tokens", body, headers=key), 409, "idempotency_key_reused")
    assert "another token" in found["detail"]


@pytest.mark.parametrize("key", ["", "a b", "ä", "x" * 129])
def test_a_key_that_cannot_be_read_is_refused_by_name(ada: Person, key: str) -> None:
    found = problem(ada.post("/v1/tokens", {}, headers={"Idempotency-Key": key}), 422, "invalid")
    assert found["errors"][0]["header"] == "Idempotency-Key"


def test_a_key_is_known_for_thirty_days(context: Context, ada: Person) -> None:
    key = {"Idempotency-Key": "1"}
    first = ada.post("/v1/tokens", {}, headers=key).get_json()["id"]
    later = replace(context, clock=lambda: context.clock() + timedelta(days=29))
    assert UPKEEP[Loop.KEYED_REQUESTS](later) == 0
    assert ada.post("/v1/tokens", {}, headers=key).get_json()["id"] == first
    assert UPKEEP[Loop.KEYED_REQUESTS](replace(context, clock=lambda: context.clock() + timedelta(days=31))) == 1
    assert ada.post("/v1/tokens", {}, headers=key).get_json()["id"] != first


Twice = Callable[[Context, Person, Person, str], None]
TWICE: Final[dict[str, Twice]] = {}
"""What holds where any other POST is sent twice, by operation."""


def twice(name: str) -> Callable[[Twice], Twice]:
    def note(check: Twice) -> Twice:
        TWICE[name] = check
        return check

    return note


def open_match(ada: Person, body: Mapping[str, Any] | None = None) -> str:
    created = ada.post("/v1/matches", {"game": "oregon", "seats": SEATS} | dict(body or {}))
    return str(created.get_json()["id"])


def same(first: TestResponse, second: TestResponse, status: int = 200) -> None:
    """Both are answered with the same."""
    assert (first.status_code, second.status_code) == (status, status), first.text + second.text
    assert without_time(first.get_json()) == without_time(second.get_json())


def without_time(document: Any) -> Any:
    """The document without the seconds that are left of clocks."""
    if isinstance(document, dict):
        return {name: without_time(value) for name, value in document.items() if name != "remaining"}
    return [without_time(item) for item in document] if isinstance(document, list) else document


@twice("signUp")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """A second mail is sent, and the first stays valid."""
    mails, body = count(context, "outbox"), {"name": "Cleo", "email": "cleo@example.org"}
    first = ada.client.post("/v1/players", json=body)
    code = latest_secret(context)
    same(first, ada.client.post("/v1/players", json=body), 202)
    assert count(context, "outbox") == mails + 2
    assert ada.client.post("/v1/confirm", json={"token": code}).status_code == 200


@twice("confirm")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """A code works once."""
    ada.client.post("/v1/players", json={"name": "Cleo", "email": "cleo@example.org"})
    body = {"token": latest_secret(context)}
    assert ada.client.post("/v1/confirm", json=body).status_code == 200
    problem(ada.client.post("/v1/confirm", json=body), 409, "confirmation_used")


@twice("addAddress")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """It is one address; another code is mailed."""
    mails = count(context, "outbox")
    first, second = (ada.post("/v1/me/addresses", {"email": "ada@home.example"}) for _ in range(2))
    same(first, second, 202)
    assert count(context, "outbox") == mails + 2


@twice("block")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """Nobody is blocked twice."""
    first, second = (ada.post("/v1/me/blocks", {"match": match, "seat": 1}) for _ in range(2))
    same(first, second, 201)
    assert count(context, "blocks") == 1


@twice("sendMailAgain")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """A mail that is about to be sent is not sent twice."""
    with context.database.write() as connection:
        connection.execute(update(tables.outbox).values(status="sent", sent_at=context.clock()))
    mails = count(context, "outbox")
    mail = next(each["id"] for each in ada.get("/v1/me/mails").get_json()["items"] if each["kind"] == "your_turn")
    assert ada.post(f"/v1/me/mails/{mail}/send").status_code == 202
    problem(ada.post(f"/v1/me/mails/{mail}/send"), 409, "mail_waits")
    assert count(context, "outbox") == mails


@twice("joinMatch")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """Whoever sits stays there."""
    path = f"/v1/matches/{open_match(ada)}/join"
    same(bela.post(path), bela.post(path))


@twice("leaveMatch")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """Whoever has left has no seat to leave."""
    found = open_match(ada, {"seats": [*SEATS, {"kind": "open"}]})
    bela.post(f"/v1/matches/{found}/join")
    assert bela.post(f"/v1/matches/{found}/leave").status_code == 200
    problem(bela.post(f"/v1/matches/{found}/leave"), 403, "not_seated")


@twice("startMatch")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """A match starts once."""
    path = f"/v1/matches/{match}/start"
    same(ada.post(path), ada.post(path))


@twice("resignMatch")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """A seat resigns once."""
    path = f"/v1/matches/{match}/resign"
    same(ada.post(path), ada.post(path))


@twice("comeBack")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """A seat that no bot holds stays as it is."""
    with context.database.write() as connection:
        held = (tables.seats.c.match_id == match) & (tables.seats.c.seat == 0)
        connection.execute(update(tables.seats).where(held).values(held_at=context.clock()))
    path = f"/v1/matches/{match}/back"
    first = ada.post(path)
    assert not first.get_json()["seats"][0]["by_bot"]
    same(first, ada.post(path))


@twice("resumeMatch")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """The day of notice does not begin again."""
    path = f"/v1/matches/{match}"
    offer = ada.post(f"{path}/offers", {"kind": "pause", "days": 7}).get_json()["items"][0]["id"]
    assert bela.post(f"{path}/offers/{offer}/answer", {"answer": "accept"}).status_code == 200
    same(ada.post(f"{path}/resume"), ada.post(f"{path}/resume"))


@twice("answerOffer")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """The same answer again changes nothing; another one comes too late."""
    path = f"/v1/matches/{match}/offers"
    offer = ada.post(path, {"kind": "pause", "days": 7}).get_json()["items"][0]["id"]
    accept = {"answer": "accept"}
    same(bela.post(f"{path}/{offer}/answer", accept), bela.post(f"{path}/{offer}/answer", accept))
    problem(bela.post(f"{path}/{offer}/answer", {"answer": "decline"}), 409, "offer_settled")


@twice("listLegalActionsAfter")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """It changes nothing."""
    path = f"/v1/matches/{match}/legal-actions"
    same(ada.post(path, {}), ada.post(path, {}))


@twice("pingWebhook")
def _(context: Context, ada: Person, bela: Person, match: str) -> None:
    """It is called twice."""
    path = f"/v1/me/webhooks/{ada.post('/v1/me/webhooks', {'url': WEBHOOK}).get_json()['id']}/ping"
    waiting = count(context, "outbox")
    first, second = ada.post(path), ada.post(path)
    assert (first.status_code, first.get_json()) == (second.status_code, second.get_json())
    assert (first.status_code, count(context, "outbox")) == (202, waiting + 2)


@pytest.mark.parametrize("name", TWICE)
def test_what_holds_when_a_request_is_sent_twice(
    context: Context, ada: Person, bela: Person, match: str, name: str
) -> None:
    TWICE[name](context, ada, bela, match)


def test_every_post_creates_once_for_its_key_or_says_what_a_second_one_does() -> None:
    posts = {
        methods["post"]["operationId"]: json.dumps(methods["post"].get("parameters", []))
        for methods in openapi_document()["paths"].values()
        if "post" in methods
    }
    keyed = {name for name, parameters in posts.items() if "IdempotencyKey" in parameters}
    assert keyed == set(CREATING)
    assert set(posts) - keyed == set(TWICE)
