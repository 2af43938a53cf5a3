"""Several addresses of one player: each counts once it is confirmed, and one is primary."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.context import Context
from service.errors import Conflict, Forbidden, NotFound, ServiceError
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import accounts, own_addresses
from service.store import addresses, players
from service.store.players import Player
from tests.service.fakes import Clock, at_once, later, notices, person, proof

HOME = "Ada@home.example"


def code(context: Context) -> str:
    """The code of the latest mail that asks for a confirmation."""
    return str(notices(context, "confirm_another_address")[-1].payload["token"])


def added(context: Context, player: Player, email: str = HOME) -> addresses.PlayerAddress:
    """An address that is confirmed."""
    later(context, minutes=1)
    own_addresses.add(context, player, proof(context, player), email)
    return own_addresses.confirm(context, code(context))[1]


def refusal(context: Context, player: Player, email: str) -> str:
    with pytest.raises(ServiceError) as refused:
        own_addresses.add(context, player, proof(context, player), email)
    return refused.value.code


def test_an_added_address_is_mailed_a_code_and_counts_once_it_is_confirmed(context: Context) -> None:
    ada = person(context, "Ada")
    new = own_addresses.add(context, ada, proof(context, ada), HOME)
    (notice,) = notices(context, "confirm_another_address")
    assert (notice.address, notice.player_id, len(notice.payload["token"])) == (HOME, ada.id, 32)
    with context.database.read() as connection:
        assert players.by_address(connection, "ada@home.example") is None
    assert own_addresses.to_confirm(context, code(context)) == (ada, new)
    assert own_addresses.confirm(context, code(context)) == (ada, replace(new, confirmed_at=context.clock()))
    with context.database.read() as connection:
        assert players.by_address(connection, "ada@home.example") == ada
        assert addresses.confirmed(connection, ada) == {"ada@example.org", "ada@home.example"}
        assert addresses.primary_of(connection, ada) == "ada@example.org"


def test_the_primary_address_is_told_of_every_change(context: Context) -> None:
    ada = person(context, "Ada")
    home = added(context, ada)
    own_addresses.make_primary(context, ada, proof(context, ada), home.id)
    first = next(each for each in own_addresses.of_player(context, ada) if not each.is_primary)
    own_addresses.remove(context, ada, proof(context, ada), first.id)
    told = [(notice.payload["change"], notice.address) for notice in notices(context, "address_changed")]
    assert sorted(told) == [
        ("added", "ada@example.org"),
        ("primary", "ada@example.org"),
        ("removed", HOME),
        ("removed", "ada@example.org"),
    ]


def test_signing_up_with_another_address_of_a_player_signs_them_in_there(context: Context) -> None:
    ada = person(context, "Ada")
    added(context, ada)
    later(context, minutes=1)
    accounts.sign_up(context, "Eve", "ADA@home.example")
    notice = notices(context, "sign_in")[-1]
    assert (notice.player_id, notice.address) == (ada.id, "ADA@home.example")
    assert accounts.confirm(context, notice.payload["token"])[0] == ada


def test_an_invitation_to_any_address_is_the_player_s(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    added(context, bela, "bela@home.example")
    seats = [SeatRequest("me"), SeatRequest("invite", "Bela@home.example")]
    match = lobby.create(context, ada, "oregon", {}, seats)
    assert [notice.player_id for notice in notices(context, "invitation")] == [bela.id]
    assert [each.id for each in lobby.mine(context, bela)] == [match.id]
    with pytest.raises(Forbidden):
        lobby.join(context, person(context, "Cleo"), match.id, 1)
    assert lobby.join(context, bela, match.id).status == "running"


def test_nobody_invites_another_address_of_their_own(context: Context) -> None:
    ada = person(context, "Ada")
    added(context, ada)
    with pytest.raises(ServiceError, match="your own address"):
        lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("invite", HOME)])


def test_mails_go_to_the_address_that_was_made_primary(context: Context) -> None:
    ada = person(context, "Ada")
    home = added(context, ada)
    assert own_addresses.make_primary(context, ada, proof(context, ada), home.id).is_primary
    assert own_addresses.make_primary(context, ada, proof(context, ada), home.id).is_primary
    with context.database.read() as connection:
        found = players.find(connection, ada.id)
        assert found is not None
        assert (found.email, addresses.primary_of(connection, found)) == ("ada@home.example", HOME)
        assert players.by_address(connection, "ada@example.org") == found
    assert [each.address for each in own_addresses.of_player(context, found)] == [HOME, "ada@example.org"]


def test_what_is_unconfirmed_or_not_there_is_not_made_primary(context: Context) -> None:
    ada = person(context, "Ada")
    waiting = own_addresses.add(context, ada, proof(context, ada), HOME)
    with pytest.raises(Conflict) as unconfirmed:
        own_addresses.make_primary(context, ada, proof(context, ada), waiting.id)
    assert unconfirmed.value.code == "address_unconfirmed"
    bela = person(context, "Bela")
    theirs = own_addresses.add(context, bela, proof(context, bela), "bela@home.example")
    for act in (own_addresses.make_primary, own_addresses.remove):
        with pytest.raises(NotFound):
            act(context, ada, proof(context, ada), theirs.id)


def test_the_primary_address_is_not_removed(context: Context) -> None:
    ada = person(context, "Ada")
    (primary,) = own_addresses.of_player(context, ada)
    with pytest.raises(Conflict) as refused:
        own_addresses.remove(context, ada, proof(context, ada), primary.id)
    assert refused.value.code == "primary_address"


def test_only_a_mail_to_the_address_that_bounces_says_that_it_does_not_any_more(context: Context) -> None:
    ada = person(context, "Ada")
    added(context, ada)
    with context.database.write() as connection:
        addresses.count_bounce(connection, ada.id, [ada.email], True, "550 no such user", context.clock())
    for email, is_bouncing in ((HOME, True), (ada.email, False)):
        later(context, minutes=1)
        accounts.sign_in(context, email)
        accounts.confirm(context, str(notices(context, "sign_in")[-1].payload["token"]))
        primary = own_addresses.of_player(context, ada)[0]
        assert (primary.folded, primary.bounced_at is not None) == (ada.email, is_bouncing)


def test_what_was_mailed_to_an_address_before_it_was_removed_lets_nobody_in(context: Context) -> None:
    ada = person(context, "Ada")
    home = added(context, ada)
    sent = {}
    for email in (HOME, ada.email):
        later(context, minutes=1)
        accounts.sign_in(context, email)
        sent[email] = str(notices(context, "sign_in")[-1].payload["token"])
    own_addresses.remove(context, ada, proof(context, ada), home.id)
    for use in (accounts.to_confirm, accounts.confirm):
        with pytest.raises(Conflict) as refused:
            use(context, sent[HOME])
        assert refused.value.code == "confirmation_expired"
    assert accounts.confirm(context, sent[ada.email])[0].id == ada.id


def test_a_removed_address_is_nobody_s_and_its_code_is_gone(context: Context) -> None:
    ada = person(context, "Ada")
    home = own_addresses.add(context, ada, proof(context, ada), HOME)
    own_addresses.remove(context, ada, proof(context, ada), home.id)
    assert notices(context, "address_changed") == [], "it never counted"
    with pytest.raises(NotFound):
        own_addresses.confirm(context, code(context))
    assert added(context, person(context, "Bela"), HOME).confirmed_at is not None


def test_of_two_players_who_add_an_address_only_one_can_confirm_it(context: Context) -> None:
    codes = []
    for name in ("Ada", "Bela"):
        later(context, minutes=1)
        player = person(context, name)
        own_addresses.add(context, player, proof(context, player), HOME)
        codes.append(code(context))
    answers = at_once(*[lambda given=each: own_addresses.confirm(context, given) for each in codes])
    assert sorted(getattr(each, "code", "") for each in answers) == ["", "address_taken"]


def test_adding_somebody_s_address_answers_the_same_and_takes_nothing(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    own_addresses.add(context, ada, proof(context, ada), bela.email)
    with pytest.raises(Conflict) as refused:
        own_addresses.confirm(context, code(context))
    assert refused.value.code == "address_taken"
    with context.database.read() as connection:
        assert players.by_address(connection, bela.email) == bela


def test_who_only_signed_up_with_an_address_loses_it_to_the_one_who_confirms_it(context: Context) -> None:
    accounts.sign_up(context, "Eve", HOME)
    early = notices(context, "confirm_address")[-1].payload["token"]
    ada = person(context, "Ada")
    home = added(context, ada)
    with pytest.raises(Conflict):
        accounts.confirm(context, early)
    own_addresses.make_primary(context, ada, proof(context, ada), home.id)
    with context.database.read() as connection:
        holder = players.by_address(connection, "ada@home.example")
    assert holder is not None
    assert holder.id == ada.id


def test_a_code_works_once_and_for_two_days(context: Context) -> None:
    ada = person(context, "Ada")
    added(context, ada)
    with pytest.raises(Conflict) as used:
        own_addresses.confirm(context, code(context))
    own_addresses.add(context, ada, proof(context, ada), "ada@work.example")
    late = next(each for each in notices(context, "confirm_another_address") if each.address == "ada@work.example")
    assert isinstance(context.clock, Clock)
    context.clock.advance(days=2)
    with pytest.raises(Conflict) as expired:
        own_addresses.confirm(context, late.payload["token"])
    assert (used.value.code, expired.value.code) == ("confirmation_used", "confirmation_expired")


def test_an_address_is_added_once_and_mailed_three_times_a_day(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    first = own_addresses.add(context, ada, proof(context, ada), HOME)
    assert own_addresses.add(context, ada, proof(context, ada), "ada@HOME.example") == first
    own_addresses.add(context, bela, proof(context, bela), HOME)
    assert refusal(context, bela, HOME) == "too_many_mails_to"
    assert len(notices(context, "confirm_another_address")) == 3
    assert isinstance(context.clock, Clock)
    context.clock.advance(days=1)
    assert own_addresses.add(context, ada, proof(context, ada), HOME) == first


def test_nobody_has_any_number_of_strangers_mailed_by_adding_and_removing_their_addresses(context: Context) -> None:
    ada = person(context, "Ada")
    for number in range(own_addresses.MOST_ADDED):
        new = own_addresses.add(context, ada, proof(context, ada), f"stranger{number}@home.example")
        own_addresses.remove(context, ada, proof(context, ada), new.id)
    assert refusal(context, ada, HOME) == "too_many_requests"
    assert len(notices(context, "confirm_another_address")) == own_addresses.MOST_ADDED
    assert len(own_addresses.of_player(context, ada)) == 1
    later(context, days=1)
    own_addresses.add(context, ada, proof(context, ada), HOME)


def test_a_player_has_at_most_five_addresses(context: Context) -> None:
    ada = person(context, "Ada")
    for number in range(own_addresses.MOST_ADDRESSES - 1):
        own_addresses.add(context, ada, proof(context, ada), f"ada{number}@home.example")
    assert refusal(context, ada, HOME) == "too_many_addresses"
    assert refusal(context, ada, "no address") == "invalid"


def test_an_address_that_wants_no_mail_from_here_gets_none(context: Context) -> None:
    with context.database.write() as connection:
        players.forbid_mail(connection, "ada@home.example", context.clock())
    ada = person(context, "Ada")
    for _ in range(own_addresses.MOST_MAILS):
        own_addresses.add(context, ada, proof(context, ada), HOME)
    assert notices(context, "confirm_another_address") == []
    assert refusal(context, ada, HOME) == "too_many_mails_to", "as for every other address"


def test_confirming_again_an_address_that_is_confirmed_is_not_needed(context: Context) -> None:
    ada = person(context, "Ada")
    home = added(context, ada)
    assert own_addresses.add(context, ada, proof(context, ada), HOME) == home
    assert len(notices(context, "confirm_another_address")) == 1
