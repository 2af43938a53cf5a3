"""Where mails come from and where answers go, from the outbox to what is sent."""

from __future__ import annotations

import re
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from service import signing
from service.context import Context
from service.links import of_match, read_bounce_address, read_never_again, read_unsubscribe
from service.notices.delivery import deliver_due
from service.notices.mail.compose import mail_of
from service.notices.mail.render import words_of
from service.players import preferences
from service.store import mails
from tests.service.notices.fakes import Hand, Mailbag, context, dealt, notice, notify, seat_players, store_match


@pytest.fixture
def mailbag() -> Mailbag:
    return Mailbag()


@pytest.fixture
def service(tmp_path: Path, mailbag: Mailbag) -> Context:
    made = context(tmp_path, mailbag)
    seat_players(made)
    store_match(made, dealt())
    return made


def local(address: str) -> str:
    return address.strip("<> ").rpartition("@")[0]


def fields(link: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}


def delivered(service: Context, mailbag: Mailbag) -> EmailMessage:
    assert deliver_due(service) == {"sent": 1}
    return mailbag.messages[-1]


@pytest.mark.parametrize("kind", ["your_turn", "match_started"])
def test_a_mail_about_a_seat_is_answered_to_that_seat_at_its_ply(service: Context, mailbag: Mailbag, kind: str) -> None:
    notice_id = notify(service, kind, ply=len(dealt()))
    mail, keys = delivered(service, mailbag), signing.keys_of(service)
    text = f"m-oregon-0-{len(dealt())}"
    assert mail["Reply-To"].startswith(f"overland+r-{text}-")
    assert signing.is_signed(keys, "reply", text, local(mail["Reply-To"]).rpartition("-")[2])
    assert read_bounce_address(keys, local(mail["Return-Path"])) == notice_id
    page, box = (each.strip("<> ") for each in mail["List-Unsubscribe"].split(","))
    assert read_unsubscribe(keys, *fields(page).values()) == of_match("p-anna", "m-oregon")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert box.startswith("mailto:overland+u-p-anna-m.m-oregon-")


def test_an_invitation_is_answered_to_the_invited_seat_and_can_be_refused_for_good(
    service: Context, mailbag: Mailbag
) -> None:
    notify(service, "invitation", None, address="Jürgen@bücher.example", seat=1)
    mail, keys = delivered(service, mailbag), signing.keys_of(service)
    assert mail["To"] == "Jürgen@xn--bcher-kva.example"
    assert mail["Reply-To"].startswith("overland+r-m-oregon-1-")
    (page,) = re.findall(r"<(https://[^>]*)>", mail["List-Unsubscribe"])
    assert fields(page)["address"] == "jürgen@xn--bcher-kva.example"
    assert read_never_again(keys, *fields(page).values())


@pytest.mark.parametrize("kind", ["confirm_address", "sign_in"])
def test_a_mail_that_was_asked_for_is_answered_to_the_service(service: Context, mailbag: Mailbag, kind: str) -> None:
    notify(service, kind, match_id=None, token="t" * 32)
    mail = delivered(service, mailbag)
    assert mail["Reply-To"] is None
    assert mail["From"] == "Overland <overland@play.example>"
    assert ("never-again" in str(mail["List-Unsubscribe"])) is (kind == "confirm_address")


def test_a_mail_that_is_sent_again_after_the_keys_were_rotated_is_the_same(service: Context) -> None:
    row = notice(service, notify(service, "your_turn"))
    before = mail_of(service, row).as_bytes()
    signing.rotate(service)
    assert isinstance(service.clock, Hand)
    service.clock.advance(timedelta(days=3))
    assert mail_of(service, row).as_bytes() == before
    assert signing.keys_of(service).signing.number == 2


def test_a_mail_keeps_its_conversation_when_it_is_sent_again(service: Context, mailbag: Mailbag) -> None:
    for _ in range(90):
        notify(service, "invitation", seat=0)
    mailbag.refusals = 1
    while deliver_due(service)["sent"]:
        pass
    assert isinstance(service.clock, Hand)
    service.clock.advance(timedelta(seconds=10))
    last = notify(service, "invitation", seat=0)
    while deliver_due(service)["sent"]:
        pass
    mails = {mail["X-Overland-Notice"]: mail for mail in mailbag.messages}
    assert len(mails) == 91
    first = [mail for name, mail in mails.items() if name != last]
    assert {mail["In-Reply-To"] for mail in first} == {"<match-m-oregon-0@play.example>"}
    assert mails[last]["In-Reply-To"] == "<match-m-oregon-0-2@play.example>"
    assert mails[last]["Subject"] == first[0]["Subject"] + " (2)"
    said = "The mails before are in the conversation:"
    for kind in ("plain", "html"):
        new, old = (mail.get_body((kind,)) for mail in (mails[last], first[0]))
        assert new is not None
        assert old is not None
        assert f"{said} {first[0]['Subject']}" in " ".join(new.get_content().split())
        assert said not in old.get_content()


def test_what_a_mail_says_is_kept_for_replies_that_quote_it(service: Context, mailbag: Mailbag) -> None:
    notify(service, "your_turn")
    mail = delivered(service, mailbag)
    with service.database.read() as connection:
        plain, words = mails.texts_of(connection, "m-oregon", "p-anna", 1)
    body = mail.get_body(("plain",))
    assert body is not None
    assert plain == body.get_content()
    assert "<" not in words
    assert set(re.findall(r"\w+", plain)) & set(re.findall(r"\w+", words))


def test_whoever_wants_text_only_gets_one_part_without_a_picture(service: Context, mailbag: Mailbag) -> None:
    with service.database.write() as connection:
        preferences.change(connection, "p-anna", {"text_only": True}, service.clock())
    notify(service, "your_turn")
    mail = delivered(service, mailbag)
    assert mail.get_content_type() == "text/plain"
    with service.database.read() as connection:
        assert mails.texts_of(connection, "m-oregon", "p-anna", 1) == (mail.get_content(),)


def test_words_of_html_stand_in_lines_as_they_are_shown() -> None:
    markup = (
        "<html><head><title>No</title><style>p { x: y }</style></head><body><!-- no --><p>One <b>two</b>"
        "</p><table><tr><td>3</td><td>farmer &amp; ox</td></tr><tr><td>4</td></tr></table>five<br>six</body></html>"
    )
    assert words_of(markup) == "One two\n3 farmer & ox\n4\nfive\nsix"
