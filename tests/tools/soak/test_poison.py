"""What is expected of a poisoned turn or mail has to come."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import cast

from tools.soak.faults import Target
from tools.soak.journal import Journal
from tools.soak.poison import comes


@dataclass
class Soak:
    """What is read of a target; it stands in for its players, too."""

    journal: Journal = field(default_factory=Journal)
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def players(self) -> Soak:
        return self


def expected(soak: Soak, came: bool) -> bool:
    return comes(cast(Target, soak), lambda: came, "the turn is refused", 0)


def test_what_comes_is_no_error() -> None:
    soak = Soak()
    assert expected(soak, True)
    assert soak.journal.errors == ()


def test_what_does_not_come_is_an_error_of_the_soak() -> None:
    soak = Soak()
    assert not expected(soak, False)
    (error,) = soak.journal.errors
    assert "the turn is refused" in error


def test_a_soak_that_is_stopped_waits_no_longer_and_expects_nothing() -> None:
    soak = Soak()
    soak.stop.set()
    assert not expected(soak, False)
    assert soak.journal.errors == ()
