"""Pages of lists: a cursor that is in no list is not ignored, and what is listed has one name. What
else holds for all operations is in `test_conventions.py`.
"""

from __future__ import annotations

from typing import Any

import pytest

from service.api.openapi import openapi_document
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem


@pytest.mark.parametrize(
    "path",
    [
        "/v1/matches?after=nothing",
        "/v1/matches?mine=true&after=nothing",
        "/v1/me/mails?after=nothing",
        "/v1/matches/{match}/turns?after=nothing",
        "/v1/matches/{match}/chat?after=7",
    ],
)
def test_a_page_after_something_that_is_not_in_the_list_is_refused(ada: Person, match: str, path: str) -> None:
    found = problem(ada.get(path.replace("{match}", match)), 422, "invalid")
    assert [fault["parameter"] for fault in found["errors"]] == ["after"]


def test_every_list_calls_its_items_so() -> None:
    document = openapi_document()
    lists = {
        operation["operationId"]: operation["responses"]["200"]["content"]["application/json"]["schema"]["$ref"]
        for methods in document["paths"].values()
        for operation in methods.values()
        if isinstance(operation, dict) and operation.get("operationId", "").startswith("list")
    }
    schemas: dict[str, Any] = document["components"]["schemas"]
    assert len(lists) > 8
    assert {
        name for name, ref in lists.items() if "items" not in schemas[ref.rpartition("/")[2]]["properties"]
    } == set()
