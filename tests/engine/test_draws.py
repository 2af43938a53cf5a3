"""Verifiable draws, compared with a second implementation of docs/decisions/0003 and 0018.

What both schemes share is tested with ``overland/1``; ``overland/2`` is in test_draws_2.py.
"""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.draws import commitment, drawing, heading, is_match_id, is_nonce, number, terms

SECRET = bytes(range(32))
NONCES = ("ann-12345678", "bob-12345678")
HEAD = heading("overland/1", "m1", "", NONCES)
VECTORS = [4, 49, 2, 67, 95, 16, 57, 52]


def test_the_number_of_a_ply_is_the_one_the_decision_describes() -> None:
    digest = hmac.new(SECRET, b"overland/1\nm1\nann-12345678\nbob-12345678\n7\n0", hashlib.sha256).digest()
    assert number(SECRET, HEAD, 7, 1000) == int.from_bytes(digest[:8], "big") % 1000


def test_published_vectors_never_change() -> None:
    assert [number(SECRET, HEAD, ply, 100) for ply in range(8)] == VECTORS
    decision = Path(__file__).parents[2] / "docs" / "decisions" / "0003-verifiable-draws.md"
    assert f"the plies 0 to 7 give {', '.join(map(str, VECTORS))}." in decision.read_text(encoding="utf-8")


def test_a_block_that_would_bias_the_number_is_skipped() -> None:
    total = (1 << 63) + 1  # every block from `total` on is refused: about half of them
    blocks = []
    for counter in range(8):
        digest = hmac.digest(SECRET, f"overland/1\nm1\n{NONCES[0]}\n{NONCES[1]}\n1\n{counter}".encode(), "sha256")
        blocks += [int.from_bytes(digest[start : start + 8], "big") for start in range(0, 32, 8)]
    assert blocks[0] >= total, "this ply was chosen because its first block is refused"
    assert number(SECRET, HEAD, 1, total) == next(block for block in blocks if block < total)


def test_when_all_blocks_of_a_digest_are_refused_the_next_counter_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def digest(key: bytes, message: bytes, name: str) -> bytes:
        asked.append(message[-2:])
        return b"\xff" * 32 if len(asked) == 1 else (5).to_bytes(8, "big") + bytes(24)

    monkeypatch.setattr("engine.draws.hmac.digest", digest)
    assert number(SECRET, HEAD, 3, 10) == 5
    assert asked == [b"\n0", b"\n1"]


def test_the_first_skipped_block_is_the_largest_multiple_of_the_total(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    multiple = (1 << 64) // 10 * 10
    for first, expected in ((multiple - 1, 9), (multiple, 5)):
        digest = first.to_bytes(8, "big") + (5).to_bytes(8, "big") + bytes(16)
        monkeypatch.setattr("engine.draws.hmac.digest", lambda key, message, name, digest=digest: digest)
        assert number(SECRET, HEAD, 3, 10) == expected


@given(st.integers(0, 10**6), st.integers(1, 10**9))
def test_a_number_lies_within_its_total_and_repeats(ply: int, total: int) -> None:
    first = number(SECRET, HEAD, ply, total)
    assert 0 <= first < total
    assert first == number(SECRET, HEAD, ply, total)


def test_numbers_are_spread_evenly() -> None:
    counts = Counter(number(SECRET, HEAD, ply, 6) for ply in range(6000))
    assert set(counts) == set(range(6))
    assert all(900 < count < 1100 for count in counts.values())


@pytest.mark.parametrize("total", [0, -3])
def test_a_draw_needs_a_positive_total(total: int) -> None:
    with pytest.raises(ValueError, match="positive total weight"):
        number(SECRET, HEAD, 0, total)


def test_every_part_of_the_message_changes_the_numbers() -> None:
    def numbers(secret: bytes, match: str, nonces: tuple[str, ...]) -> list[int]:
        return [number(secret, heading("overland/1", match, "", nonces), ply, 1 << 60) for ply in range(4)]

    usual = numbers(SECRET, "m1", NONCES)
    others = [
        numbers(bytes(32), "m1", NONCES),
        numbers(SECRET, "m2", NONCES),
        numbers(SECRET, "m1", NONCES[::-1]),
        numbers(SECRET, "m1", NONCES[:1]),
    ]
    assert all(set(usual).isdisjoint(other) for other in others)
    assert len(set(usual)) == 4


def test_drawing_gives_the_numbers_of_one_match() -> None:
    draw = drawing("overland/1", SECRET, "m1", "", NONCES)
    assert [draw(ply, 100) for ply in range(8)] == VECTORS


def test_the_commitment_is_the_digest_of_secret_and_terms() -> None:
    agreed = terms("overland/1", "m1", "oregon", 1, 2, {"b": False, "a": "ü"}, {})
    options = hashlib.sha256(b'{"a":"\\u00fc","b":false}').hexdigest()
    nothing = hashlib.sha256(b"{}").hexdigest()
    assert agreed == f"overland/1\nm1\noregon\n1\n2\n{options}\n{nothing}"
    assert commitment(SECRET, agreed) == hashlib.sha256(SECRET + agreed.encode()).hexdigest()


def test_every_term_changes_the_commitment() -> None:
    usual: tuple[Any, ...] = ("overland/1", "m1", "oregon", 1, 2, {"a": 1}, {"b": [1, 2]})
    changed: list[tuple[Any, int]] = [
        ("overland/2", 0),
        ("m2", 1),
        ("montana", 2),
        (2, 3),
        (3, 4),
        ({"a": 2}, 5),
        ({"b": [2, 1]}, 6),
    ]
    found = {commitment(SECRET, terms(*usual))}
    for value, index in changed:
        found.add(commitment(SECRET, terms(*[*usual[:index], value, *usual[index + 1 :]])))
    assert len(found) == 1 + len(changed)


def test_the_order_of_keys_does_not_change_the_commitment() -> None:
    first, second = ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert terms("overland/2", "m", "g", 1, 2, first, {}) == terms("overland/2", "m", "g", 1, 2, second, {})


@pytest.mark.parametrize("secret", [b"", bytes(31), bytes(33)])
def test_a_secret_has_32_bytes_so_that_it_and_the_terms_cannot_be_split_otherwise(secret: bytes) -> None:
    with pytest.raises(ValueError, match="a secret has 32 bytes"):
        commitment(secret, "terms")


@pytest.mark.parametrize(
    "nonce", ["", "short-7", "x" * 65, "with space", "new\nline1", "newline-at-end\n", "ümlautümlaut"]
)
def test_a_nonce_that_would_make_the_message_ambiguous_is_refused(nonce: str) -> None:
    assert not is_nonce(nonce)


@pytest.mark.parametrize("nonce", ["12345678", "A-z_0189", "x" * 64])
def test_a_nonce_is_8_to_64_plain_characters(nonce: str) -> None:
    assert is_nonce(nonce)


def test_a_match_id_is_made_of_plain_characters() -> None:
    assert is_match_id("m-1")
    assert not any(map(is_match_id, ("", "m\n1", "m 1", "m" * 65)))
