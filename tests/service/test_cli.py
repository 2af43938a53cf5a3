"""The `overland` command offers the tools where they are installed, and says what they need."""

from __future__ import annotations

import ast
import importlib.util
import re
import subprocess
import sys
import tomllib
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
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


def test_a_shell_is_offered_the_commands_of_a_group_that_lists_by_itself() -> None:
    completed = ShellComplete(main, {}, "overland", "_OVERLAND_COMPLETE").get_completions(["outbox"], "")
    assert {each.value for each in completed} == {"bounced", "list", "retry"}


@pytest.mark.parametrize("arguments", [("config",), ("--help",), ("components", "show", "oregon")])
def test_what_cannot_be_printed_ends_the_command_with_a_sentence(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        run = [sys.executable, "-m", "service.cli", *arguments]
        ended = subprocess.run(run, cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True, timeout=600, check=False)
    said = "The command has ended: No space left on device.\n"
    assert (ended.returncode, ended.stderr) == (2, said)


@pytest.mark.parametrize("command", [("run",), ("restore", __file__), ("move", "--to", "sqlite:////new.sqlite")])
def test_a_data_folder_that_cannot_be_locked_is_named(tmp_path: Path, command: tuple[str, ...]) -> None:
    lock = tmp_path / "overland.lock"
    lock.mkdir()
    ended = CliRunner(env={"OVERLAND_DATA_DIR": str(tmp_path)}).invoke(main, list(command))
    said = f"The data folder cannot be used: Is a directory: {lock}. OVERLAND_DATA_DIR says where it is.\n"
    assert (ended.exit_code, ended.stderr) == (2, said)


def test_a_group_without_a_command_lists_also_after_the_end_of_the_options(tmp_path: Path) -> None:
    for arguments in ((), ("--",)):
        listed = CliRunner(env={"OVERLAND_DATA_DIR": str(tmp_path)}).invoke(main, ["outbox", *arguments])
        assert (listed.exit_code, "There is no database" in listed.output) == (2, True)


@pytest.mark.parametrize("command", ["components", "game", "verify"])
def test_what_needs_no_service_runs_on_systems_that_are_no_unix(command: str) -> None:
    without = "import sys; sys.modules.update(dict.fromkeys(('fcntl', 'pwd', 'resource')))\n"
    run = [sys.executable, "-c", f"{without}from service.cli import main; main()", command, "--help"]
    assert subprocess.run(run, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False).returncode == 0


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
