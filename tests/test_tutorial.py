"""``docs/adding-a-game.md`` agrees with Connect Four, which is installed and tested here."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine import registry
from tests.installed import EXAMPLE, install, install_with_pip
from tools.installed import at_hand

PAGE = (Path(__file__).parent.parent / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^`([\w/.]+)`:\n\n```\w+\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
"""The files on the page, by name; ``[...]`` on a line of its own stands for what is left out."""
FILES = sorted(
    str(file.relative_to(EXAMPLE))
    for file in (EXAMPLE / "pyproject.toml", *(EXAMPLE / "connect_four").glob("*.*"), *(EXAMPLE / "tests").glob("*.py"))
)


def assert_quoted(shown: str, whole: str) -> None:
    """The shown parts are in the text, in this order, and nothing is left out except where it says
    so.
    """
    parts = [part.strip("\n") for part in shown.split("[...]\n")]
    at = 0
    for part in parts:
        found = whole.find(part, at)
        assert found >= 0, f"this is not there, or not in that place:\n{part}"
        at = found + len(part)
    assert whole.startswith(parts[0])
    assert whole.rstrip("\n").endswith(parts[-1])


def test_every_file_of_the_package_is_on_the_page() -> None:
    assert sorted(SHOWN) == FILES


@pytest.mark.parametrize("file", FILES)
def test_the_page_agrees_with_the_file(file: str) -> None:
    assert_quoted(SHOWN[file], (EXAMPLE / file).read_text(encoding="utf-8"))
    assert "[...]" not in SHOWN[file] or file.startswith("tests/")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    install(EXAMPLE, tmp_path / "site")
    return tmp_path / "site"


def test_the_package_that_pip_builds_is_complete_and_passes_the_checks(tmp_path: Path, site: Path) -> None:
    built = tmp_path / "built"
    install_with_pip(EXAMPLE, built, tmp_path / "work")
    assert contents(built / "connect_four") == contents(site / "connect_four")
    checked = subprocess.run(
        [sys.executable, "-m", "service.cli", "game", "check", "connect_four", "--matches", "1", "--seed", "a"],
        env={"PYTHONPATH": f"{built}:{EXAMPLE.parent.parent}"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert checked.stdout.endswith("The game keeps the contract.\n"), checked.stdout + checked.stderr


def contents(folder: Path) -> dict[str, bytes]:
    """The files in a folder by name, without compiled modules."""
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


def test_the_match_on_the_page_agrees_with_the_terminal(site: Path) -> None:
    found = re.search(r"\$ printf '%s\\n' ([a-z ]+) \| python -m engine connect_four\n(.*?)```$", PAGE, re.M | re.S)
    assert found is not None
    played = subprocess.run(
        [sys.executable, "-m", "engine", "connect_four"],
        input="\n".join(found[1].split()) + "\n",
        env={"PYTHONPATH": f"{site}:{EXAMPLE.parent.parent}"},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    assert_quoted(found[2], played.stdout.removeprefix("\n"))


def test_the_commands_of_the_page_that_raise_a_version_work_in_a_separate_package(site: Path) -> None:
    recipe = re.search(r"```sh\n(cd connect_four\n.*?)```", PAGE, re.DOTALL)
    assert recipe is not None
    shutil.rmtree(site / "connect_four" / "__pycache__", ignore_errors=True)
    subprocess.run(["sh", "-e", "-c", recipe[1]], cwd=site, check=True)
    with at_hand(site):
        assert registry.refused() == ()
        versions = registry.versions("connect_four")
        assert {number: game.apply.__module__ for number, game in versions.items()} == {
            2: "connect_four.apply",
            1: "connect_four.v1.apply",
        }
