"""Problems have the form that is declared for them, and lose no member on the way."""

from __future__ import annotations

import json
import typing
from typing import Any

import pytest
from flask import Flask

from service import errors
from service.api.openapi import PROBLEM
from service.api.problems import Extras, ProblemDetails, invalid, problem_of, respond
from service.errors import Fault
from service.pictures.pool import PicturesBusy
from tests.service.api.test_edges import problem_schema

ERRORS = (
    errors.ServiceError("No."),
    errors.NotFound("No."),
    errors.Forbidden("No."),
    errors.MissingScope("No.", "play"),
    errors.Conflict("No."),
    errors.StalePly("No.", 1, 2, ("Bela has moved.",)),
    errors.Invalid((("/ply", "No."), ("", "Never."))),
    errors.Unavailable("Not now.", 3),
    errors.TooMany("No more.", 60),
    errors.UnknownCursor(7),
    errors.LetInNoMore("Signed out."),
    errors.CursorOfEvents("No cursor."),
    errors.CursorExpired("Too old."),
    errors.Overloaded(7),
    errors.InvalidNotation("/notation", "No.", "x", 0, ("start",)),
)


def answered(problem: ProblemDetails, retry_after: str | None = None) -> dict[str, Any]:
    """The document of a problem, valid by the published schema, and answered with that header."""
    with Flask(__name__).test_request_context("/v1/matches"):
        answer = respond(problem)
    assert answer.headers.get("Retry-After") == retry_after
    document: dict[str, Any] = answer.get_json(force=True)
    problem_schema().validate(document)
    return document


def classes(kind: type[errors.ServiceError]) -> set[type[errors.ServiceError]]:
    return {kind}.union(*(classes(each) for each in kind.__subclasses__() if each.__module__ == errors.__name__))


def test_every_class_of_error_is_listed_here() -> None:
    assert {type(error) for error in ERRORS} == classes(errors.ServiceError)


@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        (({"pointer": "/ply", "detail": "No."},), "/ply: No."),
        (({"parameter": "limit", "detail": "No."},), "limit: No."),
        (({"header": "Prefer", "detail": "No."}, {"detail": "Never."}), "Prefer: No. There is 1 more."),
        (({"detail": "No."}, {"detail": "Never."}, {"detail": "Not."}), "No. There are 2 more."),
    ],
)
def test_the_sentence_is_that_of_the_first_fault_with_its_place(faults: tuple[Fault, ...], sentence: str) -> None:
    assert invalid(faults).detail == sentence


def test_an_overloaded_service_says_when_to_come_again() -> None:
    document = answered(problem_of(errors.Overloaded(7)), retry_after="7")
    assert document.items() >= {"status": 503, "code": "overloaded", "retry_after": 7}.items()


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_every_member_of_an_error_is_answered(error: errors.ServiceError) -> None:
    members = json.loads(json.dumps(error.members()))
    retry_after = str(error.retry_after) if isinstance(error, errors.Unavailable | errors.TooMany) else None
    assert answered(problem_of(error), retry_after).items() >= members.items()


def test_what_is_not_available_now_says_when_to_ask_again() -> None:
    document = answered(problem_of(PicturesBusy("Too many.", 3)), retry_after="3")
    assert (document["status"], document["code"], document["retry_after"]) == (503, "pictures_busy", 3)
    assert document["type"] == "/docs/problems/pictures_busy"


def test_a_fault_of_notation_is_answered_with_its_place() -> None:
    assert answered(problem_of(ERRORS[-1]))["errors"] == [
        {"pointer": "/notation", "detail": "No.", "line": "x", "column": 0, "expected": ["start"]}
    ]


def test_members_that_do_not_apply_are_absent() -> None:
    assert set(answered(ProblemDetails("not_found", "No."))) == {
        "type",
        "title",
        "status",
        "code",
        "detail",
        "instance",
    }


def test_a_member_that_is_not_declared_is_not_sent() -> None:
    extras: Any = {"retry_after": 2, "password": "secret"}
    document = answered(ProblemDetails("temporarily_unavailable", "No.", extras=extras), retry_after="2")
    assert document["retry_after"] == 2
    assert "password" not in document


def test_no_member_is_declared_twice() -> None:
    assert not set(typing.get_type_hints(errors.Members)) & set(typing.get_type_hints(Extras))


def test_the_published_example_fits_the_schema() -> None:
    problem_schema().validate(PROBLEM)
