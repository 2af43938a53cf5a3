"""The programs that ``overland run`` starts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from service.config import load
from workers.run import programs


def parts(tmp_path: Path, **settings: str) -> Counter[str]:
    environ = {"OVERLAND_DATA_DIR": str(tmp_path)} | settings
    return Counter(program.name.partition("-")[0] for program in programs(load(environ)))


def test_two_workers_handle_mails_and_none_where_none_come_in(tmp_path: Path) -> None:
    assert parts(tmp_path, OVERLAND_MAIL_IN="lmtp://127.0.0.1:8025")["messages"] == 2
    assert parts(tmp_path, OVERLAND_MAIL_IN="off")["messages"] == 0
    assert parts(tmp_path, OVERLAND_MAIL_IN="off")["listener"] == 0
    assert parts(tmp_path, OVERLAND_TURN_WORKERS="3")["turns"] == 3


def test_no_two_programs_have_one_name(tmp_path: Path) -> None:
    found = tuple(programs(load({"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_NOTICE_WORKERS": "3"})))
    assert len({program.name for program in found}) == len(found)
