"""One running service per data folder."""

import subprocess
import sys
from pathlib import Path

import pytest

from service.commands.databases import Taken, exclusive
from tests.service.fakes import Timer

HOLD = (
    "import sys, pathlib; from service.commands.databases import exclusive\nwith exclusive(pathlib.Path(sys.argv[1])):"
    " print('held', flush=True); sys.stdin.read()"
)


def test_a_second_service_on_the_same_folder_is_refused_with_the_first_ones_number(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as first:
        assert first.stdout is not None
        assert first.stdout.readline() == "held\n"
        with pytest.raises(Taken, match=rf"already running on .* \(process {first.pid}\)"), exclusive(tmp_path):
            pass
        assert first.stdin is not None
        first.stdin.close()


def test_the_folder_is_free_again_when_the_service_has_ended(tmp_path: Path) -> None:
    for _ in range(2):
        with exclusive(tmp_path) as handle:
            assert handle > 2


def test_a_start_waits_for_the_children_of_a_killed_service(tmp_path: Path) -> None:
    child = "import os, subprocess, sys, pathlib; from service.commands.databases import exclusive\n"
    child += "with exclusive(pathlib.Path(sys.argv[1])) as handle:\n"
    child += (
        " subprocess.Popen([sys.executable, '-c', 'import time; print(1, flush=True); time.sleep(0.5)'],"
        " pass_fds=[handle]); os._exit(1)"
    )
    subprocess.run([sys.executable, "-c", child, str(tmp_path)], check=False, stdout=subprocess.DEVNULL)
    with exclusive(tmp_path, Timer()) as handle:
        assert handle > 2


def test_children_that_never_end_are_named_as_the_reason(tmp_path: Path) -> None:
    with exclusive(tmp_path):
        (tmp_path / "overland.lock").write_text("")
        with pytest.raises(Taken, match="Processes of an earlier run still hold"), exclusive(tmp_path, Timer(8)):
            pass


def test_a_folder_on_a_full_disk_can_be_locked(tmp_path: Path) -> None:
    (tmp_path / "overland.lock").symlink_to("/dev/full")
    with exclusive(tmp_path) as handle:
        assert handle > 2
