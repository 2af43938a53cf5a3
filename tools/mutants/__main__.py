"""``python -m tools.mutants`` (make mutants): prints survivors and writes docs/mutants.md.

Exits with status 1 if fewer than 95 % of the mutants of a folder are killed, or if one survives
that ``equivalent.toml`` does not explain.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import multiprocessing
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing.queues import Queue
from pathlib import Path
from typing import Any

from tools.mutants import report
from tools.mutants.parts import Stratum, strata
from tools.mutants.sample import sampled
from tools.mutants.sources import Mutant
from tools.mutants.trace import Traced, read, trace
from tools.mutants.tree import OWN, copied
from tools.mutants.trial import judges, killed

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "mutants.md"
MARK = "<!-- written by make mutants -->\n"
REQUIRED = 0.95
Job = tuple[int, str, Mutant]
_fork = multiprocessing.get_context("fork")


def main(arguments: Sequence[str] | None = None) -> int:
    """Parses the arguments, tries the mutants, and gives the exit code."""
    everything = strata(ROOT)
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description="Try mutants of the code.")
    parser.add_argument("--count", type=int, default=600, help="how many mutants (default: 600)")
    parser.add_argument("--seed", type=int, default=1, help="which sample (default: 1)")
    parser.add_argument("--part", action="append", choices=[part.name for part in everything], help="only this part")
    parser.add_argument("--processes", type=int, default=2, help="how many at once (default: 2)")
    parser.add_argument("--again", action="store_true", help="only the mutants that equivalent.toml lists")
    given = parser.parse_args(arguments)
    started = time.monotonic()
    parts = tuple(part for part in everything if not given.part or part.name in given.part)
    drawn = sampled(ROOT, everything, given.count, given.seed)
    reasons = report.known()
    with tempfile.TemporaryDirectory(prefix="overland-mutants-") as folder:
        work = Path(folder)
        tree = work / "tree"
        copied(ROOT, tree)
        traced = _traced(tree, work, parts, given.processes)
        print(f"{len(traced.seconds)} tests traced in {time.monotonic() - started:.0f} s.", flush=True)
        jobs = [
            (number, part.name, mutant)
            for part in parts
            for number, mutant in enumerate(drawn[part.name][0])
            if not given.again or mutant.key in reasons
        ]
        jobs.sort(key=lambda job: job[0])  # all parts evenly, so that the remaining time can be estimated
        survivors: dict[str, list[Mutant]] = {part.name: [] for part in parts}
        for done, (_, name, mutant, dead) in enumerate(_tried(tree, work, jobs, traced, given.processes), 1):
            if not dead:
                survivors[name].append(mutant)
                mark = "known to be equivalent" if mutant.key in reasons else "SURVIVED"
                print(f"{mark}: {mutant.file}:{mutant.number}: {mutant.line}\n    {mutant.change}", flush=True)
            if done % 20 == 0:
                print(f"{done} of {len(jobs)} tried after {time.monotonic() - started:.0f} s.", flush=True)
    results = tuple(
        report.PartResult(
            part.name,
            drawn[part.name][1],
            len([name for _, name, _ in jobs if name == part.name]),
            tuple(survivors[part.name]),
        )
        for part in parts
    )
    unknown = [mutant for result in results for mutant in result.survivors if mutant.key not in reasons]
    whole = not given.part and not given.again
    if whole:
        introduction = PAGE.read_text(encoding="utf-8").partition(MARK)[0]
        PAGE.write_text(introduction + MARK + "\n" + report.page(results, reasons, given.seed), encoding="utf-8")
    share = report.share(results)
    weak = [result.part for result in results if not given.again and report.share([result]) < REQUIRED]
    print(
        f"{share:.1%} of {len(jobs)} mutants killed in {time.monotonic() - started:.0f} s; "
        f"{len(unknown)} survivors are not explained in {report.KNOWN.relative_to(ROOT)}; "
        f"below {REQUIRED:.0%}: {', '.join(weak) or 'no folder'}."
    )
    return 1 if unknown or weak else 0


def _traced(tree: Path, work: Path, parts: tuple[Stratum, ...], processes: int) -> Traced:
    """Which test calls what; cached in build/ until a file of the tree changes."""
    files = sorted({file for part in parts for file in part.files})
    tests = sorted({test for part in parts for test in part.tests})
    kept = ROOT / "build" / "mutants" / _digest(tree, files, tests)
    answers = [kept / f"{number}.json" for number in range(processes)]
    if not all(answer.exists() for answer in answers):
        shutil.rmtree(kept.parent, ignore_errors=True)
        kept.mkdir(parents=True)
        children = [
            _fork.Process(target=trace, args=(tree, files, tests[number::processes], answer))
            for number, answer in enumerate(answers)
        ]
        for child in children:
            child.start()
        for child in children:
            child.join()
    traced = read(answers)
    if traced.failed:
        shutil.rmtree(kept)
        raise SystemExit("These tests fail without any mutant:\n" + "\n".join(traced.failed))
    return traced


def _digest(tree: Path, files: list[str], tests: list[str]) -> str:
    digest = hashlib.sha256("\0".join((*files, *tests)).encode())
    for folder in OWN:
        for path in sorted((tree / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _tried(
    tree: Path, work: Path, jobs: list[Job], traced: Traced, processes: int
) -> Iterator[tuple[int, str, Mutant, bool]]:
    """Every job, with whether its mutant was killed, as they end."""
    _preload(traced.modules)
    todo: Queue[Job | None] = _fork.Queue()
    done: Queue[tuple[int, str, Mutant, bool]] = _fork.Queue()
    for job in (*jobs, *[None] * processes):
        todo.put(job)
    children = []
    for number in range(processes):
        shutil.copytree(tree, own := work / f"tree-{number}")
        children.append(_fork.Process(target=_serve, args=(own, todo, done, traced)))
    with _ended(children):
        for _ in jobs:
            yield done.get()


@contextmanager
def _ended(children: list[Any]) -> Iterator[None]:
    for child in children:
        child.start()
    try:
        yield
    finally:
        for child in children:
            child.terminate()
            child.join()


def _serve(tree: Path, todo: Queue[Job | None], done: Queue[Any], traced: Traced) -> None:
    parts = {part.name: part for part in strata(ROOT)}
    while (job := todo.get()) is not None:
        number, name, mutant = job
        tests = judges(mutant, parts[name], tree, traced)
        done.put((number, name, mutant, killed(mutant, tree, tests, traced)))


def _preload(modules: Sequence[str]) -> None:
    """Imports the libraries of the tests, so that no child has to."""
    for name in modules:
        if name.partition(".")[0] in sys.stdlib_module_names or name.startswith(("_pytest", "__")):
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                importlib.import_module(name)
            except Exception:  # a generated module, or one for another system: not needed here
                continue


if __name__ == "__main__":
    sys.exit(main())
