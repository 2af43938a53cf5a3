"""The scheme ``overland/2``, compared with a second implementation of docs/decisions/0018.

The functions of this module are written from the text of the decision, and call nothing of
``engine.draws``.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine import draws
from engine.draws import commitment, drawing, heading, made_nonce, nonces_digest, number, terms
from engine.play import walk
from engine.record import read_action, setup_of
from engine.types import CHANCE, Entry
from tests.engine.matches import SECRET as SECRET_OF_RECORD
from tests.engine.matches import finished_record
from tests.engine.toy import COMPONENTS, GAME

SECRET = bytes(range(32))
DECISION = Path(__file__).parents[2] / "docs" / "decisions" / "0018-the-commitment-comes-first.md"


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
    what = lines("overland/2", match, game, version, seats, of_document(options), of_document(components))
    return sha256(secret + what)


def made(secret: bytes, match: str, seat: int) -> str:
    """Step 2, for a seat whose player sends none."""
    return hmac.new(secret, lines("overland/2", "nonce", match, seat), hashlib.sha256).hexdigest()[:32]


def digested(match: str, commitment: str, nonces: Sequence[str]) -> str:
    """Step 3."""
    return sha256(lines("overland/2", match, commitment, *nonces))


def drawn(secret: bytes, match: str, digest: str, ply: int, total: int) -> int:
    """Step 4."""
    largest, counter = 2**64 // total * total, 0
    while True:
        mac = hmac.new(secret, lines("overland/2", match, digest, ply, counter), hashlib.sha256).digest()
        for start in (0, 8, 16, 24):
            block = int.from_bytes(mac[start : start + 8], "big")
            if block < largest:
                return block % total
        counter += 1


def test_the_published_vector_is_what_the_engine_and_the_text_give() -> None:
    options, components = {"hoard": False}, {"ones": 3}
    published = commitment(SECRET, terms("overland/2", "m1", "pearls", 1, 3, options, components))
    nonces = ("ann-12345678", "bob-12345678", made_nonce(SECRET, "m1", 2))
    digest = nonces_digest("overland/2", "m1", published, nonces)
    numbers = [drawing("overland/2", SECRET, "m1", published, nonces)(ply, 100) for ply in range(8)]
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
    head = heading("overland/2", "m-1", published, nonces)
    assert number(secret, head, ply, total) == drawn(secret, "m-1", digested("m-1", published, nonces), ply, total)


def test_a_record_follows_from_the_text_of_the_decision_alone() -> None:
    record = finished_record(GAME, COMPONENTS, 3, "by the book")
    assert record.secret == SECRET_OF_RECORD.hex()
    assert record.scheme == "overland/2"
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
    usual = nonces_digest("overland/2", "m1", "c" * 64, ("ann-12345678", "bob-12345678"))
    others = {
        nonces_digest("overland/1", "m1", "c" * 64, ("ann-12345678", "bob-12345678")),
        nonces_digest("overland/2", "m2", "c" * 64, ("ann-12345678", "bob-12345678")),
        nonces_digest("overland/2", "m1", "d" * 64, ("ann-12345678", "bob-12345678")),
        nonces_digest("overland/2", "m1", "c" * 64, ("bob-12345678", "ann-12345678")),
        nonces_digest("overland/2", "m1", "c" * 64, ("ann-12345678", "bob-12345679")),
        nonces_digest("overland/2", "m1", "c" * 64, ("ann-12345678",)),
    }
    assert len(others - {usual}) == 6


def test_a_made_nonce_is_one_for_each_secret_match_and_seat() -> None:
    usual = made_nonce(SECRET, "m1", 0)
    assert draws.is_nonce(usual)
    assert len({usual, made_nonce(bytes(32), "m1", 0), made_nonce(SECRET, "m2", 0), made_nonce(SECRET, "m1", 1)}) == 4


def test_a_swapped_nonce_changes_every_draw() -> None:
    fair = drawing("overland/2", SECRET, "m1", "c" * 64, ("ann-12345678", "bob-12345678"))
    swapped = drawing("overland/2", SECRET, "m1", "c" * 64, ("ann-12345679", "bob-12345678"))
    assert {fair(ply, 1 << 60) for ply in range(8)}.isdisjoint(swapped(ply, 1 << 60) for ply in range(8))
