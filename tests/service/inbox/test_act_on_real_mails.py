"""Replies to mails as they were really sent, and answers as they are really sent."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from email.header import Header
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import urlsplit

import pytest

from service.app import create_app
from service.context import Context
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.players import choosing
from service.store import turns
from service.store.turns import StoredTurn
from tests.service.fakes import Postbag, Round, judged_batch, person, started
from tests.service.inbox.postman import Postman

ADA, BELA = "ada@example.org", "bela@example.org"


@pytest.fixture
def table(behind_a_relay: Context) -> Round:
    """Ada, who is awaited, and Bela."""
    return started(behind_a_relay, "ozeanien")


def delivered(context: Context, address: str) -> list[EmailMessage]:
    """The mails that reach an address now."""
    bag = context.transport
    assert isinstance(bag, Postbag)
    context.clock.advance(minutes=1)  # type: ignore[attr-defined]
    deliver_due(context)
    mine = [mail for mail in bag.messages if address in str(mail["To"])]
    bag.messages.clear()
    return mine


def text_of(mail: EmailMessage) -> str:
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content())


def reply_to(mail: EmailMessage) -> str:
    """Where a reply to that mail goes."""
    return parseaddr(str(mail["Reply-To"] or mail["From"]))[1]


def moves_in(mail: EmailMessage) -> dict[int, str]:
    """The single moves that the mail lists as whole lines, by number."""
    listed = re.findall(r"(?m)^ +(\d+) ([a-z].*?)$", text_of(mail).partition("THE BOARD")[0])
    return {int(number): line for number, line in listed}


def turns_of(context: Context, table: Round) -> tuple[StoredTurn, ...]:
    with context.database.read() as connection:
        return turns.of_player(connection, table.match.id, table.players[0].id, 50, None)


def asked(context: Context) -> EmailMessage:
    """The mail to Ada that says that it is her turn."""
    return next(mail for mail in delivered(context, ADA) if mail["X-Overland-Kind"] == "match_started")


QUOTINGS: Mapping[str, Callable[[str], str]] = {
    "marked": lambda text: "\n".join(f"> {line}" for line in text.splitlines()),
    "outlook": lambda text: f"-----Original Message-----\nFrom: Overland\nTo: Ada\nSubject: Your turn\n\n{text}",
    "bare": lambda text: text,
}


@pytest.mark.parametrize("quoting", QUOTINGS)
def test_what_a_reply_quotes_is_never_played(postman: Postman, table: Round, quoting: str) -> None:
    mail = asked(postman.context)
    quoted = QUOTINGS[quoting](text_of(mail))
    assert postman.send(reply_to(mail), ADA, quoted).did == "empty"
    assert turns_of(postman.context, table) == ()
    assert postman.send(reply_to(mail), ADA, f"1\n\n{quoted}").did == "turn"
    assert len(turns_of(postman.context, table)) == 1


@pytest.mark.parametrize("doubt", ["?", "maybe", "tomorrow", "not sure", "If Bela agrees"])
def test_a_move_in_doubt_is_offered_and_played_by_what_is_offered(postman: Postman, table: Round, doubt: str) -> None:
    mail = asked(postman.context)
    quoted = QUOTINGS["marked"](text_of(mail))
    assert postman.send(reply_to(mail), ADA, f"1\n{doubt}\n\n{quoted}").did in ("ambiguous", "unread")
    assert turns_of(postman.context, table) == ()
    (answer,) = delivered(postman.context, ADA)
    assert "1 or " in text_of(answer)
    assert postman.send(reply_to(answer), ADA, "1").did == "turn"


def test_a_move_that_is_struck_out_is_not_played_and_its_player_told(postman: Postman, table: Round) -> None:
    mail = asked(postman.context)
    body = "--b\n\n1\n--b\nContent-Type: text/html\n\n<p><del>1</del></p>\n--b--"
    kind = 'multipart/alternative; boundary="b"'
    assert postman.send(reply_to(mail), ADA, body, Content_Type=kind).did == "empty"
    assert turns_of(postman.context, table) == ()
    (answer,) = delivered(postman.context, ADA)
    assert "struck out" in text_of(answer)


def test_the_verdict_is_the_answer_and_can_be_replied_to(postman: Postman, table: Round) -> None:
    mail = asked(postman.context)
    came = postman.mail(reply_to(mail), ADA, "1")
    postman.bring(came)
    judged_batch(postman.context)
    (verdict,) = delivered(postman.context, ADA)
    assert verdict["X-Overland-Kind"] == "verdict"
    assert str(verdict["In-Reply-To"]) == came.message_id
    assert came.message_id in str(verdict["References"])
    assert lobby.find(postman.context, None, table.match.id).ply > 0


def test_an_answer_has_the_moves_of_now_in_the_same_thread(postman: Postman, table: Round) -> None:
    mail = asked(postman.context)
    came = postman.mail(reply_to(mail), ADA, "moves\nboard")
    postman.bring(came)
    (answer,) = delivered(postman.context, ADA)
    assert str(answer["Subject"]) == f"Re: {mail['Subject']}"
    assert str(answer["In-Reply-To"]) == came.message_id
    assert str(answer["Auto-Submitted"]) == "auto-replied"
    assert moves_in(answer) == moves_in(mail)
    assert "THE BOARD" in text_of(answer)
    assert postman.send(reply_to(answer), ADA, f"1\n\n{QUOTINGS['marked'](text_of(answer))}").did == "turn"


def test_the_question_whether_to_resign_is_answered_by_yes_above_it(postman: Postman, table: Round) -> None:
    mail = asked(postman.context)
    postman.send(reply_to(mail), ADA, "resign")
    (question,) = delivered(postman.context, ADA)
    quoted = QUOTINGS["marked"](text_of(question))
    assert postman.send(reply_to(question), ADA, quoted).did == "empty"
    assert postman.send(reply_to(question), ADA, f"yes\n\n{quoted}").did == "resigned"


def test_the_last_mail_that_is_repeated_is_shown_as_another(postman: Postman, table: Round) -> None:
    mails = {text_of(mail): mail for mail in delivered(postman.context, ADA)}
    postman.send(reply_to(next(iter(mails.values()))), ADA, "repeat")
    (again,) = delivered(postman.context, ADA)
    assert str(again["Message-ID"]) == str(mails[text_of(again)]["Message-ID"]).replace("@", ".1@")


def test_the_link_in_the_mail_plays_the_turn_that_nobody_proved(postman: Postman, table: Round) -> None:
    mail = asked(postman.context)
    postman.send(reply_to(mail), "eve@example.net", "1", results=None)
    assert delivered(postman.context, "eve@example.net") == []
    postman.send(reply_to(mail), ADA, "1", results=None)
    question = delivered(postman.context, ADA)[-1]
    link = re.search(r"http\S+/orders/\S+", text_of(question))
    assert link is not None
    client, path = create_app(postman.context).test_client(), urlsplit(link[0]).path
    nonce = re.search(r'name="nonce" value="([a-z2-7]+)"', client.get(path).text)
    assert nonce is not None
    choosing.choose(postman.context, table.players[0], {"mails": "at_once"})
    postman.context.timer.step = 11  # type: ignore[attr-defined]  # no verdict comes in time
    assert client.post(path, data={"nonce": nonce[1]}).status_code == 200
    assert len(turns_of(postman.context, table)) == 1


def test_a_mail_to_the_service_is_answered_outside_of_any_match(postman: Postman, table: Round) -> None:
    delivered(postman.context, ADA)
    postman.send(postman.service, ADA, "rules ozeanien")
    (answer,) = delivered(postman.context, ADA)
    assert str(answer["Subject"]).startswith("Overland: The rules of Ozeanien")
    assert "R1" in text_of(answer) or "1." in text_of(answer)
    assert postman.send(reply_to(answer), ADA, QUOTINGS["marked"](text_of(answer))).did == "empty"


FORWARD = (
    "---------- Forwarded message ---------\nFrom: Bela <b@example.org>\nDate: Tue, Nov 24, 2026\nSubject: x\n\n1\n"
)


@pytest.mark.parametrize(
    "text",
    [
        "Busy day, I will move tomorrow.\n\nAda\nRose Cottage\nNo. 1\nHigh Street",
        "Number one please\n\nSent from my Apple Watch",
        f"What do you think, Overland?\n\n{FORWARD}",
        "say Well played\nmove 1 wihte strat H1",
        f"First: well played.\n{'_' * 32}\n\n1\n{'_' * 32}\n\nUntil Sunday",
    ],
    ids=["address", "dictated", "forward", "chat", "rules"],
)
def test_what_was_hardly_meant_is_asked_about(postman: Postman, table: Round, text: str) -> None:
    mail = asked(postman.context)
    assert postman.send(reply_to(mail), ADA, text).did in ("unread", "ambiguous")
    assert turns_of(postman.context, table) == ()
    (answer,) = delivered(postman.context, ADA)
    assert "No line of your own" not in text_of(answer)
    assert chat.heard(postman.context, table.players[1], table.match.id, 0, 10) == ()


@pytest.mark.parametrize(
    ("headers", "text"),
    [
        ({"Subject": "Ada is out of the office (returning 04.12.2026)"}, "1"),
        ({"Subject": "Automatyczna odpowied\u017a: Re: x"}, "1"),
        ({"Subject": "Accepted: game night"}, "1"),
        ({}, "I am currently out of the office.\n\n1"),
    ],
)
def test_a_mail_of_a_program_plays_nothing_and_is_not_answered(
    postman: Postman, table: Round, headers: dict[str, str], text: str
) -> None:
    mail = asked(postman.context)
    assert postman.send(reply_to(mail), ADA, text, **headers).did == "automatic"
    assert turns_of(postman.context, table) == ()
    assert delivered(postman.context, ADA) == []


def test_a_reaction_of_gmail_is_not_answered(postman: Postman, table: Round) -> None:
    mail = asked(postman.context)
    kinds = {"Content-Type": 'multipart/alternative; boundary="b"'}
    emoji = "--b\n\n\U0001f44d\n--b\nContent-Type: text/vnd.google.email-reaction+json\n\n{}\n--b--"
    for text in (emoji, emoji.replace("\U0001f44d", "\U0001f44e")):
        assert postman.bring(postman.mail(reply_to(mail), ADA, text, headers=kinds)).did == "unread"
    assert turns_of(postman.context, table) == ()
    assert delivered(postman.context, ADA) == []


@pytest.mark.parametrize("text", ["", "> quoted", "This is a complaint about a mail."])
def test_a_mail_that_nobody_proved_is_not_called_that_of_the_player(postman: Postman, table: Round, text: str) -> None:
    mail = asked(postman.context)
    assert postman.send(reply_to(mail), "staff@example.net", text, results=None).did == "unread"
    (answer,) = delivered(postman.context, ADA)
    assert "your mail" not in text_of(answer)
    assert "nobody could tell that it is from you" in " ".join(text_of(answer).split())


OF_PEOPLE: Mapping[str, Callable[[str], str]] = {
    "as we wrote it": str,
    "Re": "Re: {}".format,
    "German": "AW: {}".format,
    "Chinese": "\u56de\u590d\uff1a{}".format,
    "counted": "Re[2]: {}".format,
    "of a list": "Re: [Club] {}".format,
    "of a list, before the prefix": "[Club] Re: {}".format,
    "without our tag": lambda subject: f"Re: {subject.partition('] ')[2]}",
    "encoded": lambda subject: Header(f"Re: {subject} \u00fc", "utf-8").encode(linesep="\r\n"),
    "folded": lambda subject: f"Re: {subject}".replace(" is ", "\r\n is ").replace(" ist ", "\r\n ist "),
}
OF_PROGRAMS = (
    "Automatische Antwort: {}",
    "Out of Office: Re: {}",
    "Ann Berg is out of the office: Re: {}",
    "[EXTERN] Ann Berg ist im Urlaub",
    "Accepted: {}",
)


@pytest.mark.parametrize(
    "title",
    ["While the cat is away", "Anna is on holiday", "Wer ist im Urlaub?", "Anna is away, Bela", "Out of office: Bela"],
)
def test_what_a_match_is_called_says_nothing_about_who_wrote_a_reply(postman: Postman, title: str) -> None:
    people = [person(postman.context, name) for name in ("Ada", "Bela")]
    seats = [SeatRequest("me"), SeatRequest("open")]
    match = lobby.create(postman.context, people[0], "ozeanien", {}, seats, title=title)
    lobby.join(postman.context, people[1], match.id)
    mail = asked(postman.context)
    ours = str(mail["Subject"])
    assert title in ours
    for of_program in OF_PROGRAMS:
        assert postman.send(reply_to(mail), ADA, "board", Subject=of_program.format(ours)).did == "automatic"
    for name, written in OF_PEOPLE.items():
        assert postman.send(reply_to(mail), ADA, "board", Subject=written(ours)).did == "board", name
