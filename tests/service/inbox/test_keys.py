"""The same mail has the same key, whatever a relay has added to its header."""

from __future__ import annotations

import pytest

from service.inbox.conversation import key_of

MAIL = b"From: ada@example.org\r\nMessage-ID:\r\n <one@example.org>\r\nDate: today\r\n\r\n17\r\n"


@pytest.mark.parametrize(
    "other",
    [
        MAIL.replace(b"\r\n", b"\n"),
        MAIL.replace(b"\r\n", b"\r"),
        b"Received: from a by b;\r\n\tyesterday\r\n" + MAIL,
        MAIL + b"\r\n\r\n",
        MAIL.replace(b"Message-ID", b"message-id"),
    ],
)
def test_the_key_stays_the_same(other: bytes) -> None:
    assert key_of(other) == key_of(MAIL)
    assert key_of(other).message_id == "<one@example.org>"


@pytest.mark.parametrize("other", [MAIL.replace(b"17", b"18"), MAIL.replace(b"one@", b"two@")])
def test_another_body_or_id_is_another_key(other: bytes) -> None:
    assert key_of(other) != key_of(MAIL)


def test_without_an_id_the_date_tells_mails_apart() -> None:
    bare = b"From: ada@example.org\r\nDate: today\r\n\r\n17\r\n"
    assert key_of(bare).message_id == ""
    assert key_of(bare) == key_of(bare)
    assert key_of(bare) != key_of(bare.replace(b"today", b"tomorrow"))


@pytest.mark.parametrize("raw", [b"", b"\0", b"no header at all", b"\n\n", b": x\n\ny", b"Message-ID: \xff\0\n\nbody"])
def test_any_bytes_have_a_key(raw: bytes) -> None:
    assert len(key_of(raw).digest) == 64
    assert "\0" not in key_of(raw).message_id


@pytest.mark.parametrize(
    ("value", "author"),
    [
        (b"Ada <Ada@Example.org>", "ada@example.org"),
        (b"ada@example.org (Ada)", "ada@example.org"),
        (b'"eve@evil.example" <ada@example.org>', "ada@example.org"),
        (b"nobody", ""),
        (b"", ""),
        (b"\xff\x00@example.org", "\ufffd@example.org"),
    ],
)
def test_the_author_is_the_last_address_in_from(value: bytes, author: str) -> None:
    assert key_of(b"From: " + value + b"\n\n4\n").author == author
