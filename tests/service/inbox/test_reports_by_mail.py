"""Reports by the word of a mail."""

from __future__ import annotations

import pytest

from service.context import Context
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.store import reports
from tests.service.fakes import person, started
from tests.service.inbox.postman import Postman, relayed

pytestmark = pytest.mark.usefixtures("pearls")


def open_ones(context: Context) -> list[tuple[str, str, str]]:
    with context.database.read() as connection:
        return [(each.kind, each.read, each.words) for each in reports.listed(connection, "open", 9)]


def test_a_reply_reports_what_somebody_else_said_last(context: Context) -> None:
    table, postman = started(context, "pearls"), Postman(relayed(context))
    ada, bela = table.players
    to = postman.reply_address(table.match.id, 0, 1)
    postman.send(to, ada.email, "report")
    assert postman.answers()[-1].payload["headline"] == "Nothing was reported."
    for player, text in ((bela, "Hello."), (bela, "You eel."), (ada, "Sorry?")):
        chat.say(context, player, table.match.id, text)
    postman.send(to, ada.email, "report That is rude.", results=None)
    assert open_ones(context) == []
    postman.send(to, ada.email, "Report: That is rude.")
    assert open_ones(context) == [("chat", "You eel.", "That is rude.")]
    assert postman.newest("answer", ada).payload["headline"] == "You have reported: You eel."
    postman.send(to, ada.email, "segnala")
    assert len(open_ones(context)) == 1


def test_a_reply_to_an_invitation_reports_it(context: Context) -> None:
    ada, bela, postman = person(context, "Ada"), person(context, "Bela"), Postman(relayed(context))
    seats = [SeatRequest("me"), SeatRequest("invite", ada.email), SeatRequest("invite", "new@example.com")]
    match = lobby.create(context, bela, "pearls", None, seats, "Eels only")
    postman.send(postman.reply_address(match.id, 1, 0), ada.email, "report I never met them")
    assert open_ones(context) == [("invitation", "Eels only", "I never met them")]
    postman.send(postman.reply_address(match.id, 2, 0), "new@example.com", "report")
    assert postman.answers()[-1].payload["lines"] == ["yes", "no", "rules"]


def test_a_word_about_no_match_reports_nothing(context: Context) -> None:
    ada, postman = person(context, "Ada"), Postman(relayed(context))
    postman.send(postman.service, ada.email, "report")
    assert open_ones(context) == []
    assert postman.answers()[-1].payload["headline"] == "This mail is about no match."
