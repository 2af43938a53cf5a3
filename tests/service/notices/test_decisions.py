"""What becomes of notices by what their players want: sent, kept for the digest, or covered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, cast

import pytest

from service.context import Context
from service.kinds import FIRST, NoticeKind
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.notices.material import added_to, complete
from service.notices.sorting import Cover, Decision, Send, Wait, decide
from service.payloads import ADDED, AGAIN
from service.players import accounts, blocks, choosing, own_addresses
from service.store import players
from service.store.covering import Because, ByNotice
from service.store.outbox import Notice
from service.store.players import Player
from service.store.tables import outbox as table
from tests.service.fakes import Round, add_notice, due, later, notices, person, proof, started

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def round_(context: Context) -> Round:
    """A match of Ada and Bela, all of whose notices were sent."""
    found = started(context, "pearls")
    clear(context)
    return found


def clear(context: Context) -> None:
    """Has all that was written be of a minute ago, and sent."""
    before = context.clock() - timedelta(minutes=1)
    with context.database.write() as connection:
        connection.execute(table.update().values(status="sent", created_at=before, sent_at=before))


def written(
    context: Context,
    player: Player,
    match_id: str | None,
    kind: str,
    payload: Mapping[str, Any] | None = None,
    **how: Any,
) -> Notice:
    with context.database.write() as connection:
        notice_id = add_notice(
            connection, cast("NoticeKind", kind), player.id, match_id, payload or {}, context.clock(), **how
        )
    return found(context, notice_id)


def found(context: Context, notice_id: str) -> Notice:
    return next(notice for notice in notices(context) if notice.id == notice_id)


def asked(context: Context, notice: Notice) -> Decision:
    with context.database.write() as connection:
        return decide(connection, notice, context.clock())


def completed(context: Context, *notices: Notice) -> list[Notice]:
    """Those of the notices that are sent, as they are then."""
    with context.database.write() as connection:
        return list(complete(connection, notices)[0])


def said(context: Context, notice: Notice) -> list[str]:
    with context.database.read() as connection:
        return [line.text for line in added_to(connection, notice).said]


def test_without_a_choice_every_notice_is_sent(context: Context, round_: Round) -> None:
    for kind in ("your_turn", "verdict", "match_over", "invitation"):
        assert asked(context, written(context, round_.players[0], round_.match.id, kind)) == Send()


def test_the_start_of_a_match_and_its_first_turn_are_one_mail(context: Context) -> None:
    match = started(context, "pearls").match
    start, turn = _of_the_start(context, match.id)
    assert [asked(context, start), asked(context, turn)] == [Send(), Cover(ByNotice(start.id))]


def test_who_wants_no_mail_of_the_start_gets_that_of_the_first_turn(context: Context) -> None:
    table = started(context, "pearls")
    choosing.choose(context, table.players[0], {"without": ["match_started"]})
    start, turn = _of_the_start(context, table.match.id)
    assert [asked(context, start), asked(context, turn)] == [Cover(Because.WITHOUT), Send()]


def test_a_later_turn_has_a_mail_of_its_own(context: Context) -> None:
    table = started(context, "pearls")
    later = written(context, table.players[0], table.match.id, "your_turn", {"seat": 0, "ply": 7})
    assert asked(context, later) == Send()


def _of_the_start(context: Context, match_id: str) -> tuple[Notice, Notice]:
    """The notices of the start and of the first turn to the player who begins."""
    (turn,) = notices(context, "your_turn")
    return next(each for each in notices(context, "match_started") if each.player_id == turn.player_id), turn


def test_who_wants_no_mails_gets_only_those_they_asked_for(context: Context, round_: Round) -> None:
    ada, match = round_.players[0], round_.match.id
    choosing.choose(context, ada, {"mails": "off"})
    for kind in ("your_turn", "verdict", "match_started", "match_over", "invitation"):
        assert asked(context, written(context, ada, match, kind)) == Cover(Because.OFF)
    for kind in ("sign_in", "answer", "unproven_turn", "confirm_another_address"):
        assert asked(context, written(context, ada, None, kind)) == Send()
    assert asked(context, written(context, ada, match, "verdict", lane=FIRST)) == Send()
    assert asked(context, written(context, ada, match, "your_turn", {AGAIN: 1})) == Send()
    assert asked(context, written(context, round_.players[1], match, "your_turn")) == Send()


def test_a_kind_of_mails_may_be_stopped_for_one_match(context: Context, round_: Round) -> None:
    ada, match = round_.players[0], round_.match.id
    choosing.choose_for(context, ada, match, {"without": ["verdict"]})
    assert asked(context, written(context, ada, match, "verdict")) == Cover(Because.WITHOUT)
    assert asked(context, written(context, ada, match, "your_turn")) == Send()


def test_a_digest_waits_for_the_local_hour_and_no_longer(context: Context, round_: Round) -> None:
    ada, match = round_.players[0], round_.match.id
    choosing.choose(context, ada, {"mails": "digest", "digest_hour": 19, "time_zone": "Europe/Zurich"})
    notice = written(context, ada, match, "your_turn")
    due = datetime(2026, 11, 21, 18, tzinfo=UTC)
    assert asked(context, notice) == Wait(due)
    later(context, hours=5, minutes=59)
    assert asked(context, notice) == Wait(due)
    later(context, minutes=1)
    assert asked(context, notice) == Send()


def test_a_digest_of_one_match_is_what_its_notices_are_at_once(context: Context, round_: Round) -> None:
    ada, match = round_.players[0], round_.match.id
    choosing.choose(context, ada, {"mails": "digest"})
    verdict, turn = written(context, ada, match, "verdict"), written(context, ada, match, "your_turn")
    later(context, days=1)
    assert asked(context, verdict) == asked(context, turn) == Send()
    assert notices(context, "digest") == []


def test_a_digest_of_several_matches_is_one_mail_that_covers_theirs(context: Context, round_: Round) -> None:
    ada, bela = round_.players
    other = lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("open")])
    other = lobby.join(context, bela, other.id)
    clear(context)
    choosing.choose(context, ada, {"mails": "digest"})
    mine = [
        written(context, ada, id_, kind) for id_ in (round_.match.id, other.id) for kind in ("verdict", "your_turn")
    ]
    over, theirs = written(context, ada, other.id, "match_over"), written(context, bela, other.id, "your_turn")
    later(context, days=1)
    today = written(context, ada, other.id, "your_turn")
    decisions = [asked(context, notice) for notice in mine]
    (digest,) = notices(context, "digest")
    assert decisions == [Cover(ByNotice(digest.id))] * 4
    assert digest.player_id == ada.id
    assert {place["match"]: place["ply"] for place in digest.payload["matches"]} == {
        round_.match.id: round_.match.ply,
        other.id: other.ply,
    }
    assert {found(context, notice.id).status for notice in mine[1:]} == {"covered"}
    assert asked(context, digest) == asked(context, over) == asked(context, theirs) == Send()
    assert isinstance(asked(context, today), Wait)
    assert found(context, today.id).status == found(context, theirs.id).status == "pending"


def test_what_others_have_leased_is_left_to_them(context: Context, round_: Round) -> None:
    ada, bela = round_.players
    other = lobby.join(
        context, bela, lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("open")]).id
    )
    clear(context)
    choosing.choose(context, ada, {"mails": "digest"})
    mine, theirs = (written(context, ada, id_, "your_turn") for id_ in (round_.match.id, other.id))
    later(context, days=1)
    until = context.clock() + timedelta(seconds=6)
    with context.database.write() as connection:
        connection.execute(
            table.update().where(table.c.id == theirs.id).values(leased_by="another", leased_until=until)
        )
    assert asked(context, mine) == Send()
    assert found(context, theirs.id).status == "pending"
    later(context, seconds=6)
    assert isinstance(asked(context, mine), Cover)


def test_a_change_of_mind_holds_for_notices_that_wait(context: Context, round_: Round) -> None:
    ada, match = round_.players[0], round_.match.id
    choosing.choose(context, ada, {"mails": "digest"})
    notice = written(context, ada, match, "your_turn")
    wait = asked(context, notice)
    assert isinstance(wait, Wait)
    with context.database.write() as connection:
        connection.execute(
            table.update().where(table.c.id == notice.id).values(not_before=wait.until, next_attempt_at=wait.until)
        )
    assert due(context) == ()
    choosing.choose_for(context, ada, match, {"mails": "at_once"})
    assert due(context) == (notice.id,)
    assert asked(context, found(context, notice.id)) == Send()


def test_what_is_said_is_told_by_the_next_mail_and_its_own_is_covered(context: Context, round_: Round) -> None:
    ada, bela = round_.players
    match = round_.match.id
    chat.say(context, ada, match, "Good luck!")
    chat.say(context, ada, match, "And fun.")
    (own,) = notices(context, "chat")
    assert (own.player_id, own.not_before) == (bela.id, context.clock().replace(minute=15))
    turn = written(context, bela, match, "your_turn")
    assert asked(context, turn) == asked(context, own) == Send()
    (sent,) = completed(context, turn, own)
    assert sent == found(context, turn.id)
    assert said(context, sent) == ["Good luck!", "And fun."]
    assert (found(context, own.id).status, found(context, own.id).covered_by) == ("covered", ByNotice(turn.id))
    assert asked(context, own) == Cover(ByNotice(turn.id))
    assert completed(context, sent) == [sent]
    following = written(context, bela, match, "your_turn")
    assert completed(context, following) == [following]
    assert said(context, following) == []


def test_what_is_said_has_a_mail_of_its_own_when_nothing_else_is_sent(context: Context, round_: Round) -> None:
    ada, bela = round_.players
    chat.say(context, ada, round_.match.id, "Good luck!")
    chat.say(context, bela, round_.match.id, "You too!")
    to_bela, to_ada = sorted(notices(context, "chat"), key=lambda notice: notice.player_id == ada.id)
    later(context, minutes=15)
    for notice, text in ((to_bela, "Good luck!"), (to_ada, "You too!")):
        assert asked(context, notice) == Send()
        (sent,) = completed(context, notice)
        assert said(context, sent) == [text]
    chat.say(context, ada, round_.match.id, "Thanks")
    (again,) = [notice for notice in notices(context, "chat") if notice.id not in (to_bela.id, to_ada.id)]
    assert (again.player_id, again.payload) == (bela.id, {"seat": 1})
    chat.say(context, ada, round_.match.id, "See you")
    assert len(notices(context, "chat")) == 3


def test_who_mutes_or_blocks_is_not_mailed_what_is_said(context: Context, round_: Round) -> None:
    ada, bela = round_.players
    match = round_.match.id
    choosing.choose_for(context, ada, match, {"chat": False})
    chat.say(context, bela, match, "Hello?")
    (own,) = notices(context, "chat")
    assert asked(context, own) == Cover(Because.CHAT)
    turn = written(context, ada, match, "your_turn")
    assert completed(context, turn) == [turn]
    choosing.choose_for(context, ada, match, {"chat": None})
    blocks.block(context, ada, match, 1)
    assert asked(context, own) == Cover(Because.BLOCKED)
    assert completed(context, turn, own) == [turn]
    assert found(context, own.id).covered_by is Because.BLOCKED


def test_the_own_note_stands_in_the_mail_that_asks_for_a_move(context: Context, round_: Round) -> None:
    ada, bela = round_.players
    chat.note(context, ada, round_.match.id, "Coal first.")
    turn = written(context, ada, round_.match.id, "your_turn")
    (first,) = completed(context, turn)
    chat.note(context, ada, round_.match.id, "Harbour first.")
    (again,) = completed(context, found(context, turn.id))
    with context.database.read() as connection:
        assert added_to(connection, first).note == added_to(connection, again).note == "Coal first."
    theirs = written(context, bela, round_.match.id, "your_turn")
    assert completed(context, theirs) == [theirs]


def test_who_wants_text_gets_every_mail_so(context: Context, round_: Round) -> None:
    ada = round_.players[0]
    choosing.choose(context, ada, {"text_only": True})
    for kind, match in (("your_turn", round_.match.id), ("sign_in", None), ("answer", None)):
        (sent,) = completed(context, written(context, ada, match, kind))
        assert sent.payload[ADDED] == {"text_only": True}


def test_an_invitation_by_somebody_who_is_blocked_does_not_arrive(context: Context, round_: Round) -> None:
    ada, bela = round_.players
    blocks.block(context, bela, round_.match.id, 0)
    lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    (invitation,) = [notice for notice in notices(context, "invitation") if notice.player_id == bela.id]
    assert asked(context, invitation) == Cover(Because.BLOCKED)
    cleo = person(context, "Cleo")
    lobby.create(context, cleo, "pearls", None, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    latest = next(each for each in notices(context, "invitation") if each.id != invitation.id)
    assert asked(context, latest) == Send()


def test_an_address_that_wants_no_more_mail_gets_none_that_waits(context: Context) -> None:
    ada = person(context, "Ada")
    lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("invite", "eve@example.org")])
    accounts.sign_up(context, "Eve", "Eve@example.org")
    own_addresses.add(context, ada, proof(context, ada), "Eve@example.org")
    confirmation = next(each for each in notices(context, "confirm_address") if each.player_id != ada.id)
    waiting = [notices(context, "invitation")[0], confirmation, notices(context, "confirm_another_address")[0]]
    assert [asked(context, each) for each in waiting] == [Send()] * 3
    with context.database.write() as connection:
        players.forbid_mail(connection, "eve@example.org", context.clock())
    assert [asked(context, each) for each in waiting] == [Cover(Because.NEVER)] * 3
    assert asked(context, replace(confirmation, player_id=ada.id)) == Send()
