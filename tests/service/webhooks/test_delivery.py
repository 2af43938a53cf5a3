"""Webhooks from an event to the call: what is told to whom, once, and what becomes of failures."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache

import pytest
from jsonschema import Draft202012Validator
from sqlalchemy import delete, insert, select

from engine.types import Statement
from service.api.openapi import openapi_document
from service.clocks.rule import PRESETS
from service.context import Context
from service.guard import Died, OutOfTime
from service.ledger.check import check_ledger
from service.loop import LEASE
from service.matches import chat, lobby, replays
from service.matches.resign import resign
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.offers import offering
from service.players import choosing
from service.store import survey
from service.store.outbox import CALLING, QUICK_ATTEMPTS, Notice
from service.store.pruning import prune_notices
from service.store.tables import outbox
from service.store.webhooks import Webhook
from service.sweeps import sweep
from service.webhooks import owning
from service.webhooks.bodies import CallContent, MatchTold, body_of, signature
from service.webhooks.calling import CallOutcome, calling
from service.webhooks.delivery import CallResult, call_due
from tests.service.fakes import Clock, Here, Postbag, Round, notices, person, played, started, state_of
from tests.service.turns.clocks import now_is
from tests.service.webhooks.receiver import Received, Receiver, receiving
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")
HOOK = "https://example.org/hook"
CLUB = "http://club.example.org/hook"
DISCORD = "http://discord.example.org/hook"


described = cache(openapi_document)


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver; whatever it was told is as the description says."""
    with receiving() as found:
        yield found
    document = described()
    for got in found.received:
        if "webhook-signature" in got.headers:
            called = document["webhooks"][got.document["type"]]["post"]
            schema = called["requestBody"]["content"]["application/json"]["schema"]
            Draft202012Validator({**schema, "components": document["components"]}).validate(got.document)
            for header in called["parameters"]:
                assert re.search(header["schema"]["pattern"], got.headers[header["name"]]), header["name"]


@pytest.fixture
def table(context: Context) -> Round:
    table = started(context, "pearls", clock="brisk")
    deliver_due(context)
    return table


def later(context: Context, receiver: Receiver, **time: float) -> list[str]:
    """Time passes, then what is due is called. Returns the results."""
    assert isinstance(context.clock, Clock)
    context.clock.advance(**(time or {"seconds": 31}))
    return sorted(call_due(context, Here(calling(context, receiver.network))).elements())


def calls(context: Context) -> list[Notice]:
    return [notice for notice in notices(context) if notice.channel == "webhook"]


def test_who_is_awaited_is_told_to_their_own_webhook_and_to_that_of_the_match(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, bela = table.players
    owning.enter(context, ada, "json", "http://ada.example.org/")
    owning.enter(context, bela, "json", "http://bela.example.org/")
    owning.enter(context, ada, "json", CLUB, table.match.id)
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver) == ["told", "told"]
    assert {got.headers["Host"] for got in receiver.received} == {"bela.example.org", "club.example.org"}
    for got in receiver.received:
        assert got.document["type"] == "match.turn"
        data = got.document["data"]
        assert (data["match"], data["title"], data["game"]) == (table.match.id, "Pearls", "pearls")
        assert data["link"] == f"http://127.0.0.1:8000/matches/{table.match.id}"
        (awaited,) = data["awaited"]
        assert (awaited["seat"], awaited["player"], awaited["prompt"]["sentence"]) == (
            1,
            "Bela",
            "Dive, or offer a pearl.",
        )
        assert awaited["deadline"] is not None
    assert check_ledger(context.database).breaches == []


def test_half_of_a_surrogate_pair_in_what_a_seat_is_asked_keeps_no_call_back(
    context: Context, table: Round, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bela = table.players
    owning.enter(context, bela, "json", "http://bela.example.org/")
    asked = Statement("dive", {"at": "\ud800"})
    game = replays.game_of
    monkeypatch.setattr(replays, "game_of", lambda match: replace(game(match), prompt=lambda state, seat: asked))
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver) == ["told"]
    (awaited,) = receiver.received[-1].document["data"]["awaited"]
    assert awaited["prompt"]["values"] == {"at": "?"}


def test_one_address_is_told_once_however_many_have_entered_it_however_written(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, bela = table.players
    owning.enter(context, ada, "json", CLUB, table.match.id)
    owning.enter(context, bela, "json", "HTTP://CLUB.example.org:80/hook", table.match.id)
    owning.enter(context, bela, "json", CLUB)
    owning.enter(context, ada, "discord", CLUB)
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver) == ["told"]
    (got,) = receiver.received
    signed = got.headers["webhook-signature"].split(" ")
    assert len(signed) == len(set(signed)) == 3, "by all who have a secret for it"


def test_nothing_is_told_before_half_a_minute_and_what_follows_is_one_message(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, bela = table.players
    owning.enter(context, ada, "json", CLUB, table.match.id)
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver, seconds=20) == []
    played(context, bela, table.match.id, "dive")
    assert "told" not in later(context, receiver, seconds=5)
    results = later(context, receiver, seconds=6)
    assert [got.document["data"]["awaited"][0]["player"] for got in receiver.received] == ["Ada"], results
    assert [(each.status, each.superseded_by is not None) for each in calls(context)] == [
        ("covered", True),
        ("sent", False),
    ]
    assert later(context, receiver) == []
    assert check_ledger(context.database).breaches == []


def test_the_start_and_the_first_turn_are_one_message(context: Context, receiver: Receiver) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")], title="A @everyone *x*")
    owning.enter(context, ada, "discord", DISCORD, match.id)
    lobby.join(context, bela, match.id)
    assert "told" in later(context, receiver)
    (got,) = receiver.received
    assert "has begun" in got.document["content"]
    assert "Ada" in got.document["content"]


def test_the_end_is_told_to_all_with_the_last_word(context: Context, table: Round, receiver: Receiver) -> None:
    ada, bela = table.players
    for each in (ada, bela):
        owning.enter(context, each, "json", f"http://{each.name.lower()}.example.org/")
    played(context, ada, table.match.id, "dive")
    resign(context, bela, table.match.id)
    later(context, receiver)
    told = {got.headers["Host"]: got.document for got in receiver.received}
    assert {host: each["type"] for host, each in told.items()} == {
        "ada.example.org": "match.over",
        "bela.example.org": "match.over",
    }
    assert all(each["data"]["awaited"] == [] for each in told.values())


def test_what_was_overtaken_is_dropped(context: Context, table: Round, receiver: Receiver) -> None:
    ada, bela = table.players
    owning.enter(context, bela, "json", HOOK)
    played(context, ada, table.match.id, "dive")
    played(context, bela, table.match.id, "dive")
    assert later(context, receiver) == []
    assert [each.status for each in calls(context)] == ["covered"]
    assert receiver.received == []


def test_a_reminder_of_two_matches_is_one_mail_and_told_to_the_webhooks_of_each(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, bela = table.players
    second = lobby.create(
        context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")], title="Two", clock=PRESETS["brisk"]
    )
    lobby.join(context, bela, second.id)
    deliver_due(context)
    owning.enter(context, ada, "json", "http://ada.example.org/")
    for player, name, match_id in ((ada, "one", table.match.id), (bela, "two", second.id), (ada, "two", second.id)):
        owning.enter(context, player, "json", f"http://{name}.example.org/", match_id)
    bag = context.transport
    assert isinstance(bag, Postbag)
    bag.messages.clear()
    now_is(context, context.clock() + timedelta(hours=36))
    sweep(context)
    deliver_due(context)
    later(context, receiver)
    told = sorted((got.headers["Host"], got.document["data"]["title"]) for got in receiver.received)
    assert told == [
        ("ada.example.org", "Pearls"),
        ("ada.example.org", "Two"),
        ("one.example.org", "Pearls"),
        ("two.example.org", "Two"),
    ]
    assert {got.document["type"] for got in receiver.received} == {"match.reminder"}
    assert [mail["To"] for mail in bag.messages] == ["Ada <ada@example.org>"]
    assert later(context, receiver) == []
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("wanted", ["both", "last", "none"])
def test_reminders_are_told_whatever_the_awaited_player_wants_to_be_mailed(
    context: Context, table: Round, receiver: Receiver, wanted: str
) -> None:
    ada, bela = table.players
    choosing.choose(context, ada, {"reminders": wanted})
    owning.enter(context, bela, "json", CLUB, table.match.id)
    told = []
    for hours in (36, 24, 48):
        now_is(context, context.clock() + timedelta(hours=hours))
        sweep(context)
        later(context, receiver)
        told.append([got.document["type"] for got in receiver.received])
        receiver.received.clear()
    assert told == [["match.reminder"]] * 3
    mailed = [notice for notice in notices(context, "reminder") if notice.channel == "mail"]
    assert len(mailed) == {"both": 3, "last": 2, "none": 0}[wanted]
    assert check_ledger(context.database).breaches == []


def test_nothing_hidden_and_nothing_said_is_told(context: Context, table: Round, receiver: Receiver) -> None:
    ada, bela = table.players
    owning.enter(context, ada, "json", CLUB, table.match.id)
    owning.enter(context, ada, "slack", "http://slack.example.org/", table.match.id)
    played(context, ada, table.match.id, "dive")
    chat.say(context, bela, table.match.id, "My secret plan.")
    later(context, receiver)
    (value,) = state_of(context, table.match.id).hands[0]
    for got in receiver.received:
        said = got.body.decode()
        assert "secret plan" not in said
        assert f"pearl of {value}" not in said
        assert "hand" not in said
        assert "@example.org" not in said


def test_a_message_as_discord_shows_it(context: Context, receiver: Receiver) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    choosing.choose(context, bela, {"discord": "80351110224678912"})
    match = lobby.create(
        context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")], title="@everyone *free* [x](é)"
    )
    lobby.join(context, bela, match.id)
    later(context, receiver)
    owning.enter(context, ada, "discord", DISCORD, match.id)
    played(context, ada, match.id, "dive")
    later(context, receiver)
    (got,) = receiver.received
    assert "é".encode() in got.body
    assert got.document == {
        "content": "\\@everyone \\*free\\* \\[x\\]\\(é\\) (pearls)\n"
        "<@80351110224678912> Bela: Dive, or offer a pearl.\n"
        f"http://127.0.0.1:8000/matches/{match.id}",
        "allowed_mentions": {"parse": [], "users": ["80351110224678912"]},
        "flags": 4,
    }
    assert "webhook-signature" not in got.headers


@pytest.mark.parametrize(("length", "shown"), [(1972, 1999), (1973, 2000), (1974, 2000)])
def test_discord_is_sent_as_many_characters_as_it_takes(length: int, shown: int) -> None:
    told = MatchTold("m", "x" * length, "pearls", "https://x.example", ())
    content = json.loads(body_of(CallContent(("your_turn",), datetime(2026, 11, 21, tzinfo=UTC), told), "discord"))
    assert len(content["content"]) == shown


def test_what_fails_is_tried_again_and_what_is_newer_tells_it(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, bela = table.players
    webhook = owning.enter(context, ada, "json", CLUB, table.match.id)
    receiver.status = 500
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver) == ["postponed"]
    assert shown(context, table, webhook.id).last_error == "http://club.example.org answered 500."
    assert later(context, receiver, seconds=10) == ["postponed"]
    assert len({got.headers["webhook-id"] for got in receiver.received}) == 1, "repeats are recognisable"
    played(context, bela, table.match.id, "dive")
    receiver.status = 204
    results = later(context, receiver)
    assert results == ["told"]
    assert receiver.received[-1].document["data"]["awaited"][0]["player"] == "Ada"
    after = shown(context, table, webhook.id)
    assert (after.failing_since, after.last_error, after.told_at) == (None, None, context.clock())
    assert check_ledger(context.database).breaches == []


def test_an_address_that_is_down_is_no_trouble_of_the_mail_server(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, _bela = table.players
    owning.enter(context, ada, "json", CLUB, table.match.id)
    receiver.status = 500
    played(context, ada, table.match.id, "dive")
    for _ in range(QUICK_ATTEMPTS + 1):
        assert later(context, receiver, hours=1) == ["postponed"]
        deliver_due(context)
    with context.database.read() as connection:
        found = survey.backlog(connection, context.clock())
    assert (found.notices, found.refused, found.oldest_mail_seconds) == (1, 0, 0)


def shown(context: Context, table: Round, webhook_id: str) -> Webhook:
    every = [each for player in table.players for each in owning.of_player(context, player)]
    return next(each for each in every if each.id == webhook_id)


@pytest.mark.parametrize("gone", [True, False])
def test_an_address_that_is_gone_or_fails_for_three_days_is_switched_off_and_its_players_are_mailed(
    context: Context, table: Round, receiver: Receiver, gone: bool
) -> None:
    ada, bela = table.players
    webhooks = [owning.enter(context, each, "json", CLUB, table.match.id) for each in (ada, bela)]
    receiver.status = 410 if gone else 503
    played(context, ada, table.match.id, "dive")
    if not gone:
        assert later(context, receiver) == ["postponed"]
        assert set(later(context, receiver, days=2.9)) == {"postponed"}
        assert all(shown(context, table, each.id).off_at is None for each in webhooks)
    queue = context.queue
    assert isinstance(queue, MemoryQueue)
    woken = queue.notices
    assert later(context, receiver, seconds=31 if gone else 3 * 3600) == ["off"]
    assert queue.notices > woken, "the mails to the players wait for nothing"
    assert all(shown(context, table, each.id).off_at is not None for each in webhooks)
    bag = context.transport
    assert isinstance(bag, Postbag)
    bag.messages.clear()
    deliver_due(context)
    told = [mail for mail in bag.messages if mail["X-Overland-Kind"] == "webhook"]
    assert sorted(mail["To"] for mail in told) == ["Ada <ada@example.org>", "Bela <bela@example.org>"]
    body = told[0].get_body(("plain",))
    assert body is not None
    assert f"answered {receiver.status}" in " ".join(body.get_content().split())
    number = len(receiver.received)
    played(context, bela, table.match.id, "dive")
    assert later(context, receiver) == []
    assert len(receiver.received) == number
    assert check_ledger(context.database).breaches == []
    receiver.status = 204
    assert owning.change(context, ada, webhooks[0].id, None, None, on=True).off_at is None
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver) == ["told"]


def test_a_removed_webhook_is_not_called(context: Context, table: Round, receiver: Receiver) -> None:
    ada, bela = table.players
    webhook = owning.enter(context, ada, "json", CLUB, table.match.id)
    played(context, ada, table.match.id, "dive")
    owning.ping(context, ada, webhook.id)
    owning.remove_from(context, bela, table.match.id, webhook.id)
    assert later(context, receiver) == []
    assert receiver.received == []
    assert [each.status for each in calls(context)] == ["covered", "covered"]


def test_who_has_entered_an_address_but_does_not_sit_in_a_match_has_no_part_in_its_calls(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, bela = table.players
    carl = person(context, "Carl")
    owning.enter(context, carl, "slack", CLUB)
    elsewhere = started(context, "pearls", names=("Dov", "Emre"))
    owning.enter(context, elsewhere.players[0], "json", CLUB, elsewhere.match.id)
    mine = owning.enter(context, ada, "json", CLUB, table.match.id)
    theirs = owning.enter(context, bela, "json", CLUB)
    owning.ping(context, bela, theirs.id)
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver) == ["told", "told"]
    signed = {got.document["type"]: _secrets_of(got, mine, theirs) for got in receiver.received}
    assert signed == {"ping": [theirs.id], "match.turn": [mine.id, theirs.id]}
    played(context, bela, table.match.id, "dive")
    owning.ping(context, bela, theirs.id)
    owning.remove(context, ada, mine.id)
    owning.remove(context, bela, theirs.id)
    later(context, receiver)
    assert len(receiver.received) == 2
    assert not {each.status for each in calls(context)} - {"sent", "covered"}


def _secrets_of(got: Received, *known: Webhook) -> list[str]:
    """The ids of those whose secrets have signed it, where nobody else's has."""
    told, at = got.headers["webhook-id"], int(got.headers["webhook-timestamp"])
    by_signature = {signature((each.secret,), told, at, got.body): each.id for each in known}
    return [by_signature[each] for each in got.headers["webhook-signature"].split(" ")]


def test_a_ping_is_a_call_like_others(context: Context, table: Round, receiver: Receiver) -> None:
    ada, _ = table.players
    webhook = owning.enter(context, ada, "json", HOOK.replace("https", "http"))
    receiver.status = 404
    owning.ping(context, ada, webhook.id)
    assert later(context, receiver) == ["postponed"]
    assert shown(context, table, webhook.id).last_error == "http://example.org answered 404."
    receiver.status = 200
    assert later(context, receiver) == ["told"]
    assert receiver.received[-1].document["type"] == "ping"
    assert shown(context, table, webhook.id).told_at == context.clock()


def test_a_player_who_has_handed_over_the_seat_is_told_nothing_more(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, bela = table.players
    owning.enter(context, ada, "json", HOOK.replace("https", "http"))
    owning.enter(context, ada, "json", CLUB, table.match.id)
    carl = person(context, "Carl")
    made = offering.offer(context, ada, table.match.id, "hand_over", email=carl.email).items[0]
    offering.answer(context, carl, table.match.id, made.id, accepts=True)
    offering.answer(context, bela, table.match.id, made.id, accepts=True)
    played(context, carl, table.match.id, "dive")
    later(context, receiver)
    assert receiver.received == []


def test_for_a_day_after_it_was_renewed_the_secret_before_signs_too(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, _ = table.players
    first = owning.enter(context, ada, "json", CLUB)
    second = owning.renew_secret(context, ada, first.id)
    assert first.secret != second.secret
    for hours, number in ((0, 2), (23.8, 2), (0.2, 1)):
        owning.ping(context, ada, first.id)
        assert later(context, receiver, hours=hours, seconds=1) == ["told"]
        assert len(receiver.received[-1].headers["webhook-signature"].split(" ")) == number


def test_a_slow_target_of_one_player_keeps_no_other_player_waiting(
    context: Context, table: Round, receiver: Receiver
) -> None:
    """Of the notices to webhooks of one player one at a time is leased."""
    ada, bela = table.players
    for name in ("a", "b"):
        owning.enter(context, ada, "json", f"http://{name}.example.org/", table.match.id)
    owning.enter(context, bela, "json", "http://c.example.org/")
    played(context, ada, table.match.id, "dive")
    assert isinstance(context.clock, Clock)
    context.clock.advance(seconds=31)
    now = context.clock()
    with context.database.write() as connection:
        leased = [CALLING.lease(connection, f"w{n}", now, now + LEASE, 1, False) for n in range(3)]
    assert [len(each) for each in leased] == [1, 1, 0]
    owners = {each.id: each.address for each in calls(context)}
    assert "http://c.example.org/" in {owners[each.id] for found in leased for each in found}


def test_a_child_that_dies_or_hangs_at_a_call_goes_to_the_slow_lane(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, _ = table.players
    owning.enter(context, ada, "json", CLUB, table.match.id)
    played(context, ada, table.match.id, "dive")
    assert isinstance(context.clock, Clock)
    context.clock.advance(seconds=31)
    assert call_due(context, Here(lambda notice: Died("it was killed")))["crashed"] == 1
    assert later(context, receiver, minutes=5) == ["told"]


def test_a_call_at_which_every_child_dies_is_kept_for_the_operator(context: Context, table: Round) -> None:
    ada, _ = table.players
    owning.enter(context, ada, "json", CLUB)
    owning.ping(context, ada, owning.of_player(context, ada)[0].id)
    results = Counter[CallResult]()
    assert isinstance(context.clock, Clock)
    for _ in range(10):
        results += call_due(context, Here(lambda notice: Died("it was killed")))
        context.clock.advance(hours=1)
    assert results == {"crashed": 2, "dead": 1}
    (kept,) = calls(context)
    assert kept.status == "dead"
    assert "it was killed" in str(kept.last_error)


def test_who_takes_all_the_time_there_is_has_failed_as_who_does_not_answer(
    context: Context, table: Round, receiver: Receiver
) -> None:
    """It is tried for three days, and then switched off, rather than given up call by call."""
    ada, _ = table.players
    owning.enter(context, ada, "json", CLUB)
    owning.ping(context, ada, owning.of_player(context, ada)[0].id)
    results = set[CallResult]()
    assert isinstance(context.clock, Clock)
    for _ in range(200):
        results |= call_due(context, Here(lambda notice: OutOfTime("it took longer than 25 s"))).keys()
        (webhook,) = owning.of_player(context, ada)
        if webhook.off_at is not None:
            break
        assert webhook.last_error is None or "longer than 25 s" in webhook.last_error
        context.clock.advance(hours=1)
    assert results == {"postponed", "off"}
    assert [notice.payload["error"] for notice in notices(context, "webhook") if notice.channel == "mail"]


def test_what_a_server_says_is_stored_whatever_it_is(context: Context, table: Round, receiver: Receiver) -> None:
    ada, _ = table.players
    entered = owning.enter(context, ada, "json", CLUB)
    owning.ping(context, ada, entered.id)
    assert call_due(context, Here(lambda notice: CallOutcome("It said \0\ud800.", False)))["postponed"] == 1
    (webhook,) = owning.of_player(context, ada)
    assert webhook.last_error == "It said \ufffd\ufffd."
    assert [notice.last_error for notice in calls(context)] == ["It said \ufffd\ufffd."]


def test_the_ledger_finds_what_is_told_twice_and_is_content_with_what_was_pruned(
    context: Context, table: Round, receiver: Receiver
) -> None:
    ada, _ = table.players
    owning.enter(context, ada, "json", CLUB, table.match.id)
    played(context, ada, table.match.id, "dive")
    assert later(context, receiver) == ["told"]
    (told,) = calls(context)
    with context.database.write() as connection:
        row = connection.execute(select(outbox).where(outbox.c.id == told.id)).one()
        connection.execute(insert(outbox).values(**dict(row._mapping) | {"id": "again"}))
    assert {each.code for each in check_ledger(context.database).breaches} == {"notice_twice"}
    with context.database.write() as connection:
        connection.execute(delete(outbox).where(outbox.c.id == "again"))
        prune_notices(connection, context.clock() + timedelta(minutes=1), 100)
    assert calls(context) == []
    assert check_ledger(context.database).breaches == []
