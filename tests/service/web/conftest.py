"""The pages of a service of its own, on SQLite."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import load
from service.context import Context
from service.store.database import migrate
from service.wiring import wire


@pytest.fixture
def context(tmp_path: Path) -> Iterator[Context]:
    wired = wire(load({"OVERLAND_DATA_DIR": str(tmp_path)}))
    migrate(wired.database)
    yield wired
    wired.close()


@pytest.fixture
def client(context: Context) -> FlaskClient:
    return create_app(context).test_client()
