"""Waiting for a condition."""

from __future__ import annotations

import pytest

from tools.waiting import TimedOut, until


def test_the_first_true_answer_is_returned() -> None:
    answers = iter(["", "", "yes", "later"])
    assert until(lambda: next(answers), "an answer") == "yes"


def test_what_does_not_happen_is_named() -> None:
    with pytest.raises(TimedOut, match=r"Within 0 s this did not happen: the end of the world\."):
        until(lambda: False, "the end of the world", 0)
