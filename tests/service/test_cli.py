"""The `overland` command offers the tools where they are installed, and says what they need."""

from __future__ import annotations

import importlib.util
import re
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from service.cli import COMMANDS, TOOLS, main

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


@pytest.mark.parametrize(("tool", "needed"), [("soak", "psutil"), ("bench", "psutil"), ("first-turn", "psutil")])
def test_what_a_tool_needs_is_said_in_a_sentence(monkeypatch: pytest.MonkeyPatch, tool: str, needed: str) -> None:
    for module in [name for name in sys.modules if name.partition(".")[0] in ("tools", "psutil")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, needed, None)
    refused = overland(tool)
    assert refused.exit_code == 1
    assert refused.output.strip() == (
        f"Error: overland {tool} needs {needed}, which is not installed: pip install 'overland[tools]'."
    )


def test_the_image_does_not_hold_the_tools() -> None:
    copied = re.findall(r"^COPY (.*)$", (ROOT / "Dockerfile").read_text(), re.MULTILINE)
    assert copied
    assert not any("tools" in line.split() for line in copied)
    assert "!tools" not in (ROOT / ".dockerignore").read_text().splitlines()
