"""The chat of a match: who says and reads what, and what can be said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.notices import mails
from service.notices.delivery import deliver_due
from service.offers import offering
from service.players import blocks, bots
from service.store import events
from service.store import matches as match_rows
from service.store import players as block_rows
from service.store.covering import Because
from service.store.outbox import Notice
from service.store.players import Player
from tests.service.fakes import Postbag, at_once, later, notices, person, started
from tests.service.inbox.postman import Postman, relayed

pytestmark = pytest.mark.usefixtures("pearls")
SECRET: Final = "I have the black pearl"


def texts(said: tuple[chat.Said, ...]) -> list[str]:
    return [each.text for each in said]


def test_what_is_said_is_read_by_the_players_in_order(context: Context) -> None:
    table = started(context, "pearls")
    ada, bela = table.players
    first = chat.say(context, ada, table.match.id, "  Good \n luck! ")
    chat.say(context, bela, table.match.id, "You too \N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}")
    assert (first.number, first.seat, first.player, first.you) == (1, 0, "Ada", True)
    heard = chat.heard(context, ada, table.match.id, 0, 10)
    assert texts(heard) == ["Good luck!", "You too \N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}"]
    assert [each.you for each in heard] == [True, False]
    assert texts(chat.heard(context, bela, table.match.id, 1, 10)) == [heard[1].text]
    assert texts(chat.heard(context, bela, table.match.id, 0, 1)) == ["Good luck!"]


def test_what_one_player_says_too_often_puts_off_no_mail_of_what_another_says(context: Context) -> None:
    table = started(context, "pearls", 3)
    ada, bela, eve = table.players

    def mailed(name: str, by: Player) -> list[Notice]:
        chat.say(context, by, table.match.id, name)
        later(context, minutes=16)
        for _ in range(3):
            deliver_due(context)
        return [notice for notice in notices(context, "chat") if notice.player_id == ada.id]

    number = 0
    while all(notice.held_until is None for notice in mailed("Hello", bela)):
        number += 1
        assert number < 100
    last = mailed("I will be late", eve)[-1]
    assert (last.sender_id, last.status, last.held_until) == (eve.id, "sent", None)
    waiting = [notice for notice in mailed("Hello?", bela) if notice.status == "pending"]
    assert len(waiting) == 1, "one mail tells all that is put off"


def test_only_players_of_the_match_read_and_write(context: Context) -> None:
    table, eve = started(context, "pearls"), person(context, "Eve")
    with pytest.raises(Forbidden, match="Only the players"):
        chat.say(context, eve, table.match.id, "Hello")
    with pytest.raises(Forbidden, match="Only the players"):
        chat.heard(context, eve, table.match.id, 0, 10)
    with pytest.raises(NotFound):
        chat.say(context, eve, "nowhere", "Hello")


def invited(context: Context, ada: Player, bela: Player, carl: Player) -> str:
    """Carl is invited to a match, and replies."""
    seats = [SeatRequest("me"), SeatRequest("open"), SeatRequest("invite", carl.email)]
    match = lobby.create(context, ada, "pearls", None, seats)
    lobby.join(context, bela, match.id)
    chat.say(context, bela, match.id, SECRET)
    postman = Postman(relayed(context))
    postman.reply(postman.newest("invitation", carl), carl.email, "rules")
    return match.id


def offered(context: Context, ada: Player, bela: Player, carl: Player) -> str:
    """Carl is offered Ada's seat, declines it, and replies again."""
    match = running(context, ada, bela)
    (offer, *_) = offering.offer(context, ada, match, "hand_over", email=carl.email).items
    offering.answer(context, carl, match, offer.id, accepts=False)
    chat.say(context, bela, match, SECRET)
    postman = Postman(relayed(context))
    postman.reply(postman.newest("seat_offered", carl), carl.email, "help")
    return match


def handed_over(context: Context, ada: Player, bela: Player, carl: Player) -> str:
    """Carl has handed his seat to Ada, and has a mail sent again that was covered by that."""
    match = running(context, carl, bela)
    chat.say(context, bela, match, "Hello")
    (offer, *_) = offering.offer(context, carl, match, "hand_over", email=ada.email).items
    for player in (ada, bela):
        offering.answer(context, player, match, offer.id, accepts=True)
    chat.say(context, bela, match, SECRET)
    covered = next(each for each in notices(context, "chat") if each.player_id == carl.id)
    mails.send_again(context, carl, covered.id)
    return match


def left(context: Context, ada: Player, bela: Player, carl: Player) -> str:
    """Carl leaves a match before it starts, while a mail of what was said waits."""
    match = lobby.create(context, ada, "pearls", None, [SeatRequest("me"), *[SeatRequest("open")] * 3])
    for player in (bela, carl):
        lobby.join(context, player, match.id)
    chat.say(context, bela, match.id, "Hello")
    lobby.leave(context, carl, match.id)
    chat.say(context, bela, match.id, SECRET)
    return match.id


def running(context: Context, *players: Player) -> str:
    """The id of a running match of these two."""
    match = lobby.create(context, players[0], "pearls", None, [SeatRequest("me"), SeatRequest("open")])
    return lobby.join(context, players[1], match.id).id


@pytest.mark.parametrize("way", [invited, offered, handed_over, left])
def test_nobody_without_a_seat_is_mailed_what_is_said(
    context: Context, way: Callable[[Context, Player, Player, Player], str]
) -> None:
    ada, bela, carl = (person(context, name) for name in ("Ada", "Bela", "Carl"))
    match = way(context, ada, bela, carl)
    later(context, minutes=16)
    for _ in range(3):
        deliver_due(context)
    assert isinstance(context.transport, Postbag)
    told = {str(mail["To"].addresses[0].addr_spec) for mail in context.transport.messages if SECRET in mail.as_string()}
    assert told == {ada.email}
    with context.database.read() as connection:
        stored = match_rows.find(connection, match)
    assert stored is not None
    assert stored.seat_of(carl.id) is None
    assert all(notice.status in ("sent", "covered") for notice in notices(context) if notice.player_id == carl.id)


def test_nothing_is_said_in_a_cancelled_match(context: Context) -> None:
    ada = person(context, "Ada")
    match = lobby.create(context, ada, "pearls", None, [SeatRequest("me"), SeatRequest("open")])
    chat.say(context, ada, match.id, "Waiting")
    with context.database.write() as connection:
        match_rows.set_status(connection, match.id, "cancelled", context.clock())
    with pytest.raises(Conflict, match="cancelled"):
        chat.say(context, ada, match.id, "Gone")


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 501, "a\x00b", "a\x1bb", "a\u202eb", "a\u200bb", "a\ue000b"])
def test_what_cannot_be_shown_is_refused(text: str) -> None:
    with pytest.raises(Invalid) as raised:
        chat.read_text(text)
    assert raised.value.problems[0][0] == "/text"


def test_what_is_said_at_once_is_numbered_without_gaps(context: Context) -> None:
    table = started(context, "pearls")
    at_once(
        *(
            lambda player=player, number=number: chat.say(context, player, table.match.id, f"{number}")
            for number, player in enumerate(table.players * 2)
        )
    )
    heard = chat.heard(context, table.players[0], table.match.id, 0, 10)
    assert [each.number for each in heard] == [1, 2, 3, 4]
    assert sorted(texts(heard)) == ["0", "1", "2", "3"]


def test_a_blocked_player_is_not_heard_and_not_told(context: Context) -> None:
    table = started(context, "pearls")
    ada, bela = table.players
    blocked = blocks.block(context, ada, table.match.id, 1)
    blocks.block(context, ada, table.match.id, 1)
    assert blocks.blocked(context, ada) == (blocked,)
    assert chat.say(context, bela, table.match.id, "Hello?").number == 1
    chat.say(context, ada, table.match.id, "Quiet today")
    assert texts(chat.heard(context, ada, table.match.id, 0, 10)) == ["Quiet today"]
    assert texts(chat.heard(context, bela, table.match.id, 0, 10)) == ["Hello?", "Quiet today"]
    blocks.unblock(context, ada, blocked.player_id)
    assert len(chat.heard(context, ada, table.match.id, 0, 10)) == 2


def test_whoever_is_blocked_is_blocked_with_their_bots(context: Context) -> None:
    table = started(context, "pearls")
    ada, bela = table.players
    first = bots.make(context, bela, "First")[0]
    seats = [SeatRequest("me"), SeatRequest("open"), SeatRequest("open")]
    match = lobby.create(context, ada, "pearls", None, seats)
    lobby.join(context, first, match.id)
    blocks.block(context, ada, table.match.id, 1)
    second = bots.make(context, bela, "Second")[0]
    with pytest.raises(Conflict, match="No seat is open to you"):
        lobby.join(context, second, match.id)
    chat.say(context, first, match.id, "Hello from Bela")
    assert texts(chat.heard(context, ada, match.id, 0, 10)) == []
    assert [each.covered_by for each in notices(context, "chat")] == [Because.BLOCKED]
    assert [each.player_id for each in blocks.blocked(context, ada)] == [bela.id]
    with pytest.raises(NotFound, match="blocked no player"):
        blocks.unblock(context, ada, first.id)
    blocks.unblock(context, ada, bela.id)
    assert texts(chat.heard(context, ada, match.id, 0, 10)) == ["Hello from Bela"]


def test_nobody_is_blocked_who_is_not_met(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    table, eve = started(context, "pearls"), person(context, "Eve")
    ada = table.players[0]
    with pytest.raises(Forbidden):
        blocks.block(context, eve, table.match.id, 0)
    with pytest.raises(NotFound, match="Nobody has that seat"):
        blocks.block(context, ada, table.match.id, 7)
    with pytest.raises(NotFound):
        blocks.block(context, ada, "nowhere", 0)
    with pytest.raises(Invalid, match="your own"):
        blocks.block(context, ada, table.match.id, 0)
    with pytest.raises(NotFound, match="blocked no player"):
        blocks.unblock(context, ada, eve.id)
    monkeypatch.setattr(blocks, "MOST_BLOCKED", 0)
    with pytest.raises(Conflict, match="maximum"):
        blocks.block(context, ada, table.match.id, 1)


def test_whoever_invites_can_be_blocked_without_joining(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    seats = [SeatRequest("me"), SeatRequest("invite", bela.email)]
    match = lobby.create(context, ada, "pearls", None, seats)
    blocks.block(context, bela, match.id, None)
    with context.database.read() as connection:
        assert block_rows.ids_blocked_by(connection, bela.id) == {ada.id}
    assert lobby.mine(context, bela) == ()
    assert [found.id for found in lobby.mine(context, ada)] == [match.id]
    blocks.unblock(context, bela, ada.id)
    assert [found.id for found in lobby.mine(context, bela)] == [match.id]


def test_what_is_said_is_an_event_for_the_players_alone(context: Context) -> None:
    table = started(context, "pearls")
    ada, bela = table.players
    chat.say(context, ada, table.match.id, "Good luck!")

    def known_to(viewer: str | None) -> list[events.Event]:
        with context.database.read() as connection:
            return [event for event in events.of_match(connection, table.match.id, viewer) if event.kind == "chat"]

    (event,) = known_to(bela.id)
    assert (event.seat, event.payload) == (0, {"number": 1})
    assert known_to(ada.id) == [event]
    assert known_to(None) == known_to(person(context, "Eve").id) == []


def test_nobody_says_more_than_so_much_a_day(context: Context, monkeypatch: pytest.MonkeyPatch) -> None:
    table = started(context, "pearls")
    ada, bela = table.players
    monkeypatch.setattr(chat, "MOST_LINES", 2)
    for text in ("One", "Two"):
        chat.say(context, ada, table.match.id, text)
    with pytest.raises(TooMany, match="maximum"):
        chat.say(context, ada, table.match.id, "Three")
    assert chat.say(context, bela, table.match.id, "Four").number == 3
    later(context, days=1)
    chat.say(context, ada, table.match.id, "Five")
