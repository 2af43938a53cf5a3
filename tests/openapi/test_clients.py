"""Clients that are generated from the description play whole matches of every game against the real
service, with all types checked and no cast.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from engine import registry
from tests import missing
from tests.openapi import npm
from tools.client import Client, sign_up
from tools.launch import running

pytestmark = pytest.mark.deep

PLAYED = r"{game}: [1-9]\d* turns of one action, [1-9]\d* entries, .*scores .*: .+\."
WITHOUT_MODELS = {"/v1/matches/{match}/board.svg", "/v1/matches/{match}/board.png"}
"""What the generator for Python leaves out: pictures."""


@dataclass(frozen=True, slots=True)
class Table:
    """A service with two players."""

    url: str
    tokens: tuple[str, str]


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    with running(tmp_path_factory.mktemp("service"), OVERLAND_RATE_LIMIT="off") as service:
        client = Client(service.url)
        yield Table(service.url, (sign_up(client, "Ada").token, sign_up(client, "Bela").token))


def python(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "PYTHONPATH": str(folder), "HOME": str(folder)},
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )


@pytest.fixture(scope="module")
def in_python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a client that openapi-python-client has generated, and the program."""
    folder = tmp_path_factory.mktemp("python")
    options = ("--path", str(npm.DOCUMENT), "--output-path", str(folder / "overland_client"), "--meta", "none")
    config = ("--config", str(npm.CLIENTS / "python.yaml"))
    made = python("-m", "openapi_python_client", "generate", *options, *config, folder=folder)
    if "No module named openapi_python_client" in made.stderr:
        missing.skip("openapi-python-client is not installed: `make .venv/installed-for-deep`")
    assert made.returncode == 0, made.stderr + made.stdout
    warned = re.findall(r"^WARNING parsing (?:[A-Z]+) (\S+)", made.stderr + made.stdout, re.MULTILINE)
    assert set(warned) == WITHOUT_MODELS
    shutil.copy(npm.CLIENTS / "play.py", folder)
    return folder


@pytest.fixture(scope="module")
def in_typescript(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the types that openapi-typescript has generated, and the program."""
    folder = tmp_path_factory.mktemp("typescript")
    (folder / "node_modules").symlink_to(npm.packages())
    for name in ("play.ts", "package.json", "tsconfig.json"):
        shutil.copy(npm.CLIENTS / name, folder)
    made = npm.run("openapi-typescript", npm.DOCUMENT, "-o", folder / "overland.ts")
    assert made.returncode == 0, made.stderr + made.stdout
    return folder


def test_mypy_finds_no_error_in_the_client_and_the_program(in_python: Path) -> None:
    checked = python("-m", "mypy", "--strict", "--config-file=", "play.py", "overland_client", folder=in_python)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_tsc_finds_no_error_in_the_types_and_the_program(in_typescript: Path) -> None:
    checked = npm.run("tsc", "-p", "tsconfig.json", folder=in_typescript)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_programs_silence_no_checker() -> None:
    for name in ("play.py", "play.ts"):
        text = re.sub(r"//.*|/\*.*?\*/|\"{3}.*?\"{3}", "", (npm.CLIENTS / name).read_text(encoding="utf-8"), flags=re.S)
        code = "\n".join(line for line in text.splitlines())
        assert not re.search(r"\bas\b|\bany\b|\bAny\b|\bcast\b|type: ignore|@ts-|getattr", code), name


@pytest.mark.parametrize("game", registry.games())
def test_the_client_in_python_plays_a_whole_match(in_python: Path, table: Table, game: str) -> None:
    played = python("play.py", table.url, game, *table.tokens, folder=in_python)
    assert played.returncode == 0, played.stderr
    assert re.fullmatch(PLAYED.format(game=game), played.stdout.strip()), played.stdout


@pytest.mark.parametrize("game", registry.games())
def test_the_client_in_typescript_plays_a_whole_match(in_typescript: Path, table: Table, game: str) -> None:
    played = npm.run_node(in_typescript / "play.ts", table.url, game, *table.tokens)
    assert played.returncode == 0, played.stderr
    assert re.fullmatch(PLAYED.format(game=game), played.stdout.strip()), played.stdout
