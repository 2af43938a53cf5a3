"""The gate of notices: blocks, limits of a day, invitations; and that nothing goes around it."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest

from service.context import Context
from service.errors import Conflict, ServiceError, TooMany
from service.events import gate
from service.events.gate import tell
from service.kinds import MAILINGS, Mailing, NoticeKind, in_thread
from service.ledger.check import check_ledger
from service.matches import chat, lobby
from service.matches.types import Match, SeatRequest
from service.notices.delivery import deliver_due
from service.notices.mails import mails_of
from service.offers import offering
from service.payloads import AboutSeat
from service.players import accounts, blocks, choosing
from service.store import players, quotas, tables
from service.store.covering import Because
from service.store.events import News
from service.store.outbox import NewNotice, Notice
from service.store.players import Player
from tests.service.fakes import Clock, Postbag, Round, at_once, notices, person, played, started
from tests.service.payloads import payload_of

pytestmark = pytest.mark.usefixtures("pearls")

SERVICE = Path(gate.__file__).parent.parent
OUTBOX = SERVICE / "store" / "outbox.py"
STRANGER = "stranger@example.org"


def invite(context: Context, player: Player, *addresses: str) -> Match:
    seats = [SeatRequest("me"), *(SeatRequest("invite", address) for address in addresses or (STRANGER,))]
    return lobby.create(context, player, "oregon", {}, seats)


def tomorrow(context: Context) -> None:
    assert isinstance(context.clock, Clock)
    context.clock.advance(days=1)


def forbid(context: Context, address: str = STRANGER) -> None:
    with context.database.write() as connection:
        players.forbid_mail(connection, address, context.clock())


def test_an_address_is_invited_three_times_a_day_by_all_together(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    invite(context, ada)
    invite(context, ada)
    invite(context, bela)
    for sender in (ada, bela):
        with pytest.raises(TooMany, match=r"3 invitations to .* were written today") as refused:
            invite(context, sender, "Stranger@Example.org")
        assert (refused.value.code, refused.value.retry_after) == ("too_many_invitations", 12 * 3600)
    assert len(notices(context, "invitation")) == 3
    assert len(lobby.mine(context, bela)) == 1, "nothing is created"
    tomorrow(context)
    invite(context, bela)


def test_a_player_invites_ten_times_a_day(context: Context) -> None:
    ada = person(context, "Ada")
    for number in range(0, 9, 3):
        invite(context, ada, *(f"friend{number + each}@example.org" for each in range(3)))
    with pytest.raises(TooMany, match="10 invitations a day"):
        invite(context, ada, "friend10@example.org", "friend11@example.org")
    invite(context, ada, "friend10@example.org")
    tomorrow(context)
    invite(context, ada, "friend11@example.org")


def test_of_many_invitations_at_once_no_more_pass(context: Context) -> None:
    senders = [person(context, name) for name in ("Ada", "Bela", "Cleo", "Dora", "Emil")]
    results = at_once(*(lambda sender=sender: invite(context, sender) for sender in senders))
    assert sum(isinstance(result, ServiceError) for result in results) == 2
    assert len(notices(context, "invitation")) == 3


def test_who_wants_no_mail_is_not_invited_until_they_are_a_player(context: Context) -> None:
    ada = person(context, "Ada")
    forbid(context)
    with pytest.raises(Conflict, match="wants no mail") as refused:
        invite(context, ada)
    assert refused.value.code == "mail_unwanted"
    accounts.sign_up_proven(context, "Stranger", STRANGER)
    invite(context, ada)


@pytest.fixture
def table(context: Context) -> Iterator[Round]:
    """A match of Ada and Bela, all of whose mails were sent; afterwards the ledger is sound."""
    found = started(context, "pearls", clock="brisk")
    mailed(context)
    yield found
    deliver_due(context)
    assert check_ledger(context.database).breaches == []


def mailed(context: Context, **time: float) -> list[str]:
    """The kinds of the mails that are sent after that time."""
    assert isinstance(context.clock, Clock)
    assert isinstance(context.transport, Postbag)
    context.clock.advance(**time)
    context.transport.messages.clear()
    deliver_due(context)
    return [str(mail["X-Overland-Kind"]) for mail in context.transport.messages]


def offer_and_withdraw(context: Context, table: Round, by: int = 0) -> None:
    made = offering.offer(context, table.players[by], table.match.id, "draw").items[0]
    offering.withdraw(context, table.players[by], table.match.id, made.id)


def test_sixty_offers_that_are_withdrawn_are_three_mails(context: Context, table: Round) -> None:
    told = []
    for _ in range(60):
        made = offering.offer(context, table.players[0], table.match.id, "draw").items[0]
        told += mailed(context, seconds=0.25)
        offering.withdraw(context, table.players[0], table.match.id, made.id)
        told += mailed(context, seconds=0.25)
    assert told == ["offer_made"] * 3
    assert mailed(context, days=1) == [], "nothing is open that could be told"
    covered = [notice.covered_by for notice in notices(context, "offer_made") if notice.status == "covered"]
    assert Counter(covered) == {Because.SETTLED: 57}


def test_an_offer_beyond_the_limit_is_told_the_next_day_if_it_is_open_then(context: Context, table: Round) -> None:
    for _ in range(3):
        offer_and_withdraw(context, table)
        assert mailed(context) == []
    for _ in range(3):
        made = offering.offer(context, table.players[0], table.match.id, "draw").items[0]
        assert mailed(context) == ["offer_made"], "what was withdrawn before anybody was told does not count"
        offering.withdraw(context, table.players[0], table.match.id, made.id)
    offering.offer(context, table.players[0], table.match.id, "draw")
    assert mailed(context) == []
    choosing.choose(context, table.players[1], {"mails": "off"})
    choosing.choose(context, table.players[1], {"mails": "at_once"})
    assert mailed(context, hours=11) == [], "a change of mind does not release it"
    assert mailed(context, hours=1) == ["offer_made"]


def test_what_a_blocked_player_causes_is_not_mailed_but_play_is(context: Context, table: Round) -> None:
    ada, bela = table.players
    blocks.block(context, bela, table.match.id, 0)
    made = offering.offer(context, ada, table.match.id, "draw").items[0]
    chat.say(context, ada, table.match.id, "Well?")
    lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    offering.offer(context, ada, table.match.id, "hand_over", email=bela.email)
    assert mailed(context, minutes=20) == []
    told = [notice for notice in notices(context) if notice.player_id == bela.id and notice.sender_id == ada.id]
    assert {(notice.kind, notice.status, notice.covered_by) for notice in told} == {
        (kind, "covered", Because.BLOCKED) for kind in ("offer_made", "chat", "invitation", "seat_offered")
    }
    reasons = [mail.reason for mail in mails_of(context, bela, 10, None)]
    assert reasons.count("You have blocked the player who caused it.") == 4
    offering.withdraw(context, ada, table.match.id, made.id)
    played(context, ada, table.match.id, "dive")
    assert "your_turn" in mailed(context, minutes=1)


def test_what_waits_is_not_mailed_when_its_sender_is_blocked_meanwhile(context: Context, table: Round) -> None:
    ada, bela = table.players
    offering.offer(context, ada, table.match.id, "draw")
    blocks.block(context, bela, table.match.id, 0)
    assert mailed(context) == []
    assert [notice.covered_by for notice in notices(context, "offer_made")] == [Because.BLOCKED]


def test_what_is_agreed_on_is_told_also_to_who_has_blocked_the_other(context: Context, table: Round) -> None:
    ada, bela = table.players
    made = offering.offer(context, bela, table.match.id, "pause", 3).items[0]
    blocks.block(context, bela, table.match.id, 0)
    offering.answer(context, ada, table.match.id, made.id, accepts=True)
    assert "offer_settled" in mailed(context)


def test_invitations_that_are_not_delivered_count_for_their_sender_alone(context: Context, table: Round) -> None:
    ada, bela = table.players
    blocks.block(context, bela, table.match.id, 0)
    for _ in range(3):
        invite(context, ada, bela.email)
    with pytest.raises(TooMany, match=r"You have invited bela@example\.org 3 times today"):
        invite(context, ada, bela.email)
    invite(context, person(context, "Cleo"), bela.email)
    assert mailed(context).count("invitation") == 1


def test_a_preference_against_invitations_charges_their_senders_alone(context: Context, table: Round) -> None:
    bela = table.players[1]
    choosing.choose(context, bela, {"without": ["invitation"]})
    for name in ("Cleo", "Dora"):
        for _ in range(2):
            invite(context, person(context, name), bela.email)
            mailed(context)
    choosing.choose(context, bela, {"without": []})
    invite(context, person(context, "Emil"), bela.email)
    assert mailed(context).count("invitation") == 1


def test_one_player_causes_twelve_mails_a_day_to_another_and_the_rest_the_next_day(
    context: Context, table: Round
) -> None:
    ada, bela = table.players
    told = list[str]()
    for number in range(30):
        chat.say(context, ada, table.match.id, f"Number {number}")
        told += mailed(context, minutes=16)
    assert told == ["chat"] * gate.BY_ONE
    chat.say(context, bela, table.match.id, "Enough!")
    assert mailed(context, minutes=16) == ["chat"], "others go on"
    assert mailed(context, days=1) == ["chat"]
    assert "Number 29" in body(context)


def body(context: Context) -> str:
    assert isinstance(context.transport, Postbag)
    part = context.transport.messages[-1].get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def test_no_limit_loses_a_turn(context: Context, table: Round) -> None:
    ada, bela = table.players
    blocks.block(context, bela, table.match.id, 0)
    for number in range(30):
        chat.say(context, ada, table.match.id, f"Number {number}")
        offer_and_withdraw(context, table)
    turns = 0
    while lobby.find(context, bela, table.match.id).status == "running" and turns < 20:
        for player in (ada, bela):
            if any(match.id == table.match.id for match in lobby.mine(context, player, to_act=True)):
                played(context, player, table.match.id, "dive")
        turns += mailed(context, minutes=1).count("your_turn")
    assert turns > 4


def test_a_new_kind_passes_the_gate_like_all_others(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bela = table.players
    kind: NoticeKind = "wave"  # type: ignore[assignment]
    row = Mailing(AboutSeat, in_thread, tells_of="chat", sent_by="player", a_day=5)
    monkeypatch.setitem(cast("dict[NoticeKind, Mailing]", MAILINGS), kind, row)
    now, wave = context.clock(), NewNotice(kind, bela.id, table.match.id, AboutSeat(1))

    def send(notice: NewNotice) -> Notice:
        with context.database.write() as connection:
            tell(connection, [News(table.match.id, "chat", "seats", seat=0, notices=(notice,))], now)
        return next(each for each in reversed(notices(context)) if each.kind == kind and each.id not in known)

    known = set[str]()
    with pytest.raises(ValueError, match="is caused by player"):
        send(wave)
    wave = replace(wave, sender_id=ada.id)
    found = list[Notice]()
    for _ in range(11):
        found.append(send(wave))
        known.add(found[-1].id)
    assert [(each.held_until, each.covered_by) for each in found] == [
        *[(None, None)] * 5,
        *[(quotas.day_after(now), None)] * 5,
        (None, Because.LIMITED),
    ]
    blocks.block(context, bela, table.match.id, 0)
    assert send(wave).covered_by is Because.BLOCKED
    with context.database.write() as connection:
        connection.execute(tables.outbox.delete().where(tables.outbox.c.kind == kind))


def test_what_is_told_at_once_counts_together(context: Context, table: Round, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bela = table.players
    kind: NoticeKind = "wave"  # type: ignore[assignment]
    row = Mailing(AboutSeat, in_thread, tells_of="chat", sent_by="player", a_day=2)
    monkeypatch.setitem(cast("dict[NoticeKind, Mailing]", MAILINGS), kind, row)
    now, wave = context.clock(), NewNotice(kind, bela.id, table.match.id, AboutSeat(1), sender_id=ada.id)
    with context.database.write() as connection:
        gate.write(connection, [wave] * 5, now)
    assert Counter((each.held_until, each.covered_by) for each in notices(context, kind)) == {
        (None, None): 2,
        (quotas.day_after(now), None): 2,
        (None, Because.LIMITED): 1,
    }
    with context.database.write() as connection:
        connection.execute(tables.outbox.delete().where(tables.outbox.c.kind == kind))


@pytest.mark.parametrize("kind", [kind for kind, row in MAILINGS.items() if row.sent_by == "nobody"])
def test_what_nobody_causes_names_no_sender(context: Context, kind: NoticeKind) -> None:
    ada = person(context, "Ada")
    with context.database.write() as connection, pytest.raises(ValueError, match="is caused by nobody"):
        gate.write(connection, [NewNotice(kind, ada.id, None, payload_of(kind, {}), sender_id=ada.id)], context.clock())


def test_nothing_is_written_to_the_outbox_around_the_gate() -> None:
    around = (
        "outbox.add_all(",
        "outbox.Passed(",
        "Passed(",
        "outbox.insert(",
        "tables.outbox.insert(",
        "insert(outbox)",
    )
    imported, looked_at = r"from service.store.outbox import .*(Passed|add_all)", 0
    for file in SERVICE.rglob("*.py"):
        text = file.read_text()
        if file == Path(gate.__file__) or not ("outbox" in text or "Passed" in text):
            continue
        looked_at += 1
        tree = ast.walk(ast.parse(text))
        used = {ast.unparse(node) for node in tree if isinstance(node, ast.Call | ast.ImportFrom)}
        assert [each for each in used if each.startswith(around) and file != OUTBOX] == [], file
        assert not any(re.search(imported, each) for each in used), file
    assert looked_at > 10


def test_a_notice_with_the_payload_of_another_kind_is_refused(context: Context) -> None:
    ada = person(context, "Ada")
    sentence = r"^A notice offer_made has the payload \w+, not AboutSeat\(seat=1\)\.$"
    with context.database.write() as connection, pytest.raises(TypeError, match=sentence):
        gate.write(connection, [NewNotice("offer_made", ada.id, None, AboutSeat(1))], context.clock())
