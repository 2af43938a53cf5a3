"""Addresses that say what a mail is about: signed, short enough, the same in lower case."""

from __future__ import annotations

import uuid
from dataclasses import replace
from email.utils import parseaddr

import pytest
from hypothesis import given
from hypothesis import strategies as some

from service.links import (
    LONGEST_LOCAL_PART,
    ReplyTo,
    ServiceAddress,
    bounce_address,
    of_everything,
    of_match,
    read_bounce_address,
    read_reply_address,
    read_unsubscribe_address,
    reply_address,
    service_address,
    unsubscribe_tag,
)
from service.setting_values import LONGEST_OWN_LOCAL_PART
from service.signing import Keys
from service.store.tokens import SigningKey
from tests.service.fakes import Clock

_NOW = Clock()()
_KEY = SigningKey(31, b"k" * 32, _NOW)
_KEYS = Keys((_KEY,), _KEY)
_SERVICE = ServiceAddress("overland", "example.org")
_LONGEST = ServiceAddress("o" * LONGEST_OWN_LOCAL_PART, "example.org")
_TO = ReplyTo("q7n2c4abcd", 3, 412)
_NOTICE = uuid.UUID(int=2**128 - 5).hex


def _local(address: str) -> str:
    local, _, domain = address.rpartition("@")
    assert domain == "example.org"
    return local


def test_the_service_s_address_is_that_of_the_setting() -> None:
    assert str(service_address("Over Land <overland@example.org>")) == "overland@example.org"


@given(
    some.from_regex(r"[a-z2-7]{10}", fullmatch=True),
    some.integers(0, 9),
    some.integers(0, 999_999),
    some.none() | some.integers(0, 9_999),
)
def test_a_reply_address_says_match_seat_ply_and_question(
    match_id: str, seat: int, ply: int, question: int | None
) -> None:
    to = ReplyTo(match_id, seat, ply, question)
    local = _local(reply_address(_KEYS, _SERVICE, to))
    assert local.startswith(f"overland+r-{match_id}-{seat}-{ply}-")
    assert read_reply_address(_KEYS, local) == to
    assert read_reply_address(_KEYS, local.upper()) == to
    assert read_reply_address(_KEYS, local.lower()) == to


def test_a_bounce_address_says_which_notice_came_back() -> None:
    local = _local(bounce_address(_KEYS, _SERVICE, _NOTICE))
    assert local.startswith("overland+b-")
    assert read_bounce_address(_KEYS, local.upper()) == _NOTICE


@pytest.mark.parametrize("wanted", [of_match("abcdefghijkl", "q7n2c4abcd"), of_everything("abcdefghijkl")])
def test_an_address_to_unsubscribe_says_who_and_from_what(wanted: object) -> None:
    local = _local(_SERVICE.reached(unsubscribe_tag(_KEYS, wanted)))  # type: ignore[arg-type]
    assert read_unsubscribe_address(_KEYS, local.upper()) == wanted


def test_every_address_is_short_enough_also_with_many_keys_and_long_names() -> None:
    key = SigningKey(1023, b"k" * 32, _NOW)
    keys = Keys((key,), key)
    for address in (
        reply_address(keys, _LONGEST, ReplyTo("q7n2c4abcd", 11, 99_999, 9_999)),
        bounce_address(keys, _LONGEST, _NOTICE),
        _LONGEST.reached(unsubscribe_tag(keys, of_match("abcdefghijkl", "q7n2c4abcd"))),
    ):
        assert len(_local(address)) <= LONGEST_LOCAL_PART
        assert parseaddr(address)[1] == address


def test_another_match_seat_ply_or_question_is_not_signed() -> None:
    local = _local(reply_address(_KEYS, _SERVICE, replace(_TO, question=7)))
    for part, other in (("q7n2c4abcd", "q7n2c4abce"), ("-3-", "-2-"), ("-412-", "-413-"), ("-7-", "-8-"), ("-7-", "-")):
        altered = local.replace(part, other, 1)
        assert altered != local
        assert read_reply_address(_KEYS, altered) is None


def test_the_signature_of_one_kind_of_address_is_none_of_another() -> None:
    reply, bounce = reply_address(_KEYS, _SERVICE, _TO), bounce_address(_KEYS, _SERVICE, _NOTICE)
    assert read_bounce_address(_KEYS, _local(reply)) is None
    assert read_reply_address(_KEYS, _local(bounce)) is None
    signature = _local(bounce).rpartition("-")[2]
    assert read_reply_address(_KEYS, f"{_local(reply).rpartition('-')[0]}-{signature}") is None


@given(some.text(max_size=80))
def test_no_text_makes_reading_fail(text: str) -> None:
    for local in (text, f"overland+{text}", f"overland+r-{text}", f"overland+b-{text}", f"overland+u-{text}"):
        assert read_reply_address(_KEYS, local) is None
        assert read_bounce_address(_KEYS, local) is None
        assert read_unsubscribe_address(_KEYS, local) is None


@pytest.mark.parametrize(
    "local", ["", "overland", "overland+", "+r-a-0-0-" + "a" * 17, "overland+b-" + "7" * 26 + "-a"]
)
def test_what_the_service_did_not_sign_is_no_address_of_it(local: str) -> None:
    assert read_reply_address(_KEYS, local) is None
    assert read_bounce_address(_KEYS, local) is None
