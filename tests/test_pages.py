"""What pages say about the tree is true: paths, decisions, the release."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
FOLDERS = ("engine", "service", "workers", "tools", "tests", "docs", "openapi")
TREE = re.compile(r"^## The tree\n+```\n(.*?)^```", re.MULTILINE | re.DOTALL)


def read(path: str) -> str:
    return (ROOT / path).read_text(encoding="utf-8")


def exists(path: str) -> bool:
    """Whether a path is in the tree; `<...>` stands for any name."""
    return any(ROOT.glob(re.sub("<[^>]*>", "*", path.rstrip("/"))))


def named_in(text: str) -> list[str]:
    """The paths in code spans. One without a folder lies where the one before it in its line
    lies.
    """
    found = []
    for line in text.splitlines():
        folder = ""
        for span in re.findall(r"`([^`\s]+)`", line):
            if re.match(r"(engine|service|workers|tools|tests|docs|openapi)/", span):
                folder = span.rpartition("/")[0]
                found.append(span)
            elif re.fullmatch(r"[\w/]+\.(py|md|toml)", span) and folder:
                found.append(f"{folder}/{span}")
    return found


@pytest.mark.parametrize("page", ["docs/architecture.md", "CONTRIBUTING.md", "docs/mutants.md"])
def test_every_path_that_a_page_names_is_there(page: str) -> None:
    named = named_in(read(page))
    assert named
    assert [path for path in named if not exists(path)] == []


def test_the_tree_of_the_architecture_is_the_tree() -> None:
    block = TREE.search(read("docs/architecture.md"))
    assert block is not None
    folder, missing = "", []
    for line in block[1].splitlines():
        if not line.startswith(" "):
            folder = line.split()[0]
        for name in re.findall(r"(?:^|(?<=\s))[\w<>/]+(?:\.py|/)(?=\s|$)", line):
            if not exists(name) and not exists(folder + name) and not any(ROOT.glob(f"{folder}*/{name}")):
                missing.append(folder + name)
    assert missing == []


def test_every_package_of_the_service_is_in_the_tree_of_the_architecture() -> None:
    block = TREE.search(read("docs/architecture.md"))
    assert block is not None
    packages = sorted(path.parent.name for path in (ROOT / "service").glob("*/__init__.py"))
    assert [name for name in packages if f"{name}/" not in block[1]] == []


def test_decisions_have_a_number_of_their_own_and_say_context_choice_and_cost() -> None:
    assert len({path.name[:4] for path in DECISIONS}) == len(DECISIONS)
    for path in DECISIONS:
        text = path.read_text(encoding="utf-8")
        assert text.startswith(f"# {path.name[:4]}. "), path.name
        for part in ("Context", "Choice", "Cost"):
            assert re.search(rf"^(\*\*{part}\.\*\* |## {part}$)", text, re.MULTILINE), f"{path.name} has no {part}"


def test_every_decision_that_is_cited_is_there() -> None:
    names = {path.name for path in DECISIONS}
    files = [
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if path.suffix in (".py", ".md", ".json")
    ]
    for path in (*ROOT.glob("*.md"), *files):
        for number, rest in re.findall(r"decisions/(\d{4})([\w-]*(?:\.md)?)", path.read_text(encoding="utf-8")):
            assert any(name.startswith(f"{number}-") for name in names), f"{path} cites decision {number}"
            assert not rest.endswith(".md") or f"{number}{rest}" in names, f"{path} cites {number}{rest}"


def test_the_changelog_says_each_thing_once() -> None:
    titles = re.findall(r"^- \*\*(.+?)\*\*", read("CHANGELOG.md"), re.MULTILINE)
    assert len(titles) == len(set(titles)) > 0


def test_the_changelog_begins_with_what_is_unreleased_and_goes_on_with_the_version_of_the_package() -> None:
    version = tomllib.loads(read("pyproject.toml"))["project"]["version"]
    first, *released = re.findall(r"^## (.+)$", read("CHANGELOG.md"), re.MULTILINE)
    assert first == "Unreleased"
    assert all(re.fullmatch(r"[\d.]+ - \d{4}-\d\d-\d\d", head) for head in released)
    assert not released or released[0].startswith(f"{version} - ")
