"""The `overland` command offers the tools where they are installed, and says what they need."""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import COMMANDS, TOOLS, TOOLS_NEED, main

ROOT = Path(__file__).parents[2]


def overland(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments))


def offered(result: Result) -> set[str]:
    """The names in the lists of the help."""
    return set(re.findall(r"^  ([a-z][a-z-]*)  ", result.output, re.MULTILINE))


@pytest.fixture
def without_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in the image, which lacks the folder."""
    find_spec = importlib.util.find_spec

    def found(name: str, package: str | None = None) -> ModuleSpec | None:
        return None if name.partition(".")[0] == "tools" else find_spec(name, package)

    monkeypatch.setattr(importlib.util, "find_spec", found)


def test_commands_and_tools_are_offered() -> None:
    assert offered(overland("--help")) == {*COMMANDS, *TOOLS}


def test_without_the_tools_only_the_commands_are_offered(without_tools: None) -> None:
    shown = overland("--help")
    assert offered(shown) == set(COMMANDS)
    assert "Tools" not in shown.output
    for tool in TOOLS:
        refused = overland(tool)
        assert refused.exit_code == 2
        assert f"No such command '{tool}'" in refused.output


@pytest.mark.parametrize("tool", TOOLS)
def test_each_tool_explains_itself(tool: str) -> None:
    explained = overland(tool, "--help")
    assert explained.exit_code == 0, explained.output
    assert explained.output.startswith(f"Usage: main {tool}")


@pytest.mark.parametrize(
    ("tool", "needed"), [("soak", "psutil"), ("bench", "psutil"), ("first-turn", "psutil"), ("demo", "rich")]
)
def test_what_a_tool_needs_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tool: str, needed: str) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] in ("tools", needed)]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, needed, None)
    refused = overland(tool)
    assert refused.exit_code == 1
    assert refused.output.strip() == (
        f"Error: overland {tool} needs {needed}, which is not installed: pip install 'overland[tools]'."
    )


def test_what_the_tools_need_is_what_they_import_and_the_service_does_not() -> None:
    tools = imported("tools") - {"pytest", "hypothesis"}  # of the mutants, which are no command
    needed = tools - imported("engine", "service", "workers") - sys.stdlib_module_names
    assert needed == {*TOOLS_NEED}
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]["tools"]
    assert {re.match(r"[a-z]+", each)[0] for each in extra} == {*TOOLS_NEED}  # type: ignore[index]


def imported(*folders: str) -> set[str]:
    """The packages whose modules the files of these folders import, and our own."""
    found = {"engine", "service", "workers", "tools"}
    for file in (file for folder in folders for file in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            found |= {name.partition(".")[0] for name in names}
    return found


def test_the_image_does_not_hold_the_tools() -> None:
    copied = re.findall(r"^COPY (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert copied
    assert not any("tools" in line.split() for line in copied)
    assert "!tools" not in (ROOT / ".dockerignore").read_text().splitlines()
