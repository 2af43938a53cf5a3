"""What the headers and the parts of a mail promise, whatever players call themselves."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.header import decode_header, make_header
from email.message import EmailMessage

import pytest

from service.notices.mail.errors import CannotCompose
from service.notices.mail.message import Thread, build, one_line
from tests.service.notices.letters import WRITTEN, letter


def sent(**changes: object) -> EmailMessage:
    """The message as the other side reads it."""
    message = message_from_bytes(build(letter(**changes)).as_bytes(), policy=policy.default)
    assert isinstance(message, EmailMessage)
    return message


def test_a_letter_without_html_is_plain_text() -> None:
    message = build(letter(html="", pictures=()))
    assert (message.get_content_type(), message.get_content()) == ("text/plain", "Your turn.\n")


def test_the_message_id_has_the_name_of_the_letter_at_the_domain_of_the_sender() -> None:
    assert sent(message_name="r-1.b-2")["Message-ID"] == "<r-1.b-2@games.example>"
    assert sent()["X-Overland-Notice"] == "n1"


def test_every_mail_of_a_match_to_a_player_hangs_on_the_same_root() -> None:
    first = sent(message_name="n1", kind="match_started")
    second = sent(message_name="n2", kind="match_over")
    assert first["References"] == second["References"] == "<match-m1-p1@games.example>"
    assert first["In-Reply-To"] == second["In-Reply-To"] == "<match-m1-p1@games.example>"
    assert first["Message-ID"] != second["Message-ID"]


def test_players_and_matches_have_threads_of_their_own() -> None:
    threads = [("m1", "p1"), ("m1", "p2"), ("m2", "p1")]
    assert len({sent(thread=Thread(match, player, "")).get("References") for match, player in threads}) == 3


def test_a_mail_outside_a_match_has_no_thread() -> None:
    message = sent(thread=None)
    assert message["References"] is None
    assert message["In-Reply-To"] is None
    assert message["List-Id"] is None


@pytest.mark.parametrize("length", [60, 61, 200])
def test_a_list_is_named_by_the_first_60_characters_of_the_title(length: int) -> None:
    shown = sent(thread=Thread("m1", "p1", "x" * length))["List-Id"]
    assert shown.split() == [f'"{"x" * 60}"', "<m1.match.games.example>"]


def test_machines_are_told_not_to_answer() -> None:
    assert sent()["Auto-Submitted"] == "auto-generated"
    assert sent()["X-Auto-Response-Suppress"] == "All"


def test_the_date_is_that_of_the_notice() -> None:
    assert sent()["Date"].datetime == WRITTEN


def test_the_same_letter_is_the_same_message_to_the_byte() -> None:
    assert build(letter()).as_bytes() == build(letter()).as_bytes()


def test_text_comes_before_html_and_the_picture_belongs_to_the_html() -> None:
    message = sent()
    assert [part.get_content_type() for part in message.walk()] == [
        "multipart/alternative",
        "text/plain",
        "multipart/related",
        "text/html",
        "image/png",
    ]
    picture = next(part for part in message.walk() if part.get_content_type() == "image/png")
    assert picture["Content-ID"] == "<board>"
    assert picture.get_content_disposition() == "inline"
    assert picture.get_content() == b"\x89PNG"


def test_long_lines_and_box_drawing_survive_the_journey() -> None:
    text = "curl " + "x" * 400 + "\n│ ~ ^ = │ 100% wörtlich   \n"
    message = sent(text=text)
    body = message.get_body(("plain",))
    assert body is not None
    assert body.get_content().replace("\r\n", "\n") == text
    assert max(map(len, build(letter(text=text)).as_bytes().split(b"\r\n"))) <= 998


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Anna\r\nBcc: everyone@players.example", "Anna Bcc: everyone@players.example"),
        ("Anna\n\nA body", "Anna A body"),
        ("Anna\u2028Subject: x\x00\x1b[31m", "Anna Subject: x[31m"),
        ('Anna "the Ox" O\\Hara', 'Anna "the Ox" O\\Hara'),
        ("Anna, <ben@players.example>", "Anna, <ben@players.example>"),
        ("Zoë Łukasz 李小龍", "Zoë Łukasz 李小龍"),
        ("", ""),
        ("=?utf-8?q?Bcc=3A?=", "=?utf-8?q?Bcc=3A?="),
    ],
)
def test_no_name_escapes_its_header(name: str, shown: str) -> None:
    message = sent(to_name=name, subject=f"[Oregon #m1] {name}", thread=Thread("m1", "p1", name))
    assert [address.addr_spec for address in message["To"].addresses] == ["anna@players.example"]
    if not name.startswith("=?"):  # Readers decode what looks like an encoded word; that it breaks nothing is enough.
        assert message["To"].addresses[0].display_name == shown
        assert message["Subject"] == one_line(f"[Oregon #m1] {name}")
    assert message["Bcc"] is None
    assert message["Subject"].count("\n") == 0
    assert set(message.keys()) == set(sent().keys())


def test_a_name_of_any_length_is_shown_in_a_few_words() -> None:
    raw = message_from_bytes(build(letter(to_name="Ünï" * 60)).as_bytes(), policy=policy.compat32)
    assert str(make_header(decode_header(raw["To"]))) == "Ünï" * 13 + "… <anna@players.example>"


@pytest.mark.parametrize(
    "bad",
    [
        "anna",
        "anna@x.example\r\nBcc: b@x.example",
        "anna@x.example, ben@x.example",
        "",
        "a b@x.example",
        "<anna@x.example>",
    ],
)
def test_an_invalid_address_is_refused(bad: str) -> None:
    with pytest.raises(CannotCompose):
        build(letter(to_address=bad))


def test_unusual_ids_stay_inside_their_headers() -> None:
    message = sent(notice_id="n1>\r\nBcc: x@y", message_name="n1", thread=Thread("m 1>", "p\n1", "t"))
    assert message["Bcc"] is None
    assert message["X-Overland-Notice"] == "n1---Bcc--x-y"
    assert message["References"] == "<match-m-1--p-1@games.example>"


def test_one_line_keeps_words_apart_and_takes_out_what_cannot_be_seen() -> None:
    assert one_line("  a\tb\u202ec\x07 \n d ") == "a bc d"


def test_titles_that_differ_in_letters_of_any_script_name_different_lists() -> None:
    shown = [sent(thread=Thread("m1", "0", title))["List-Id"] for title in ("李", "王", "Zoë", "Zoe", "a = b")]
    assert shown == [
        "李 <m1.match.games.example>",
        "王 <m1.match.games.example>",
        "Zoë <m1.match.games.example>",
        '"Zoe" <m1.match.games.example>',
        "a = b <m1.match.games.example>",
    ]


def test_answers_go_to_the_reply_address_and_bounces_to_another() -> None:
    message = sent(reply_to="overland+r-m1@games.example", envelope_sender="overland+b-n1@games.example")
    assert message["Reply-To"] == "overland+r-m1@games.example"
    assert message["Return-Path"] == "<overland+b-n1@games.example>"
    assert sent(reply_to="")["Reply-To"] is None
    assert sent()["Return-Path"] is None


def test_a_mail_says_how_to_stop_such_mails_with_one_click() -> None:
    message = sent(unsubscribe=("https://games.example/unsubscribe?x=1", "mailto:overland+u@games.example"))
    listed = "<https://games.example/unsubscribe?x=1>, <mailto:overland+u@games.example>"
    assert message["List-Unsubscribe"] == listed
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert sent(unsubscribe=())["List-Unsubscribe"] is None
    assert sent(unsubscribe=())["List-Unsubscribe-Post"] is None


def test_a_further_conversation_has_a_root_of_its_own_and_names_the_one_before() -> None:
    message = sent(thread=Thread("m1", "2", "", 3))
    assert message["In-Reply-To"] == "<match-m1-2-3@games.example>"
    assert message["References"].split() == ["<match-m1-2-2@games.example>", "<match-m1-2-3@games.example>"]
    second = sent(thread=Thread("m1", "2", "", 2))["References"].split()
    assert second == ["<match-m1-2@games.example>", "<match-m1-2-2@games.example>"]


def test_an_answer_hangs_on_the_mail_that_it_answers_and_on_the_thread() -> None:
    message = sent(in_reply_to="CAF+x@mail.example", references=("<a@mail.example>", "b@mail.example"))
    assert message["In-Reply-To"] == "<CAF+x@mail.example>"
    assert message["References"].split() == [
        "<match-m1-p1@games.example>",
        "<a@mail.example>",
        "<b@mail.example>",
        "<CAF+x@mail.example>",
    ]
    assert message["Auto-Submitted"] == "auto-replied"


@pytest.mark.parametrize(
    "bad", ["", "x", "a b@x", "a@x\r\nBcc: b@x", "<<a@x>>y@z", "=?utf-8?q?a?=@x", "ä@x", "a@" + "x" * 201]
)
def test_a_message_id_that_cannot_stand_in_a_header_is_left_out(bad: str) -> None:
    message = sent(in_reply_to=bad, references=(bad, "good@mail.example"))
    assert message["In-Reply-To"] == "<match-m1-p1@games.example>"
    assert message["References"].split() == ["<match-m1-p1@games.example>", "<good@mail.example>"]
    assert message["Bcc"] is None


def test_of_many_references_the_last_are_kept() -> None:
    many = [f"{number}@mail.example" for number in range(30)]
    assert sent(references=many)["References"].split()[1:] == [f"<{number}@mail.example>" for number in range(20, 30)]


def test_a_mail_of_text_only_has_one_part() -> None:
    message = sent(html="", pictures=())
    assert message.get_content_type() == "text/plain"
    assert message.get_content().replace("\r\n", "\n") == "Your turn.\n"
