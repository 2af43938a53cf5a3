"""Every kind of notices and every reason for covering one, from its real writer to its end: a mail
of text and HTML, or a word to its player that says why there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from typing import Final, TypeAlias, get_args

import pytest
from sqlalchemy import select

from service import leaving
from service.commands.outbox import _lines
from service.context import Context
from service.kinds import MAILINGS, NoticeKind
from service.ledger.check import check_ledger
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.notices.mails import ONE_TIME, mails_of
from service.offers import offering
from service.players import accounts, blocks, choosing, own_addresses, suspending, tokens
from service.store import covering, players
from service.store.audit import Operator
from service.store.covering import AnsweredVerdict, Because, ByAnswer, ByNotice, Reason
from service.store.players import Player
from service.store.tables import metadata
from service.sweeps import sweep
from service.webhooks import owning
from service.webhooks.calling import CallOutcome
from service.webhooks.delivery import call_due
from tests.service.fakes import (
    Here,
    Postbag,
    Round,
    later,
    notices,
    past_the_delay,
    person,
    played,
    proof,
    started,
)
from tests.service.inbox.postman import Postman, relayed
from tests.service.swept import remind
from tests.service.turns.clocks import due, let_expire, now_is

pytestmark = pytest.mark.usefixtures("pearls")
Scene: TypeAlias = Callable[[Context], None]


def table_of(context: Context, clock: str = "brisk") -> Round:
    """A match of Ada and Bela, all of whose mails were sent."""
    table = started(context, "pearls", clock=clock)
    deliver_due(context)
    return table


def signed_up(context: Context) -> None:
    accounts.sign_up(context, "Ada", "ada@example.org")


def signs_in(context: Context) -> None:
    accounts.sign_up(context, "Ada", person(context, "Ada").email)


def adds_an_address(context: Context) -> None:
    ada = person(context, "Ada")
    own_addresses.add(context, ada, proof(context, ada), "ada@example.com")


def changes_an_address(context: Context) -> None:
    ada = person(context, "Ada")
    own_addresses.add(context, ada, proof(context, ada), "ada@example.com")
    token = notices(context, "confirm_another_address")[0].payload["token"]
    own_addresses.confirm(context, token)


def asks_for_the_list(context: Context) -> None:
    table = table_of(context)
    postman = Postman(relayed(context))
    postman.send(postman.reply_address(table.match.id, 0, 1), table.players[0].email, "board")


def resigns_by_an_unproven_mail(context: Context) -> None:
    table = table_of(context)
    postman = Postman(relayed(context))
    postman.send(postman.reply_address(table.match.id, 0, 1), table.players[0].email, "resign", results=None)


def reads_digests(context: Context) -> None:
    table = table_of(context)
    ada, bela = table.players
    other = lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("open")])
    lobby.join(context, bela, other.id)
    deliver_due(context)
    choosing.choose(context, bela, {"mails": "digest", "digest_hour": 19})
    chat.say(context, ada, table.match.id, "Hello!")
    chat.say(context, ada, other.id, "Hello again!")
    later(context, hours=8)


def invites(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    for email in (bela.email, "stranger@example.org"):
        lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("invite", email)])


def starts(context: Context) -> None:
    started(context, "pearls", clock="brisk")


def plays(context: Context) -> None:
    table = table_of(context)
    played(context, table.players[0], table.match.id, "dive")
    past_the_delay(context)


def ends(context: Context) -> None:
    table = table_of(context)
    lobby.resign(context, table.players[0], table.match.id)


def says(context: Context) -> None:
    table = table_of(context)
    chat.say(context, table.players[0], table.match.id, "Hello!")
    later(context, minutes=15)


def runs_out_of_time(context: Context) -> None:
    let_expire(context, table_of(context))


def is_away_by_itself(context: Context) -> None:
    table = table_of(context)
    choosing.choose(context, table.players[0], {"automatic_days_off": True})
    let_expire(context, table)


def is_reminded(context: Context) -> None:
    table = table_of(context)
    now_is(context, due(context, table) - timedelta(hours=12))
    assert remind(context) == 1


def offers(context: Context) -> None:
    table = table_of(context)
    offering.offer(context, table.players[0], table.match.id, "pause", 3)


def declines(context: Context) -> None:
    table = table_of(context)
    offer = offering.offer(context, table.players[0], table.match.id, "pause", 3).items[0]
    offering.answer(context, table.players[1], table.match.id, offer.id, accepts=False)


def offers_a_seat(context: Context) -> None:
    table = table_of(context)
    offering.offer(context, table.players[0], table.match.id, "hand_over", email="carl@example.org")


def hands_a_seat_over(context: Context) -> None:
    hands_a_seat_over_that_waits(context)


def hands_a_seat_over_that_waits(context: Context) -> None:
    table, carl = started(context, "pearls", clock="brisk"), person(context, "Carl")
    made = offering.offer(context, table.players[0], table.match.id, "hand_over", email=carl.email).items[0]
    offering.answer(context, carl, table.match.id, made.id, accepts=True)
    offering.answer(context, table.players[1], table.match.id, made.id, accepts=True)


def frees_a_seat(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    lobby.decline(context, match.id, 1, bela.email)


def does_not_start(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    later(context, days=30)
    sweep(context)


def is_left_alone(context: Context) -> None:
    table_of(context, clock="none")
    later(context, days=14)
    sweep(context)


def has_a_webhook_that_is_gone(context: Context) -> None:
    ada = person(context, "Ada")
    owning.ping(context, ada, owning.enter(context, ada, "json", "https://example.org/overland").id)
    call_due(context, Here(lambda notice: CallOutcome("https://example.org answered 410.", gone=True)))


def is_suspended(context: Context) -> None:
    suspending.suspend(context, person(context, "Ada"), Operator("root", "Rude words."))


SCENES: Final[Mapping[NoticeKind, Scene]] = {
    "confirm_address": signed_up,
    "sign_in": signs_in,
    "confirm_another_address": adds_an_address,
    "address_changed": changes_an_address,
    "answer": asks_for_the_list,
    "unproven_turn": resigns_by_an_unproven_mail,
    "digest": reads_digests,
    "invitation": invites,
    "match_started": starts,
    "your_turn": plays,
    "verdict": plays,
    "match_over": ends,
    "chat": says,
    "time_up": runs_out_of_time,
    "days_off_began": is_away_by_itself,
    "reminder": is_reminded,
    "offer_made": offers,
    "offer_settled": declines,
    "seat_offered": offers_a_seat,
    "seat_handed": hands_a_seat_over,
    "seat_freed": frees_a_seat,
    "called_off": does_not_start,
    "archive": is_left_alone,
    "webhook": has_a_webhook_that_is_gone,
    "from_host": is_suspended,
}


def test_every_kind_has_a_scene() -> None:
    assert set(SCENES) == set(MAILINGS)


@pytest.mark.parametrize("kind", MAILINGS)
def test_every_kind_is_written_decided_composed_and_sent(context: Context, kind: NoticeKind) -> None:
    SCENES[kind](context)
    secrets = secrets_in_notices(context)
    deliver_due(context)
    assert secrets or kind not in ONE_TIME
    assert not secrets & secrets_in_notices(context), "a secret that was sent is kept"
    sent = [mail for mail in bag(context) if mail["X-Overland-Kind"] == kind]
    assert sent
    for mail in sent:
        assert mail["Subject"]
        assert all(str(content(mail, form)).strip() for form in ("plain", "html"))
    ended = [(notice.status, notice.last_error) for notice in notices(context, kind)]
    assert {status for status, _ in ended} <= {"sent", "covered"}, ended
    assert check_ledger(context.database).breaches == []


def secrets_in_notices(context: Context) -> set[str]:
    """The values in payloads of which the database keeps the hash elsewhere."""
    with context.database.read() as connection:
        rows = [row for table in metadata.sorted_tables for row in connection.execute(select(table))]
    hashes = {value for row in rows for value in row if isinstance(value, str)}
    told = {text for notice in notices(context) for text in notice.payload.values() if isinstance(text, str)}
    return {text for text in told if tokens.hash_of(text) in hashes}


def bag(context: Context) -> list[EmailMessage]:
    assert isinstance(context.transport, Postbag)
    return context.transport.messages


def content(mail: EmailMessage, form: str) -> str:
    part = mail.get_body((form,))
    assert isinstance(part, EmailMessage)
    return str(part.get_content())


def wants_no_mail(context: Context) -> None:
    invites(context)
    with context.database.write() as connection:
        players.forbid_mail(connection, "stranger@example.org", context.clock())


def chooses(context: Context, changes: Mapping[str, object], scene: Scene) -> None:
    scene(context)
    choosing.choose(context, player(context, "Bela"), changes)


def player(context: Context, name: str) -> Player:
    return accounts.sign_up_proven(context, name, f"{name.lower()}@example.org")


def is_blocked(context: Context) -> None:
    offers(context)
    (made,) = notices(context, "offer_made")
    blocks.block(context, player(context, "Bela"), str(made.match_id), 0)


def leaves_for_good(context: Context) -> None:
    offers(context)
    leaving.leave_for_good(context, player(context, "Bela"))


def is_told_too_much(context: Context) -> None:
    table = table_of(context)
    ada, match = table.players[0], table.match.id
    for _ in range(3):
        made = offering.offer(context, ada, match, "draw").items[0]
        deliver_due(context)
        offering.withdraw(context, ada, match, made.id)
    for kind in ("draw", "end", "call_off", "pause"):  # three of them wait for the next day
        offering.offer(context, ada, match, kind)


def is_withdrawn(context: Context) -> None:
    table = table_of(context)
    made = offering.offer(context, table.players[0], table.match.id, "draw").items[0]
    offering.withdraw(context, table.players[0], table.match.id, made.id)


def is_played_after_the_reminder(context: Context) -> None:
    is_reminded(context)
    (reminder,) = notices(context, "reminder")
    played(context, player(context, "Ada"), str(reminder.match_id), "dive")


def is_answered(context: Context) -> None:
    table = table_of(context)
    turn = played(context, table.players[0], table.match.id, "dive")
    with context.database.write() as connection:
        covering.cover_answered(
            connection, [AnsweredVerdict(table.players[0].id, table.match.id, turn.id)], context.clock()
        )


def is_suspended_before(context: Context) -> None:
    offers(context)
    suspending.suspend(context, player(context, "Bela"), Operator("root", "Rude words."))


WHY: Final[Mapping[Because | type[ByAnswer] | type[ByNotice], Scene]] = {
    Because.NEVER: wants_no_mail,
    Because.OFF: lambda context: chooses(context, {"mails": "off"}, offers),
    Because.WITHOUT: lambda context: chooses(context, {"without": ["your_turn"]}, plays),
    Because.CHAT: lambda context: chooses(context, {"chat": False}, says),
    Because.BLOCKED: is_blocked,
    Because.HANDED_OVER: hands_a_seat_over_that_waits,
    Because.LIMITED: is_told_too_much,
    Because.SETTLED: is_withdrawn,
    Because.PLAYED: is_played_after_the_reminder,
    Because.SUSPENDED: is_suspended_before,
    Because.SWITCHED_OFF: has_a_webhook_that_is_gone,
    Because.NOBODY: leaves_for_good,
    ByAnswer: is_answered,
    ByNotice: reads_digests,
}


def test_every_reason_has_a_scene() -> None:
    assert set(WHY) == {*Because, *(each for each in get_args(Reason) if each is not Because)}


@pytest.mark.parametrize("reason", WHY, ids=str)
def test_every_reason_covers_a_notice_and_is_said(
    context: Context, reason: Because | type[ByAnswer] | type[ByNotice]
) -> None:
    WHY[reason](context)
    deliver_due(context)
    covered = [notice for notice in notices(context) if is_so(notice.covered_by, reason)]
    assert covered
    assert {notice.status for notice in covered} == {"covered"}
    for notice in covered:
        assert f"covered by {covering.format_reason(not_none(notice.covered_by))}" in "\n".join(_lines(notice))
        if notice.player_id is not None:
            told = mails_of(context, replace(player(context, "Ada"), id=notice.player_id), 100, None)
            (mail,) = [each for each in told if each.id == notice.id]
            assert (mail.status, bool(mail.reason)) == ("covered", True)
    assert check_ledger(context.database).breaches == []


def is_so(found: Reason | None, reason: Because | type[ByAnswer] | type[ByNotice]) -> bool:
    return found is reason if isinstance(reason, Because) else isinstance(found, reason)


def not_none(reason: Reason | None) -> Reason:
    assert reason is not None
    return reason
