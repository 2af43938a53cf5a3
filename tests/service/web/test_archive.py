"""The archive on the page of a match."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.context import Context
from tests.service.fakes import Clock, started
from tests.service.swept import look_after
from tests.service.turns.clocks import DAY, now_is
from tests.service.web.conftest import SignedIn


@pytest.fixture
def context(context: Context) -> Context:
    return replace(context, clock=Clock())


def test_an_archived_match_is_reopened_by_a_button_and_a_look_keeps_it(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon")
    path, start = f"/matches/{table.match.id}", context.clock()
    ada = signed_in(table.players[0])
    now_is(context, start + 13 * DAY)
    ada.get(path)
    for days in (14, 27, 40):
        now_is(context, start + days * DAY)
        look_after(context)
    assert "is archived" not in ada.get(path).text
    for days in (54, 67, 70):
        now_is(context, start + days * DAY)
        look_after(context)
    ada = signed_in(table.players[0])
    page = ada.get(path)
    assert "This match is archived" in page.text
    assert ada.press(page, f"{path}/time", do="reopen").status_code == 303
    assert "This match is archived" not in ada.get(path).text
