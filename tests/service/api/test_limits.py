"""Limits of requests: who is counted as one caller, how many requests are allowed, and how that is
answered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.api import limits, views
from service.api.auth import SIGNED_IN
from service.api.limits import DAY, UNLIMITED, WEIGHTS, Budget, address_of, weight_of
from service.app import app_of, with_context
from service.config import load
from service.context import Context
from service.players import tokens
from service.rates import Limit
from service.store import players
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem
from tests.service.fakes import Clock

MANUAL = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")

NOBODY = {"name": "", "email": ""}


@pytest.fixture
def clock() -> Clock:
    """A clock that stands at the beginning of a minute and an hour, not of a day."""
    return Clock()


@cache
def app_behind(proxies: int) -> Flask:
    """The application with limits: what it has counted is in its context."""
    return app_of(replace(load({}), rate_limit=True, trusted_proxies=proxies))


def limited(context: Context, clock: Clock, proxies: int = 0) -> FlaskClient:
    """A client of the service with limits."""
    settings = replace(context.settings, rate_limit=True, trusted_proxies=proxies)
    return with_context(app_behind(proxies), replace(context, settings=settings, clock=clock)).test_client()


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A caller may list matches three times a minute, which costs two each time."""
    monkeypatch.setattr(limits, "BUDGETS", {**limits.BUDGETS, Budget.READS: Limit("reads", 6, 60)})


def statuses(
    client: FlaskClient, times: int, path: str = "/v1/matches", peer: str = "192.0.2.1", **headers: str
) -> list[int]:
    return [client.get(path, environ_base={"REMOTE_ADDR": peer}, headers=headers).status_code for _ in range(times)]


def sign_up(client: FlaskClient, peer: str = "192.0.2.1", forwarded: str = "", body: Any = None) -> TestResponse:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return client.post("/v1/players", json=body or NOBODY, environ_base={"REMOTE_ADDR": peer}, headers=headers)


def bearer(person: Person) -> Mapping[str, str]:
    return {"Authorization": f"Bearer {person.token}"}


def test_a_client_that_asks_too_often_is_told_when_to_come_back(context: Context, clock: Clock) -> None:
    client = limited(context, clock)
    clock.advance(seconds=20)
    answers = [sign_up(client) for _ in range(11)]
    assert {answer.status_code for answer in answers[:10]} == {422}
    found = problem(answers[10], 429, "too_many_requests")
    assert (
        found["detail"]
        == "You have asked too often: the maximum of sign-ups is 10 per minute. Ask again in 40 seconds."
    )
    assert (found["limit"], found["retry_after"]) == ("sign-ups", 40)
    assert answers[10].headers["Retry-After"] == "40"
    assert client.get("/healthz").status_code == 200
    clock.advance(seconds=40)
    assert sign_up(client).status_code == 422


def test_an_answer_tells_the_limit_that_is_nearest(context: Context, clock: Clock, ada: Person) -> None:
    client = limited(context, clock)
    told = []
    for _ in range(2):
        headers = client.get("/v1/me", headers=bearer(ada)).headers
        told.append([headers[f"RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset")])
        clock.advance(seconds=5)
    assert told == [["600", "599", "60"], ["600", "598", "55"]]
    headers = [sign_up(client) for _ in range(11)][-1].headers
    assert [headers[f"RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset")] == ["10", "0", "50"]


def test_of_limits_that_are_used_up_the_one_is_told_that_is_so_for_longest(context: Context, clock: Clock) -> None:
    client = limited(context, clock)
    for number in range(6):
        clock.advance(seconds=60 if number else 0)
        assert [sign_up(client).status_code for _ in range(9)] == [422] * 9
        last = sign_up(client)
    of_day = str(DAY - int(clock().timestamp()) % DAY)
    assert [last.headers[f"RateLimit-{name}"] for name in ("Limit", "Remaining", "Reset")] == ["60", "0", of_day]
    refused = sign_up(client)
    assert "60 per day" in problem(refused, 429, "too_many_requests")["detail"], (
        "not the minute, after which none passes"
    )
    assert refused.headers["Retry-After"] == of_day
    assert re.search(r"Ask again in \d+ hours( \d+ minutes)?\.$", refused.get_json()["detail"])


def test_whoever_repeats_what_a_minute_refuses_has_not_used_up_the_day(context: Context, clock: Clock) -> None:
    client = limited(context, clock)
    assert [sign_up(client).status_code for _ in range(80)] == [422] * 10 + [429] * 70
    clock.advance(seconds=60)
    assert sign_up(client).status_code == 422


def test_health_is_not_limited_and_limits_that_are_off_are_not_told(
    context: Context, clock: Clock, client: FlaskClient, few: None
) -> None:
    assert statuses(limited(context, clock), 5, "/healthz") == [200] * 5
    assert statuses(client, 5) == [200] * 5
    assert "RateLimit-Limit" not in client.get("/v1/matches").headers


def test_an_address_that_leads_nowhere_counts_too(context: Context, clock: Clock, few: None) -> None:
    assert statuses(limited(context, clock), 7, "/nowhere") == [404] * 6 + [429]


def test_players_at_one_address_are_counted_each_alone(
    context: Context, clock: Clock, few: None, ada: Person, bela: Person
) -> None:
    client = limited(context, clock)
    assert statuses(client, 4) == [200] * 3 + [429]
    assert statuses(client, 4, **bearer(ada)) == [200] * 3 + [429]
    assert statuses(client, 4, **bearer(bela)) == [200] * 3 + [429]


def test_a_player_is_one_caller_with_all_tokens_and_browsers_wherever_they_are(
    context: Context, clock: Clock, few: None, ada: Person
) -> None:
    client = limited(context, clock)
    more = [ada.post("/v1/tokens", {}).get_json()["token"] for _ in range(2)]
    asked = [
        statuses(client, 1, peer=f"192.0.2.{number}", Authorization=f"Bearer {token}")[0]
        for number, token in enumerate([ada.token, *more])
    ]
    assert asked == [200] * 3
    with context.database.read() as connection:
        player = players.by_email(connection, ada.email)
    assert player is not None
    client.set_cookie(SIGNED_IN, tokens.sign_in(replace(context, clock=clock), player))
    assert statuses(client, 1, "/") == [429]


def test_whoever_has_read_too_much_still_submits_sixty_turns(
    context: Context, clock: Clock, ada: Person, match: str
) -> None:
    client = limited(context, clock)
    path = f"/v1/matches/{match}/turns"
    assert statuses(client, 601, "/v1/me", **bearer(ada)) == [200] * 600 + [429]
    turns = [client.post(path, json={"ply": 0, "notation": "1"}, headers=bearer(ada)).status_code for _ in range(60)]
    assert set(turns) == {409}  # ply 0 is over: the turn was looked at, and not refused by a limit
    changed = client.patch("/v1/me/preferences", json={}, headers=bearer(ada))
    assert changed.status_code == 200
    assert found_limit(client, ada) == "reads"


def found_limit(client: FlaskClient, person: Person) -> str:
    """The limit that a read of the person's is refused by."""
    answer = client.get("/v1/me", headers=bearer(person))
    limit: str = problem(answer, 429, "too_many_requests")["limit"]
    return limit


def test_every_weight_is_that_of_an_operation_or_a_page(client: FlaskClient) -> None:
    assert {*WEIGHTS, *UNLIMITED} <= {*client.application.view_functions}


def test_what_is_asked_with_get_is_counted_as_reads_alone(client: FlaskClient) -> None:
    for rule in client.application.url_map.iter_rules():
        for method in {*(rule.methods or ())} - {"OPTIONS", "HEAD"}:
            asks = method == "GET" or rule.endpoint == "turns.list_legal_actions_after"
            assert (weight_of(rule.endpoint, method).budget is Budget.READS) is asks, rule.endpoint
    assert weight_of("", "POST").budget is Budget.READS


def test_no_request_costs_nothing_or_more_than_there_is(client: FlaskClient) -> None:
    assert all(0 < weight.cost + weight.afresh <= limits.BUDGETS[weight.budget].most for weight in WEIGHTS.values())
    assert all(weight.cost > 0 for weight in WEIGHTS.values())


def test_the_manual_says_what_requests_cost() -> None:
    table = MANUAL.partition("| a read of | costs | made anew |")[2].partition("\n\n")[0]
    told = set()
    for row in table.splitlines()[2:]:
        cost, anew = (cell.strip() for cell in row.split("|")[2:4])
        more = int(anew.removesuffix(" more")) - (0 if anew.endswith("more") else int(cost)) if anew else 0
        told.add((int(cost), more))
    assert told == {(weight.cost, weight.afresh) for weight in WEIGHTS.values()}


def test_the_manual_says_what_is_allowed_in_which_time() -> None:
    seconds = {"a minute": 60, "an hour": 3600, "a day": 24 * 3600}
    table = MANUAL.partition("| limit | requests | of | at most |")[2].partition("\n\n")[0]
    told = {
        Limit(row[0], int(most), seconds[time])
        for row in re.findall(r"^\| `([a-z-]+)` \|.*\| (.*) \|$", table, re.MULTILINE)
        for most, time in re.findall(r"(\d+) (an? \w+)", row[1])
    }
    known = [each for each in vars(limits).values() if isinstance(each, tuple)]
    several = {limit for each in known for limit in each if isinstance(limit, Limit)}
    assert told == {*several, *limits.BUDGETS.values()}


def left(client: FlaskClient, path: str, **headers: str) -> int:
    """How much may still be read after reading that."""
    answer = client.get(path, headers=headers)
    assert answer.status_code == 200
    return int(answer.headers["RateLimit-Remaining"])


@pytest.mark.parametrize("what", ["record", "log", "observation", "board.txt", "board.svg", "board.png"])
def test_what_is_kept_costs_less_also_for_others_who_may_see_the_same(
    context: Context, clock: Clock, ada: Person, bela: Person, match: str, what: str
) -> None:
    client, path = limited(context, clock), f"/v1/matches/{match}/{what}"
    afresh = left(client, path)
    kept = left(client, path)
    assert 600 - afresh > afresh - kept == 1
    assert left(client, path, **bearer(ada)) == afresh  # a player's view is another
    client.post(f"/v1/matches/{match}/turns", json={"ply": ply_of(ada, match), "notation": "1"}, headers=bearer(ada))
    assert left(client, path) == kept - (600 - afresh)  # at another ply it is made again


def ply_of(person: Person, match: str) -> int:
    return int(person.get(f"/v1/matches/{match}").get_json()["ply"])


def test_records_of_many_matches_are_refused_before_they_are_written(
    context: Context, clock: Clock, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "BUDGETS", {**limits.BUDGETS, Budget.READS: Limit("reads", 30, 60)})
    monkeypatch.setattr(views, "match_record", None)
    answer = limited(context, clock).get(f"/v1/matches/{match}/record")
    assert problem(answer, 429, "too_many_requests")["limit"] == "reads"


@pytest.mark.parametrize("form", ["Bearer ovl_made{}up", "Bearer {}", "Basic {}", "ovl_{}"])
def test_tokens_that_nobody_issued_count_for_the_address(context: Context, clock: Clock, few: None, form: str) -> None:
    client = limited(context, clock)
    asked = [statuses(client, 1, Authorization=form.format(number))[0] for number in range(4)]
    assert asked == [401] * 3 + [429]


def test_a_revoked_token_counts_for_the_address(context: Context, clock: Clock, few: None, ada: Person) -> None:
    ada.delete(f"/v1/tokens/{ada.get('/v1/tokens').get_json()['items'][0]['id']}")
    client = limited(context, clock)
    assert statuses(client, 4, **bearer(ada)) == [401] * 3 + [429]
    assert statuses(client, 1) == [429]


def test_where_no_token_is_read_none_counts(context: Context, clock: Clock, few: None, ada: Person) -> None:
    client = limited(context, clock)
    assert statuses(client, 3, "/openapi.json") == [200] * 3
    assert statuses(client, 1, "/openapi.json", **bearer(ada)) == [429]
    assert statuses(client, 1, "/v1/games", **bearer(ada)) == [200]


def test_signing_up_is_counted_by_address_also_with_tokens(context: Context, clock: Clock, ada: Person) -> None:
    client = limited(context, clock)
    asked = [client.post("/v1/players", json=NOBODY, headers=bearer(ada)).status_code for _ in range(11)]
    assert asked == [422] * 10 + [429]


def test_whatever_signs_up_is_counted_by_address(client: FlaskClient) -> None:
    ways = {rule.endpoint for rule in client.application.url_map.iter_rules() if "POST" in (rule.methods or ())}
    signing_up = {each for each in ways if "sign_up" in each}
    assert len(signing_up) >= 4
    assert {limits.OF_ADDRESSES.get(each) for each in signing_up} == {limits.SIGN_UPS}


def test_page_and_api_count_confirmations_together(context: Context, clock: Clock) -> None:
    client = limited(context, clock)
    asked = [client.post("/v1/confirm", json={"token": "a" * 32}).status_code for _ in range(29)]
    assert asked == [404] * 29
    assert client.get("/confirm").status_code == 200
    assert client.post("/v1/confirm", json={"token": "a" * 32}).status_code == 429
    assert client.get("/confirm").status_code == 429


def test_more_tokens_do_not_issue_more_tokens(context: Context, clock: Clock, ada: Person) -> None:
    client = limited(context, clock)
    issued = [client.post("/v1/tokens", json={}, headers=bearer(ada)) for _ in range(10)]
    assert [answer.status_code for answer in issued] == [201] * 10
    for token in (ada.token, issued[0].get_json()["token"]):
        answer = client.post("/v1/tokens", json={}, headers={"Authorization": f"Bearer {token}"})
        assert problem(answer, 429, "too_many_requests")["limit"] == "tokens"


def test_nobody_is_sent_mail_after_mail_whoever_asks(context: Context, clock: Clock) -> None:
    client = limited(context, clock)
    ada = {"name": "Ada", "email": "Ada@example.org"}
    answers = [sign_up(client, f"192.0.2.{number}", body=ada) for number in range(11)]
    assert [answer.status_code for answer in answers] == [202] * 10 + [429]
    assert "10 per hour" in problem(answers[10], 429, "too_many_requests")["detail"]
    assert sign_up(client, body={"name": "Bela", "email": "bela@example.org"}).status_code == 202


def asked_by(context: Context, clock: Clock, proxies: int, forwarded: list[str]) -> list[int]:
    """The statuses of sign-ups one after the other that come from 10.0.0.9 with these
    ``X-Forwarded-For``.
    """
    client = limited(context, clock, proxies)
    return [sign_up(client, "10.0.0.9", each).status_code for each in forwarded]


@pytest.mark.parametrize(("proxies", "rest"), [(1, ""), (2, ", 10.0.0.8")])
def test_behind_trusted_proxies_each_caller_is_counted_alone(
    context: Context, clock: Clock, proxies: int, rest: str
) -> None:
    callers = [f"192.0.2.{number % 2}{rest}" for number in range(21)]
    assert asked_by(context, clock, proxies, callers) == [422] * 20 + [429]


@pytest.mark.parametrize(("proxies", "rest"), [(1, ""), (2, ", 10.0.0.8")])
def test_what_a_caller_writes_left_of_the_proxies_counts_for_nothing(
    context: Context, clock: Clock, proxies: int, rest: str
) -> None:
    forged = ["198.51.100.1", '"198.51.100.2', '"', "\\", ",", '198.51.100.3, "a', 'for="', "", "198.51.100.4"]
    callers = [f"{each}, 192.0.2.7{rest}" for each in [*forged, "198.51.100.5"]]
    assert asked_by(context, clock, proxies, [*callers, f'"192.0.2.7"{rest}'])[-1] == 429


def test_without_trusted_proxies_the_header_counts_for_nothing(context: Context, clock: Clock) -> None:
    assert asked_by(context, clock, 0, [f"192.0.2.{number}" for number in range(11)])[-1] == 429


@pytest.mark.parametrize(
    ("remote", "caller"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("192.0.2.1:51234", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("[2001:db8:1:2::9]:51234", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unix:", "unix:"),
        ("", "unknown"),
        (None, "unknown"),
        ("x" * 100, "x" * 64),
    ],
)
def test_a_caller_without_a_token_is_an_address_or_its_network(remote: str | None, caller: str) -> None:
    assert address_of(remote) == caller


def test_a_network_of_64_bits_is_one_caller(context: Context, clock: Clock, few: None) -> None:
    client = limited(context, clock)
    asked = [statuses(client, 1, peer=f"2001:db8::{number}:1")[0] for number in range(4)]
    assert asked == [200] * 3 + [429]
    assert statuses(client, 1, peer="2001:db8:0:1::1") == [200]
