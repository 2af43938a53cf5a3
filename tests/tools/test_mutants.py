"""The mutants: what is changed, what is left alone, and which are drawn."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.mutants.parts import ALSO, LISTS, NOT_RULES, PACKAGES, Stratum, strata
from tools.mutants.report import PartResult, known, page, share
from tools.mutants.sample import sampled
from tools.mutants.sources import Mutant, mutants
from tools.mutants.trace import Traced
from tools.mutants.trial import CATALOGUE, DOCUMENT, judges

ROOT = Path(__file__).parents[2]


def changed(source: str) -> list[str]:
    return [mutant.source for mutant in mutants("a.py", source)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("x = a < b\n", ["x = (a <= b)\n", "x = (a >= b)\n"]),
        ("x = a == b\n", ["x = (a != b)\n"]),
        ("x = a in b\n", ["x = (a not in b)\n"]),
        ("x = a + b\n", ["x = (a - b)\n"]),
        ("x = a and b\n", ["x = (a or b)\n"]),
        ("x = not a\n", ["x = (a)\n"]),
        ("x = a if b else c\n", ["x = (c if b else a)\n"]),
        ("x = 3\n", ["x = (4)\n", "x = (2)\n"]),
        ("x = True\n", ["x = (False)\n"]),
        ("x = 'There is no route.'\n", ["x = ('unThere is no route.')\n"]),
        ("x = f'There is {no} way'\n", ["x = (f'unThere is {no} way')\n", "x = (f'There is {no} unway')\n"]),
        ("def f():\n    return x\n", ["def f():\n    return None\n"]),
        ("def f():\n    g()\n", ["def f():\n    pass\n"]),
        ("def f():\n    raise E\n", ["def f():\n    pass\n"]),
        ("if a:\n    b = c\n", ["if not a:\n    b = c\n"]),
    ],
)
def test_every_kind_of_change(source: str, expected: list[str]) -> None:
    assert changed(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        '"""There is text."""\n',
        "def f(a: int | None = None) -> A | B:\n    return None\n",
        "log.info('the turn', seat=1)\n",
        "assert a == b\n",
        "raise AssertionError('never here')\n",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import a\n",
        "x = zip(a, b, strict=True)\n",
        "@cached(size=3)\ndef f():\n    pass\n",
    ],
)
def test_what_no_behaviour_follows_from_is_left_alone(source: str) -> None:
    assert changed(source) == []


@pytest.mark.deep
def test_every_mutant_of_a_real_file_can_be_compiled_and_has_a_key_of_its_own() -> None:
    source = (ROOT / "engine/play.py").read_text(encoding="utf-8")
    found = mutants("engine/play.py", source)
    assert len({mutant.key for mutant in found}) == len(found) > 100
    for mutant in found:
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(source)), mutant.key


def test_every_folder_is_a_part_with_tests() -> None:
    parts = strata(ROOT)
    assert all(part.files and part.tests for part in parts)
    mutated = {file for part in parts for file in part.files}
    sources = {path for package in PACKAGES for path in (ROOT / package).rglob("*.py")}
    left_out = {path for path in sources if path.relative_to(ROOT).as_posix() not in mutated}
    named = (*NOT_RULES, *LISTS, "store/migrations/*.py")
    assert [path for path in left_out if not any(path.match(name) for name in named)] == []


def test_every_file_is_in_one_part_alone() -> None:
    files = [file for part in strata(ROOT) for file in part.files]
    assert len(files) == len(set(files))


def test_the_sample_is_the_same_for_the_same_seed_and_changes_only_where_lines_do(tmp_path: Path) -> None:
    parts = (Stratum("all", ("a.py",), ()),)
    (tmp_path / "a.py").write_text("".join(f"x{number} = a{number} + b\n" for number in range(50)))
    before = {mutant.key for mutant in sampled(tmp_path, parts, 10, 1)["all"][0]}
    assert before == {mutant.key for mutant in sampled(tmp_path, parts, 10, 1)["all"][0]}
    assert before != {mutant.key for mutant in sampled(tmp_path, parts, 10, 2)["all"][0]}
    (tmp_path / "a.py").write_text("y = c + d\n" + (tmp_path / "a.py").read_text())
    assert len(before & {mutant.key for mutant in sampled(tmp_path, parts, 10, 1)["all"][0]}) >= 9


def test_every_game_in_the_tree_is_a_part(tmp_path: Path) -> None:
    for name in ("chess", "go"):
        for folder in ("engine/games", "tests/games"):
            (tmp_path / folder / name).mkdir(parents=True)
        (tmp_path / "engine/games" / name / "__init__.py").touch()
        (tmp_path / "engine/games" / name / "legal.py").touch()
        (tmp_path / "tests/games" / name / "test_legal.py").touch()
    for name in ALSO["engine/games"]:
        (tmp_path / "tests" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tests" / name).touch()
    assert [part.name for part in strata(tmp_path)] == ["engine/games/chess", "engine/games/go"]


@pytest.mark.parametrize(
    ("line", "readers"),
    [
        ("x = 'There is text'\n", [CATALOGUE, DOCUMENT]),
        ("x = 3\n", [DOCUMENT]),
        ("def f():\n    return 'There is text'\n", [CATALOGUE, DOCUMENT]),
        ("def f():\n    return 3\n", []),
    ],
)
def test_what_reads_all_texts_or_the_whole_api_is_run_against_what_it_reads(line: str, readers: list[str]) -> None:
    part = Stratum("all", ("a.py",), ("test_a.py",))
    seconds = {"test_a.py::test_a": 99.0, "test_a.py::test_b": 1.0, CATALOGUE: 1.0, DOCUMENT: 1.0}
    traced = Traced(seconds, {("a.py", 1): frozenset({"test_a.py::test_b"})}, (), ())
    mutant = next(each for each in mutants("a.py", line) if "becomes" in each.change or "another" in each.change)
    assert judges(mutant, part, Path(), traced) == ["test_a.py::test_b", *readers]


def test_survivors_are_listed_with_their_reasons(tmp_path: Path) -> None:
    mutant = Mutant("a.py", 3, 1, "if a < b:", "a < b: < becomes <=", "")
    (tmp_path / "known.toml").write_text(
        '[[equivalent]]\nfile = "a.py"\nline = "if a < b:"\nchange = "a < b: < becomes <="\nreason = "Never equal."\n'
    )
    results = (PartResult("all", 50, 4, (mutant,)),)
    text = page(results, known(tmp_path / "known.toml"), 1)
    assert "| all | 50 | 4 | 3 | 1 |" in text
    assert "Never equal." in text
    assert "NOT EXPLAINED" in page(results, {}, 1)
    assert share(results) == 0.75


def test_every_line_that_is_explained_is_still_in_its_file() -> None:
    """The deep test below makes its mutant, too."""
    for file, line, _ in known():
        assert line in {each.strip() for each in (ROOT / file).read_text(encoding="utf-8").splitlines()}, file


@pytest.mark.deep
def test_every_mutant_that_is_explained_can_still_be_made() -> None:
    """Else the line has changed, and the reason is to be read again or deleted."""
    explained: dict[str, set[tuple[str, str, str]]] = {}
    for key in known():
        explained.setdefault(key[0], set()).add(key)
    for file, keys in explained.items():
        made = {mutant.key for mutant in mutants(file, (ROOT / file).read_text(encoding="utf-8"))}
        assert keys - made == set()
