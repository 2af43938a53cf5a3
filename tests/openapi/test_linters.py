"""The description of the API has nothing that the linters of OpenAPI would change, warnings
included.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.openapi import npm

pytestmark = pytest.mark.deep


def redocly(document: Path) -> list[str]:
    """What `recommended-strict` finds."""
    done = npm.run("redocly", "lint", "--config", npm.CLIENTS / "redocly.yaml", "--format=json", document)
    found = json.loads(done.stdout[done.stdout.index("{") :])
    return [f"{each['ruleId']} {each['location'][0]['pointer']} {each['message']}" for each in found["problems"]]


def spectral(document: Path) -> list[str]:
    """What `spectral:oas` finds."""
    done = npm.run("spectral", "lint", "-r", npm.CLIENTS / "spectral.yaml", "--format=json", "--quiet", document)
    assert done.stdout, done.stderr
    return [f"{each['code']} {'/'.join(map(str, each['path']))} {each['message']}" for each in json.loads(done.stdout)]


@pytest.fixture
def worse(tmp_path: Path) -> Path:
    """One operation of the description, with the faults that the tests look for."""
    document: dict[str, Any] = json.loads(npm.DOCUMENT.read_text(encoding="utf-8"))
    games = {**document["paths"]["/v1/games"]["get"], "responses": {"200": {"description": "The games."}}}
    for part in ("description", "parameters", "security"):
        games.pop(part, None)
    document |= {"paths": {"/v1/games": {"get": games}}, "webhooks": {}, "security": []}
    document["components"] = {"schemas": {"Unused": {"type": "array"}}}
    (tmp_path / "openapi.json").write_text(json.dumps(document), encoding="utf-8")
    return tmp_path / "openapi.json"


def test_redocly_finds_nothing() -> None:
    assert redocly(npm.DOCUMENT) == []


def test_spectral_finds_nothing() -> None:
    assert spectral(npm.DOCUMENT) == []


def test_both_find_what_is_made_worse(worse: Path) -> None:
    rules = {finding.partition(" ")[0] for finding in redocly(worse)}
    assert rules >= {"operation-4xx-response", "no-unused-components"}
    rules = {finding.partition(" ")[0] for finding in spectral(worse)}
    assert rules >= {"operation-description", "array-items", "oas3-unused-component"}
