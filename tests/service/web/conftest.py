"""The pages of a service of its own, on SQLite."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.app import create_app
from service.config import load
from service.context import Context
from service.wiring import wire


@pytest.fixture
def context(tmp_path: Path, sqlite_template: Path) -> Iterator[Context]:
    shutil.copy(sqlite_template, tmp_path)
    wired = wire(load({"OVERLAND_DATA_DIR": str(tmp_path)}))
    yield wired
    wired.close()


@pytest.fixture
def client(context: Context) -> FlaskClient:
    return create_app(context).test_client()
