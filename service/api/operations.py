"""Declares an operation in one place: route, who may call it, what it reads, what it answers, and
all of that in OpenAPI.

`operation` puts the decorators of flask-smorest together, so that every operation checks its caller
before its body, has an operationId (the view's name in camelCase), documents each problem it can
answer, and answers through one writer.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import flask_smorest  # type: ignore[import-untyped]
import marshmallow as ma
from flask import Response, current_app

from service.api.auth import Caller, identify
from service.api.parsing import Parser, made
from service.api.paths import parameters_of

Access: TypeAlias = Literal["anyone", "either", "player"]
"""Who may call: anyone without a token; with or without; players with a token only."""

View = Callable[..., Any]
SchemaLike: TypeAlias = ma.Schema | type[ma.Schema] | Mapping[str, Any] | None

SECURITY: Mapping[Access, list[dict[str, list[str]]]] = {
    "anyone": [],
    "either": [{"token": []}, {}],
    "player": [{"token": []}],
}


class Blueprint(flask_smorest.Blueprint):  # type: ignore[misc]
    """flask-smorest's blueprint with our parser."""

    ARGUMENTS_PARSER = Parser()


@dataclass(frozen=True, slots=True)
class Answer:
    """What an operation answers: ``schema`` writes it and documents it; another ``content_type``
    than JSON is written by the view.
    """

    schema: SchemaLike = None
    status: int = 200
    description: str = ""
    content_type: str | None = None
    headers: tuple[str, ...] = ()
    example: Any = None
    examples: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A value on its way out; ``schema`` where another than the declared one writes it."""

    value: Any
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    schema: type[ma.Schema] | None = None


@dataclass(frozen=True, slots=True)
class Body:
    """What an operation reads: the schema, with examples by name."""

    schema: type[ma.Schema]
    examples: Mapping[str, Any] = field(default_factory=dict)

    @property
    def required(self) -> bool:
        """A schema with ``optional = True`` may be left out, which is the same as an empty
        object.
        """
        return not getattr(self.schema, "optional", False)


def operation(
    blueprint: Blueprint,
    method: str,
    rule: str,
    *answers: Answer,
    access: Access = "anyone",
    scope: str | None = None,
    query: type[ma.Schema] | None = None,
    body: Body | None = None,
    headers: tuple[str, ...] = (),
    problems: tuple[int, ...] = (),
) -> Callable[[View], View]:
    """Makes a view an operation.

    The view is called with its caller (unless ``access`` is ``anyone``), its query and its body, as
    far as it has them, and the parts of the path by name. ``headers`` are names of documented
    request headers, ``problems`` further statuses it can answer.
    """

    def decorate(view: View) -> View:
        wrapped: View = _written(view, answers[0])
        for answer in answers:
            wrapped = _documented(blueprint, answer, wrapped)
        if body is not None:
            wrapped = _without_responses(
                blueprint.arguments(body.schema, required=body.required, examples=dict(body.examples) or None)(wrapped)
            )
        if query is not None:
            wrapped = _without_responses(blueprint.arguments(query, location="query", unknown=ma.RAISE)(wrapped))
        for status in _statuses(rule, access, scope, query, body, problems):
            wrapped = _noted(wrapped, blueprint.alt_response(status, f"Problem{status}"))
        guarded = _guarded(wrapped, access, scope)
        summary, _, description = (view.__doc__ or "").partition("\n\n")
        text = {"summary": " ".join(summary.split()).rstrip("."), "description": " ".join(description.split())}
        documented = blueprint.doc(
            operationId=_camel(view.__name__),
            security=SECURITY[access],
            **{key: value for key, value in text.items() if value},
        )(guarded)
        documented._apidoc.setdefault("arguments", {}).setdefault("parameters", []).extend(headers)
        blueprint.route(rule, methods=[method], parameters=parameters_of(rule))(documented)
        return documented  # type: ignore[no-any-return]

    return decorate


def _written(view: View, main: Answer) -> View:
    """The view, its value written by the schema of its main answer.

    Schemas are made once: to make one costs more than to write with it.
    """
    written = main.schema() if isinstance(main.schema, type) else main.schema

    @functools.wraps(view)
    def write(*args: Any, **kwargs: Any) -> Response:
        value = view(*args, **kwargs)
        if isinstance(value, Response):
            return value
        reply = value if isinstance(value, Reply) else Reply(value)
        response = Response(status=reply.status or main.status)
        if reply.value is not None:
            schema = written if reply.schema is None else made(reply.schema)
            response.data = current_app.json.dumps(
                schema.dump(reply.value) if isinstance(schema, ma.Schema) else reply.value
            )
            response.content_type = "application/json"
        response.headers.extend(reply.headers)
        return response

    return write


def _documented(blueprint: Blueprint, answer: Answer, view: View) -> View:
    described = {name: {"$ref": f"#/components/headers/{name}"} for name in (*answer.headers, "X-Request-Id")}
    known = {
        "description": answer.description or None,
        "example": answer.example,
        "examples": answer.examples,
        "content_type": answer.content_type,
    }
    return _noted(
        view, blueprint.alt_response(answer.status, schema=answer.schema, headers=described, success=True, **known)
    )


def _noted(view: View, decorator: Callable[[View], View]) -> View:
    """Keeps what a decorator of flask-smorest documents, and not the wrapper it puts around the
    view, which every request would go through for nothing.
    """
    view._apidoc = decorator(view)._apidoc  # type: ignore[attr-defined]
    return view


def _without_responses(view: View) -> View:
    """Drops the response flask-smorest documents for arguments: its name depends on the version of
    Python.
    """
    view._apidoc["arguments"].pop("responses", None)  # type: ignore[attr-defined]
    return view


def _guarded(view: View, access: Access, scope: str | None) -> View:
    if access == "anyone":
        return view

    @functools.wraps(view)
    def guard(*args: Any, **kwargs: Any) -> Any:
        caller: Caller | None = identify(required=access == "player", scope=scope)
        return view(caller, *args, **kwargs)

    return guard


def _statuses(
    rule: str, access: Access, scope: str | None, query: Any, body: Any, problems: tuple[int, ...]
) -> list[int]:
    """Every problem an operation of this form can answer."""
    found = {*problems, 429, 500, 503}
    if access != "anyone":
        found.add(401)
    if access == "player" or scope is not None:
        found.add(403)
    if "<" in rule:
        found.add(404)
    if query is not None:
        found.add(422)
    if body is not None:
        found |= {400, 413, 415, 422}
    return sorted(found)


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)
