"""What keeps the house small: one name for one thing, and no file that only makes sense with
another. The list of exceptions can only shrink: one that is not needed any more fails, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import grimp

ROOT: Final = Path(__file__).parent.parent
SMALL: Final = 60
"""A file of the service with fewer lines has two users, or a reason."""
SMALL_FILES: Final[Mapping[str, str]] = {}
RUN_BY_ALEMBIC: Final = "service.store.migrations."


def defined() -> Iterator[tuple[str, str]]:
    """The classes and aliases of types, each with its file; without those of the games, which have
    the same roles, such as ``State``.
    """
    for package in ("engine", "service", "workers", "tools"):
        for file in sorted((ROOT / package).rglob("*.py")):
            name = str(file.relative_to(ROOT))
            if name.startswith("engine/games/"):
                continue
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.ClassDef):
                    yield node.name, name
                elif isinstance(node, ast.AnnAssign) and ast.unparse(node.annotation) == "TypeAlias":
                    yield ast.unparse(node.target), name


def test_a_class_has_a_name_of_its_own() -> None:
    files: dict[str, list[str]] = {}
    for name, file in defined():
        files.setdefault(name, []).append(file)
    assert {name: where for name, where in files.items() if len(where) > 1} == {}


def test_a_small_file_of_the_service_has_two_users_or_a_reason() -> None:
    graph = grimp.build_graph("service", "workers", "tools", cache_dir=None)
    found = {
        module
        for module in graph.modules
        if module.startswith("service.")
        and not module.startswith(RUN_BY_ALEMBIC)
        and _lines(ROOT.joinpath(*module.split(".")).with_suffix(".py")) < SMALL
        and len(graph.find_modules_that_directly_import(module)) < 2
    }
    assert found == SMALL_FILES.keys(), found ^ SMALL_FILES.keys()


def test_no_file_calls_a_module_by_two_names() -> None:
    """As happens where two files become one."""
    files = [
        file
        for package in ("engine", "service", "workers", "tools", "tests")
        for file in (ROOT / package).rglob("*.py")
    ]
    twice = {}
    for file in files:
        names: dict[tuple[str | None, str], set[str]] = {}
        text = file.read_text()
        if not re.search(r"import .* as |^    \w+ as \w+,$", text, re.MULTILINE):
            continue  # most files, and reading them takes long
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    names.setdefault((node.module, alias.name), set()).add(alias.asname or alias.name)
        if found := [each for each, called in names.items() if len(called) > 1]:
            twice[str(file.relative_to(ROOT))] = found
    assert twice == {}


def _lines(file: Path) -> float:
    """The lines of a module; that which a package has is of no size."""
    return len(file.read_text().splitlines()) if file.exists() else float("inf")


def test_no_text_is_asked_for_digits_that_int_does_not_take() -> None:
    """``isdigit`` of a text is true of "²", too; ``isdecimal`` is not."""
    files = [file for package in ("engine", "service", "workers", "tools") for file in (ROOT / package).rglob("*.py")]
    found = {str(file.relative_to(ROOT)) for file in files if ".isdigit(" in file.read_text()}
    assert found == {"service/store/files.py"}, "it asks bytes, of which none but 0 to 9 are digits"
