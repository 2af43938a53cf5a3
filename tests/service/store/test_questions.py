"""The questions of a match as rows: each kind comes back as it was written."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import get_args

import pytest
from sqlalchemy.exc import IntegrityError

from service.context import Context
from service.statuses import OfferKind
from service.store import questions
from service.store.questions import HeldOrder, StoredOffer
from tests.service.fakes import started

pytestmark = pytest.mark.usefixtures("pearls")


def test_offers_and_orders_are_numbered_together_and_come_back_as_they_were(context: Context) -> None:
    table, now = started(context, "pearls"), context.clock()
    match, ada = table.match.id, table.players[0].id
    offer = StoredOffer("o1", match, 1, "extend", 0, now, for_seat=1, for_turn=4, warned_at=7, answers={1: True})
    order = HeldOrder(
        "o2", match, 2, "turn", 1, now, "confirm", ada, 3, 4, actions=({"type": "dive"},), in_reply_to="<a>"
    )
    with context.database.write() as connection:
        assert questions.next_number(connection, match) == 1
        questions.add(connection, offer)
        questions.add(connection, order)
        assert questions.next_number(connection, match) == 3
        assert questions.open_ones(connection, match) == (offer, order)
        assert questions.open_offers(connection, match) == questions.latest_offers(connection, match, 5) == (offer,)
        assert (questions.find(connection, "o2"), questions.numbered(connection, match, 1)) == (order, offer)
        assert questions.find(connection, "o3") is questions.numbered(connection, match, 3) is None
        settled = replace(order, status="lapsed", settled_at=now)
        questions.write(connection, settled)
        assert questions.open_ones(connection, match) == (offer,)
        assert questions.numbered(connection, match, 2) == settled
    with pytest.raises(IntegrityError), context.database.write() as connection:
        questions.add(connection, replace(order, id="o4"))


@pytest.mark.parametrize("kind", get_args(OfferKind))
def test_the_sweeper_sees_matches_with_offers_however_new_and_with_old_orders(
    context: Context, kind: OfferKind
) -> None:
    now = context.clock()
    names = (("Ada", "Bela"), ("Cleo", "Dora"), ("Eve", "Fay"))
    offered, new, old = (started(context, "pearls", 2, each).match.id for each in names)
    with context.database.write() as connection:
        questions.add(connection, StoredOffer(offered, offered, 1, kind, 0, now))
        for match, made_at in ((new, now), (old, now - timedelta(days=3))):
            questions.add(connection, HeldOrder(match, match, 1, "resign", 0, made_at, "confirm", None, 0, 0))
        found = questions.matches_with_offers(connection, now - timedelta(days=2))
    assert found == (old, offered)
