"""Declares an operation in one place: route, access, input, answers, and the OpenAPI of all that.

A request goes through one wrapper around its view: it authenticates the caller, parses query and
body, calls the view, serialises its result, and notes that the caller has looked at a match.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import flask_smorest  # type: ignore[import-untyped]
import marshmallow as ma
from flask import Response, current_app

from service.api.auth import authenticate
from service.api.current import context
from service.api.parsing import Parser
from service.api.paths import parameters_of
from service.api.shapes import made, schema_of
from service.matches import archive

Access: TypeAlias = Literal["anyone", "either", "player"]
"""Whether an operation takes no token, an optional one (``either``), or requires one."""

View: TypeAlias = Callable[..., Any]
Blueprint: TypeAlias = flask_smorest.Blueprint

PARSER = Parser()
JSON = "application/json"
SECURITY: Mapping[Access, list[dict[str, list[str]]]] = {
    "anyone": [],
    "either": [{"token": []}, {}],
    "player": [{"token": []}],
}


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of an operation: ``shape`` is the type of the value, several types, or a JSON
    Schema. A ``content_type`` other than JSON is serialised by the view.
    """

    shape: type | tuple[type, ...] | Mapping[str, Any] | None = None
    status: int = 200
    description: str = ""
    content_type: str = JSON
    headers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a view with headers, or with another status than that of the first answer."""

    value: Any
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Body:
    """The request body of an operation: the schema, with examples by name."""

    schema: type[ma.Schema]
    examples: Mapping[str, Any] = field(default_factory=dict)

    @property
    def required(self) -> bool:
        """False for a schema with ``optional = True``: an absent body counts as an empty object."""
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
    """Makes a view an operation; its operationId is the view's name in camelCase.

    The view is called with the caller (unless ``access`` is ``anyone``), the query and the body,
    where it has them, and the parts of the path by name. It returns a dataclass, which is
    serialised by the schema of its type, a dictionary, a ``Reply`` or a ``Response``. ``headers``
    are names of documented request headers, ``problems`` further statuses it can answer.
    """
    statuses = _statuses(rule, access, scope, query, body, problems)
    reads_query = None if query is None else made(query)
    reads_body = None if body is None else made(body.schema)

    def decorate(view: View) -> View:
        documented = blueprint.doc(
            operationId=_camel(view.__name__),
            security=SECURITY[access],
            responses={answer.status: _documented(answer) for answer in answers}
            | {status: f"Problem{status}" for status in statuses},
            **_texts(view),
            **_parameters(query, headers),
            **({} if body is None else {"requestBody": _documented_body(body)}),
        )(view)

        @functools.wraps(documented)  # wraps the view, with the documentation that blueprint.doc attached
        def respond(**parts: Any) -> Response:
            given: list[Any] = []
            if access != "anyone":
                given.append(authenticate(required=access == "player", scope=scope))
            if reads_query is not None:
                given.append(PARSER.parse(reads_query, location="query", unknown=ma.RAISE))
            if reads_body is not None:
                given.append(PARSER.parse(reads_body, location="json"))
            answer = written(view(*given, **parts), answers[0].status)
            if method == "GET" and "match" in parts and access != "anyone" and given[0] is not None:
                archive.visit(context(), given[0], parts["match"])
            return answer

        respond.reads_token = access != "anyone"  # type: ignore[attr-defined]  # for the limits of requests
        blueprint.route(rule, methods=[method], parameters=parameters_of(rule))(respond)
        return respond

    return decorate


def written(value: Any, status: int = 200) -> Response:
    """Serialises the result of a view, with ``status`` unless the result has one."""
    if isinstance(value, Response):
        return value
    reply = value if isinstance(value, Reply) else Reply(value)
    response = Response(status=reply.status or status, headers=dict(reply.headers))
    if reply.value is not None:
        kind: Any = type(reply.value)
        document = reply.value if kind is dict else made(kind).dump(reply.value)
        response.data = current_app.json.dumps(document)
        response.content_type = JSON
    return response


def _texts(view: View) -> dict[str, Any]:
    """Summary and description of a view, from its docstring."""
    summary, _, description = (view.__doc__ or "").partition("\n\n")
    words = {"summary": " ".join(summary.split()).rstrip("."), "description": " ".join(description.split())}
    return {name: text for name, text in words.items() if text}


def _parameters(query: type[ma.Schema] | None, headers: tuple[str, ...]) -> dict[str, Any]:
    parameters = [*([] if query is None else [{"in": "query", "schema": query}]), *headers]
    return {"parameters": parameters} if parameters else {}


def _documented(answer: Answer) -> dict[str, Any]:
    found: dict[str, Any] = {
        "description": answer.description,
        "headers": {name: name for name in (*answer.headers, "X-Request-Id")},
    }
    if answer.shape is None:
        return found
    return found | {"content": {answer.content_type: {"schema": _schema(answer.shape)}}}


def _schema(shape: type | tuple[type, ...] | Mapping[str, Any]) -> Any:
    if isinstance(shape, tuple):
        return {"anyOf": [schema_of(each) for each in shape]}
    return schema_of(shape) if isinstance(shape, type) else dict(shape)


def _documented_body(body: Body) -> dict[str, Any]:
    content = {"schema": body.schema} | ({"examples": dict(body.examples)} if body.examples else {})
    return {"required": body.required, "content": {JSON: content}}


def _statuses(
    rule: str, access: Access, scope: str | None, query: Any, body: Any, problems: tuple[int, ...]
) -> list[int]:
    """The statuses of all problems that such an operation can answer."""
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
