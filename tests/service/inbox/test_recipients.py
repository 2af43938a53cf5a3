"""For whom a mail in a mailbox is: what is ours is found, and what is not is left alone."""

from __future__ import annotations

import re
from dataclasses import replace
from email.message import EmailMessage

import pytest

from service.inbox.conversation import refusal
from service.inbox.recipients import FIELDS, may_be_bounce, recipient_of
from service.links import (
    ReplyTo,
    ServiceAddress,
    bounce_address,
    of_everything,
    reply_address,
    unsubscribe_tag,
)
from service.signing import Keys
from service.store.tokens import SigningKey
from tests.service.fakes import Clock

_KEY = SigningKey(0, b"k" * 32, Clock()())
_KEYS = Keys((_KEY,), _KEY)
_SERVICE = ServiceAddress("overland", "example.org")
_BARE = str(_SERVICE)
_REPLY = reply_address(_KEYS, _SERVICE, ReplyTo("q7n2c4abcd", 1, 412))
_OTHER = reply_address(_KEYS, _SERVICE, ReplyTo("zzzzzzzzzz", 0, 3))
_BOUNCE = bounce_address(_KEYS, _SERVICE, "ab" * 16)
_STOP = _SERVICE.reached(unsubscribe_tag(_KEYS, of_everything("adaadaadaada")))
_FIELDS = {field.title() for field in FIELDS}
_JOIN = "overland+join@example.org"
_FORGED = _REPLY.replace("r-q", "r-p")


def tag(address: str) -> str:
    return address.partition("+")[2].partition("@")[0]


_OURS = f"<{tag(_REPLY)}.{tag(_BOUNCE)}@example.org>"
_WITHOUT_SEAT = f"<{tag(_BOUNCE)}@example.org>"


def header(*lines: str) -> bytes:
    return "\r\n".join(("From: ada@example.net", *lines, "", "")).encode()


def found(*lines: str, signed_only: bool = False) -> str | None:
    whole = header(*lines)
    recipient = recipient_of(whole, _KEYS, _SERVICE, signed_only)
    chosen = [line for line in re.split(r"\r\n(?![ \t])", whole.decode()) if line.partition(":")[0].title() in _FIELDS]
    fetched = "\r\n".join((*chosen, "", "")).encode()
    if recipient is not None:  # then the fields that are fetched first are enough not to pass over the mail
        assert recipient_of(fetched, _KEYS, _SERVICE, signed_only) is not None or may_be_bounce(fetched, _SERVICE)
    return recipient


@pytest.mark.parametrize("name", ["Delivered-To", "X-Original-To", "Envelope-To", "X-Delivered-To", "To", "Cc"])
@pytest.mark.parametrize("address", [_REPLY, _BOUNCE, _STOP])
def test_a_signed_address_is_found_in_each_field(name: str, address: str) -> None:
    assert found(f"{name}: {address}", signed_only=True) == address


@pytest.mark.parametrize(
    "written",
    [
        _REPLY.upper(),
        f"<{_REPLY}>",
        f'"Overland, the service" <{_REPLY}>',
        f"=?utf-8?q?=C3=9Cberland?= <{_REPLY}>",
        f"Overland\r\n\t<{_REPLY}>",
        f"ada@example.net, Friends: bela@example.net, {_REPLY};",
        f"rfc822;{_REPLY}",
        f"{_FORGED}, {_REPLY}",
        ", ".join([*(f"p{number}@example.net" for number in range(150)), _REPLY]),
    ],
)
def test_however_it_is_written(written: str) -> None:
    assert found(f"To: {written}") == _REPLY


def test_where_it_was_delivered_comes_before_what_was_written_and_the_topmost_first() -> None:
    assert found(f"To: {_OTHER}", f"Delivered-To: {_REPLY}") == _REPLY
    assert found(f"Delivered-To: {_REPLY}", f"Delivered-To: {_OTHER}") == _REPLY


def test_a_field_with_the_bare_address_hides_no_signed_one() -> None:
    assert found(f"Delivered-To: {_BARE}", f"To: {_REPLY}") == _REPLY


@pytest.mark.parametrize(
    "written",
    [_FORGED, f"{_REPLY}.example.com", _REPLY.replace("@example", "@other"), _REPLY.replace("overland", "anna")],
)
def test_what_the_service_did_not_sign_is_not_ours(written: str) -> None:
    assert found(f"Delivered-To: {written}", f"To: {written}") is None


def test_a_mail_to_the_bare_address_is_left_alone() -> None:
    assert found(f"Delivered-To: {_BARE}", f"To: Anna <{_BARE}>", "Subject: Dinner on Friday?") is None


@pytest.mark.parametrize("subject", ["join", "Join Ada Lovelace", "overland", "Overland"])
def test_unless_a_person_says_by_the_subject_that_it_is_for_the_service(subject: str) -> None:
    lines = (f"To: {_BARE}", f"Subject: {subject}")
    assert found(*lines) == _BARE
    assert found(*lines, signed_only=True) is None
    assert found(*lines, "Auto-Submitted: auto-generated") is None
    assert found(*lines, "List-Id: <news.example.com>") is None


@pytest.mark.parametrize("name", ["In-Reply-To", "References"])
def test_an_answer_to_a_mail_of_ours_has_the_recipient_that_this_named(name: str) -> None:
    lines = (f"To: {_BARE}", f"{name}: <other@example.net> {_OURS}")
    assert recipient_of(header(*lines), _KEYS, replace(_SERVICE, has_plus=False), True) == _REPLY
    assert found(*lines, signed_only=True) == _REPLY
    assert found(f"To: {_BARE}", f"{name}: {_OURS.upper()}") == _REPLY
    assert found(f"To: {_BARE}", f"{name}: {_OURS.replace('r-q', 'r-p').replace('b-v', 'b-w')}") is None


def test_also_where_the_program_wrote_a_long_message_id_as_encoded_words() -> None:
    answer = EmailMessage()
    answer["To"], answer["In-Reply-To"] = _BARE, _OURS
    assert b"=?" in bytes(answer)
    assert recipient_of(bytes(answer), _KEYS, _SERVICE) == _REPLY


def test_a_mail_of_the_service_to_whoever_has_the_mailbox_is_theirs() -> None:
    assert found(f"To: {_BARE}", f"References: {_OURS}", "X-Overland-Notice: n1") is None


def test_an_answer_to_what_somebody_has_forwarded_or_answered_is_theirs_unless_there_are_no_plus_addresses() -> None:
    lines = (f"To: {_BARE}", "In-Reply-To: <forwarded@example.net>", f"References: {_OURS} <forwarded@example.net>")
    assert found(*lines) is None
    assert recipient_of(header(*lines), _KEYS, replace(_SERVICE, has_plus=False)) == _REPLY


def test_of_several_the_mail_that_it_answers_counts_and_then_the_last_one() -> None:
    other = f"<{tag(_OTHER)}@example.org>"
    assert found(f"To: {_BARE}", f"References: {_OURS} {other}", f"In-Reply-To: {_OURS}") == _REPLY
    assert found(f"To: {_BARE}", f"References: {other} {_OURS}") == _REPLY


def test_an_answer_to_a_mail_without_a_seat_is_for_the_service() -> None:
    assert found(f"To: {_BARE}", f"In-Reply-To: {_WITHOUT_SEAT}", "Subject: Re: Welcome") == _BARE
    assert found("To: somebody@example.org", f"In-Reply-To: {_WITHOUT_SEAT}") is None


@pytest.mark.parametrize("address", [_STOP, _REPLY])
def test_a_tag_in_the_subject_counts_as_in_the_address(address: str) -> None:
    assert found(f"To: {_BARE}", f"Subject: {tag(address)}", signed_only=True) == address
    assert found(f"To: {_BARE}", f"Subject: {tag(_FORGED)}") is None


def test_join_counts_as_a_tag_and_at_the_domain_only_where_the_mail_was_delivered_so() -> None:
    assert found(f"To: {_JOIN}") == _JOIN
    assert found("X-Original-To: join@example.org", f"Delivered-To: {_BARE}") == _JOIN
    assert found("To: join@example.org", f"Cc: {_BARE}") is None
    assert found(f"To: {_JOIN}", signed_only=True) is None


def report(*lines: str, message_id: str = _WITHOUT_SEAT) -> bytes:
    head = header(f"To: {_BARE}", *lines)
    return head + f"\r\nIt did not arrive:\r\n\r\nMessage-ID: {message_id}\r\n".encode()


@pytest.mark.parametrize("message_id", [_WITHOUT_SEAT, _OURS, _OURS.upper(), f"{_OURS[:50]}=\r\n{_OURS[50:]}"])
@pytest.mark.parametrize(
    "line", ["Content-Type: multipart/report; boundary=b", "Return-Path: <>", "X-Failed-Recipients: bela@example.net"]
)
def test_a_bounce_to_the_bare_address_is_about_the_mail_that_it_returns(line: str, message_id: str) -> None:
    raw = report(line, message_id=message_id)
    assert may_be_bounce(raw.partition(b"\r\n\r\n")[0], _SERVICE)
    assert recipient_of(raw, _KEYS, _SERVICE) == _BOUNCE


@pytest.mark.parametrize("message_id", [_OURS, _WITHOUT_SEAT])
def test_or_about_the_one_that_it_answers_where_it_returns_nothing(message_id: str) -> None:
    assert found(f"To: {_BARE}", "Return-Path: <>", f"In-Reply-To: {message_id}") == _BOUNCE


def test_a_bounce_of_somebody_else_s_mail_is_left_alone_and_no_other_mail_is_read_as_one() -> None:
    theirs = report("Return-Path: <>", message_id="<b-aaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaaa@example.org>")
    assert recipient_of(theirs, _KEYS, _SERVICE) is None
    assert recipient_of(report("Subject: See below"), _KEYS, _SERVICE) is None
    for lines in (("From: news@example.com", f"To: {_BARE}"), ("Return-Path: <>", "To: other@example.org")):
        assert not may_be_bounce("\r\n".join(lines).encode(), _SERVICE)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\xff\xfe\0",
        b"To: " + b"<" * 300_000,
        b"To: " + b"overland+r-a@example.org," * 20_000,
        b"References: " + b"<r-a.b-b@example.org>" * 20_000,
        b"Subject: " + b"=?utf-8?q?a?= " * 20_000,
        b"In-Reply-To: <" + b"." * 200_000 + b"@example.org>",
        b"To: overland@\xe2\x80\xae.example\r\n" * 2_000,
        b"Return-Path: <>\r\nTo: overland@example.org\r\n\r\n" + b"b-" * 500_000,
    ],
)
def test_what_nobody_can_read_is_nobody_s(raw: bytes) -> None:
    assert recipient_of(raw, _KEYS, _SERVICE) is None


@pytest.mark.parametrize(
    ("address", "why"),
    [
        (_BARE, None),
        (_JOIN, None),
        (_REPLY, None),
        (_FORGED, "This address is not one that this service wrote: a character is missing or wrong."),
        ("overland+help@example.org", "There is no such address here."),
        ("ada@example.org", "There is no such address here."),
    ],
)
def test_a_refused_recipient_is_told_why(address: str, why: str | None) -> None:
    refused = refusal(_KEYS, _SERVICE, address)
    assert refused is None if why is None else (refused or "").startswith(f"{why} Reply to ")
