"""RULES.md and the tests: every rule is cited, and every citation is a rule."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine import registry

NUMBERS = tuple(re.findall(r"^- \*\*(R\d+\.\d+)\*\*", registry.rules_text("oregon"), re.MULTILINE))
TESTS = Path(__file__).parent
CODE = Path(registry.__file__).parent / "games" / "oregon"


def cited(folder: Path, pattern: str) -> set[str]:
    texts = [file.read_text() for file in folder.glob(pattern) if file.name != Path(__file__).name]
    return set(re.findall(r"R\d+\.\d+", "\n".join(texts)))


def test_rules_are_numbered_without_gaps() -> None:
    sections: dict[int, list[int]] = {}
    for number in NUMBERS:
        section, rule = number[1:].split(".")
        sections.setdefault(int(section), []).append(int(rule))
    assert list(sections) == list(range(1, 11))
    assert all(rules == list(range(1, len(rules) + 1)) for rules in sections.values())


@pytest.mark.parametrize("number", NUMBERS)
def test_every_rule_is_cited_by_a_test(number: str) -> None:
    assert number in cited(TESTS, "test_*.py")


def test_the_code_cites_only_rules_that_exist() -> None:
    assert cited(CODE, "*.py") <= set(NUMBERS)


def test_the_tests_cite_only_rules_that_exist() -> None:
    assert cited(TESTS, "*.py") <= set(NUMBERS)


def test_rules_text_names_option_and_credits() -> None:
    text = registry.rules_text("oregon")
    assert "`discard_duplicates`" in text
    assert "Åse and Henrik Berg" in text
