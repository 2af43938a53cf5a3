"""`make install`, with a Python that only writes down what it is asked to do: which one is taken,
what is repeated, and what is said.
"""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
TOOLS = ("sh", "make", "rm", "touch", "mkdir", "cat", "chmod", "echo", "awk", "env", "printf")
PYTHON = """#!/bin/sh
case "$1 $2" in
  "-c import sys"*) exit {old} ;;
  "-c import ensurepip") exit {ensurepip} ;;
  "-m pip") [ "$3" = --version ] && exit {pip}; echo "{name} $*" >> {log} ;;
  "-m venv") echo "{name} $*" >> {log}
    mkdir -p .venv/bin
    printf '#!/bin/sh\\necho "venv $*" >> {log}\\n' > .venv/bin/python
    chmod +x .venv/bin/python ;;
esac
"""


class Bare:
    """A machine with nothing but make and a shell, and the Pythons a test puts there."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.tree, self.log_file = folder / "bin", folder / "tree", folder / "log"
        self.bin.mkdir()
        self.tree.mkdir()
        for tool in TOOLS:
            if found := shutil.which(tool):
                (self.bin / tool).symlink_to(found)
        for name in ("Makefile", "pyproject.toml", "constraints.txt"):
            shutil.copy(ROOT / name, self.tree / name)

    def python(self, name: str, *, old: bool = False, ensurepip: bool = True, pip: bool = False) -> None:
        script = PYTHON.format(
            name=name, log=self.log_file, old=int(old), ensurepip=int(not ensurepip), pip=int(not pip)
        )
        (self.bin / name).write_text(script)
        (self.bin / name).chmod(0o755)

    def make(self, target: str) -> subprocess.CompletedProcess[str]:
        environ = {"PATH": str(self.bin), "HOME": str(self.tree)}
        return subprocess.run(
            ["make", target], cwd=self.tree, env=environ, capture_output=True, text=True, timeout=60, check=False
        )

    def log(self) -> list[str]:
        return self.log_file.read_text().splitlines() if self.log_file.exists() else []


@pytest.fixture
def machine(tmp_path: Path) -> Bare:
    return Bare(tmp_path)


def test_a_machine_without_python_is_told_what_is_needed(machine: Bare) -> None:
    made = machine.make("install")
    assert made.returncode != 0
    assert "Overland needs Python 3.11 or newer" in made.stderr


def test_an_old_python_is_passed_over(machine: Bare) -> None:
    machine.python("python3", old=True)
    assert "Overland needs Python 3.11 or newer" in machine.make("install").stderr
    machine.python("python3.12")
    assert machine.make("install").returncode == 0
    assert machine.log()[0] == "python3.12 -m venv .venv"


def test_a_python_that_cannot_make_environments_is_told_how_to_learn_it(machine: Bare) -> None:
    machine.python("python3", ensurepip=False)
    made = machine.make("install")
    assert made.returncode != 0
    assert "apt install python3-venv" in made.stderr
    assert not (machine.tree / ".venv").exists()


def test_a_pip_from_outside_is_used_for_a_python_without_ensurepip(machine: Bare) -> None:
    machine.python("python3", ensurepip=False, pip=True)
    assert machine.make("install").returncode == 0
    assert machine.log()[:2] == [
        "python3 -m venv --without-pip .venv",
        "python3 -m pip --quiet --python .venv/bin/python install pip",
    ]


def test_it_installs_once_and_again_only_when_the_requirements_change(machine: Bare) -> None:
    machine.python("python3")
    for _ in range(2):
        assert machine.make("install").returncode == 0
    installs = [line for line in machine.log() if " install " in line]
    assert len(installs) == 1
    stamp = machine.tree / ".venv" / "installed-for-running"
    later = stamp.stat().st_mtime + 10
    os.utime(machine.tree / "constraints.txt", (later, later))
    machine.make("install")
    assert len([line for line in machine.log() if " install " in line]) == 2


def test_running_installs_no_test_tools(machine: Bare) -> None:
    machine.python("python3")
    machine.make("install")
    assert not any("[test]" in line for line in machine.log())
    machine.make(".venv/installed-for-testing")
    assert machine.log()[-1].endswith("--constraint constraints.txt --editable .[test]")
