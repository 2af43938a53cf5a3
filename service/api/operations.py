"""Declares an operation in one place: route, access, input, answers, and the OpenAPI of all that. A
wrapper around its view authenticates the caller, parses query and body, calls the view, serialises
its result, and notes that the caller has looked at a match.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import flask_smorest  # type: ignore[import-untyped]
import marshmallow as ma
from flask import Response, current_app, g, request
from werkzeug.routing import BaseConverter

from engine.texts import read_text
from service.api.auth import authenticate
from service.api.fields import Query
from service.api.idempotency import done_once
from service.api.parsing import Parser, check_coding, check_conditions, read_key
from service.api.refused import REFUSED, Refused, codes_of
from service.api.requests import context
from service.api.shapes import made, schema_of
from service.ids import ID_PATTERN
from service.matches import archive
from service.waits import apart

View: TypeAlias = Callable[..., Any]

PARSER = Parser()
EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = json.loads(read_text("service.api", "examples.json"))
"""Status and body of an answer, by operation, and of a call, by its type, as the service gave and
sent them in a recorded run (`make examples`).
"""
JSON = "application/json"


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer of an operation: ``shape`` is the type of the value, several types, or a JSON
    Schema. A ``content_type`` other than JSON is serialised by the view.
    """

    shape: type | tuple[type, ...] | Mapping[str, Any] | None
    description: str
    status: int = 200
    content_type: str = JSON
    headers: tuple[str, ...] = ()
    is_secret: bool = False
    """It shows a secret, which is neither stored as it is nor compressed."""


BY_PLAYERS: Final[list[dict[str, list[str]]]] = [{"token": []}, {"browser": [], "nonce": []}]
"""The ways in which a request says who sends it (``service.api.auth``)."""
EVERYWHERE: Final = ("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "X-Request-Id")
"""Headers of all answers, those of limits where callers are limited."""
UNCHANGED: Final = Answer(None, "Nothing has changed.", 304, headers=("ETag",))


@dataclass(frozen=True, slots=True)
class Reply:
    """The result of a view with headers, or with another status than that of the first answer."""

    value: Any
    status: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


class Body:
    """The request body of an operation: the schema, with examples by name, each a summary and the
    body. Where the schema has ``optional = True``, no body, or `null`, counts as an empty object.
    """

    def __init__(self, schema: type[ma.Schema], **examples: tuple[str, Any]) -> None:
        self.schema = schema
        self.examples = {name: {"summary": summary, "value": value} for name, (summary, value) in examples.items()}


class NoBody(ma.Schema):
    """Nothing may be sent; an empty object, or `null`, is nothing, too."""

    optional = True


class Resource(flask_smorest.Blueprint):  # type: ignore[misc]
    """Operations that the documentation shows together."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(name, __name__, url_prefix="/v1", description=description)

    def operation(
        self,
        route: str,
        *answers: Answer,
        scope: str | None = None,
        spectators: bool = False,
        query: Query | None = None,
        body: Body | None = None,
        headers: tuple[str, ...] = (),
        problems: str = "",
        refusals: bool = False,
        creates: bool = False,
    ) -> Callable[[View], View]:
        """Makes a view the operation of a route, such as `GET /me`; its operationId is the name of
        the view in camelCase.

        With a ``scope`` it needs a token that has it; for ``spectators`` a token is optional, and
        one that is sent must have the scope `read`. The view is called with the caller (with a
        ``scope``, or for ``spectators``), the query and the body, where it has them, and the parts
        of the path by name. It returns nothing, a dataclass, which is serialised by the schema of
        its type, a dictionary, a ``Reply`` or a ``Response``.
        ``headers`` are names of documented request headers, ``problems`` codes of what it refuses
        itself; with ``refusals`` it refuses by the rules of a game, too, with the game's own codes.
        One that ``creates`` something does so once for an idempotency key.
        """
        method, _, rule = route.partition(" ")
        scope = "read" if spectators else scope
        if method == "GET":
            answers = (replace(answers[0], headers=(*answers[0].headers, "ETag")), *answers[1:], UNCHANGED)
            headers = (*headers, "IfNoneMatch")
        headers = (*headers, "IdempotencyKey") if creates else headers
        own = problems.split()
        codes = codes_of(rule, own, private=scope is not None, changes=method != "GET", creates=creates)
        asked = None if query is None else ma.Schema.from_dict(dict(query))
        parameters = [*([] if asked is None else [{"in": "query", "schema": asked}]), *headers]
        reads_query = None if asked is None else made(asked)
        reads_body = None if method == "GET" else made(NoBody if body is None else body.schema)

        def decorate(view: View) -> View:
            name = _camel(view.__name__)
            example = EXAMPLES.get(name, {})
            refused = REFUSED[f"{self.name}.{view.__name__}"] = Refused(name, codes, refusals, answers[-1].headers)
            documented = self.doc(
                operationId=name,
                security=[] if scope is None else [*BY_PLAYERS, {}] if spectators else BY_PLAYERS,
                responses={
                    answer.status: "Unchanged" if answer is UNCHANGED else documented_answer(answer, example)
                    for answer in answers
                }
                | {status: refused.name_of(status) for status in refused.codes},
                **_texts(view),
                **({"parameters": parameters} if parameters else {}),
                **({} if body is None else {"requestBody": _documented_body(body)}),
            )(view)

            @functools.wraps(documented)  # wraps the view, with the documentation that `doc` attached
            def respond(**parts: Any) -> Response:
                given: list[Any] = []
                caller = authenticate(required=scope is not None and not spectators, scope=scope)
                check_coding()
                if answers[0].is_secret:
                    g.is_secret = True
                if scope is not None:
                    given.append(caller)
                if reads_query is not None or request.args:
                    found = PARSER.parse(reads_query or ma.Schema(), location="query", unknown=ma.RAISE)
                    given += [] if reads_query is None else [found]
                if reads_body is not None:
                    check_conditions()
                    document = PARSER.parse(reads_body, location="json")
                    given += [] if body is None else [document]

                def respond_to() -> Response:
                    return written(view(*given, **parts), answers[0].status)

                if creates and caller is not None:
                    answer = done_once(caller, respond_to, answers[0].is_secret, read_key())
                else:
                    answer = respond_to()
                if method == "GET" and "match" in parts and caller is not None:
                    apart(functools.partial(archive.visit, context(), caller, parts["match"]))
                return answer

            self.route(rule, methods=[method], parameters=parameters_of(rule))(respond)
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
        response.data = current_app.json.dumps(document).encode("utf-8", "replace")  # a game may name half a surrogate
        response.content_type = JSON
    return response


def _texts(view: View) -> dict[str, Any]:
    """Summary and description of a view, from its docstring."""
    summary, _, description = (view.__doc__ or "").partition("\n\n")
    words = {"summary": " ".join(summary.split()).rstrip("."), "description": " ".join(description.split())}
    return {name: text for name, text in words.items() if text}


def documented_answer(answer: Answer, example: Mapping[str, Any]) -> dict[str, Any]:
    """An answer as the description has it."""
    found: dict[str, Any] = {
        "description": answer.description,
        "headers": headers_of(*answer.headers),
    }
    if answer.shape is None:
        return found
    shown: dict[str, Any] = {}
    if example.get("status") == answer.status:
        shown["examples"] = {"recorded": {"summary": "As the service has answered", "value": example["value"]}}
    return found | {"content": {answer.content_type: {"schema": _schema(answer.shape), **shown}}}


def headers_of(*names: str) -> dict[str, str]:
    """The components that describe the headers of an answer, by header; `A-of-b` describes A."""
    return {name.partition("-of-")[0]: name for name in (*names, *EVERYWHERE)}


def _schema(shape: type | tuple[type, ...] | Mapping[str, Any]) -> Any:
    if isinstance(shape, tuple):
        return {"oneOf": [schema_of(each) for each in shape]}
    return schema_of(shape) if isinstance(shape, type) else dict(shape)


def _documented_body(body: Body) -> dict[str, Any]:
    content = {JSON: {"schema": body.schema, "examples": body.examples}}
    return {"required": not getattr(body.schema, "optional", False), "content": content}


def _camel(name: str) -> str:
    head, *tail = name.split("_")
    return head + "".join(part.capitalize() for part in tail)


class IdConverter(BaseConverter):
    """An id in a path; anything else is answered with 404."""

    regex = ID_PATTERN.strip("^$")
    part_isolating = True


PARTS: dict[str, dict[str, Any]] = {
    "game": {"description": "The name of a game, as in the catalogue.", "examples": {"oregon": {"value": "oregon"}}},
    "match": {"description": "The id of a match."},
    "secret": {"description": "What stands behind `/join/` in a join link."},
    "turn": {"description": "The id of a turn of this match."},
    "player": {"description": "The id of a player."},
    "mail": {"description": "The id of a mail."},
    "webhook": {"description": "The id of a webhook."},
    "token": {"description": "The id of a token; not the token itself."},
    "address": {"description": "The id of one of your addresses; not the address itself."},
    "taken": {"description": "The id of days off of yours."},
    "offer": {"description": "The id of an offer of this match."},
}


def parameters_of(rule: str) -> list[dict[str, Any]]:
    """The OpenAPI parameters of a route. Raises ``KeyError`` for a part that is not described."""
    names = re.findall(r":([a-z_]+)>", rule)
    return [{"in": "path", "name": name, "required": True, **PARTS[name]} for name in names]
