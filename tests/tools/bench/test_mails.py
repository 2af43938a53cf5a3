"""The bench of mails: each mail of a short match is counted, with its cost and size."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import registry
from tools.bench.mails import mails_of
from tools.games import first_game
from tools.launch import environment, overland

pytestmark = pytest.mark.deep


def test_every_mail_of_the_turns_is_counted_and_weighed(tmp_path: Path) -> None:
    figures = mails_of(tmp_path, registry.game(first_game()), 3)
    files = list((tmp_path / "mail").glob("*.eml"))
    assert figures.turns == 3
    assert figures.mails == len(files) > 0
    assert figures.largest_bytes == max(file.stat().st_size for file in files)
    assert 0 < figures.median_bytes <= figures.largest_bytes
    assert figures.turn_ms > 0
    assert figures.mail_ms > 0


def test_the_figures_are_printed_for_people_and_for_programs(tmp_path: Path) -> None:
    printed = overland("bench-mails", "--plies", "1", "--json", environ=environment(tmp_path, TMPDIR=str(tmp_path)))
    assert printed.returncode == 0, printed.stderr
    assert json.loads(printed.stdout.splitlines()[-1])["turns"] == 1
