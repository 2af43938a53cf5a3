"""Unlisted matches: for whoever neither sits, is invited, is offered a seat nor has the link there
is no such match, at any address that the service has, now or later.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.clocks.rule import PRESETS
from service.context import Context
from service.errors import NotFound
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices.mail.compose import mail_of
from service.offers import offering
from service.players import tokens
from service.store import matches as rows
from service.store.players import Player
from service.views import match as views
from tests.service.api.test_conventions import FITTING
from tests.service.fakes import Clock, Postbag, notices, person, person_with_token
from tests.service.inbox.postman import Postman, relayed
from tests.service.web.conftest import SignedIn

ME, OPEN = SeatRequest("me"), SeatRequest("open")
NOBODYS: Final = "k3v7q2m5xa"
STATES: Final = ("open", "running", "finished", "cancelled")
OTHER_WAYS: Final = (
    ("GET", "/events/stream?match={match}", None),
    ("POST", "/v1/me/blocks", {"match": "{match}"}),
    ("POST", "/v1/me/blocks", {"match": "{match}", "seat": 0}),
)
"""Requests that name a match elsewhere than in the path."""


def made(context: Context, ada: Player, bela: Player, state: str) -> str:
    """An unlisted match of the two in that state."""
    match = lobby.create(context, ada, "oregon", {}, [ME, OPEN], clock=PRESETS["relaxed"], unlisted=True).id
    link = secret_of(context, match)
    if state in ("running", "finished"):
        lobby.join(context, bela, match, link=link)
    if state == "finished":
        lobby.resign(context, bela, match)
    if state == "cancelled":
        lobby.leave(context, ada, match)
    return match


def secret_of(context: Context, match: str) -> str:
    with context.database.read() as connection:
        found = rows.find(connection, match)
    assert found is not None
    assert found.join_secret is not None
    return found.join_secret


def ways(app: Flask) -> Iterator[tuple[str, str, Any]]:
    """Every request that names a match: method, path and body."""
    for rule in app.url_map.iter_rules():
        if "match" in rule.arguments:
            path = re.sub(r"<(?:\w+:)?(\w+)>", lambda part: "{match}" if part[1] == "match" else NOBODYS, rule.rule)
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                name = re.sub(r"_(\w)", lambda letter: letter[1].upper(), rule.endpoint.rpartition(".")[2])
                yield method, path, FITTING.get(name)
    yield from OTHER_WAYS


Ask = Callable[[str, str, Any, str], TestResponse]


def asking(client: FlaskClient, headers: dict[str, str]) -> Ask:
    shown = re.search(r'name="nonce" value="(\w+)"', client.get("/confirm").text)
    assert shown is not None

    def ask(method: str, path: str, body: Any, match: str) -> TestResponse:
        path = path.replace("{match}", match)
        if not path.startswith("/v1/") and method == "POST":
            return client.post(path, data={"nonce": shown[1], "do": "leave", "text": "Hello"})
        if isinstance(body, dict):
            body = {name: match if value == "{match}" else value for name, value in body.items()}
        body = {} if body is None and method in ("POST", "PUT", "PATCH") else body
        return client.open(path, method=method, json=body, headers=headers)

    return ask


def told(answer: TestResponse, match: str) -> tuple[int, str]:
    """What an answer says, whichever match it is about."""
    text = re.sub(r"[a-z2-7]{32,}", "", answer.text.replace(match, "…"))
    return answer.status_code, re.sub(r'"instance": ?"[^"]*"', "", text)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("who", ["nobody", "outsider"])
def test_no_address_tells_an_outsider_that_there_is_such_a_match(
    app: Flask, context: Context, state: str, who: str
) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = made(context, ada, bela, state)
    client, headers = app.test_client(), {}
    if who == "outsider":
        eve, token = person_with_token(context, "Eve")
        client.set_cookie("overland-browser", tokens.sign_in(context, eve))
        headers = {"Authorization": f"Bearer {token}"}
    ask, all_ways = asking(client, headers), list(ways(app))
    assert len(all_ways) >= 43
    for method, path, body in all_ways:
        found, nobodys = ask(method, path, body, match), ask(method, path, body, NOBODYS)
        assert found.status_code in ((404,) if who == "outsider" else (401, 404)), (method, path, found.text)
        assert told(found, match) == told(nobodys, NOBODYS), (method, path)
    assert lobby.find(context, ada, match).status == state


@pytest.mark.parametrize("state", STATES)
def test_no_list_goes_on_after_a_match_that_the_reader_does_not_know(
    context: Context, signed_in: SignedIn, state: str
) -> None:
    match = made(context, person(context, "Ada"), person(context, "Bela"), state)
    eve, token = person_with_token(context, "Eve")
    browser = signed_in(eve)
    for path in ("/v1/matches?", "/v1/matches?mine=true&", "/v1/matches?to_act=true&", "/matches?list=others&"):
        headers = {"Authorization": f"Bearer {token}"} if path.startswith("/v1") else {}
        found, nobodys = (browser.client.get(f"{path}after={each}", headers=headers) for each in (match, NOBODYS))
        assert found.status_code == 422, path
        assert told(found, match) == told(nobodys, NOBODYS), path
    assert browser.client.get(f"/v1/matches?after={match}").status_code == 422


def test_who_knows_an_unlisted_match_goes_on_after_it(context: Context) -> None:
    ada = person(context, "Ada")
    listed, unlisted = (
        lobby.create(context, ada, "oregon", {}, [ME, OPEN], unlisted=each).id for each in (False, True)
    )
    first, second = (match.id for match in lobby.mine(context, ada))
    assert {first, second} == {listed, unlisted}
    assert [match.id for match in lobby.mine(context, ada, after=first)] == [second]
    assert lobby.mine(context, ada, after=second) == ()


@pytest.mark.parametrize("state", STATES)
def test_no_list_and_no_stream_has_it(context: Context, signed_in: SignedIn, state: str) -> None:
    match = made(context, person(context, "Ada"), person(context, "Bela"), state)
    eve, token = person_with_token(context, "Eve")
    browser, headers = signed_in(eve), {"Authorization": f"Bearer {token}"}
    for path in ("/", "/v1/matches", "/v1/matches?mine=true", "/v1/events", "/v1/me/awaiting"):
        assert match not in browser.client.get(path, headers=headers if path.startswith("/v1") else {}).text


def test_who_sits_is_invited_is_offered_a_seat_or_created_it_sees_it(context: Context) -> None:
    ada, bela, cleo, eve = (person(context, name) for name in ("Ada", "Bela", "Cleo", "Eve"))
    seats = [ME, SeatRequest("invite", email=bela.email)]
    match = lobby.create(context, ada, "oregon", {}, seats, clock=PRESETS["relaxed"], unlisted=True).id
    for player in (ada, bela):
        assert views.match(context, player, match).id == match
    lobby.join(context, bela, match)
    offering.offer(context, bela, match, "hand_over", email=cleo.email)
    assert views.match(context, cleo, match).id == match
    for outsider in (eve, None):
        with pytest.raises(NotFound, match="There is no match"):
            views.match(context, outsider, match)


def test_who_declines_or_leaves_sees_no_more_of_it_and_is_answered_all_the_same(
    context: Context, signed_in: SignedIn
) -> None:
    ada, (bela, token) = person(context, "Ada"), person_with_token(context, "Bela")
    for seats in ([ME, OPEN, OPEN], [ME, OPEN, SeatRequest("invite", email=bela.email)]):
        browser = signed_in(bela)
        for door in ("page", "API"):
            match = lobby.create(context, ada, "oregon", {}, seats, unlisted=True).id
            lobby.join(context, bela, match, link=secret_of(context, match))
            if door == "page":
                answer = browser.press(browser.get(f"/matches/{match}"), f"/matches/{match}/seat", do="leave")
                assert answer.headers["Location"] == "/"
            else:
                headers = {"Authorization": f"Bearer {token}"}
                answer = browser.client.post(f"/v1/matches/{match}/leave", headers=headers)
                assert answer.get_json()["id"] == match
            with pytest.raises(NotFound):
                lobby.find(context, bela, match)
            lobby.leave(context, ada, match)


def test_who_has_the_link_sees_match_and_board_behind_it_and_nothing_else(
    context: Context, signed_in: SignedIn
) -> None:
    ada, bela, browser = person(context, "Ada"), person(context, "Bela"), signed_in(None)
    for state in STATES:
        match = made(context, replace(ada), bela, state)
        link = f"/join/{secret_of(context, match)}"
        assert browser.get(link).status_code == 200
        shown = browser.get(f"/v1{link}").get_json()
        assert shown["match"]["id"] == match
        assert (shown["board"] is None) == (state in ("open", "cancelled"))
        assert browser.get(f"{link}/board.svg").status_code == (409 if shown["board"] is None else 200)
        assert browser.get(f"/matches/{match}").status_code == 404


def test_a_seat_is_taken_with_the_link_and_without_it_there_is_no_match(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = made(context, ada, bela, "open")
    for link in (None, "a" * 26):
        with pytest.raises(NotFound, match=f"There is no match {match}"):
            lobby.join(context, bela, match, link=link)
    assert lobby.join(context, bela, match, link=secret_of(context, match)).status == "running"


@pytest.mark.parametrize("asked", ["invited", "offered a seat"])
def test_who_sees_it_without_the_link_has_it_mailed_to_nobody(
    context: Context, signed_in: SignedIn, asked: str
) -> None:
    ada, bela, cleo = (person(context, name) for name in ("Ada", "Bela", "Cleo"))
    if asked == "invited":
        seats = [ME, OPEN, SeatRequest("invite", email=cleo.email)]
        match = lobby.create(context, ada, "oregon", {}, seats, unlisted=True).id
    else:
        match = made(context, ada, bela, "running")
        offering.offer(context, bela, match, "hand_over", email=cleo.email)
    assert views.match(context, cleo, match).id == match
    client = signed_in(cleo).client
    nonce = re.search(r'name="nonce" value="(\w+)"', client.get(f"/matches/{match}").text)
    assert nonce is not None
    typed = {"nonce": nonce[1], "name": "Dora", "email": "dora@example.org"}
    assert client.post(f"/matches/{match}/join/sign-up", data=typed).status_code == 404
    assert not [notice for notice in notices(context) if notice.payload.get("joins")]


@pytest.mark.parametrize("word", ["no", "rules", "hello"])
def test_no_answer_to_a_stranger_who_is_invited_has_the_link(context: Context, word: str) -> None:
    service = relayed(replace(context, clock=Clock(), transport=Postbag()))
    ada, postman = person(service, "Ada"), Postman(service)
    seats = [ME, OPEN, SeatRequest("invite", email="carl@example.org")]
    match = lobby.create(service, ada, "oregon", {}, seats, unlisted=True).id
    postman.reply(postman.newest("invitation"), "carl@example.org", word)
    mail = mail_of(service, postman.newest("answer"))
    assert mail["To"] == "carl@example.org"
    assert match in mail.as_string()
    assert secret_of(service, match) not in mail.as_string()
