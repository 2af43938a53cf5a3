"""The README's commands run, in its order and in one shell, against a service of the test.

Commands are the lines of ```console blocks that begin with `$ ` (a line ending in `\\` goes on).
The shell has `OVERLAND_TOKEN`, the token of a confirmed player whose turn it is, and `MATCH` and
`PLY` of that match; `http://127.0.0.1:8000` stands for the service. What make does is run by other
tests: here the target has to exist. Where the README shows JSON as the answer, the real answer is
JSON with the same names.
"""

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.running import Running, free_port
from tools.client import Service, sign_up, sit_down

ROOT = Path(__file__).parent.parent.parent
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
SHOWN_ONLY = ("git", "cd", "docker", "cp")
"""What a reader does to get here, or needs what a test does not have."""
Step = tuple[str, str]
"""A command, and what the README shows as its output."""


def steps() -> list[Step]:
    found: list[Step] = []
    for block in BLOCK.findall((ROOT / "README.md").read_text()):
        for part in re.split(r"^\$ ", block.replace("\\\n", " "), flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command.partition(" # ")[0].strip(), output.strip()))
    return found


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[dict[str, str]]:
    with Running(tmp_path / "data", free_port()) as service:
        stranger = Service(service.url)
        players = [sign_up(stranger, name) for name in ("Ann", "Bela")]
        match_id = sit_down(stranger, "oregon", players, "From the README")
        match = stranger.get(f"/v1/matches/{match_id}")
        first = next(seat["seat"] for seat in match["seats"] if seat["to_act"])
        yield {
            **service.environ,
            "OVERLAND_TOKEN": players[first].token,
            "MATCH": match_id,
            "PLY": str(match["ply"]),
            "URL": service.url,
        }


def test_the_readme_shows_the_two_commands() -> None:
    commands = [command for command, _ in steps()]
    assert "make run" in commands
    assert "make demo" in commands


def test_every_command_of_the_readme_works(shell: dict[str, str]) -> None:
    for command, output in steps():
        if command.split()[0] in SHOWN_ONLY:
            continue
        if command.startswith("make "):
            subprocess.run(["make", "--dry-run", *command.split()[1:]], cwd=ROOT, check=True, capture_output=True)
            continue
        local = re.sub(r"http://(?:127\.0\.0\.1|localhost):8000", shell["URL"], command)
        done = subprocess.run(
            ["bash", "-c", local],
            cwd=ROOT,
            env=shell | {"PATH": f"{ROOT}/.venv/bin:{shell['PATH']}"},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}\n{done.stdout}"
        if (shown := _json(output)) is not None:
            real = _json(done.stdout)
            assert real is not None, f"{command} answered {done.stdout!r}"
            assert _names(real) == _names(shown), command


def _json(text: str) -> Any:
    """The JSON that ends a text, after the head of an HTTP answer if there is one; None where there
    is none.
    """
    body = re.split(r"\r?\n\r?\n", text.strip(), maxsplit=1)[-1] if text.startswith("HTTP/") else text
    try:
        return json.loads(body)
    except ValueError:
        return None


def _names(document: Any) -> Any:
    return sorted(document) if isinstance(document, dict) else type(document).__name__
