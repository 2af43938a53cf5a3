"""The README's commands run, in its order and in one shell, against a service of the test.

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


def blocks(*languages: str) -> list[tuple[str, str]]:
    """The blocks of the README in these languages, each with its language."""
    found = BLOCK.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    return [(language, text) for language, text in found if language in languages]


def commands() -> list[str]:
    """What follows the prompts."""
    lines = [line for _, text in blocks("console") for line in text.splitlines() if line.startswith("$ ")]
    return [line[2:].partition(" # ")[0].strip() for line in lines]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """What each block of ``sh`` writes, and the ``json`` that the README shows after it."""
    shown = [(text, "") for language, text in blocks("sh", "json") if language == "sh"]
    listed = blocks("sh", "json")
    for number, (language, text) in enumerate(listed):
        if language == "json":
            place = [one for one, _ in listed[: number + 1]].count("sh") - 1
            shown[place] = (shown[place][0], text)
    folder = tmp_path_factory.mktemp("readme")
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


def test_the_first_screen_starts_the_service_and_plays() -> None:
    first = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()[:50]
    assert "$ make run" in "\n".join(first)
    assert "/turns" in "\n".join(first)
    assert ".venv/bin/python -m engine oregon" in commands()


def test_the_lines_of_the_readme_lead_to_an_accepted_turn(answers: list[tuple[str, str]]) -> None:
    assert last_line(answers[0][0])["status"] == "accepted"


def test_the_answers_have_the_names_that_the_readme_shows(answers: list[tuple[str, str]]) -> None:
    for said, shown in answers:
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
