"""The pages of a service of its own, on SQLite, whose turns are judged at once."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from service.config import load
from service.context import Context
from service.players import tokens
from service.store.players import Player
from service.turns import pending
from service.wiring import wire
from tests.service.fakes import SeededEntropy, Timer
from tools.memory_queue import MemoryQueue


@pytest.fixture
def context(tmp_path: Path, sqlite_template: Path) -> Iterator[Context]:
    shutil.copy(sqlite_template, tmp_path)
    queue = MemoryQueue()
    wired = replace(
        wire(load({"OVERLAND_DATA_DIR": str(tmp_path)})), queue=queue, timer=Timer(), entropy=SeededEntropy()
    )
    queue.judge = lambda: pending.judge_pending(wired)
    yield wired
    wired.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@dataclass(frozen=True)
class Browser:
    """A browser that presses buttons: the hidden fields of a form are sent as the page has them."""

    client: FlaskClient

    def get(self, path: str) -> TestResponse:
        return self.client.get(path)

    def press(
        self, page: TestResponse, action: str, headers: dict[str, str] | None = None, **data: str
    ) -> TestResponse:
        """Sends the form for ``action`` on a page, with what a person chose, typed and pressed."""
        form = re.search(rf'<form method="post" action="{re.escape(action)}">(.*?)</form>', page.text, re.DOTALL)
        assert form is not None, page.text
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', form[1]))
        return self.client.post(action, data=hidden | data, headers=headers)


SignedIn = Callable[[Player | None], Browser]


def inlined(picture: TestResponse) -> str:
    """The picture as it is in a page, without the colours of dark screens."""
    plain = re.sub("<style>.*</style>", "", picture.text)
    assert plain != picture.text
    return plain


@pytest.fixture
def signed_in(app: Flask, context: Context) -> SignedIn:
    """A browser in which a player is signed in, or nobody."""
    return browsers_of(app, context)


def browsers_of(app: Flask, context: Context) -> SignedIn:
    """The same, of that application."""

    def opened(player: Player | None) -> Browser:
        client = app.test_client()
        if player is not None:
            client.set_cookie("overland-browser", tokens.sign_in(context, player))
        return Browser(client)

    return opened
