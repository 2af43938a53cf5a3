"""Which mails were dealt with, and the orders that wait for somebody's word."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from service.context import Context
from service.store import answered, held
from service.store.held import HeldOrder, HeldReason
from tests.service.fakes import Round, started

ADA = "ada@example.org"


def test_a_mail_is_dealt_with_once(context: Context) -> None:
    now = context.clock()
    with context.database.write() as connection:
        assert not answered.is_known(connection, "k1")
        answered.add(connection, "k1", ADA, "help", "n1", now)
        assert answered.is_known(connection, "k1")
    with pytest.raises(IntegrityError), context.database.write() as connection:
        answered.add(connection, "k1", ADA, "help", "n2", now)


def test_only_answers_of_that_time_to_that_sender_are_counted(context: Context) -> None:
    now = context.clock()
    with context.database.write() as connection:
        answered.add(connection, "k1", ADA, "help", "n1", now - timedelta(hours=2))
        answered.add(connection, "k2", ADA, "help", "n2", now)
        answered.add(connection, "k3", ADA, "turn", None, now)
        answered.add(connection, "k4", "bela@example.org", "help", "n4", now)
        assert answered.answers_since(connection, ADA, now - timedelta(hours=1)) == 1


def order_of(table: Round, order_id: str, context: Context, reason: HeldReason = "confirm") -> HeldOrder:
    player = table.players[0].id
    document = {"actions": [{"type": "pick"}]}
    return HeldOrder(order_id, "turn", reason, table.match.id, 0, player, 1, document, "<a@b>", context.clock())


def test_the_newest_order_that_waits_is_found_and_used_once(context: Context, pearls: None) -> None:
    table = started(context, "pearls")
    first, unproven = order_of(table, "o1", context), order_of(table, "o2", context, "unproven")
    with context.database.write() as connection:
        held.add(connection, first)
        held.add(connection, unproven)
    context.clock.advance(minutes=1)  # type: ignore[attr-defined]
    second = order_of(table, "o3", context)
    with context.database.write() as connection:
        held.add(connection, second)
        assert held.latest(connection, table.match.id, 0, "confirm") == second
        assert held.latest(connection, table.match.id, 1, "confirm") is None
        assert held.use(connection, "o3", context.clock())
        assert not held.use(connection, "o3", context.clock())
        assert held.latest(connection, table.match.id, 0, "confirm") == first
        assert held.find(connection, "o2") == unproven
        assert held.find(connection, "o4") is None
        since = context.clock() - timedelta(seconds=30)
        assert held.count_since(connection, table.match.id, 0, "confirm", since) == 1
