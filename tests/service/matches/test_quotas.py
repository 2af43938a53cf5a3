"""Invitations and sign-ups that would flood a stranger."""

from __future__ import annotations

import pytest

from service.context import Context
from service.errors import Conflict, ServiceError, TooMany
from service.matches import lobby
from service.matches.types import Match, SeatRequest
from service.players import accounts
from service.players.types import Player
from service.store import never
from tests.service.fakes import Clock, at_once, notices, person

STRANGER = "stranger@example.org"


def invite(context: Context, player: Player, address: str = STRANGER) -> Match:
    return lobby.create(context, player, "oregon", {}, [SeatRequest("me"), SeatRequest("invite", address)])


def tomorrow(context: Context) -> None:
    assert isinstance(context.clock, Clock)
    context.clock.advance(days=1)


def forbid(context: Context, address: str = STRANGER) -> None:
    with context.database.write() as connection:
        never.forbid(connection, address, context.clock())


def test_an_address_is_invited_three_times_a_day_by_all_together(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    invite(context, ada)
    invite(context, ada)
    invite(context, bela)
    for sender in (ada, bela):
        with pytest.raises(TooMany, match="sent 3 invitations today") as refused:
            invite(context, sender, "Stranger@Example.org")
        assert (refused.value.code, refused.value.retry_after) == ("too_many_invitations", 12 * 3600)
    assert len(notices(context, "invitation")) == 3
    assert len(lobby.mine(context, bela)) == 1, "nothing is created"
    tomorrow(context)
    invite(context, bela)


def test_a_player_invites_ten_times_a_day(context: Context) -> None:
    ada = person(context, "Ada")
    for number in range(10):
        invite(context, ada, f"friend{number}@example.org")
    with pytest.raises(TooMany, match="10 invitations a day"):
        invite(context, ada, "friend11@example.org")
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


def test_three_mails_a_day_to_sign_up_and_the_same_answer_ever_after(context: Context) -> None:
    answers = {accounts.sign_up(context, "Stranger", STRANGER).email for _ in range(25)}
    assert answers == {STRANGER}
    assert len(notices(context, "confirm_address")) == 3
    tomorrow(context)
    accounts.sign_up(context, "Stranger", STRANGER)
    assert len(notices(context, "confirm_address")) == 4


def test_twenty_mails_a_day_to_sign_in(context: Context) -> None:
    ada = person(context, "Ada")
    for _ in range(25):
        accounts.sign_up(context, "Ada", ada.email)
    assert len(notices(context, "sign_in")) == 20


def test_who_wants_no_mail_gets_none_to_sign_up_and_who_is_a_player_can_sign_in(context: Context) -> None:
    ada = person(context, "Ada")
    forbid(context)
    forbid(context, ada.email)
    accounts.sign_up(context, "Stranger", STRANGER)
    accounts.sign_up(context, "Ada", ada.email)
    assert sorted(notice.kind for notice in notices(context)) == ["confirm_address", "sign_in"], "hers alone"
