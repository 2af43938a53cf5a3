"""Runs the tests once and records which of them calls which function of the mutated files."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tools.mutants.tree import OWN, enter

Function = tuple[str, int]
"""A file of the tree and the first line of one of its functions."""
OPTIONS = (
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:xdist",
    "--no-header",
    "-m",
    "not deep",
    "-k",
    "not postgresql",
)
"""The quick tests have to detect the mutants, those on PostgreSQL left out."""
SLOWEST = 15.0
"""Tests that take more seconds, traced, are not used: they would run for too many mutants."""

REMEMBERING = frozenset({"service/api/shapes.py"})
"""Files whose cached functions give one object for one thing: these caches are never emptied."""


@dataclass(frozen=True, slots=True)
class Traced:
    """The seconds of each test, the tests that call each function, the failed tests, and the
    imported libraries.
    """

    seconds: dict[str, float]
    calls: dict[Function, frozenset[str]]
    failed: tuple[str, ...]
    modules: tuple[str, ...]


def trace(tree: Path, files: list[str], tests: list[str], answer: Path) -> None:
    """Runs the tests of a tree in this process, which must end afterwards, and writes what they
    call as JSON into ``answer``.
    """
    os.chdir(tree)
    enter(tree)
    plugin = _Tracer(tree, frozenset(files))
    with_output = answer.with_suffix(".txt").open("w")
    sys.stdout = sys.stderr = with_output
    pytest.main(
        [*OPTIONS, f"--rootdir={tree}", f"--basetemp={tree.with_name(answer.stem)}", *tests],
        plugins=[plugin, Steady()],
    )
    modules = [name for name in sys.modules if name.partition(".")[0] not in OWN]
    calls = [[file, line, sorted(names)] for (file, line), names in plugin.calls.items()]
    answer.write_text(
        json.dumps({"seconds": plugin.seconds, "calls": calls, "failed": plugin.failed, "modules": modules})
    )


def read(answers: list[Path]) -> Traced:
    """Merges the results of several runs. Raises ``SystemExit`` where a run gave none."""
    seconds: dict[str, float] = {}
    calls: dict[Function, set[str]] = defaultdict(set)
    failed: list[str] = []
    modules: dict[str, None] = {}
    for answer in answers:
        if not answer.exists():
            raise SystemExit(f"The tests could not be traced:\n{answer.with_suffix('.txt').read_text()[-3000:]}")
        document = json.loads(answer.read_text())
        seconds |= document["seconds"]
        failed += document["failed"]
        modules |= dict.fromkeys(document["modules"])
        for file, line, names in document["calls"]:
            calls[file, line].update(names)
    return Traced(
        seconds, {function: frozenset(names) for function, names in calls.items()}, tuple(failed), tuple(modules)
    )


class Steady:
    """A pytest plugin that makes property tests deterministic."""

    def pytest_configure(self) -> None:
        from hypothesis import settings

        settings.register_profile("mutants", derandomize=True, database=None, deadline=None)
        settings.load_profile("mutants")


class _Tracer:
    """A pytest plugin that records the called functions, test by test."""

    def __init__(self, tree: Path, files: frozenset[str]) -> None:
        self.calls: dict[Function, set[str]] = defaultdict(set)
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []
        self._files = {str(tree / file): file for file in files}
        self._forgetful = {str(tree / file) for file in files if file not in REMEMBERING}
        self._seen: set[Function] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[Any]:
        self._seen = set()
        self._forget()
        threading.settrace(self._called)
        sys.settrace(self._called)
        try:
            return (yield)
        finally:
            sys.settrace(None)
            threading.settrace(None)
            for function in self._seen:
                self.calls[function].add(item.nodeid)

    def _forget(self) -> None:
        """Empties the caches of the mutated files: what a cached function calls is then noted for
        every test that needs it, not for the first alone.
        """
        for name in [name for name in sys.modules if name.partition(".")[0] in OWN]:
            for value in vars(sys.modules[name]).values():
                if isinstance(value, _lru_cache_wrapper) and value.__wrapped__.__code__.co_filename in self._forgetful:
                    value.cache_clear()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] = self.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failed.append(report.nodeid)

    def _called(self, frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        file = self._files.get(code.co_filename)
        if file is not None:
            self._seen.add((file, code.co_firstlineno))
