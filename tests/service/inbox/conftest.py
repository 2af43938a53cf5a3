"""A service on SQLite with everything else faked, and a postman who brings it mails."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from service.context import Context
from service.matches import lobby
from tests.service.fakes import Round, started, wired_in
from tests.service.inbox.postman import Postman, relayed


@pytest.fixture
def behind_a_relay(tmp_path: Path) -> Iterator[Context]:
    """A service that trusts the relay of the postman."""
    context = wired_in(tmp_path)
    yield relayed(context)
    context.close()


@pytest.fixture
def postman(behind_a_relay: Context) -> Postman:
    return Postman(behind_a_relay)


@pytest.fixture
def table(behind_a_relay: Context, pearls: None) -> Round:
    """Ada, who is awaited, and Bela."""
    return started(behind_a_relay, "pearls")


@pytest.fixture
def to(postman: Postman, table: Round) -> str:
    """Where Ada's reply to the present ply goes."""
    return postman.reply_address(table.match.id, 0, lobby.find(postman.context, None, table.match.id).ply)
