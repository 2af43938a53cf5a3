"""What holds for all operations alike, operation by operation: the table of `docs/conventions.md`,
one test for each of its cells. The operations are those of the OpenAPI document, so that a new one
is held to all of it.
"""

from __future__ import annotations

import gzip
import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api import limits
from service.api.limits import LARGER_BODIES, MOST_BYTES
from service.api.openapi import openapi_document
from service.api.requests import READ, SENT, SMALLEST
from service.app import create_app
from service.config import load
from service.players.tokens import SCOPES
from service.wiring import wire
from tests.service.api.conftest import Person, latest_secret
from tests.service.api.test_edges import problem
from tests.service.fakes import Timer
from tools.memory_queue import MemoryQueue

ROOT: Final = Path(__file__).parents[3]
BEARER: Final[Mapping[str, list[str]]] = {"token": []}


@dataclass(frozen=True)
class Operation:
    """An operation as the document describes it."""

    name: str
    method: str
    path: str
    security: tuple[Any, ...]
    parameters: tuple[str, ...]
    has_body: bool

    @property
    def takes_token(self) -> bool:
        return BEARER in self.security

    @property
    def needs_token(self) -> bool:
        return self.takes_token and {} not in self.security

    @property
    def reads(self) -> bool:
        return self.method == "GET"


def described() -> Iterator[Operation]:
    document = openapi_document()
    for path, methods in document["paths"].items():
        shared = methods.get("parameters", [])
        for method, found in methods.items():
            if method != "parameters":
                parameters = [resolved(document, each)["name"] for each in [*shared, *found.get("parameters", [])]]
                yield Operation(
                    found["operationId"],
                    method.upper(),
                    path,
                    tuple(found["security"]),
                    tuple(parameters),
                    "requestBody" in found,
                )


def resolved(document: Any, part: Any) -> Any:
    ref = part.get("$ref", "") if isinstance(part, dict) else ""
    for name in ref.split("/")[1:]:
        document = document[name]
    return document if ref else part


OPERATIONS: Final = {each.name: each for each in described()}
PATHS: Final = {
    path: [each for each in OPERATIONS.values() if each.path == path]
    for path in {each.path for each in OPERATIONS.values()}
}


@dataclass(frozen=True)
class Service:
    """A service with two players, one of whom has submitted a turn to their match, and one without
    a seat. The two have another match that is over, and one waits for players; so does one of the
    third, to which there is a link.
    """

    client: FlaskClient
    ada: Person
    outsider: Person
    match: str
    turn: str
    player: str
    over: str
    waiting: str
    link: str

    def ask(self, operation: Operation, person: Person | None = None, **options: Any) -> TestResponse:
        """The answer to such a request, by default of the player who has submitted the turn; other
        ids in the path are those of nobody.
        """
        headers = {"Authorization": f"Bearer {(person or self.ada).token}"} | options.pop("headers", {})
        return self.client.open(
            self.path(operation.path) + options.pop("query", ""),
            method=options.pop("method", operation.method),
            headers={name: value for name, value in headers.items() if value},
            **options,
        )

    def path(self, path: str) -> str:
        known = {"game": "oregon", "match": self.match, "turn": self.turn, "player": self.player}
        known |= {"over": self.over, "waiting": self.waiting, "secret": self.link}
        return re.sub(r"\{(\w+)\}", lambda part: known.get(part[1], "k3v7q2m5xa"), path)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Service]:
    """One for all tests of the module: they change nothing in it."""
    folder = tmp_path_factory.mktemp("conventions")
    shutil.copy(sqlite_template, folder)
    wired = replace(wire(load({"OVERLAND_DATA_DIR": str(folder)})), queue=MemoryQueue(), timer=Timer())
    client = create_app(wired).test_client()

    def sign_up(name: str) -> Person:
        email = f"{name.lower()}@example.org"
        client.post("/v1/players", json={"name": name, "email": email})
        token = client.post("/v1/confirm", json={"token": latest_secret(wired)}).get_json()["token"]
        return Person(client, name, email, token)

    players, outsider = [sign_up("Ada"), sign_up("Bela")], sign_up("Cleo")
    table = {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}]}
    match, over = (players[0].post("/v1/matches", table).get_json()["id"] for _ in range(2))
    for action in ("join", "resign"):
        players[1].post(f"/v1/matches/{over}/{action}")
    seats = players[1].post(f"/v1/matches/{match}/join").get_json()["seats"]
    if not seats[0]["to_act"]:
        players.reverse()
    ply = players[0].get(f"/v1/matches/{match}").get_json()["ply"]
    turn = players[0].post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": "1"}).get_json()["id"]
    waiting = players[0].post("/v1/matches", table).get_json()["id"]
    link = outsider.post("/v1/matches", table).get_json()["join_url"].rpartition("/")[2]
    yield Service(client, players[0], outsider, match, turn, seats[0]["player_id"], over, waiting, link)
    wired.close()


Check = Callable[[Service, Operation], None]
Wanted = Callable[[Operation], bool]
CONVENTIONS: Final[dict[str, tuple[Wanted, Check]]] = {}
"""The conventions by the names that the table has: for which operations each holds, and the test of
one cell.
"""


def convention(name: str, wanted: Wanted = lambda operation: True) -> Callable[[Check], Check]:
    def note(check: Check) -> Check:
        CONVENTIONS[name] = wanted, check
        return check

    return note


def cells() -> list[tuple[str, str]]:
    return [
        (name, operation.name)
        for name, (wanted, _) in CONVENTIONS.items()
        for operation in OPERATIONS.values()
        if wanted(operation)
    ]


JSON: Final = {"Content-Type": "application/json"}


@convention("bad token")
def _(service: Service, operation: Operation) -> None:
    answer = service.ask(operation, headers={"Authorization": "Bearer ovl_nobodys"}, json={})
    problem(answer, 401, "unknown_token")
    assert 'error="invalid_token"' in answer.headers["WWW-Authenticate"]


@convention("no token", lambda operation: operation.needs_token)
def _(service: Service, operation: Operation) -> None:
    answer = service.ask(operation, headers={"Authorization": ""}, data="[")
    problem(answer, 401, "unauthorized")
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


@convention("other scope", lambda operation: operation.takes_token)
def _(service: Service, operation: Operation) -> None:
    # The parameter is unknown, so that what the scope allows is not done either.
    answers = [service.ask(operation, narrow(service, scope), query="?nonsense=1", json={}) for scope in SCOPES]
    refused = [answer for answer in answers if answer.status_code == 403 and "missing_scope" in answer.text]
    assert len(refused) == len(SCOPES) - 1, "it needs one scope, and no other does"
    assert len({problem(answer, 403, "missing_scope")["scope"] for answer in refused}) == 1


def narrow(service: Service, scope: str) -> Person:
    """The player with a token of that scope alone."""
    answer = service.ada.post("/v1/tokens", {"scopes": [scope]}, headers={"Idempotency-Key": scope})
    return replace(service.ada, token=answer.get_json()["token"])


@convention("parameter")
def _(service: Service, operation: Operation) -> None:
    found = problem(service.ask(operation, query="?nonsense=1", json={}), 422, "invalid")
    assert [fault["parameter"] for fault in found["errors"]] == ["nonsense"]
    found = problem(service.ask(operation, query="?limit=1&limit=1", json={}), 422, "invalid")
    assert [fault["parameter"] for fault in found["errors"]] == ["limit"]


@convention("coding of the body")
def _(service: Service, operation: Operation) -> None:
    headers = JSON | {"Content-Encoding": "gzip"}
    answer = service.ask(operation, headers=headers, data=gzip.compress(b"{}"))
    problem(answer, 415, "unsupported_media_type")
    assert answer.headers["Accept-Encoding"] == "identity"


@convention("type of the body", lambda operation: not operation.reads)
def _(service: Service, operation: Operation) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        problem(service.ask(operation, data="{}", content_type=kind), 415, "unsupported_media_type")


@convention("no JSON", lambda operation: not operation.reads)
def _(service: Service, operation: Operation) -> None:
    for body in (b'{"a": ', b'{"a": "\xff"}', b'{"a": 1, "a": 1}', b'{"a": NaN}', b"[" * 5_000):
        problem(service.ask(operation, data=body, headers=JSON), 400, "malformed_json")


@convention("member", lambda operation: not operation.reads)
def _(service: Service, operation: Operation) -> None:
    found = problem(service.ask(operation, json={"nonsense": 1}), 422, "invalid")
    assert "/nonsense" in [fault.get("pointer") for fault in found["errors"]]
    found = problem(service.ask(operation, json=[]), 422, "invalid")
    assert [fault["pointer"] for fault in found["errors"]] == [""]


@convention("condition", lambda operation: not operation.reads)
def _(service: Service, operation: Operation) -> None:
    for headers in ({"If-Match": '"a"'}, {"If-Match": 'W/"a", W/"b"'}, {"If-None-Match": "*"}):
        problem(service.ask(operation, headers=headers, json={}), 412, "precondition_failed")
    answer = service.ask(operation, headers={"If-Match": "*", "If-None-Match": '"a"'}, json={"nonsense": 1})
    problem(answer, 422, "invalid")


OF_A_PLY: Final = ("submitTurn", "listLegalActions", "listLegalActionsAfter", "getObservation", "getLog")


@convention("ply", lambda operation: operation.name in OF_A_PLY)
def _(service: Service, operation: Operation) -> None:
    name = "after" if operation.name == "getLog" else "ply"

    def answer(ply: int | str) -> TestResponse:
        if operation.has_body:
            return service.ask(operation, json=FITTING[operation.name] | {name: ply})
        return service.ask(operation, query=f"?{name}={ply}")

    problem(answer(9999), 409, "ply_ahead")
    for impossible in (-1, "now"):
        problem(answer(impossible), 422, "invalid")


@convention("length of the body", lambda operation: not operation.reads)
def _(service: Service, operation: Operation) -> None:
    most = max(LARGER_BODIES.values()) if operation.name == "createMatch" else MOST_BYTES
    found = problem(service.ask(operation, data=b" " * (most + 1), headers=JSON), 413, "body_too_large")
    assert f"{most // 1024} kB" in found["detail"]


@convention("method")
def _(service: Service, operation: Operation) -> None:
    methods = {each.method for each in PATHS[operation.path]}
    allowed = methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - methods:
        answer = service.ask(operation, method=method)
        problem(answer, 405, "method_not_allowed")
        assert set(answer.headers["Allow"].split(", ")) == allowed


@convention("OPTIONS")
def _(service: Service, operation: Operation) -> None:
    asks = {"Origin": "https://club.example", "Access-Control-Request-Method": operation.method}
    answer = service.ask(operation, method="OPTIONS", headers=asks | {"Authorization": ""})
    assert (answer.status_code, answer.data) == (204, b"")
    assert operation.method in answer.headers["Allow"].split(", ")
    assert answer.headers["Access-Control-Allow-Methods"] == answer.headers["Allow"]
    assert set(answer.headers["Access-Control-Allow-Headers"].split(", ")) == set(SENT)
    in_headers = {name for name in operation.parameters if name[0].isupper()}
    assert in_headers <= set(SENT)


@convention("any origin")
def _(service: Service, operation: Operation) -> None:
    for person, headers in ((service.ada, {}), (service.ada, {"Authorization": "Bearer ovl_nobodys"})):
        answer = service.ask(operation, person, headers={"Origin": "https://club.example"} | headers, query="?x=1")
        assert answer.headers["Access-Control-Allow-Origin"] == "*"
        assert "Access-Control-Allow-Credentials" not in answer.headers
        assert set(answer.headers["Access-Control-Expose-Headers"].split(", ")) == set(READ)


@convention("nobody's id", lambda operation: "{" in operation.path)
def _(service: Service, operation: Operation) -> None:
    path = re.sub(r"\{\w+\}", "k3v7q2m5xa", operation.path)
    answer = service.ask(replace(operation, path=path), json=FITTING.get(operation.name, {}))
    found = problem(answer, 404, answer.get_json()["code"])
    assert found["code"].endswith("not_found") or found["code"] in ("not_blocked",)


OF_CREATORS: Final = ("startMatch", "keepSeat")


@convention("outsider", lambda operation: "{match}" in operation.path and operation.needs_token)
def _(service: Service, operation: Operation) -> None:
    answer = service.ask(operation, service.outsider, json=FITTING.get(operation.name, {}))
    if operation.name == "joinMatch":
        problem(answer, 409, "match_not_open")
    else:
        problem(answer, 403, "not_the_creator" if operation.name in OF_CREATORS else "not_seated")


BEFORE: Final = {
    *("getMatch", "getMatchComponents", "listEventsOfMatch", "joinMatch", "leaveMatch", "startMatch", "keepSeat"),
    *("getMatchPreferences", "changeMatchPreferences", "getNote", "putNote", "getChat", "say"),
    *("getLog", "listOffers", "listTurns", "getTurn", "listLegalActions"),
    *("listWebhooksOfMatch", "enterWebhookOfMatch", "removeWebhookOfMatch"),
}
"""Operations of a match that has not started; any other one waits for that."""


@convention("not started", lambda operation: "{match}" in operation.path and operation.name not in BEFORE)
def _(service: Service, operation: Operation) -> None:
    waits = replace(operation, path=operation.path.replace("{match}", "{waiting}"))
    problem(service.ask(waits, json=FITTING.get(operation.name, {})), 409, "match_not_started")


PLAYING: Final = ("submitTurn", "makeOffer", "answerOffer", "resignMatch", "resumeMatch")


@convention("over", lambda operation: operation.name in PLAYING)
def _(service: Service, operation: Operation) -> None:
    late = replace(operation, path=operation.path.replace("{match}", "{over}"))
    problem(service.ask(late, json=FITTING.get(operation.name, {})), 409, "match_over")


@convention("entity tag", lambda operation: operation.reads and "wait" not in operation.parameters)
def _(service: Service, operation: Operation) -> None:
    first = service.ask(operation)
    tag = first.headers["ETag"]
    assert (first.status_code, tag[:3]) == (200, 'W/"')
    for known in (tag, tag[2:], f'"other", {tag}', "*"):
        again = service.ask(operation, headers={"If-None-Match": known})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", tag)
        for name in ("Cache-Control", "Vary"):
            assert again.headers[name] == first.headers[name]
    assert service.ask(operation, headers={"If-None-Match": '"other"'}).status_code == 200


@convention("caches", lambda operation: operation.reads)
def _(service: Service, operation: Operation) -> None:
    answer = service.ask(operation)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    assert "Authorization" in answer.headers["Vary"]
    assert service.ask(operation, query="?x=1").headers["Cache-Control"] == "no-store"


@convention("gzip", lambda operation: operation.reads)
def _(service: Service, operation: Operation) -> None:
    plain, packed = (service.ask(operation, headers={"Accept-Encoding": coding}) for coding in ("identity", "gzip"))
    if plain.mimetype == "image/png":
        assert "Content-Encoding" not in packed.headers
        return
    assert "Accept-Encoding" in plain.headers["Vary"]
    assert "Content-Encoding" not in plain.headers
    assert ("Content-Encoding" in packed.headers) == (len(plain.data) >= SMALLEST)
    if "Content-Encoding" in packed.headers:
        assert without_time(gzip.decompress(packed.data)) == without_time(plain.data)
        assert int(packed.headers["Content-Length"]) == len(packed.data) < len(plain.data)


def without_time(data: bytes) -> bytes:
    """The body without the seconds that are left of clocks."""
    return re.sub(rb'"remaining": ?\d+', b"", data)


@convention("HEAD", lambda operation: operation.reads)
def _(service: Service, operation: Operation) -> None:
    answer, head = service.ask(operation), service.ask(operation, method="HEAD")
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["Content-Type"] == answer.headers["Content-Type"]


@convention("request id")
def _(service: Service, operation: Operation) -> None:
    for sent, is_kept in (
        ("my-own_1.0", True),
        ("too-few", False),
        ("a:b:c:d:e", False),
        ("x" * 65, False),
        ("", False),
    ):
        answer = service.ask(operation, headers={"X-Request-Id": sent}, query="?x=1")
        assert answer.headers["X-Request-Id"]
        assert (answer.headers["X-Request-Id"] == sent) == is_kept


@convention("limit")
def _(service: Service, operation: Operation) -> None:
    app = service.client.application
    endpoint = next(
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if re.sub(r"<\w+:(\w+)>", r"{\1}", rule.rule) == operation.path and operation.method in (rule.methods or ())
    )
    budget = limits.BUDGETS[limits.weight_of(endpoint, operation.method).budget]
    wanted = "turns" if operation.name == "submitTurn" else "reads" if asks_only(operation) else "changes"
    assert budget.name == wanted


def asks_only(operation: Operation) -> bool:
    return operation.reads or operation.name == "listLegalActionsAfter"


FITTING: Final[Mapping[str, Any]] = {
    "submitTurn": {"ply": 0, "notation": "1"},
    "listLegalActionsAfter": {"notation": "1"},
    "say": {"text": "Hello"},
    "putNote": {"text": "Coal first."},
    "makeOffer": {"kind": "draw"},
    "answerOffer": {"answer": "accept"},
    "makeAddressPrimary": {"primary": True},
    "issueBotToken": {"label": "here"},
    "keepSeat": {"seat": 1, "email": None},
    "enterWebhookOfMatch": {"url": "https://example.org/overland"},
}
"""Bodies that fit, by operation; others fit when they are empty."""


@pytest.mark.parametrize(("name", "operation"), cells())
def test_a_convention_holds_for_an_operation(service: Service, name: str, operation: str) -> None:
    CONVENTIONS[name][1](service, OPERATIONS[operation])


def test_the_table_of_the_documents_is_that_of_the_tests() -> None:
    page = (ROOT / "docs/conventions.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|`]+?) \|", page, re.MULTILINE)
    assert set(OPERATIONS) >= {*BEFORE, *PLAYING}
    assert [row for row in rows if row not in ("convention", "---")] == list(CONVENTIONS)
