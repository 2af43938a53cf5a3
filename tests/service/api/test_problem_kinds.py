"""Every code that a use case raises is explained to clients, with the status of its class."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from service import errors
from service.api.problems import FALLBACK, KINDS, TABLE, kind_of, problem_of

RAISED = {"NotFound": 404, "Forbidden": 403, "Conflict": 409, "Invalid": 422, "TooMany": 429, "Unavailable": 503}


def raised_codes() -> set[tuple[str, int]]:
    """The codes that stand as literals anywhere in the service, with the status of their class."""
    found = set()
    for path in Path(errors.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in RAISED:
                for code in node.args[1:]:
                    if isinstance(code, ast.Constant) and isinstance(code.value, str):
                        found.add((code.value, RAISED[node.func.id]))
    return found


def test_every_code_of_a_use_case_is_explained() -> None:
    codes = raised_codes()
    assert len(codes) > 10
    assert {(code, KINDS[code].status) for code, _ in codes if code in KINDS} == codes


def test_every_line_of_the_table_is_read() -> None:
    assert [line.split()[0] for line in TABLE.splitlines() if line and not line.startswith(" ")] == [*KINDS]


@pytest.mark.parametrize(
    ("error", "kind", "status"),
    [
        (errors.NotFound("No."), "not_found", 404),
        (errors.NotFound("No.", "match_not_found"), "match_not_found", 404),
        (errors.Forbidden("No."), "forbidden", 403),
        (errors.Conflict("No.", "a_new_code"), "conflict", 409),
        (errors.StalePly("No.", 1, 2, ()), "stale_ply", 409),
        (errors.TooMany("No.", 60), "too_many_requests", 429),
        (errors.TooMany("No.", 60, "too_many_invitations"), "too_many_invitations", 429),
        (errors.Invalid((("/ply", "No."),)), "invalid", 422),
        (errors.Invalid((("/actions/0", "No."),), "conflict"), "invalid", 422),
        (errors.InvalidNotation("/notation", "No.", "x", 0, ()), "notation_error", 422),
        (errors.ServiceError("No."), "internal_error", 500),
    ],
)
def test_an_error_is_of_the_kind_of_its_code_and_has_the_status_of_its_class(
    error: errors.ServiceError, kind: str, status: int
) -> None:
    assert (kind_of(error).code, kind_of(error).status) == (kind, status)
    assert problem_of(error).code == error.code


def test_every_status_has_a_kind_to_fall_back_on() -> None:
    assert all(KINDS[code].status == status for status, code in FALLBACK.items())


def test_titles_and_explanations_are_there() -> None:
    assert all(kind.title and kind.explanation.endswith(".") for kind in KINDS.values())


def test_the_manual_says_what_to_do_about_each_answer_that_only_holds_for_now() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "api.md").read_text()
    section = manual.partition("\n## When the service cannot answer now\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| `(\d+) (\w+)` \| [^|]+ \| [^|]+ \|$", section, re.MULTILINE)
    passing = {(str(kind.status), kind.code) for kind in KINDS.values() if kind.status in (408, 503)}
    assert sorted(listed) == sorted(passing | {("409", "turn_waiting")})
