"""The page of a match with as many entries as a match may have: it is as small as any, and reads no
more of the log than it shows.
"""

from __future__ import annotations

import gzip
import random
import re
from typing import Final

import pytest

from engine.game import MOST_PLIES
from engine.play import legal_actions
from service.context import Context
from service.matches import lobby, progress, replays
from service.matches.progress import Cause, Step
from service.matches.types import SeatRequest
from service.store import matches as rows
from service.web.match_story import PART
from tests.service.fakes import GAMES, Round, discovered, person
from tests.service.turns.clocks import stored
from tests.service.web.conftest import SignedIn, inlined
from tests.service.web.test_match_story import section

DEEP_BAG: Final = {"ones": 4000, "twos": 4000, "threes": 4000}
ENTRIES: Final = MOST_PLIES - 4
MOST_READ: Final = 1500
"""So many entries are replayed to tell some of them, from the nearest state that is remembered."""


def begun(context: Context, entries: int) -> Round:
    """A match of pearls with that many entries or a few more, which were appended in one step."""
    players = tuple(person(context, f"{name}{entries}") for name in ("Ada", "Bela"))
    seats = [SeatRequest("me"), SeatRequest("open")]
    match = lobby.create(context, players[0], "pearls", {}, seats, components=DEEP_BAG)
    table = Round(lobby.join(context, players[1], match.id), players)
    before, luck = stored(context, table), random.Random(3)
    game, draw = replays.game_of(before), replays.draw_of(before)
    with context.database.read() as connection:
        step = Step((), (replays.load(connection, context, before),))
    made, states = list(step.entries), list(step.states)
    at_random = lambda game, state, seat: luck.choice(legal_actions(game, state, seat))  # noqa: E731
    while len(made) < entries:
        state = states[-1]
        (seat,) = game.to_act(state)
        step = progress.with_substitutes(game, Step((), (state,)), before.ply + len(made), (seat,), draw, at_random)
        made += step.entries
        states += step.states[1:]
    whole = progress.progress_by(before, Step(tuple(made), tuple(states)), Cause("turn", 0))
    with context.database.write() as connection:
        rows.lock(connection, before.id)
        progress.write(connection, [progress.rows_of(whole)], (), context.clock())
    return table


def test_ten_thousand_entries_are_read_as_twenty(
    context: Context, signed_in: SignedIn, ranges_read: list[tuple[int, int]]
) -> None:
    with discovered(GAMES):
        pages = []
        for entries in (40, ENTRIES):
            table = begun(context, entries)
            path, browser = f"/matches/{table.match.id}", signed_in(table.players[0])
            browser.get(path)  # which replays the log, once in the life of a process
            ranges_read.clear()
            page = browser.get(path).text
            pages.append(page.replace(inlined(browser.get(f"{path}/board.svg")), ""))
            assert int(re.findall(r'data-ply="(\d+)"', page)[0]) >= entries
            assert sum(stop - start for start, stop in ranges_read) <= MOST_READ, ranges_read
        short, long = pages
        assert all(len(gzip.compress(page.encode())) <= 15_000 for page in pages)
        assert len(long) < 1.5 * len(short)
        middle = browser.get(f"{path}?ply={ENTRIES // 2}").text
        assert f'data-at="{ENTRIES // 2}"' in middle
        part = browser.get(f"{path}?log=0").text
        assert len(re.findall("#since", section(part, "log"))) <= PART


@pytest.mark.deep
def test_a_finished_match_of_ten_thousand_entries_has_a_chart_of_sixty_points(
    context: Context, signed_in: SignedIn
) -> None:
    with discovered(GAMES):
        table = begun(context, ENTRIES)
        lobby.resign(context, table.players[1], table.match.id)
        page = signed_in(table.players[0]).get(f"/matches/{table.match.id}").text
    (chart,) = re.findall('<figure class="chart">.*?(<svg.*?</svg>)', page, re.DOTALL)
    assert len(chart) < 12_000
    assert "Ada" in chart
