"""Conversations: one thread for a seat from the invitation on, and a new one every 90 mails."""

from __future__ import annotations

from service.context import Context
from service.store.outbox import MOST_MAILS, conversation_of_mail
from tests.service.fakes import started


def test_an_invitation_and_the_mails_of_whoever_took_the_seat_are_one_thread(context: Context) -> None:
    table = started(context, "oregon")
    with context.database.write() as connection:
        invited = conversation_of_mail(connection, table.match.id, None, "Bela@example.org", 1)
        seated = conversation_of_mail(connection, table.match.id, table.players[1].id, None, None)
        other = conversation_of_mail(connection, table.match.id, table.players[0].id, None, None)
    assert (invited, seated, other) == ("1.1", "1.1", "0.1")


def test_whoever_has_no_seat_has_a_thread_of_their_own(context: Context) -> None:
    table = started(context, "oregon")
    with context.database.write() as connection:
        placed = {
            conversation_of_mail(connection, table.match.id, None, address, None)
            for address in ("a@b.c", "d@b.c", "a@b.c")
        }
    assert len(placed) == 2
    assert all(each.startswith("x") and each.endswith(".1") for each in placed)


def test_a_new_conversation_begins_after_90_mails(context: Context) -> None:
    assert MOST_MAILS == 90
    table = started(context, "oregon")
    with context.database.write() as connection:
        placed = [conversation_of_mail(connection, table.match.id, table.players[0].id, None, None) for _ in range(181)]
    assert placed == ["0.1"] * 90 + ["0.2"] * 90 + ["0.3"]
