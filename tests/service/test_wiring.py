"""The one place that joins everything: real parts, and nothing opened before it is needed."""

from __future__ import annotations

import re
import socket
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from service.notices.mail.folder import FolderTransport
from service.queue import RqQueue
from service.wiring import SystemEntropy, utc_now, wire
from tests.service.fakes import settings_for


def test_wiring_opens_neither_files_nor_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: object, **rest: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket, "socket", refused)
    settings = replace(
        settings_for(tmp_path, f"sqlite:///{tmp_path}/overland.sqlite"), redis_url="redis://127.0.0.1:1/0"
    )
    context = wire(settings)
    assert isinstance(context.queue, RqQueue)
    assert isinstance(context.transport, FolderTransport)
    assert context.settings is settings
    context.close()
    assert list(tmp_path.iterdir()) == []


def test_ids_are_lower_case_letters_and_digits_that_nobody_can_guess() -> None:
    entropy = SystemEntropy()
    found = {entropy.token(10) for _ in range(1000)}
    assert len(found) == 1000
    assert all(re.fullmatch("[a-z2-7]{10}", token) for token in found)
    assert len(entropy.bytes(32)) == 32
    assert entropy.bytes(32) != entropy.bytes(32)


def test_the_clock_is_in_utc_and_aware_of_it() -> None:
    assert utc_now().tzinfo is UTC
    assert abs((datetime.now(UTC) - utc_now()).total_seconds()) < 60
