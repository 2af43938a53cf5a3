"""The commands of the README and of the guide to the API run, in their order and in one shell,
against a service of the test.

Blocks of ``sh`` are what a reader pastes: they run unchanged, except that ``http://127.0.0.1:8000``
is the test's service. A block of ``json`` after one is its last answer: the real answer has the
same names, and further ones only where the README shows "…". Lines of ``console`` blocks begin with
``$``: what make does is run by other tests, so its target has to exist; the rest is run without
input.
"""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tools.launch import running

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARK = "=== the end of a block ==="


README, GUIDE = ROOT / "README.md", ROOT / "docs" / "api.md"


def blocks(file: Path, *languages: str) -> list[tuple[str, str]]:
    """The blocks of a file in these languages, each with its language."""
    found = BLOCK.findall(file.read_text(encoding="utf-8"))
    return [(language, text) for language, text in found if language in languages]


def commands() -> list[str]:
    """What follows the prompts."""
    lines = [line for _, text in blocks(README, "console") for line in text.splitlines() if line.startswith("$ ")]
    return [line[2:].partition(" # ")[0].strip() for line in lines]


def answers_of(file: Path, folder: Path) -> list[tuple[str, str]]:
    """What each block of ``sh`` writes, and the ``json`` that the file shows after it."""
    shown = [(text, "") for language, text in blocks(file, "sh", "json") if language == "sh"]
    listed = blocks(file, "sh", "json")
    for number, (language, text) in enumerate(listed):
        if language == "json":
            place = [one for one, _ in listed[: number + 1]].count("sh") - 1
            shown[place] = (shown[place][0], text)
    with running(folder) as service:
        script = f"\necho '{MARK}'\n".join(text for text, _ in shown)
        done = subprocess.run(
            ["bash", "-c", script.replace("http://127.0.0.1:8000", service.url)],
            env=service.environ,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    said = done.stdout.split(MARK)
    return [(text, json_shown) for text, (_, json_shown) in zip(said, shown, strict=True)]


@pytest.fixture(scope="module")
def readme(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    return answers_of(README, tmp_path_factory.mktemp("readme"))


@pytest.fixture(scope="module")
def guide(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    return answers_of(GUIDE, tmp_path_factory.mktemp("guide"))


def test_the_first_screen_starts_the_service_and_plays() -> None:
    first = README.read_text(encoding="utf-8").splitlines()[:50]
    assert "$ make run" in "\n".join(first)
    assert "/turns" in "\n".join(first)
    assert ".venv/bin/python -m engine oregon" in commands()


def test_the_lines_of_the_readme_lead_to_an_accepted_turn(readme: list[tuple[str, str]]) -> None:
    assert last_line(readme[0][0])["status"] == "accepted"


def test_the_five_requests_of_the_guide_lead_to_an_accepted_turn(guide: list[tuple[str, str]]) -> None:
    assert last_line(guide[-1][0])["status"] == "accepted"


@pytest.mark.parametrize("file", ["readme", "guide"])
def test_the_answers_have_the_names_that_are_shown(file: str, request: pytest.FixtureRequest) -> None:
    shown_ones = [(said, shown) for said, shown in request.getfixturevalue(file) if shown]
    assert shown_ones
    for said, shown in shown_ones:
        real, expected = last_line(said), json.loads(shown)
        if "…" in expected:
            assert set(expected) - {"…"} <= set(real)
        else:
            assert set(expected) == set(real)


def test_every_other_command_exists_and_runs() -> None:
    for command in commands():
        if command.startswith("make "):
            subprocess.run(["make", "--dry-run", *command.split()[1:]], cwd=ROOT, check=True, capture_output=True)
        else:
            subprocess.run(command.split(), cwd=ROOT, check=True, capture_output=True, stdin=subprocess.DEVNULL)


def last_line(text: str) -> Any:
    """The JSON in the last line that has any text."""
    return json.loads(text.strip().splitlines()[-1])
