"""The game of the tutorial, installed as a package of its own, in real processes: at a running
service, at the terminal, in a simulation and under the contract's checks.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.installed import EXAMPLE, install
from tools.launch import environment, overland, running

pytestmark = pytest.mark.deep

ROOT = EXAMPLE.parent.parent


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the package is installed."""
    folder = tmp_path_factory.mktemp("site")
    install(EXAMPLE, folder)
    return folder


def path_to(site: Path) -> str:
    """What is searched for modules: where the package is installed, and Overland itself."""
    return f"{site}:{ROOT}"


def test_players_play_a_whole_match_of_it_at_a_running_service(tmp_path: Path, site: Path) -> None:
    with running(tmp_path, PYTHONPATH=path_to(site)) as service:
        wanted = ("--url", service.url, "--game", "connect_four", "--players", "2", "--seed", "a test")
        demo = overland("demo", *wanted, "--record", str(tmp_path / "record.json"), environ=service.environ)
        assert demo.returncode == 0, demo.stderr + demo.stdout + service.output()
        assert "Four discs lie in a row." in demo.stdout
        verified = overland("verify", str(tmp_path / "record.json"), environ=service.environ)
        assert verified.returncode == 0, verified.stderr
        assert "Traceback" not in service.output()


def test_it_keeps_the_contract_and_a_simulation_finds_nothing(tmp_path: Path, site: Path) -> None:
    environ = environment(tmp_path, PYTHONPATH=path_to(site))
    listed = overland("game", "list", environ=environ)
    assert "connect_four  2        1      connect_four 1.0\n" in listed.stdout
    checked = overland("game", "check", "connect_four", "--seed", "a", environ=environ)
    assert checked.returncode == 0, checked.stdout
    assert "FAIL" not in checked.stdout
    assert checked.stdout.endswith("The game keeps the contract.\n")
    simulated = overland("simulate", "connect_four", "--matches", "20", environ=environ)
    assert simulated.returncode == 0, simulated.stderr


def test_it_is_played_at_one_keyboard(tmp_path: Path, site: Path) -> None:
    played = subprocess.run(
        [sys.executable, "-m", "engine", "connect_four", "--seed", "a"],
        input="d\nc\nd\nc\nd\nc\nd\nquit\n",
        env=environment(tmp_path, PYTHONPATH=path_to(site)),
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert "Red drops a disc into column d. Red has four in a row." in played.stdout
    assert played.stdout.endswith("Four discs lie in a row.\n1. Red: 1\n2. Yellow: 0\n")


def test_its_own_tests_pass(tmp_path: Path, site: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(EXAMPLE), str(EXAMPLE)],
        env=environment(tmp_path, PYTHONPATH=path_to(site)),
        cwd=EXAMPLE,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout
