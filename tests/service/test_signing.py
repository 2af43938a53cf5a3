"""Signatures: bound to a purpose, valid in any case of letters, and after a rotation of keys."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as some

from service import signing
from service.context import Context
from service.signing import GRACE, Keys
from service.store.tokens import SigningKey, every_signing_key
from tests.service.fakes import Clock, at_once

_NOW = Clock()()
_KEYS = Keys((SigningKey(1, b"1" * 32, _NOW),), SigningKey(1, b"1" * 32, _NOW))


def test_a_signature_has_80_bits_in_letters_and_digits_and_ends_with_the_number_of_its_key() -> None:
    assert re.fullmatch(r"[a-z2-7]{16}b", signing.sign(_KEYS, "reply", "text"))


@given(some.text(), some.text(), some.sampled_from(["reply", "bounce"]))
def test_only_the_same_text_and_purpose_verify(text: str, other: str, purpose: str) -> None:
    signature = signing.sign(_KEYS, "reply", text)
    same = (purpose, other) == ("reply", text)
    assert signing.is_signed(_KEYS, purpose, other, signature) is same
    assert signing.is_signed(_KEYS, "reply", text, signature.upper())


@given(some.integers(0, 16), some.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789-\u017f"))
def test_a_signature_with_another_character_does_not_verify(place: int, character: str) -> None:
    signature = signing.sign(_KEYS, "reply", "text")
    altered = signature[:place] + character + signature[place + 1 :]
    assert signing.is_signed(_KEYS, "reply", "text", altered) is (altered == signature)


@pytest.mark.parametrize("signature", ["", "b", "a" * 16, "a" * 17, "a" * 40, "ß" * 17, " " * 17, "a" * 16 + "1"])
def test_what_is_no_signature_does_not_verify(signature: str) -> None:
    assert not signing.is_signed(_KEYS, "reply", "text", signature)


@pytest.mark.parametrize("number", [1, 31, 32, 1023, 1024])
def test_the_number_of_any_key_is_read_from_its_signature(number: int) -> None:
    keys = Keys((*_KEYS.every, SigningKey(number, b"2" * 32, _NOW)), SigningKey(number, b"2" * 32, _NOW))
    if number > 1:
        assert signing.is_signed(keys, "reply", "text", signing.sign(keys, "reply", "text"))
        assert not signing.is_signed(_KEYS, "reply", "text", signing.sign(keys, "reply", "text"))


def test_the_first_key_is_made_once(context: Context) -> None:
    first, second = at_once(lambda: signing.keys_of(context), lambda: signing.keys_of(context))
    assert first == second == signing.keys_of(context)
    assert len(first.every) == 1


def test_what_an_earlier_key_signed_verifies_after_a_rotation(context: Context, clock: Clock) -> None:
    before = signing.keys_of(context)
    signature = signing.sign(before, "reply", "text")
    signing.rotate(context)
    clock.advance(seconds=GRACE.total_seconds())
    after = signing.keys_of(context)
    assert after.signing.number == 2
    assert signing.is_signed(after, "reply", "text", signature)
    assert signing.sign(after, "reply", "text") != signature


def test_what_was_dated_before_a_rotation_is_signed_as_before(context: Context, clock: Clock) -> None:
    before, written_at = signing.keys_of(context), context.clock()
    signing.rotate(context)
    assert signing.keys_of(context).signing == before.signing  # every process has time to read the new key
    clock.advance(days=1)
    assert signing.sign(signing.keys_of(context).as_of(written_at), "a", "b") == signing.sign(before, "a", "b")
    long_ago = signing.keys_of(context).as_of(written_at - timedelta(days=1))
    assert long_ago.signing == before.signing


def test_the_secret_of_a_key_is_in_no_text_of_it(context: Context) -> None:
    keys = signing.keys_of(context)
    assert repr(keys.signing.secret) not in repr(keys)
    with context.database.read() as connection:
        assert every_signing_key(connection) == keys.every


@pytest.fixture
def clock(context: Context) -> Clock:
    assert isinstance(context.clock, Clock)
    return context.clock
