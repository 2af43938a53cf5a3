"""Replies to a digest, at the address of one of its matches: what they quote plays nothing."""

from __future__ import annotations

import re
from email.message import EmailMessage

import pytest

from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.players import choosing
from service.store import turns
from service.store.players import Player
from service.store.turns import StoredTurn
from tests.service.fakes import Clock, Postbag, person, played
from tests.service.inbox.postman import Postman, relayed

pytestmark = pytest.mark.usefixtures("pearls")


def submitted(context: Context, player: Player, matches: list[str]) -> list[StoredTurn]:
    """The turns of a player."""
    with context.database.read() as connection:
        return [turn for match in matches for turn in turns.of_player(connection, match, player.id, 50, None)]


def test_a_reply_that_quotes_the_whole_digest_plays_only_what_was_typed(context: Context) -> None:
    assert isinstance(context.clock, Clock)
    assert isinstance(context.transport, Postbag)
    ada, bela = person(context, "Ada"), person(context, "Bela")
    choosing.choose(context, ada, {"mails": "digest"})
    matches = []
    for title in ("Sunday", "Monday"):
        seats = [SeatRequest("me"), SeatRequest("open")]
        matches.append(lobby.create(context, bela, "pearls", None, seats, title).id)
        lobby.join(context, ada, matches[-1])
        played(context, bela, matches[-1], "dive")
    context.clock.advance(hours=8)
    deliver_due(context)
    (digest,) = [mail for mail in context.transport.messages if str(mail["Subject"]).startswith("Your matches")]
    part = digest.get_body(("plain",))
    assert isinstance(part, EmailMessage)
    text = str(part.get_content())
    address = re.findall(r"Answer to: (\S+)", text)[0]
    postman = Postman(relayed(context))
    before = [lobby.find(context, None, match).ply for match in matches]
    for quoted in (text, f"\n{text}\n-- \nAda", text.replace("\n", "\n> "), " ".join(text.split())):
        postman.send(address, ada.email, quoted)
        assert [lobby.find(context, None, match).ply for match in matches] == before
        assert submitted(context, ada, matches) == []
    postman.send(address, ada.email, f"dive\n\n{text}")
    (turn,) = submitted(context, ada, matches)
    assert turn.player_id == ada.id
