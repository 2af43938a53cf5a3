"""Somebody who knows the service by its HTTP and its mails alone, against a service that is only
made up.
"""

from __future__ import annotations

from typing import Any, cast

import pytest

from tools import client as stranger
from tools.client import Service, Unhappy, await_mail


class Postbox:
    """Shows one mail more at every look, up to so many; every look takes as long as is said."""

    url = "http://made.up"

    def __init__(self, mails: int, seconds: float) -> None:
        self.mails, self.seconds, self.looks, self.now = mails, seconds, 0, 0.0

    def get(self, path: str, **query: str) -> list[dict[str, Any]]:
        self.looks += 1
        self.now += self.seconds
        return [{"text": f"mail {number}"} for number in range(1, min(self.looks, self.mails) + 1)]

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def awaited(postbox: Postbox, pattern: str, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(stranger, "time", postbox)
    return await_mail(cast(Service, postbox), "ada@example.org", pattern, patience=10)


def test_a_mail_is_waited_for_as_long_as_others_keep_coming(monkeypatch: pytest.MonkeyPatch) -> None:
    assert awaited(Postbox(40, seconds=6), "mail (40)", monkeypatch) == "40"


def test_a_mail_that_does_not_come_is_given_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Unhappy, match=r"no other either for 10 s; look at http://made\.up/dev/mail"):
        awaited(Postbox(3, seconds=1), "mail 4", monkeypatch)
