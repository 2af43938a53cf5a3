"""Tries one mutant: writes it into a private copy of the tree and runs the tests that call it.

The tests run in a fork of this process, which has imported all libraries: most mutants then take
about a second. A child that takes too long is killed, and its mutant counts as killed.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from tools.mutants.parts import Stratum
from tools.mutants.sources import ANOTHER_TEXT, Mutant
from tools.mutants.trace import OPTIONS, SLOWEST, Steady, Traced
from tools.mutants.tree import enter

FIRST = 25
"""The number of tests tried first: they mostly suffice, and import less than all."""
LONGEST = 90.0
"""The most seconds of tests, by their traced time, to run against one mutant."""
CATALOGUE = "tests/service/test_texts.py::test_the_template_for_translators_has_every_sentence_of_the_source"
"""Reads the sentences of the service in its source."""
DOCUMENT = "tests/service/api/test_document.py::test_the_file_in_the_repository_is_equal_to_the_code"
"""Reads what the API is described from: texts, limits and shapes, mostly outside of functions."""
_fork = multiprocessing.get_context("fork")


def killed(mutant: Mutant, tree: Path, tests: list[str], traced: Traced) -> bool:
    """Whether one of the tests detects the mutant."""
    path = tree / mutant.file
    original = path.with_name(f"{path.name}.original")
    shutil.copy2(path, original)
    try:
        path.write_text(mutant.source, encoding="utf-8")
        return any(
            _fails(tree, batch, sum(traced.seconds[test] for test in batch))
            for batch in (tests[:FIRST], tests[FIRST:])
            if batch
        )
    finally:
        original.replace(path)


def judges(mutant: Mutant, part: Stratum, tree: Path, traced: Traced) -> list[str]:
    """The tests to run against a mutant, in order: those named like its file, then cheap before
    expensive ones, up to ``LONGEST`` seconds.

    Code outside of functions, and functions called there, run during imports, and a cached function
    runs only once: for these, all tests of the part are used. What reads all texts, and the whole
    description of the API, is run in any case where the mutant may concern it.
    """
    files = set(part.tests)
    mine = [test for test in traced.seconds if test.partition("::")[0] in files]
    called = traced.calls.get((mutant.file, mutant.function), frozenset())
    if called and not _is_cached(mutant):
        mine = [test for test in mine if test in called]
    stem = Path(mutant.file).stem
    mine.sort(key=lambda test: (f"test_{stem}" not in test.partition("::")[0], traced.seconds[test], test))
    chosen: list[str] = []
    spent = 0.0
    for test in mine:
        if traced.seconds[test] <= SLOWEST and spent <= LONGEST:
            chosen.append(test)
            spent += traced.seconds[test]
    readers = []
    if mutant.change.endswith(ANOTHER_TEXT):
        readers = [CATALOGUE, DOCUMENT]
    elif not called:
        readers = [DOCUMENT]
    return chosen + [test for test in readers if test in traced.seconds and test not in chosen]


def _is_cached(mutant: Mutant) -> bool:
    return "cache" in mutant.source.splitlines()[mutant.function - 1]


def _fails(tree: Path, tests: list[str], seconds: float) -> bool:
    child = _fork.Process(target=_run, args=(tree, tests))
    child.start()
    child.join(60 + 10 * seconds)
    if child.exitcode is None:
        assert child.pid is not None
        os.killpg(child.pid, signal.SIGKILL)
        child.join()
    return child.exitcode != 0


def _run(tree: Path, tests: list[str]) -> None:
    """Runs the tests in this process and ends it with their exit status."""
    os.setsid()
    os.chdir(tree)
    sys.dont_write_bytecode = True
    sink = os.open(tree / ".output", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(sink, 1)
    os.dup2(sink, 2)
    enter(tree)
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    status = pytest.main(
        ["-x", *OPTIONS, f"--rootdir={tree}", f"--basetemp={tree / '.tmp'}", *files],
        plugins=[_Chosen(tests), Steady()],
    )
    sys.stdout.flush()
    os._exit(int(status))


class _Chosen:
    """A pytest plugin that runs these tests, in this order, and no others: but a test whose name
    has a value in it that the mutant has changed, with all its values.
    """

    def __init__(self, tests: list[str]) -> None:
        self._place = {test: place for place, test in enumerate(tests)}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        renamed = {test.partition("[")[0] for test in self._place.keys() - {item.nodeid for item in items}}
        chosen = [item for item in items if item.nodeid in self._place or item.nodeid.partition("[")[0] in renamed]
        items[:] = sorted(chosen, key=lambda item: self._place.get(item.nodeid, 0))
