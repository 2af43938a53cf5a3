"""Mails as their player wants them: of plain text, with what was said, and once a day."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage
from typing import Any, NoReturn

import pytest
from structlog.testing import capture_logs

from service.context import Context
from service.ledger.check import check_ledger
from service.matches import chat, lobby, replays
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.notices.mails import mails_of, send_again
from service.players import choosing
from service.store.covering import Because
from service.store.players import Player
from tests.service.fakes import Clock, Postbag, Round, notices, played, started

pytestmark = pytest.mark.usefixtures("pearls")


@pytest.fixture
def table(context: Context) -> Iterator[Round]:
    """A match of Ada and Bela, all of whose mails were sent; afterwards the ledger is sound."""
    found = started(context, "pearls")
    sent(context)
    yield found
    assert check_ledger(context.database).breaches == []


def sent(context: Context, player: Player | None = None, **time: float) -> list[EmailMessage]:
    """The mails that are sent after that time, to that player."""
    assert isinstance(context.clock, Clock)
    assert isinstance(context.transport, Postbag)
    context.clock.advance(**time or {"minutes": 1})
    context.transport.messages.clear()
    deliver_due(context)
    return [mail for mail in context.transport.messages if player is None or player.email in str(mail["To"])]


def text_of(mail: EmailMessage) -> str:
    part = mail.get_body(("plain",))
    assert isinstance(part, EmailMessage)
    return str(part.get_content())


def another_match(context: Context, table: Round) -> str:
    ada, bela = table.players
    seats = [SeatRequest("me"), SeatRequest("open")]
    match = lobby.create(context, ada, "pearls", None, seats, "Monday dive")
    lobby.join(context, bela, match.id)
    return match.id


def test_what_is_said_comes_with_the_mail_that_asks_for_a_move(context: Context, table: Round) -> None:
    ada, bela = table.players
    chat.say(context, ada, table.match.id, "Mind the <eels>!")
    chat.note(context, bela, table.match.id, "Dive twice.")
    played(context, ada, table.match.id, "dive")
    (mail,) = sent(context, bela)
    assert "SAID SINCE YOUR LAST MAIL\n\nAda: Mind the <eels>!\n" in text_of(mail)
    assert "YOUR NOTE\n\nDive twice.\n" in text_of(mail)
    html = mail.get_body(("html",))
    assert isinstance(html, EmailMessage)
    assert "Mind the &lt;eels&gt;!" in html.get_content()
    assert all("eels" not in str(value) for value in mail.values())
    assert sent(context, bela, minutes=20) == []
    (own,) = notices(context, "chat")
    assert (own.status, own.covered_by is not None) == ("covered", True)


def test_what_is_said_is_mailed_alone_after_a_while(context: Context, table: Round) -> None:
    ada, bela = table.players
    chat.say(context, ada, table.match.id, "Hello?")
    assert sent(context, bela, minutes=14) == []
    chat.say(context, ada, table.match.id, "Anybody there?")
    (mail,) = sent(context, bela, minutes=1)
    assert "Ada: Hello?\nAda: Anybody there?\n" in text_of(mail)
    assert mail["Subject"].startswith("Re: [")
    assert sent(context, ada) == sent(context, bela, minutes=30) == []


def test_who_wants_text_is_sent_text_alone(context: Context, table: Round) -> None:
    ada, bela = table.players
    choosing.choose(context, bela, {"text_only": True})
    played(context, ada, table.match.id, "dive")
    (mail,) = sent(context, bela)
    assert mail.get_content_type() == "text/plain"
    assert "THE BOARD" in text_of(mail)
    assert all(mail.is_multipart() for mail in sent(context, ada))


def test_who_wants_no_mails_gets_none(context: Context, table: Round) -> None:
    ada, bela = table.players
    choosing.choose(context, bela, {"mails": "off"})
    played(context, ada, table.match.id, "dive")
    assert sent(context, bela, minutes=5) == []
    (covered,) = [notice for notice in notices(context) if notice.player_id == bela.id and notice.status == "covered"]
    assert covered.covered_by is Because.OFF


def test_a_digest_tells_of_all_matches_once_a_day(context: Context, table: Round) -> None:
    ada, bela = table.players
    other = another_match(context, table)
    sent(context)
    choosing.choose(context, bela, {"mails": "digest", "digest_hour": 19})
    for match in (table.match.id, other):
        seat = next(seat for seat in lobby.find(context, None, match).seats if seat.to_act)
        played(context, table.players[seat.seat], match, "dive")
    chat.say(context, ada, other, "Good night.")
    assert sent(context, bela, hours=6) == []
    (mail,) = sent(context, bela, hours=1)
    text = text_of(mail)
    assert "Monday dive" in text
    assert text.count("Page: ") >= 2
    assert "Ada: Good night." in text
    assert sent(context, bela, hours=23) == sent(context, bela, hours=2) == []


def test_a_digest_tells_of_the_other_matches_where_the_rules_of_one_fail(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, bela), other = table.players, another_match(context, table)
    sent(context)
    choosing.choose(context, bela, {"mails": "digest", "digest_hour": 19})
    for match in (table.match.id, other):
        seat = next(seat for seat in lobby.find(context, None, match).seats if seat.to_act)
        played(context, table.players[seat.seat], match, "dive")
    game = replays.game_of
    monkeypatch.setattr(
        replays, "game_of", lambda match: replace(game(match), prompts={}) if match.id == other else game(match)
    )
    with capture_logs() as logs:
        (mail,) = sent(context, bela, hours=7)
    assert {entry["match"] for entry in logs if entry["event"] == "notice.without_prompt"} == {other}
    text = text_of(mail)
    assert "Monday dive" in text
    assert text.count("It cannot be read at present.") == 1
    assert text.count("Page: ") == 2


def test_a_digest_leaves_out_a_match_in_which_the_rules_fail_at_saying_who_is_awaited(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch
) -> None:
    (_, bela), other = table.players, another_match(context, table)
    sent(context)
    choosing.choose(context, bela, {"mails": "digest", "digest_hour": 19})
    for match in (table.match.id, other):
        seat = next(seat for seat in lobby.find(context, None, match).seats if seat.to_act)
        played(context, table.players[seat.seat], match, "dive")
    game = replays.game_of
    with monkeypatch.context() as patched, capture_logs():
        patched.setattr(
            replays, "game_of", lambda match: replace(game(match), to_act=_fail) if match.id == other else game(match)
        )
        (mail,) = sent(context, bela, hours=7)
    assert "Monday dive" not in text_of(mail)
    assert text_of(mail).count("Page: ") == 1


@pytest.mark.parametrize(
    ("broken", "left_out"),
    [
        ("narrate", "narration"),
        ("prompt", "prompt"),
        ("text", "text"),
        ("svg", "board"),
        ("format", "moves"),
        ("candidates", "moves"),
        ("observe", "text"),
    ],
)
def test_a_mail_is_sent_without_what_the_rules_fail_at(
    context: Context, table: Round, monkeypatch: pytest.MonkeyPatch, broken: str, left_out: str
) -> None:
    ada, bela = table.players
    played(context, ada, table.match.id, "dive")
    game, fault = replays.game_of, dict[str, Any]({broken: _fail})
    with monkeypatch.context() as patched, capture_logs() as logs:
        patched.setattr(replays, "game_of", lambda match: replace(game(match), **fault))
        (mail,) = sent(context, bela)
    text = text_of(mail)
    assert text.count("It cannot be read at present.") == (left_out in ("prompt", "text"))
    assert ("Ada dives" in text, "THE BOARD" in text) == (left_out != "narration", True)
    noted = [(each["event"], each["match"]) for each in logs if each["event"].startswith("notice.without")]
    assert (f"notice.without_{left_out}", table.match.id) in noted


def _fail(*args: object) -> NoReturn:
    raise KeyError("A fault of the rules.")


def test_a_digest_of_one_match_is_its_own_mail(context: Context, table: Round) -> None:
    ada, bela = table.players
    choosing.choose(context, bela, {"mails": "digest", "digest_hour": 19})
    played(context, ada, table.match.id, "dive")
    assert sent(context, bela, hours=6) == []
    (mail,) = sent(context, bela, hours=1)
    assert text_of(mail).startswith("Reply with a number or a line")
    assert notices(context, "digest") == []


def test_whoever_wants_mails_at_once_again_gets_what_waited(context: Context, table: Round) -> None:
    ada, bela = table.players
    choosing.choose(context, bela, {"mails": "digest", "digest_hour": 19})
    played(context, ada, table.match.id, "dive")
    assert sent(context, bela, minutes=5) == []
    choosing.choose(context, bela, {"mails": "at_once"})
    assert len(sent(context, bela, seconds=1)) == 1


def test_who_wants_single_mails_gets_one_for_each_thing(context: Context, table: Round) -> None:
    ada, bela = table.players
    mails = {}
    for merged in (True, False):
        choosing.choose(context, ada, {"merged": merged})
        played(context, ada, table.match.id, "dive")
        played(context, bela, table.match.id, "dive")
        mails[merged] = len(sent(context, ada))
    assert mails == {True: 1, False: 2}


def test_a_mail_that_was_not_wanted_can_be_sent_all_the_same(context: Context, table: Round) -> None:
    ada, bela = table.players
    choosing.choose(context, bela, {"mails": "off"})
    played(context, ada, table.match.id, "dive")
    assert sent(context, bela) == []
    covered = next(mail for mail in mails_of(context, bela, 10, None) if mail.status == "covered")
    assert covered.reason == "You want no mails."
    send_again(context, bela, covered.id)
    (mail,) = sent(context, bela)
    assert text_of(mail).startswith("Reply with a number")
