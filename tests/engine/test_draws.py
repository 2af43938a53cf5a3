"""Verifiable draws, compared with a second implementation of docs/decisions/0003.

The functions at the top are written from the text of the decision, and call nothing of
``engine.draws``.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import draws
from engine.draws import (
    commitment,
    drawing,
    heading,
    is_match_id,
    is_nonce,
    made_nonce,
    nonces_digest,
    number,
    terms,
)
from engine.play import read_action, walk
from engine.record import setup_of
from engine.types import CHANCE, Entry
from tests.engine.matches import SECRET as SECRET_OF_RECORD
from tests.engine.matches import finished_record
from tests.engine.toy import COMPONENTS, GAME

SECRET = bytes(range(32))
NONCES = ("ann-12345678", "bob-12345678")
COMMITTED = "c" * 64
HEAD = heading("m1", COMMITTED, NONCES)
DECISION = Path(__file__).parents[2] / "docs" / "decisions" / "0003-verifiable-draws.md"


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def lines(*values: object) -> bytes:
    return "\n".join(str(value) for value in values).encode("utf-8")


def of_document(document: Mapping[str, Any]) -> str:
    return sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode("ascii"))


def committed(
    secret: bytes,
    match: str,
    game: str,
    version: int,
    seats: int,
    options: Mapping[str, Any],
    components: Mapping[str, Any],
) -> str:
    """Step 1 of the decision."""
    what = lines("overland/1", match, game, version, seats, of_document(options), of_document(components))
    return sha256(secret + what)


def made(secret: bytes, match: str, seat: int) -> str:
    """Step 2, for a seat whose player sends none."""
    return hmac.new(secret, lines("overland/1", "nonce", match, seat), hashlib.sha256).hexdigest()[:32]


def digested(match: str, commitment: str, nonces: Sequence[str]) -> str:
    """Step 3."""
    return sha256(lines("overland/1", match, commitment, *nonces))


def drawn(secret: bytes, match: str, digest: str, ply: int, total: int) -> int:
    """Step 4."""
    largest, counter = 2**64 // total * total, 0
    while True:
        mac = hmac.new(secret, lines("overland/1", match, digest, ply, counter), hashlib.sha256).digest()
        for start in (0, 8, 16, 24):
            block = int.from_bytes(mac[start : start + 8], "big")
            if block < largest:
                return block % total
        counter += 1


def test_the_published_vector_is_what_the_engine_and_the_text_give() -> None:
    options, components = {"hoard": False}, {"ones": 3}
    published = commitment(SECRET, terms("m1", "pearls", 1, 3, options, components))
    nonces = ("ann-12345678", "bob-12345678", made_nonce(SECRET, "m1", 2))
    digest = nonces_digest("m1", published, nonces)
    numbers = [drawing(SECRET, "m1", published, nonces)(ply, 100) for ply in range(8)]
    text = DECISION.read_text(encoding="utf-8")
    assert re.findall(r"^(?:commitment|nonce of seat 2|digest) +([0-9a-f]+)$", text, re.MULTILINE) == [
        published,
        nonces[2],
        digest,
    ]
    assert f"the plies 0 to 7 give {', '.join(map(str, numbers))}." in text
    assert published == committed(SECRET, "m1", "pearls", 1, 3, options, components)
    assert (nonces[2], digest) == (made(SECRET, "m1", 2), digested("m1", published, nonces))
    assert numbers == [drawn(SECRET, "m1", digest, ply, 100) for ply in range(8)]


@given(
    st.binary(min_size=32, max_size=32),
    st.lists(st.from_regex(rf"\A{draws.NONCE_PATTERN}\Z"), min_size=1, max_size=5),
    st.integers(0, 10**6),
    st.integers(1, 2**64),
)
def test_any_draw_is_the_one_that_the_decision_describes(
    secret: bytes, nonces: list[str], ply: int, total: int
) -> None:
    published = "c" * 64
    head = heading("m-1", published, nonces)
    assert number(secret, head, ply, total) == drawn(secret, "m-1", digested("m-1", published, nonces), ply, total)


def test_a_record_follows_from_the_text_of_the_decision_alone() -> None:
    record = finished_record(GAME, COMPONENTS, 3, "by the book")
    assert record.secret == SECRET_OF_RECORD.hex()
    assert record.scheme == "overland/1"
    assert record.commitment == committed(
        SECRET_OF_RECORD, record.match, "pearls", 1, 3, record.options, record.components
    )
    digest = digested(record.match, record.commitment, record.nonces)
    assert record.nonces_digest == digest
    game, setup = setup_of(record, lambda name, version: GAME)
    state, found = game.setup(setup), 0
    for step in walk(
        game, state, 0, (Entry(each.seat, read_action(game, each.seat, each.action or {})) for each in record.log)
    ):
        if step.entry.seat == CHANCE:
            outcomes = game.outcomes(step.before)
            position = drawn(SECRET_OF_RECORD, record.match, digest, step.ply, sum(weight for _, weight in outcomes))
            shares = [action for action, weight in outcomes for _ in range(weight)]
            assert step.entry.action == shares[position]
            found += 1
    assert found > 0


def test_every_part_of_the_digest_changes_it() -> None:
    usual = nonces_digest("m1", "c" * 64, ("ann-12345678", "bob-12345678"))
    others = {
        nonces_digest("m2", "c" * 64, ("ann-12345678", "bob-12345678")),
        nonces_digest("m1", "d" * 64, ("ann-12345678", "bob-12345678")),
        nonces_digest("m1", "c" * 64, ("bob-12345678", "ann-12345678")),
        nonces_digest("m1", "c" * 64, ("ann-12345678", "bob-12345679")),
        nonces_digest("m1", "c" * 64, ("ann-12345678",)),
    }
    assert len(others - {usual}) == 5


def test_a_made_nonce_is_one_for_each_secret_match_and_seat() -> None:
    usual = made_nonce(SECRET, "m1", 0)
    assert draws.is_nonce(usual)
    assert len({usual, made_nonce(bytes(32), "m1", 0), made_nonce(SECRET, "m2", 0), made_nonce(SECRET, "m1", 1)}) == 4


def test_a_swapped_nonce_changes_every_draw() -> None:
    fair = drawing(SECRET, "m1", "c" * 64, ("ann-12345678", "bob-12345678"))
    swapped = drawing(SECRET, "m1", "c" * 64, ("ann-12345679", "bob-12345678"))
    assert {fair(ply, 1 << 60) for ply in range(8)}.isdisjoint(swapped(ply, 1 << 60) for ply in range(8))


def test_a_block_that_would_bias_the_number_is_skipped() -> None:
    total = (1 << 63) + 1  # every block from `total` on is refused: about half of them
    blocks = []
    for counter in range(8):
        message = lines("overland/1", "m1", digested("m1", COMMITTED, NONCES), 1, counter)
        digest = hmac.digest(SECRET, message, "sha256")
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
        return [number(secret, heading(match, COMMITTED, nonces), ply, 1 << 60) for ply in range(4)]

    usual = numbers(SECRET, "m1", NONCES)
    others = [
        numbers(bytes(32), "m1", NONCES),
        numbers(SECRET, "m2", NONCES),
        numbers(SECRET, "m1", NONCES[::-1]),
        numbers(SECRET, "m1", NONCES[:1]),
    ]
    assert all(set(usual).isdisjoint(other) for other in others)
    assert len(set(usual)) == 4


def test_the_commitment_is_the_digest_of_secret_and_terms() -> None:
    agreed = terms("m1", "oregon", 1, 2, {"b": False, "a": "ü"}, {})
    options = hashlib.sha256(b'{"a":"\\u00fc","b":false}').hexdigest()
    nothing = hashlib.sha256(b"{}").hexdigest()
    assert agreed == f"overland/1\nm1\noregon\n1\n2\n{options}\n{nothing}"
    assert commitment(SECRET, agreed) == hashlib.sha256(SECRET + agreed.encode()).hexdigest()


def test_every_term_changes_the_commitment() -> None:
    usual: tuple[Any, ...] = ("m1", "oregon", 1, 2, {"a": 1}, {"b": [1, 2]})
    changed: list[tuple[Any, int]] = [
        ("m2", 0),
        ("montana", 1),
        (2, 2),
        (3, 3),
        ({"a": 2}, 4),
        ({"b": [2, 1]}, 5),
    ]
    found = {commitment(SECRET, terms(*usual))}
    for value, index in changed:
        found.add(commitment(SECRET, terms(*[*usual[:index], value, *usual[index + 1 :]])))
    assert len(found) == 1 + len(changed)


def test_the_order_of_keys_does_not_change_the_commitment() -> None:
    first, second = ({"a": 1, "b": 2}, {"b": 2, "a": 1})
    assert terms("m", "g", 1, 2, first, {}) == terms("m", "g", 1, 2, second, {})


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
