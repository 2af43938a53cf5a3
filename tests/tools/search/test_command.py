"""``overland search``: from a document of variations to a table and the best set."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import registry
from service.cli import main

pytestmark = pytest.mark.deep

SPACE: dict[str, Any] = {
    "base": "standard",
    "criteria": [
        {"type": "figure", "label": "turns", "figure": "turns", "least": 1, "most": 90},
        {"type": "balanced", "label": "areas", "of": ["mine used", "quarry used"], "at_least": 0},
    ],
    "begin": {"as it is": {}, "dear": {"chosen": {"columns": "dear"}}},
    "choices": {"columns": {"cheap": {}, "dear": {"/shop_columns/value": [5, 6, 7, 8]}}},
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "space.json"


def searched(file: Path, space: dict[str, Any], *arguments: str) -> Result:
    file.write_text(json.dumps(space))
    few = ("--seats", "2", "--bot", "greedy", "--matches", "2", "--final", "3", "--finalists", "1", "--seed", "s")
    return CliRunner().invoke(main, ["search", "montana", str(file), *few, *arguments])


def test_the_best_candidate_is_shown_first_and_written_to_a_file(file: Path, tmp_path: Path) -> None:
    best = tmp_path / "best.json"
    result = searched(file, SPACE, "--tried", "3", "--out", str(best))
    assert result.exit_code == 0, result.output
    rows = [line for line in result.stdout.splitlines() if line.startswith("| ")]
    assert len(rows) == 2 + 3
    assert rows[2].split(" | ")[1] == "3"
    assert "2 of 2" in rows[2]
    assert {row.split(" | ")[1] for row in rows[3:]} == {"2"}
    assert registry.game("montana").load_components(json.loads(best.read_text()))


def test_a_search_is_a_function_of_its_seed_whatever_the_number_of_processes(file: Path) -> None:
    one, same = (searched(file, SPACE, "--tried", "3", "--jobs", jobs) for jobs in ("1", "2"))
    assert one.stdout == same.stdout


def test_a_criterion_that_no_candidate_meets_is_told_by_the_exit_code(file: Path) -> None:
    unmet = {"type": "figure", "label": "turns", "figure": "turns", "least": 900, "most": 901}
    result = searched(file, SPACE | {"criteria": [unmet]}, "--tried", "1")
    assert result.exit_code == 1
    assert "0 of 1" in result.stdout


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"base": "gold"}, "no component set 'gold'"),
        ({"base": "gold.json"}, "No such file"),
        ({"criteria": [{"type": "luck"}]}, "/criteria/0"),
        ({"begin": {"one": {"chosen": {"colour": "red"}}}}, "/begin/one"),
        ({"choices": {"columns": {"dear": {"/shop_columns/value": [2, 2]}}}}, "/shop_columns/value"),
    ],
)
def test_a_document_that_cannot_be_searched_is_refused(file: Path, changed: dict[str, Any], said: str) -> None:
    result = searched(file, SPACE | changed)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.replace("\u2502", "").split())
