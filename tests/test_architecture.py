"""The import contracts of pyproject.toml, and that the engine is pure in every import and call."""

import ast
import sys
from pathlib import Path

import grimp
import pytest
from importlinter.cli import lint_imports

ROOT = Path(__file__).parent.parent
TERMINAL = {"engine.__main__", "engine.terminal"}
"""The match at one keyboard, the only part of the engine with input and output."""
PURE_LIBRARY = {
    "__future__", "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "decimal", "difflib", "enum",
    "fractions", "functools", "hashlib", "heapq", "hmac", "html", "importlib", "itertools", "json",
    "math", "operator", "pkgutil", "re", "string", "struct", "sys", "textwrap", "types", "typing", "unicodedata",
    "xml",  # the conformance checks read pictures, from strings
}  # fmt: skip
TALKING = {"open", "input", "print", "exec", "eval", "breakpoint"}


def module_of(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


def test_every_import_contract_is_kept(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    status = lint_imports(config_filename=str(ROOT / "pyproject.toml"), no_cache=True)
    said = capsys.readouterr().out
    assert status == 0, said
    assert "6 kept, 0 broken" in said


def test_no_file_imports_itself_through_others() -> None:
    """Imports for types included."""
    graph = grimp.build_graph("engine", "service", "workers", "tools", cache_dir=None)
    left = set(graph.modules)
    while ends := {module for module in left if not graph.find_modules_directly_imported_by(module) & left}:
        left -= ends
    while ends := {module for module in left if not graph.find_modules_that_directly_import(module) & left}:
        left -= ends
    assert sorted(left) == []


def test_the_engine_imports_nothing_but_the_pure_part_of_the_standard_library() -> None:
    graph = grimp.build_graph("engine", include_external_packages=True, cache_dir=None)
    imports = {
        (module, found)
        for module in graph.modules
        if module.startswith("engine")
        for found in graph.find_modules_directly_imported_by(module)
    }
    outside = sorted(
        (module, found)
        for module, found in imports
        if not found.startswith("engine") and found not in PURE_LIBRARY and module not in TERMINAL
    )
    assert outside == []


def test_the_terminal_of_the_engine_too_needs_the_standard_library_only() -> None:
    graph = grimp.build_graph("engine", include_external_packages=True, cache_dir=None)
    found = {
        name
        for module in TERMINAL & graph.modules
        for name in graph.find_modules_directly_imported_by(module)
        if not name.startswith("engine")
    }
    assert found - sys.stdlib_module_names == set()


@pytest.mark.parametrize(
    "file", [file for file in sorted((ROOT / "engine").rglob("*.py")) if module_of(file) not in TERMINAL], ids=module_of
)
def test_the_engine_neither_reads_nor_prints(file: Path) -> None:
    calls = [
        node
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    ]
    talking = [
        f"line {call.lineno}: {call.func.id}"
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id in TALKING
    ]
    assert talking == []


def test_nothing_starts_something_when_it_is_imported() -> None:
    """What a module calls at its top level, other than to define things, is work at import."""
    starters = ("load(", "wire(", "create_app(")
    found = {
        str(file.relative_to(ROOT))
        for package in ("service", "workers")
        for file in sorted((ROOT / package).rglob("*.py"))
        for statement in ast.parse(file.read_text()).body
        if isinstance(statement, ast.Assign | ast.Expr)
        and any(starter in ast.unparse(statement) for starter in starters)
    }
    assert found == set()
