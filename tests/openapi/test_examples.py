"""The examples of answers in the description: those of a recorded run, with a stopped clock and
seeded secrets, in which every operation is asked for once. `make examples` records it again.
"""

from __future__ import annotations

import json
import os
import random
import re
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from sqlalchemy import select

from service.api.openapi import openapi_document
from service.api.requests import KEY
from service.app import create_app
from service.context import Context
from service.events.gate import MERGED
from service.notices.delivery import deliver_due
from service.store.tables import outbox
from service.turns import pending
from service.webhooks.calling import calling
from service.webhooks.delivery import call_due
from tests.service.api.conftest import latest_secret
from tests.service.fakes import Here, Timer
from tests.service.swept import act_on_due, remind
from tests.service.webhooks.receiver import receiving
from tools.memory_queue import MemoryQueue

FILE: Final = Path(__file__).parents[2] / "service" / "api" / "examples.json"
DOCUMENT: Final = openapi_document()
WITHOUT: Final = {"getBoardPng"}
"""Operations whose answer is no text."""


class Recorder:
    """Asks for operations by their names, and keeps the answers that have a body; each is as the
    description says.
    """

    def __init__(self, client: FlaskClient) -> None:
        self.client = client
        self.kept: dict[str, dict[str, Any]] = {}
        self.asked: set[str] = set()
        self.called: dict[str, Any] = {}
        self.routes = {
            operation["operationId"]: (method.upper(), path)
            for path, methods in DOCUMENT["paths"].items()
            for method, operation in methods.items()
            if method != "parameters"
        }

    def __call__(
        self, operation: str, bearer: str | None = None, body: Any = None, query: str = "", **parts: str
    ) -> Any:
        method, path = self.routes[operation]
        headers = {"X-Request-Id": operation} | ({} if bearer is None else {"Authorization": f"Bearer {bearer}"})
        answer = self.client.open(path.format(**parts) + query, method=method, json=body, headers=headers)
        assert 200 <= answer.status_code < 300, f"{operation}: {answer.text}"
        found = answer.get_json() if answer.is_json else answer.text if operation not in WITHOUT else None
        if answer.is_json:
            described = DOCUMENT["paths"][path][method.lower()]["responses"][str(answer.status_code)]
            fitting(described["content"]["application/json"]["schema"]).validate(found)
        if operation not in self.asked and found:
            self.kept[operation] = {"status": answer.status_code, "value": found}
        self.asked.add(operation)
        return found


def fitting(schema: dict[str, Any]) -> Draft202012Validator:
    """What checks documents against a schema of the description."""
    return Draft202012Validator({**schema, "components": DOCUMENT["components"]})


def refused(ask: Recorder, operation: str, problem: int, code: str, bearer: str | None, body: Any, match: str) -> None:
    """Asks for what is refused: with this problem, which the description has for the operation."""
    method, path = ask.routes[operation]
    headers = {"Prefer": "wait=10"} | ({} if bearer is None else {"Authorization": f"Bearer {bearer}"})
    answer = ask.client.open(path.format(match=match), method=method, json=body, headers=headers)
    assert (answer.status_code, answer.get_json()["code"]) == (problem, code)
    named = DOCUMENT["paths"][path][method.lower()]["responses"][str(problem)]["$ref"].rpartition("/")[2]
    described = DOCUMENT["components"]["responses"][named]
    fitting(described["content"]["application/problem+json"]["schema"]).validate(answer.get_json())


@pytest.fixture
def moving(context: Context) -> tuple[Context, list[timedelta]]:
    """The context with a clock that is set by hand, and turns that are judged at once."""
    passed, began, queue = [timedelta()], context.clock(), MemoryQueue()
    service = replace(context, queue=queue, clock=lambda: began + passed[0], timer=Timer())
    queue.judge = lambda: pending.judge_pending(service)
    return service, passed


@pytest.fixture
def recorded(moving: tuple[Context, list[timedelta]], monkeypatch: pytest.MonkeyPatch) -> Recorder:
    context, passed = moving
    luck = random.Random(7)  # of the ids of mails, which come from no context
    seeded = SimpleNamespace(uuid4=lambda: UUID(int=luck.getrandbits(128), version=4))
    monkeypatch.setattr("service.store.outbox.uuid", seeded)
    app: Flask = create_app(context)
    app.extensions[KEY] = context
    ask = Recorder(app.test_client())
    ada, bela, carl = people(ask, context, "Ada", "Bela", "Carl")
    ask("exportMe", carl)
    ask("leaveForGood", carl)
    account(ask, context, ada)
    played(ask, context, ada, bela)
    lobby(ask, ada, bela)
    bot = ask("makeBot", ada, {"name": "Greedy"})["player"]["id"]
    ask("listBots", ada)
    ask("issueBotToken", ada, {"label": "my other machine"}, player=bot)
    ask("deleteBot", ada, player=bot)
    late(ask, context, ada, bela, passed)
    ask("exportMe", ada)
    dora, emil = people(ask, context, "Dora", "Emil")
    called(ask, context, dora, emil, passed)
    return ask


def people(ask: Recorder, context: Context, *names: str) -> list[str]:
    """The tokens of players who have signed up."""
    tokens = []
    for name in names:
        ask("signUp", None, {"name": name, "email": f"{name.lower()}@example.org"})
        tokens.append(ask("confirm", None, {"token": latest_secret(context)})["token"])
    return tokens


def account(ask: Recorder, context: Context, ada: str) -> None:
    """What a player does with their account."""
    me = ask("getMe", ada)
    ask("renameMe", ada, {"name": "Ada L."})
    ask("getPlayer", ada, player=me["id"])
    ask("addAddress", ada, {"email": "ada@home.example"})
    with context.database.read() as connection:
        wanted = select(outbox.c.payload).where(outbox.c.kind == "confirm_another_address")
        (mailed,) = connection.scalars(wanted)
    ask("confirm", None, {"token": mailed["token"]})
    first, second = (each["id"] for each in ask("listAddresses", ada)["items"])
    ask("makeAddressPrimary", ada, {"primary": True}, address=second)
    ask("removeAddress", ada, address=first)
    issued = ask("issueToken", ada, {"label": "my bot", "scopes": ["play", "read"]})
    ask("listTokens", ada)
    ask("revokeToken", ada, token=issued["id"])
    ask("changePreferences", ada, {"mails": "digest", "digest_hour": 19, "time_zone": "Europe/Zurich"})
    ask("getPreferences", ada)
    taken = ask("declareDaysOff", ada, {"days": 3})["items"][0]["id"]
    ask("listDaysOff", ada)
    ask("endDaysOff", ada, taken=taken)
    ask("renewCalendar", ada)
    ask("endCalendar", ada)


def played(ask: Recorder, context: Context, ada: str, bela: str) -> None:
    """A match, from the catalogue to what is seen of it."""
    ask("listGames")
    ask("getGame", game="ozeanien")
    ask("getGameRules", game="ozeanien")
    ask("getGameComponents", game="ozeanien")
    seats = [{"kind": "me"}, {"kind": "open"}]
    mine = ask.client.get("/v1/events", headers={"Authorization": f"Bearer {ada}"}).get_json()["cursor"]
    match = ask("createMatch", ada, {"game": "ozeanien", "title": "Southward", "seats": seats})["id"]
    its = ask.client.get(f"/v1/matches/{match}/events").get_json()["cursor"]
    ask("joinMatch", bela, {"nonce": "k7Yw0c-2mVQx9d_B4hTzLr"}, match=match)
    ask("startMatch", ada, match=match)
    assert deliver_due(context)["sent"]
    started = next(each for each in ask("listMails", bela)["items"] if each["kind"] == "match_started")
    ask("sendMailAgain", bela, mail=started["id"])
    ask("getMatch", ada, match=match)
    ask("listMatches", ada, query="?mine=true", match=match)
    ask("getMatchComponents", ada, match=match)
    ask("listAwaiting", ada)
    legal = ask("listLegalActions", ada, match=match)
    ask("listLegalActionsAfter", ada, {"ply": legal["ply"]}, match=match)
    ply, action = legal["ply"], legal["items"][0]["action"]
    refused(ask, "getMe", 401, "unauthorized", None, None, match)
    refused(ask, "createMatch", 422, "invalid", ada, {"game": "chess", "seats": [{"kind": "invite"}]}, match)
    refused(ask, "submitTurn", 422, "notation_error", ada, {"ply": ply, "notation": "start Z99"}, match)
    refused(ask, "submitTurn", 409, "not_your_turn", bela, {"ply": ply, "notation": "1"}, match)
    refused(ask, "submitTurn", 409, "ply_ahead", ada, {"ply": ply + 1, "notation": "1"}, match)
    turn = ask("submitTurn", ada, {"ply": ply, "actions": [action]}, match=match)["id"]
    ask("getTurn", ada, match=match, turn=turn)
    ask("listTurns", ada, match=match)
    ask("getObservation", ada, match=match)
    ask("getLog", ada, match=match)
    ask("getRecord", ada, match=match)
    ask("getBoardSvg", ada, match=match)
    ask("getBoardPng", ada, match=match)
    ask("getBoardText", ada, match=match)
    ask("say", ada, {"text": "Good luck!"}, match=match)
    ask("getChat", bela, match=match)
    ask("putNote", ada, {"text": "Coal first, then the harbour."}, match=match)
    ask("getNote", ada, match=match)
    ask("changeMatchPreferences", ada, {"mails": "at_once"}, match=match)
    ask("getMatchPreferences", ada, match=match)
    offer = ask("makeOffer", ada, {"kind": "pause", "days": 7}, match=match)["items"][0]["id"]
    ask("answerOffer", bela, {"answer": "accept"}, match=match, offer=offer)
    ask("listOffers", ada, match=match)
    ask("resumeMatch", ada, match=match)
    ask("report", bela, {"kind": "chat", "match": match, "number": 1, "words": "This is no talk."})
    blocked = ask("block", ada, {"match": match, "seat": 1})["player"]
    ask("listBlocks", ada)
    ask("unblock", ada, player=blocked)
    ask("listEvents", ada, query=f"?limit=3&after={mine}")
    ask("listEventsOfMatch", query=f"?limit=3&after={its}", match=match)
    now = ask("getMatch", match=match)
    mover = (ada, bela)[next(seat["seat"] for seat in now["seats"] if seat["to_act"])]
    skipped = {"ply": now["ply"], "actions": [{"type": "skip"}]}
    refused(ask, "submitTurn", 422, "ship_first", mover, skipped, match)
    webhooks(ask, ada, bela, match)


def webhooks(ask: Recorder, ada: str, bela: str, match: str) -> None:
    """What is done with webhooks, a player's own and those of a match."""
    own = ask("enterWebhook", ada, {"url": "https://example.org/overland"})["id"]
    ask("changeWebhook", ada, {"url": "https://example.org/turns"}, webhook=own)
    ask("pingWebhook", ada, webhook=own)
    ask("renewWebhookSecret", ada, webhook=own)
    ask("listWebhooks", ada)
    channel = {"url": "https://discord.com/api/webhooks/123456789012345678/token", "format": "discord"}
    its = ask("enterWebhookOfMatch", ada, channel, match=match)["id"]
    ask("listWebhooksOfMatch", bela, match=match)
    ask("removeWebhookOfMatch", bela, match=match, webhook=its)
    ask("removeWebhook", ada, webhook=own)


def lobby(ask: Recorder, ada: str, bela: str) -> None:
    """A match that a player leaves, and one in which a player resigns."""
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    match = ask("createMatch", ada, {"game": "oregon", "seats": seats})["id"]
    ask("joinMatch", bela, {}, match=match)
    ask("leaveMatch", bela, match=match)
    ask("keepSeat", ada, {"seat": 1, "email": "dora@example.org"}, match=match)
    secret = ask("getMatch", ada, match=match)["join_url"].rpartition("/")[2]
    ask("getJoining", bela, secret=secret)
    ask("replaceJoinLink", ada, secret=secret)
    match = ask("createMatch", ada, {"game": "oregon", "seats": seats[:2]})["id"]
    ask("joinMatch", bela, {}, match=match)
    ask("resignMatch", bela, match=match)


def late(ask: Recorder, context: Context, ada: str, bela: str, passed: list[timedelta]) -> None:
    """A match in which a bot holds the seat of a player, who comes back."""
    seats = [{"kind": "me"}, {"kind": "open"}]
    match = ask("createMatch", ada, {"game": "ozeanien", "seats": seats, "clock": "brisk"})["id"]
    ask("joinMatch", bela, {}, match=match)
    for _ in range(40):
        if any(seat["by_bot"] for seat in ask("getMatch", ada, match=match)["seats"]):
            break
        passed[0] += timedelta(days=1)
        act_on_due(context)
    held = next(seat["seat"] for seat in ask("getMatch", ada, match=match)["seats"] if seat["by_bot"])
    ask("comeBack", (ada, bela)[held], match=match)


def called(ask: Recorder, context: Context, dora: str, emil: str, passed: list[timedelta]) -> None:
    """A match whose webhook is told of its start, a turn, a reminder, and its end; and a ping."""
    with receiving() as receiver:

        def told() -> None:
            passed[0] += MERGED
            call_due(context, Here(calling(context, receiver.network)))

        seats = [{"kind": "me"}, {"kind": "open"}]
        new = {"game": "ozeanien", "title": "Southward", "seats": seats, "clock": "brisk"}
        match = ask("createMatch", dora, new)["id"]
        hook = ask("enterWebhookOfMatch", dora, {"url": "http://example.org/overland"}, match=match)["id"]
        ask("joinMatch", emil, {}, match=match)
        told()
        seated = {"Dora": dora, "Emil": emil}
        for _ in range(20):
            if "match.turn" in {got.document["type"] for got in receiver.received}:
                break
            shown = ask("getMatch", match=match)
            mover = next(seated[seat["player"]] for seat in shown["seats"] if seat["to_act"])
            legal = ask("listLegalActions", mover, match=match)
            ask("submitTurn", mover, {"ply": legal["ply"], "actions": [legal["items"][0]["action"]]}, match=match)
            told()
        for _ in range(20):
            if "match.reminder" in {got.document["type"] for got in receiver.received}:
                break
            passed[0] += timedelta(hours=6)
            remind(context)
            told()
        ask("pingWebhook", dora, webhook=hook)
        told()
        ask("resignMatch", emil, match=match)
        told()
    for got in receiver.received:
        ask.called.setdefault(got.document["type"], {"status": 204, "value": got.document})


def test_every_operation_is_asked_for_and_answers_as_recorded(recorded: Recorder) -> None:
    found = recorded.kept | recorded.called
    if os.environ.get("RECORD_EXAMPLES"):
        FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    assert recorded.asked == set(recorded.routes)
    assert recorded.called.keys() == DOCUMENT["webhooks"].keys()
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    assert kept.keys() == found.keys(), "run `make examples`"
    for operation, answer in found.items():
        assert comparable(answer) == comparable(kept[operation]), f"{operation}: run `make examples`"


def comparable(answer: dict[str, Any]) -> str:
    """The answer without cursors of events, which are sealed with a random number."""
    return re.sub(r'("cursor": "|after=)[\w-]+', r"\1", json.dumps(answer))


def test_every_time_ends_in_z() -> None:
    times = re.findall(r'"(\d{4}-\d\d-\d\dT[^"\\]*)', FILE.read_text(encoding="utf-8"))
    assert times
    assert [time for time in times if not re.fullmatch(r"[-\d]{10}T[:\d]{8}(\.\d{6})?Z", time)] == []


def test_every_answer_with_a_body_has_an_example_that_fits_its_schema() -> None:
    for path, methods in DOCUMENT["paths"].items():
        for method, operation in methods.items():
            if method == "parameters" or operation["operationId"] in WITHOUT:
                continue
            contents = [
                content
                for status, answer in operation["responses"].items()
                if status.startswith("2")
                for content in answer.get("content", {}).values()
            ]
            shown = [
                (content["schema"], each["value"])
                for content in contents
                for each in content.get("examples", {}).values()
            ]
            assert shown or not contents, (method, path)
            for schema, value in shown:
                fitting(schema).validate(value)


def test_every_call_of_a_webhook_has_an_example_that_fits_its_schema() -> None:
    for name, item in DOCUMENT["webhooks"].items():
        content = item["post"]["requestBody"]["content"]["application/json"]
        shown = content["examples"]["recorded"]["value"]
        assert shown["type"] == name
        fitting(content["schema"]).validate(shown)
