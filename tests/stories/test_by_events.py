"""Stories of clients that follow matches by events, and never poll."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tests.stories.conftest import World, begun

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]


def test_a_watcher_who_is_away_most_of_the_time_misses_nothing_of_a_match_by_mail(world: World) -> None:
    ada, bela = begun(world)
    path = f"/matches/{ada.match_id()}/events"
    cursor, told = ada.ask(path)["cursor"], list[dict[str, Any]]()
    awaited = ada
    while not told or told[-1]["kind"] != "match_over":
        if awaited.is_asked:
            awaited.reply(awaited.mails[-1], "1")
            world.pass_time(minutes=1)
        awaited = bela if awaited is ada else ada
        found = ada.ask(f"{path}?after={cursor}")
        cursor, told = found["cursor"], told + found["items"]
    log = ada.ask(f"{path.removesuffix('/events')}/log?limit=200")["items"]
    assert [each["seat"] for each in log if each["seat"] >= 0] == [
        each["seat"] for each in told if each["kind"] == "turn_played"
    ]
    spans = [(each["since"], each["ply"]) for each in told if each["kind"] == "turn_played"]
    assert all(before[1] == after[0] for before, after in pairwise(spans))
    assert {each["kind"] for each in told} == {"turn_played", "match_over"}, "verdicts and mails are private"
