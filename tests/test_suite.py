"""The lists of `tests.suite` say what the suite does."""

from __future__ import annotations

import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from tests.suite import COLLECTED, ON_BOTH_DATABASES, QUICK_SERVICES, on_both_databases, starts_a_service

ROOT = Path(__file__).parent.parent
BOTH = {"sqlite", "postgresql"}


@pytest.fixture
def collected(request: pytest.FixtureRequest) -> tuple[pytest.Item, ...]:
    return request.config.stash[COLLECTED]


def test_the_modules_that_run_on_both_databases_are_those_of_the_list(collected: tuple[pytest.Item, ...]) -> None:
    databases: dict[str, set[str]] = defaultdict(set)
    for item in collected:
        parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        databases[item.nodeid.partition("::")[0]] |= BOTH & {str(value).lower() for value in parameters.values()}
    on_both = {module for module, kinds in databases.items() if kinds == BOTH}
    assert {module for module in on_both if not on_both_databases(module)} == set()
    for listed in ON_BOTH_DATABASES:
        assert (ROOT / listed).exists(), listed
        found = [module for module in databases if module.startswith(listed)]
        assert not found or any(module in on_both for module in found), f"{listed} does not run on both"


def test_the_quick_tests_that_start_a_service_exist_and_are_quick(collected: tuple[pytest.Item, ...]) -> None:
    assert len(QUICK_SERVICES) <= 3
    for listed in QUICK_SERVICES:
        module = listed.partition("::")[0]
        assert (ROOT / module).exists(), listed
        found = [item for item in collected if item.nodeid == listed]
        assert found or not any(item.nodeid.startswith(module) for item in collected), f"{listed} is no test"
        assert not any(item.get_closest_marker("deep") for item in found), f"{listed} is deep"


@pytest.mark.parametrize(
    ("command", "whole"),
    [
        ([sys.executable, "-m", "service.cli", "run"], True),
        (["/srv/.venv/bin/overland", "soak", "--minutes", "1"], True),
        ([Path(".venv/bin/overland"), "run"], True),
        ("overland run", True),
        ([sys.executable, "-m", "service.cli", "api"], True),
        ([sys.executable, "-m", "service.cli", "check"], False),
        ([sys.executable, "-m", "workers", "turns"], False),
        (["overland", "run", "--help"], False),
        (["docker", "run"], False),
    ],
)
def test_a_command_that_starts_a_whole_service_is_known(command: str | list[str], whole: bool) -> None:
    assert starts_a_service(command) is whole


@pytest.mark.xfail(strict=True, raises=pytest.fail.Exception)
def test_a_quick_test_that_starts_a_service_fails() -> None:
    subprocess.run([sys.executable, "-c", "", "overland", "run"], check=True)
