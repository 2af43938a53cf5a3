"""The client of the tools, against made-up responses."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import requests

from tools import client as client_module
from tools.client import (
    Account,
    Choice,
    Client,
    ClientError,
    Retry,
    StoppedWaiting,
    await_verdict,
    choose,
    find_in_mails,
    sign_up,
    start_match,
    submit,
)

ANN, BELA = Account("Ann", "ann@example.org", "ovl_ann"), Account("Bela", "bela@example.org", "ovl_bela")
Reply = tuple[int, Any] | Exception


def response(status: int, document: Any) -> requests.Response:
    made = requests.Response()
    made.status_code, made.reason = status, "a reason"
    made._content = document if isinstance(document, bytes) else json.dumps(document).encode()
    return made


class Server:
    """Answers the requests of a client in turn with what it was given, and writes them down."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *replies: Reply) -> None:
        self.replies, self.asked = list(replies), list[tuple[str, str, Mapping[str, Any]]]()
        monkeypatch.setattr(requests.Session, "request", lambda session, *words, **rest: self.answer(*words, **rest))
        monkeypatch.setattr(client_module, "FIRST_PAUSE", 0)

    def answer(self, method: str, url: str, **rest: Any) -> requests.Response:
        self.asked.append((method, url, rest))
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return response(*reply)


Serve = Callable[..., Server]


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Serve:
    return lambda *replies: Server(monkeypatch, *replies)


def test_a_request_is_sent_in_the_name_of_a_player(serve: Serve) -> None:
    server = serve((200, {"id": "x"}), (201, {"id": "y"}))
    client = Client("http://one/")
    assert client.get("/v1/x", ANN, limit="5") == {"id": "x"}
    assert client.post("/v1/y", {"a": 1}, BELA, Prefer="wait=1") == {"id": "y"}
    (get, get_url, asked), (post, post_url, posted) = server.asked
    assert (get, get_url, asked["params"], asked["headers"]) == (
        "GET",
        "http://one/v1/x",
        {"limit": "5"},
        {"Authorization": "Bearer ovl_ann"},
    )
    assert (post, post_url, posted["json"]) == ("POST", "http://one/v1/y", {"a": 1})
    assert posted["headers"] == {"Prefer": "wait=1", "Authorization": "Bearer ovl_bela"}


def test_a_refusal_is_raised_with_what_the_service_says(serve: Serve) -> None:
    problem = {"detail": "No.", "errors": [{"pointer": "/name", "detail": "A name is missing."}]}
    serve((422, problem))
    with pytest.raises(ClientError, match=r"POST /v1/y was answered by 422: No\. \(/name A name is missing\.\)") as no:
        Client("http://one").post("/v1/y", {})
    assert no.value.status == 422


def test_a_refusal_can_be_looked_at_instead(serve: Serve) -> None:
    serve((409, {"code": "stale_ply"}), (502, b"<html>"))
    client = Client("http://one")
    assert client.request("POST", "/v1/y").document["code"] == "stale_ply"
    assert client.request("POST", "/v1/y") == (502, {"detail": "a reason"})


def test_another_program_at_the_address_is_recognised(serve: Serve) -> None:
    serve((200, b"<html>"))
    with pytest.raises(ClientError, match="http://one answers, but not with JSON"):
        Client("http://one").get("/v1/games")


@pytest.mark.parametrize(
    ("error", "reason"),
    [(requests.ConnectionError(), "nobody listens there"), (requests.Timeout(), "it takes too long to answer")],
)
def test_without_patience_nothing_is_repeated(serve: Serve, error: Exception, reason: str) -> None:
    serve(error)
    with pytest.raises(ClientError, match=f"There is no service to talk to at http://one: {reason}") as no:
        Client("http://one").get("/v1/x")
    assert no.value.status is None


def test_what_is_not_answered_is_asked_again_at_the_next_address(serve: Serve) -> None:
    failed: list[tuple[str, int | None]] = []
    retry = Retry(
        failed=lambda request, answer: failed.append((request, None if answer is None else answer.status_code))
    )
    server = serve(requests.ConnectionError(), (503, {"detail": "Later."}), (200, {"id": "x"}))
    assert Client("http://one", "http://two", retry=retry).get("/v1/x") == {"id": "x"}
    assert [url for _, url, _ in server.asked] == ["http://one/v1/x", "http://two/v1/x", "http://one/v1/x"]
    assert failed == [("GET /v1/x", None), ("GET /v1/x", 503)]


def test_an_error_of_the_service_is_not_repeated(serve: Serve) -> None:
    serve((500, {"detail": "Broken."}))
    with pytest.raises(ClientError, match=r"500: Broken\."):
        Client("http://one", retry=Retry()).get("/v1/x")


def test_repeating_ends_when_the_time_is_up(serve: Serve) -> None:
    serve((503, {"detail": "Later."}), requests.ConnectionError())
    client = Client("http://one", retry=Retry(0))
    assert client.request("GET", "/v1/x") == (503, {"detail": "Later."})
    with pytest.raises(ClientError, match="nobody listens"):
        client.request("GET", "/v1/x")


def test_repeating_ends_when_the_client_is_stopped(serve: Serve) -> None:
    retry = Retry()
    retry.stop.set()
    serve(requests.ConnectionError())
    with pytest.raises(StoppedWaiting):
        Client("http://one", retry=retry).get("/v1/x")


def test_a_player_signs_up_with_the_code_from_the_mail(serve: Serve) -> None:
    server = serve((202, {}), (200, {"token": "ovl_new"}))
    player = sign_up(Client("http://one"), "Ann", lambda address: [f"{address}: your confirmation code is:  abc"])
    assert (player.name, player.token) == ("Ann", "ovl_new")
    assert server.asked[0][2]["json"] == {"name": "Ann", "email": player.email}
    assert server.asked[1][2]["json"] == {"token": "abc"}
    assert "ovl_new" not in repr(player)


def test_mails_are_read_where_a_service_in_development_shows_them(serve: Serve) -> None:
    serve((200, [{"text": "one"}]), (404, {"detail": "There is nothing."}))
    client = Client("http://one")
    assert client.mail_texts("ann@example.org") == ["one"]
    with pytest.raises(ClientError, match="http://one does not show its mails"):
        client.mails("ann@example.org")


def test_a_match_that_does_not_run_when_all_have_joined_is_an_error(serve: Serve) -> None:
    server = serve((201, {"id": "m"}), (200, {}), (200, {}), (200, {"status": "open"}))
    with pytest.raises(ClientError, match="match m, and yet it is open"):
        start_match(Client("http://one"), "chess", [ANN, BELA], "A title")
    assert server.asked[0][2]["json"]["seats"] == [{"kind": "reserved"}, {"kind": "invite", "email": BELA.email}]


def test_every_player_takes_the_seat_with_a_nonce_of_its_own_after_the_commitment(serve: Serve) -> None:
    server = serve((201, {"id": "m"}), (200, {}), (200, {}), (200, {"status": "running"}))
    assert start_match(Client("http://one"), "chess", [ANN, BELA], "A title") == "m"
    created, *joins, _ = [asked[2].get("json") or {} for asked in server.asked]
    assert "nonce" not in created
    assert len({body["nonce"] for body in joins}) == 2


def test_the_awaited_player_chooses_among_the_legal_actions(serve: Serve) -> None:
    seats = [{"seat": 0, "to_act": False}, {"seat": 1, "to_act": True}]
    legal = {
        "ply": 7,
        "items": [{"action": {"type": "a"}, "notation": "a"}, {"action": {"type": "b"}, "notation": "b"}],
    }
    running = {"status": "running", "ply": 7, "seats": seats}
    serve((200, running), (200, {"ply": 7, "items": []}), (200, running), (200, legal), (200, {"status": "finished"}))
    client = Client("http://one")
    chosen = choose(client, "m", [ANN, BELA], lambda items: items[-1])
    assert chosen == Choice(BELA, 7, {"type": "b"}, "b")
    assert choose(client, "m", [ANN, BELA], lambda items: items[0]) is None


def test_a_running_match_that_awaits_nobody_is_an_error(serve: Serve) -> None:
    serve((200, {"status": "running", "ply": 7, "seats": [{"seat": 0, "to_act": False}]}))
    with pytest.raises(ClientError, match="Match m is running at ply 7 and awaits nobody"):
        choose(Client("http://one"), "m", [ANN], lambda items: items[0])


def test_a_turn_that_is_repeated_keeps_its_key(serve: Serve) -> None:
    server = serve(requests.ConnectionError(), (202, {"id": "t", "status": "queued"}))
    client = Client("http://one", retry=Retry())
    assert submit(client, "m", Choice(ANN, 7, {"type": "a"}, "a"), wait=3)["id"] == "t"
    first, second = (rest["headers"] for _, _, rest in server.asked)
    assert first == second
    assert first["Prefer"] == "wait=3"
    assert first["Idempotency-Key"]


def test_a_verdict_is_waited_for_and_given_up(serve: Serve) -> None:
    queued, judged = {"id": "t", "status": "queued"}, {"id": "t", "status": "accepted"}
    serve((200, queued), (200, judged), (200, queued))
    client = Client("http://one")
    assert await_verdict(client, "m", ANN, queued) == judged
    with pytest.raises(ClientError, match="Turn t is still queued"):
        await_verdict(client, "m", ANN, queued, -1)


class Postbox:
    """Shows one mail more at every look, up to so many; every look takes as long as is said."""

    def __init__(self, mails: int, seconds: float) -> None:
        self.mails, self.seconds, self.looks, self.now = mails, seconds, 0, 0.0

    def texts(self, address: str) -> list[str]:
        self.looks += 1
        self.now += self.seconds
        return [f"mail {number}" for number in range(1, min(self.looks, self.mails) + 1)]

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def found(postbox: Postbox, pattern: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(client_module, "time", postbox)
    return find_in_mails(postbox.texts, "ada@example.org", pattern, 10)


def test_a_mail_is_waited_for_as_long_as_others_keep_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    assert found(Postbox(40, seconds=6), "mail (40)", monkeypatch) == "40"


def test_a_mail_that_does_not_come_is_given_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ClientError, match=r"no other either for 10 s"):
        found(Postbox(3, seconds=1), "mail 4", monkeypatch)
