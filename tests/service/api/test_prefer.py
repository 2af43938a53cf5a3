"""The Prefer header (RFC 7240)."""

from __future__ import annotations

import pytest

from service.api.turns import LONGEST_WAIT, read_wait


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ([], None),
        (["wait=10"], 10),
        (["WAIT = 10"], 10),
        (['wait="5"'], 5),
        (["respond-async, wait=7"], 7),
        (["respond-async", "wait=8; note=x"], 8),
        (["wait=0"], 0),
        (["wait=3, wait=9"], 3),
        (["wait=100000"], LONGEST_WAIT),
        (["wait"], None),
        (["wait=soon"], None),
        (["wait=-1"], None),
        (["wait=1.5"], None),
        (["waiting=5"], None),
        (["wait=99999999999999999999999"], None),
    ],
)
def test_the_wait_is_read_and_what_cannot_be_understood_is_ignored(headers: list[str], seconds: int | None) -> None:
    assert read_wait(headers) == seconds
