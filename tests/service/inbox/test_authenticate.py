"""A sender is proved by the topmost field of the trusted host, and by nothing that a sender can
write.
"""

from __future__ import annotations

import pytest

from service.inbox.authenticate import Proof, UnreadableResults, authserv_id, is_aligned, parse_results, sender_proof
from service.inbox.mime import open_message

RELAY = "mx.example.net"


def mail(*fields: str, sender: str = "Ada <ada@example.org>") -> bytes:
    return "\r\n".join([*fields, f"From: {sender}", "Subject: x", "", "17", ""]).encode()


def results(text: str) -> str:
    return f"Authentication-Results: {RELAY}; {text}"


def proof(*texts: str, sender: str = "Ada <ada@example.org>") -> Proof:
    return sender_proof(mail(*map(results, texts), sender=sender), RELAY)


@pytest.mark.parametrize(
    "text",
    [
        "dkim=pass header.d=example.org",
        "dkim=pass header.d=EXAMPLE.org.",
        "dkim=pass header.i=@example.org",
        "dkim=pass (2048-bit key) header.d=example.org header.i=@example.org header.b=AbC/+=",
        'dkim=pass reason="1024-bit key; insecure" header.d=example.org',
        "spf=pass smtp.mailfrom=ada@example.org",
        "spf=pass (sender is (really) ok) smtp.mailfrom=example.org",
        'spf=pass smtp.mailfrom="a da"@example.org',
        "dmarc=pass header.from=example.org",
        "dmarc=pass (policy=reject) header.from=example.org; spf=fail smtp.mailfrom=other.example",
        "dkim=fail header.d=example.org; dkim=pass header.d=example.org",
        "dkim/1=pass header.d=example.org",
        "dkim = pass header . d = example.org",
        "dkim=pass\r\n\theader.d=example.org;\r\n spf=none",
    ],
)
def test_an_aligned_domain_proves_the_sender(text: str) -> None:
    assert proof(text) == "aligned"


@pytest.mark.parametrize(
    "text",
    [
        "none",
        "",
        "dkim=fail header.d=example.org",
        "dkim=pass header.d=evil.example",
        "dkim=pass header.d=notexample.org",
        "dkim=pass header.d=org",
        "dkim=pass header.d=sub.example.org",
        "dkim=pass",
        "dkim=policy header.d=example.org",
        "spf=softfail smtp.mailfrom=ada@example.org",
        "spf=pass smtp.mailfrom=ada@evil.example",
        "spf=pass smtp.helo=example.org",
        "spf=pass smtp.mailfrom=example.org@evil.example",
        "spf=pass smtp.mailfrom=evil.example; spf=pass smtp.mailfrom=example.org",
        "dmarc=none header.from=example.org",
        "dmarc=pass header.from=evil.example",
        "dmarc=pass",
        "iprev=pass policy.iprev=192.0.2.1",
        "auth=pass smtp.auth=ada@example.org",
        "(dkim=pass header.d=example.org) none",
        'spf=fail smtp.mailfrom="x; dkim=pass header.d=example.org"@evil.example',
        "dkim=pass header.d=evil.example header.d=example.org",
        "dkim/2=pass header.d=example.org",
        "dkim=pass header.d=example.org (a comment that does not end",
        'dkim=pass header.d=example.org; spf=pass smtp.mailfrom="',
        "dkim=pass header.d=example.org; nonsense",
    ],
)
def test_nothing_else_does(text: str) -> None:
    assert proof(text) == "none"


@pytest.mark.parametrize(
    "text",
    [
        "dmarc=fail header.from=example.org",
        "dmarc=fail (p=none) header.from=example.org; dkim=pass header.d=example.org",
        "spf=pass smtp.mailfrom=example.org; DMARC=FAIL header.from=example.org",
    ],
)
def test_a_failure_of_dmarc_is_told_apart(text: str) -> None:
    assert proof(text) == "failed"


def test_a_forged_field_below_that_of_the_relay_does_not_count() -> None:
    assert proof("dkim=none", "dkim=pass header.d=example.org") == "none"
    assert proof("dmarc=fail", "dmarc=pass header.from=example.org") == "failed"


@pytest.mark.parametrize(
    "host",
    [
        "mx.example.com",
        "mx.example.net.evil.example",
        "xmx.example.net",
        "mx",
        '"mx.example.net "',
        "mx.example.net.",
        "",
    ],
)
def test_a_field_of_another_host_does_not_count(host: str) -> None:
    forged = f"Authentication-Results: {host}; dkim=pass header.d=example.org"
    assert sender_proof(mail(forged), RELAY) == "none"
    assert sender_proof(mail(forged, results("dkim=pass header.d=example.org")), RELAY) == "aligned"
    assert sender_proof(mail(forged, results("dkim=fail header.d=example.org")), RELAY) == "none"


@pytest.mark.parametrize("host", ["MX.Example.NET", '"mx.example.net"', "(c) mx.example.net (c)", "mx.example.net 1"])
def test_the_name_of_the_host_may_be_written_in_many_ways(host: str) -> None:
    assert sender_proof(mail(f"AUTHENTICATION-results : {host};dkim=pass header.d=example.org"), RELAY) == "aligned"


def test_a_version_that_is_not_known_is_not_read() -> None:
    field = f"Authentication-Results: {RELAY} 2; dkim=pass header.d=example.org"
    assert sender_proof(mail(field), RELAY) == "none"


def test_without_a_trusted_host_nothing_is_proved() -> None:
    forged = "Authentication-Results: ; dkim=pass header.d=example.org"
    assert sender_proof(mail(forged, results("dkim=pass header.d=example.org")), "") == "none"


def test_a_field_in_the_body_does_not_count() -> None:
    raw = b"From: ada@example.org\r\n\r\n" + results("dkim=pass header.d=example.org").encode() + b"\r\n\r\n17"
    assert sender_proof(raw, RELAY) == "none"


@pytest.mark.parametrize(
    "trick", ["Subject: x\rFrom: eve@evil.example", "Subject: x\0", "no field at all", ": nameless", "Sub ject: x"]
)
def test_a_header_that_programs_may_read_differently_proves_nothing(trick: str) -> None:
    assert sender_proof(mail(results("dkim=pass header.d=example.org"), trick), RELAY) == "none"


@pytest.mark.parametrize(
    "sender",
    [
        "ada@example.org",
        "<ada@example.org>",
        '"Ada, the first" <ada@example.org>',
        '"eve@evil.example" <ada@example.org>',
        "=?utf-8?q?Ad=C3=A9?= <ada@example.org>",
        "Adé <ada@EXAMPLE.org>",
        "ada@example.org (Ada)",
        "ada@example.org <ada@example.org>",
        "Ada Lovelace (Engines, Ltd.) <ada@example.org>",
        "Lovelace, Ada <ada@example.org>",
        "Lovelace, Ad\u00e9, Ph.D. <ada@EXAMPLE.org>",
    ],
)
def test_usual_forms_of_a_sender_are_read(sender: str) -> None:
    assert proof("dkim=pass header.d=example.org", sender=sender) == "aligned"
    assert (open_message(mail(sender=sender)).from_address or "").lower() == "ada@example.org"


@pytest.mark.parametrize(
    "sender",
    [
        "eve@evil.example, Ada <ada@example.org>",
        "Lovelace, Ada <ada@example.org>, eve@evil.example",
        "Lovelace, Ada <ada@example.org>, Eve",
        "Eve <eve@evil.example>, Ada <ada@example.org>",
        "Eve <>, Ada <ada@example.org>",
        '"eve@evil.example", Ada <ada@example.org>',
        "(eve@evil.example), Ada <ada@example.org>",
        "=?utf-8?q?eve=40evil.example?=, Ada <ada@example.org>",
        "Lovelace, Ada <ada@example.org, eve@evil.example>",
        "Lovelace, Ada <@evil.example:ada@example.org>",
        "Friends: Eve, Ada <ada@example.org>;",
        "Lovelace, Ada <ada@example.org> Eve",
    ],
)
def test_a_comma_with_anything_but_plain_words_names_nobody_to_either_reader(sender: str) -> None:
    assert proof("dkim=pass header.d=example.org", sender=sender) == "none"
    assert open_message(mail(sender=sender)).from_address is None


@pytest.mark.parametrize(
    "sender",
    [
        "ada@example.org, eve@evil.example",
        "eve@evil.example <ada@example.org>",
        "ada@example.org <eve@evil.example>",
        "ada@example.org <ada@example.org> <eve@evil.example>",
        "eve@evil.example ada@example.org <ada@example.org>",
        "<ada@example.org> <eve@evil.example>",
        "Ada: ada@example.org;",
        "ada@example.org (x) eve@evil.example",
        '"ada@evil.example, "@example.org',
        "(<eve@evil.example>) ada@example.org",
        "Ada (<eve@evil.example>) <ada@example.org>",
        "Ada (eve@evil.example) <ada@example.org>",
        'Ada (") <ada@example.org> ("',
        "Ada (<ada@example.org>",
        "ada@example.org\r\nFrom: eve@evil.example",
        "Ada",
        "",
    ],
)
def test_a_sender_that_is_not_clear_is_not_proved(sender: str) -> None:
    assert proof("dkim=pass header.d=example.org", sender=sender) == "none"


def test_the_domain_has_to_be_that_which_another_reader_found() -> None:
    raw = mail(results("dkim=pass header.d=example.org"))
    assert sender_proof(raw, RELAY, "ada@Example.org") == "aligned"
    assert sender_proof(raw, RELAY, "ada@evil.example") == "none"


def test_domains_are_compared_as_ascii() -> None:
    assert proof("dkim=pass header.d=xn--bcher-kva.example", sender="ada@Bücher.example") == "aligned"
    assert proof("dkim=pass header.d=bücher.example", sender="ada@xn--bcher-kva.example") == "aligned"
    assert proof("dkim=pass header.d=bucher.example", sender="ada@bücher.example") == "none"


@pytest.mark.parametrize(
    ("proved", "domain", "aligned"),
    [
        ("example.org", "example.org", True),
        ("example.org", "mail.example.org", True),
        ("mail.example.org", "example.org", False),
        ("org", "example.org", False),
        ("ample.org", "example.org", False),
        ("", "", False),
    ],
)
def test_a_domain_above_is_aligned_and_one_below_is_not(proved: str, domain: str, aligned: bool) -> None:
    assert is_aligned(proved, domain) == aligned


@pytest.mark.parametrize(
    "value",
    ["", ";", "=x", "host extra words; none", "host; =pass", "host; dkim=", "host; dkim==pass", "host)", "(" * 40, '"'],
)
def test_what_does_not_follow_the_grammar_is_refused(value: str) -> None:
    with pytest.raises(UnreadableResults):
        parse_results(value)
    authserv_id(value)
