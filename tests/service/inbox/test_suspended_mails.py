"""Mails of a player who is suspended: one is answered, and nothing is done by any."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest
from sqlalchemy import select

from service.context import Context
from service.errors import Forbidden
from service.inbox import held
from service.mail_words import WORDS, Name
from service.matches import invitations, lobby
from service.matches.types import SeatRequest
from service.players import suspending
from service.store import matches, tables
from service.store.audit import Operator
from service.store.players import Player
from tests.service.fakes import Round, person, started
from tests.service.inbox.postman import Postman, relayed

ROOT = Operator("root", "Rude words.")
pytestmark = pytest.mark.usefixtures("pearls")


def played(context: Context) -> dict[str, list[object]]:
    """What mails could change."""
    kept = (tables.turns, tables.seats, tables.matches, tables.questions, tables.chat_lines, tables.days_off)
    with context.database.read() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in (*kept, tables.players, tables.stops)
        }


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "pearls")


def texts() -> Iterator[str]:
    assert {name for word in WORDS for name in word.names} == set(get_args(Name))
    yield "dive"
    for word in WORDS:
        yield from word.written


def test_nothing_is_done_and_one_mail_is_answered(context: Context, table: Round) -> None:
    ada, postman = table.players[0], Postman(relayed(context))
    suspending.suspend(context, ada, ROOT)
    before = played(context)
    for text in texts():
        for to in (postman.reply_address(table.match.id, 0, 1), postman.service):
            postman.send(to, ada.email, text)
    assert played(context) == before
    (answer,) = postman.answers()
    assert answer.payload["headline"] == "Nothing was done."
    assert answer.payload["says"] == ["The host of this service has suspended you: Rude words."]


def test_an_unproven_mail_is_not_even_asked_about(context: Context, table: Round) -> None:
    ada, postman = table.players[0], Postman(relayed(context))
    suspending.suspend(context, ada, ROOT)
    before = played(context)
    for sender in (ada.email, "somebody@example.com"):
        result = postman.send(postman.reply_address(table.match.id, 0, 1), sender, "resign", results=None)
        assert (result.status, result.did) == ("ignored", "suspended")
    assert played(context) == before
    assert postman.answers() == []


def test_what_was_held_before_is_not_carried_out(context: Context, table: Round) -> None:
    ada, postman = table.players[0], Postman(relayed(context))
    postman.send(postman.reply_address(table.match.id, 0, 1), ada.email, "resign", results=None)
    order = str(postman.newest("unproven_turn").payload["order"])
    suspending.suspend(context, ada, ROOT)
    with pytest.raises(Forbidden, match="Rude words"):
        held.carry_out(context, held.waiting(context, order))
    suspending.lift(context, ada, ROOT)
    assert held.carry_out(context, held.waiting(context, order)).did == "resigned"


@pytest.mark.parametrize("names_player", [True, False])
def test_an_invitation_is_not_taken(context: Context, names_player: bool) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, bela, "pearls", None, [SeatRequest("me"), SeatRequest("invite", ada.email)])
    suspending.suspend(context, ada, ROOT)
    with context.database.read() as connection:
        stored = matches.find(connection, match.id)
    assert stored is not None
    found = invitations.Invitation(stored, 1, ada.email, suspended(context, ada), names_player, True)
    with pytest.raises(Forbidden, match="Rude words"):
        invitations.accept(context, found, "Ada", None)
    with pytest.raises(Forbidden, match="Rude words"):
        held.accept_invitation(context, stored, 1)


def suspended(context: Context, player: Player) -> Player:
    from service.store import players

    with context.database.read() as connection:
        found = players.find(connection, player.id)
    assert found is not None
    return found
