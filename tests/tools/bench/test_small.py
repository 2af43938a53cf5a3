"""`overland bench-small`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests import missing
from tools.debian import why_forbidden, why_missing
from tools.launch import environment, overland

pytestmark = pytest.mark.deep


def test_what_a_small_machine_carries_is_printed(tmp_path: Path) -> None:
    if reason := why_missing():
        missing.skip(reason)
    if reason := why_forbidden():
        missing.forbidden(reason)
    printed = overland("bench-small", "--matches", "1", environ=environment(tmp_path))
    assert printed.returncode == 0, printed.stderr
    found = re.fullmatch(
        r"All matches were over after \d+ s: (\d+) turns, (\d+) mails, \d+ s of processor\.\n"
        r"Memory held, MB of 482: (\d+) idle, (\d+) at most\.\n",
        printed.stdout,
    )
    assert found is not None, printed.stdout
    turns, mails, idle, most = map(int, found.groups())
    assert turns > 0
    assert mails > 0
    assert 0 < idle <= most < 482
