"""What the operator does about a player, and what becomes meanwhile of what they have."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.context import Context
from service.errors import Conflict, Forbidden
from service.ledger.check import check_ledger
from service.matches import lobby
from service.notices.delivery import deliver_due
from service.offers import offering
from service.offers.settling import settle_match
from service.players import bots, own_addresses, suspending, tokens
from service.store import addresses as address_rows
from service.store import audit, players, questions, webhooks
from service.store.audit import Operator
from service.store.covering import Because
from service.store.players import Player
from service.sweeps import sweep
from service.webhooks import owning
from tests.service.fakes import (
    Postbag,
    holder,
    judged_batch,
    later,
    notices,
    person,
    person_with_token,
    played,
    proof,
    started,
)
from tests.service.turns.clocks import let_expire
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")
ROOT = Operator("ann as root", "Rude words.")


def now(context: Context, player: Player) -> Player:
    with context.database.read() as connection:
        found = players.find(connection, player.id)
    assert found is not None
    return found


def acts(context: Context, player: Player) -> list[tuple[str, str, str]]:
    with context.database.read() as connection:
        return [(each.by, each.act, each.reason) for each in audit.listed(connection, player.id, 10)]


def test_a_suspension_is_noted_and_mailed_and_happens_once(context: Context) -> None:
    ada = person(context, "Ada")
    suspending.suspend(context, ada, ROOT)
    with pytest.raises(Conflict, match=r"^\w+ is suspended already\.$"):
        suspending.suspend(context, ada, ROOT)
    assert acts(context, ada) == [("ann as root", "suspended", "Rude words.")]
    deliver_due(context)
    assert isinstance(context.transport, Postbag)
    mail = context.transport.messages[-1]
    assert mail["Subject"] == "Overland: You are suspended"
    assert "Rude words." in str(mail.get_body(("plain",)))
    later(context, seconds=1)
    suspending.lift(context, ada, Operator("root", "She was right."))
    with pytest.raises(Conflict, match="not suspended"):
        suspending.lift(context, ada, ROOT)
    assert now(context, ada) == ada
    assert [act for _, act, _ in acts(context, ada)] == ["lifted", "suspended"]


def test_every_act_of_the_host_is_mailed_at_once(context: Context) -> None:
    ada = person(context, "Ada")
    assert isinstance(context.queue, MemoryQueue)
    for act in (suspending.suspend, suspending.lift, suspending.revoke_tokens, suspending.sign_out):
        before = context.queue.notices
        act(context, ada, ROOT)
        assert context.queue.notices == before + 1, act
    assert len(notices(context, "from_host")) == 4


def test_bots_are_suspended_with_their_owner(context: Context) -> None:
    ada = person(context, "Ada")
    bot = bots.make(context, ada, "Mine")[0]
    suspending.suspend(context, ada, ROOT)
    with pytest.raises(Forbidden):
        suspending.check_not_suspended(now(context, bot))
    suspending.lift(context, ada, ROOT)
    suspending.check_not_suspended(now(context, bot))


def test_the_clock_of_a_suspended_player_runs_on_and_the_others_go_on(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, bela = table.players
    suspending.suspend(context, ada, ROOT)
    let_expire(context, table)
    sweep(context)
    match = lobby.find(context, bela, table.match.id)
    assert match.ply > table.match.ply
    assert match.seats[1].to_act
    suspending.lift(context, ada, ROOT)
    assert played(context, bela, match.id, "dive").status == "accepted"


def test_a_match_without_clock_may_be_ended_without_a_suspended_player_after_two_weeks(context: Context) -> None:
    table = started(context, "pearls")
    ada, bela = table.players
    with pytest.raises(Conflict, match="nobody has abandoned"):
        offering.offer(context, bela, table.match.id, "abandon")
    suspending.suspend(context, ada, ROOT)
    at = context.clock()
    later(context, minutes=1)
    offering.offer(context, bela, table.match.id, "abandon")
    while lobby.find(context, bela, table.match.id).status == "running":
        later(context, days=1)
        sweep(context)
        deliver_due(context)
        judged_batch(context)
        assert context.clock() - at < timedelta(days=28)
    assert context.clock() - at >= timedelta(days=14)
    assert check_ledger(context.database).breaches == []


def test_the_offer_lapses_where_the_suspension_is_lifted(context: Context) -> None:
    table = started(context, "pearls")
    suspending.suspend(context, table.players[0], ROOT)
    later(context, minutes=1)
    offering.offer(context, table.players[1], table.match.id, "abandon")
    suspending.lift(context, table.players[0], ROOT)
    later(context, minutes=1)
    settle_match(context, table.match.id)
    judged_batch(context)
    with context.database.read() as connection:
        assert questions.open_ones(connection, table.match.id) == ()
    assert lobby.find(context, table.players[1], table.match.id).status == "running"


def test_nothing_is_mailed_about_matches_and_no_webhook_is_called(context: Context) -> None:
    table = started(context, "pearls", clock="brisk")
    ada, bela = table.players
    owning.enter(context, ada, "json", "https://example.org/overland")
    deliver_due(context)
    suspending.suspend(context, ada, ROOT)
    deliver_due(context)
    with context.database.read() as connection:
        assert webhooks.entered(connection, [table.match.id]) == ()
        assert webhooks.at(connection, "https://example.org/overland") == ()
    lobby.resign(context, bela, table.match.id)
    deliver_due(context)
    ends = {notice.player_id: notice.covered_by for notice in notices(context, "match_over")}
    assert ends == {ada.id: Because.SUSPENDED, bela.id: None}
    suspending.lift(context, ada, ROOT)
    with context.database.read() as connection:
        assert len(webhooks.at(connection, "https://example.org/overland")) == 1


def test_tokens_are_revoked_with_those_of_bots_and_browsers_signed_out(context: Context) -> None:
    ada, secret = person_with_token(context, "Ada")
    bot, _, of_bot = bots.make(context, ada, "Mine")
    cookie = tokens.sign_in(context, ada)
    assert holder(context, of_bot).id == bot.id
    suspending.revoke_tokens(context, ada, ROOT)
    assert tokens.recognise_at(context, secret, None)[0] is None
    assert tokens.recognise_at(context, of_bot, None)[0] is None
    assert tokens.signed_in(context, cookie) == ada
    later(context, seconds=1)
    suspending.sign_out(context, ada, ROOT)
    assert tokens.signed_in(context, cookie) is None
    assert [act for _, act, _ in acts(context, ada)] == ["signed_out", "tokens_revoked"]


def test_an_address_is_changed_once_its_owner_has_proven_it_and_the_old_one_may_undo_it(context: Context) -> None:
    ada = person(context, "Ada")
    own_addresses.change_for(context, ada, ROOT, "Ada@example.com")
    assert now(context, ada).email == "ada@example.org"
    own_addresses.confirm(context, notices(context, "confirm_another_address")[-1].payload["token"])
    assert now(context, ada).email == "ada@example.com"
    told = notices(context, "address_changed")[-1]
    assert (told.address, told.payload["change"]) == ("ada@example.org", "primary")
    own_addresses.undo(context, told.payload["token"])
    assert now(context, ada).email == "ada@example.org"
    assert [act for _, act, _ in acts(context, ada)] == ["address_changing"]


def test_a_confirmed_address_is_primary_at_once_and_anothers_cannot_be_proven(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    own_addresses.add(context, ada, proof(context, ada), "second@example.com")
    own_addresses.confirm(context, notices(context, "confirm_another_address")[-1].payload["token"])
    own_addresses.change_for(context, ada, ROOT, "second@example.com")
    assert now(context, ada).email == "second@example.com"
    later(context, seconds=1)
    own_addresses.change_for(context, ada, ROOT, bela.email)
    with pytest.raises(Conflict, match="another player"):
        own_addresses.confirm(context, notices(context, "confirm_another_address")[-1].payload["token"])
    with context.database.read() as connection:
        assert address_rows.primary_of(connection, now(context, ada)) == "second@example.com"
