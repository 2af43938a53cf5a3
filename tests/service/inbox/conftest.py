"""A service on SQLite with everything else faked, and a postman who brings it mails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.context import Context
from tests.service.fakes import wired
from tests.service.inbox.postman import Postman, relayed


@pytest.fixture
def behind_a_relay(tmp_path: Path, sqlite_template: Path) -> Iterator[Context]:
    """A service that trusts the relay of the postman."""
    file = tmp_path / "overland.sqlite"
    file.write_bytes(sqlite_template.read_bytes())
    context = wired(tmp_path, f"sqlite:///{file}")
    yield relayed(context)
    context.close()


@pytest.fixture
def postman(behind_a_relay: Context) -> Postman:
    return Postman(behind_a_relay)
