"""The measurements of the ratios: turns after a log that cannot be replayed, and stored matches
that are complete.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import func, select

from engine import registry
from service.clocks.rule import PRESETS
from service.context import Context
from service.matches import lobby
from service.store.players import Player
from service.store.tables import entries, matches, outbox, seat_clocks, turns
from tests.service.swept import act_on_due
from tools.bench import ratios as bench_ratios
from tools.bench.stored import store_matches

pytestmark = pytest.mark.deep


def test_a_turn_after_hundreds_of_entries_looks_at_none_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_ratios, "MATCHES", 2)
    # It raises if a turn were judged otherwise than by the remembered state.
    measured = bench_ratios.long_matches(tmp_path / "ply", registry.game("oregon"))
    assert measured["ratio"] == pytest.approx(measured["long"] / measured["short"])


def test_stored_matches_are_whole_and_mostly_over(context: Context) -> None:
    store_matches(context, registry.game("oregon"), 40)
    with context.database.read() as connection:
        counted = {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in (matches, turns, entries, outbox)
        }
        running = connection.execute(select(func.count()).where(matches.c.status == "running")).scalar_one()
    assert counted == {"matches": 40, "turns": 160, "entries": 40 * 10, "outbox": 160}
    assert running == 4
    holder = Player("stored-0", "Player", "stored-0@players.example", context.clock(), context.clock())
    assert [match.id for match in lobby.mine(context, holder)] == ["stored0"]


def test_matches_that_are_stored_with_clocks_all_run_and_nobody_is_due(context: Context) -> None:
    store_matches(context, registry.game("oregon"), 30, rule=PRESETS["relaxed"])
    with context.database.read() as connection:
        running = connection.execute(select(func.count()).where(matches.c.status == "running")).scalar_one()
        clocks = connection.execute(select(func.count()).where(seat_clocks.c.due_at > context.clock())).scalar_one()
    assert (running, clocks) == (30, 30)
    assert not act_on_due(context).anything


@pytest.mark.parametrize("game", registry.games())
def test_the_command_prints_each_ratio(monkeypatch: pytest.MonkeyPatch, game: str) -> None:
    monkeypatch.setattr(bench_ratios, "MATCHES", 1)
    monkeypatch.setattr(bench_ratios, "REPEATS", 2)
    options = ["--stored", "150", "--game", game]
    ended = CliRunner().invoke(bench_ratios.bench_ratios, options, catch_exceptions=False)
    assert ended.exit_code == 0
    assert [line.split(" with ")[0] for line in ended.stdout.splitlines()[1:]] == [
        "Submitting",
        "Taking",
        "Judging",
        "Listing mine",
        "Sweeping",
        "Sweeping clocks",
        "Acting on time that is up",
    ]
