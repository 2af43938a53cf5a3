"""The API of an application: its resources, and their OpenAPI 3.1 document with what all operations
share. The document depends on the code alone: no settings, no database.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Any

import flask_smorest  # type: ignore[import-untyped]
import marshmallow as ma
from apispec.core import Components
from flask import Flask, Response

from service.api import (
    addresses,
    awaiting,
    bots,
    chat,
    events,
    games,
    matches,
    notices,
    offers,
    players,
    tokens,
    turns,
    views,
    webhooks,
)
from service.api.auth import SIGNED_IN
from service.api.conversion import Converter, Plugin, bound
from service.api.derived import COMPONENTS, Definitions, JsonSchema, record
from service.api.operations import UNCHANGED, IdConverter, documented_answer, headers_of
from service.api.parsing import IDEMPOTENCY_KEY
from service.api.problems import MEDIA_TYPE, ProblemAnswer, register_error_handlers
from service.api.refused import REFUSED, Refused
from service.api.requests import NONCE
from service.api.shapes import schema_of
from service.api.stored import stored
from service.errors import Fault
from service.ids import ID_PATTERN
from service.turns.intake import MOST_ACTIONS
from service.webhooks.bodies import MatchCall, PingCall

DOCUMENT = "openapi"  # the name of the document among what the application keeps
DESCRIPTION = f"""\
A play-by-email and REST turn service for long-running board games.

**Start here.** `POST /v1/players` sends you a mail; `POST /v1/confirm` turns its token \
into an API token; send that as `Authorization: Bearer ovl_…`. Create a match or join one, look at \
its `observation`, ask for its `legal-actions`, and `POST` a turn.

**Turns.** A turn names the *ply* it answers, the number of entries in the match's log. It is \
stored at once (`202`, `Location`) and judged by a worker; `Prefer: wait=10` waits for the \
verdict. Send an `Idempotency-Key` with every turn, and repeat a request freely.

**Errors** are problem details (RFC 9457) with a stable `code`; every code is explained at \
[/docs/problems](/docs/problems). **Limits:** a body has at most 64 kB (a new match 256 kB) and a \
turn at most {MOST_ACTIONS} actions; where callers are limited, `429` says in `Retry-After` when \
to come back.

**Lists** come in pages: `limit` items from `after` on; `next` and the `Link` header lead to the \
next page. Times are UTC (RFC 3339).
"""

TITLES = {
    400: "Cannot be read",
    401: "No valid token",
    403: "Not allowed",
    404: "Nothing here",
    409: "Not in this state",
    410: "Gone",
    412: "A condition is false",
    413: "Too large",
    415: "Not JSON",
    422: "Does not fit",
    429: "Too many requests",
    500: "Our fault",
    503: "Not ready",
}


def _header(description: str, required: bool = False, **schema: str) -> dict[str, Any]:
    """A header of answers, as text."""
    found = {"description": description} | ({"required": True} if required else {})
    return found | {"schema": {"type": "string", **schema}}


HEADERS = {
    "Accept-Encoding": _header("Where the body came compressed: how it may come (RFC 9110), `identity`."),
    "Location": _header("The address of the new resource.", required=True, format="uri-reference"),
    "Location-of-turn": _header("The address of the turn, where it was stored.", format="uri-reference"),
    "ETag": _header("The version of this representation, for `If-None-Match`.", required=True),
    "Preference-Applied": _header("The preference that was applied (RFC 7240): `wait=10`."),
    "Link": _header('The next page, `rel="next"` (RFC 8288); absent on the last.'),
    "Retry-After": _header("How many seconds to wait."),
    "RateLimit-Limit": _header("Of the limit that is nearest: how many requests are allowed in its window."),
    "RateLimit-Remaining": _header("Of the limit that is nearest: how many requests are left."),
    "RateLimit-Reset": _header("Of the limit that is nearest: how many seconds until its next window."),
    "WWW-Authenticate": _header("How to authenticate (RFC 6750).", required=True),
    "WWW-Authenticate-of-scope": _header("The scope that the token lacks, where it lacks one (RFC 6750)."),
    "X-Request-Id": _header("The request in our logs; quote it when something went wrong."),
}

PROBLEM_HEADERS = {
    401: ("WWW-Authenticate",),
    403: ("WWW-Authenticate-of-scope",),
    415: ("Accept-Encoding",),
    429: ("Retry-After",),
    503: ("Retry-After",),
}
"""Further headers of problems, by status."""

PARAMETERS: dict[str, dict[str, Any]] = {
    "Prefer": {
        "in": "header",
        "name": "Prefer",
        "description": "`wait=N` (RFC 7240) waits up to N seconds, at most 30, for the verdict.",
        "schema": {"type": "string", "examples": ["wait=10"]},
    },
    "IdempotencyKey": {
        "in": "header",
        "name": "Idempotency-Key",
        "description": (
            "A text of your choice, new for everything that you do. The same key with the same body does the same once,"
            " however often it is sent, and is answered as the first time; known for 30 days."
        ),
        "schema": {
            "type": "string",
            "pattern": f"^{IDEMPOTENCY_KEY}$",
            "examples": ["2f6c1f0e-4c0e-4a57-9d0c-0c9c4d9d3f5a"],
        },
    },
    "IfNoneMatch": {
        "in": "header",
        "name": "If-None-Match",
        "description": "The ETag you hold; `304` means that it is still current.",
        "schema": {"type": "string"},
    },
}

PROBLEM = {
    "type": "/docs/problems/invalid",
    "title": "The request does not fit the schema",
    "status": 422,
    "code": "invalid",
    "detail": "/ply: ply is missing.",
    "instance": "/v1/matches/m7Kq2/turns#8f14e45f",
    "errors": [{"pointer": "/ply", "detail": "ply is missing."}],
}
"""The example of a problem."""

RESOURCES = (
    games.blueprint,
    players.blueprint,
    addresses.blueprint,
    tokens.blueprint,
    notices.preferences_blueprint,
    notices.mails_blueprint,
    chat.blocks_blueprint,
    bots.blueprint,
    awaiting.blueprint,
    awaiting.days_off_blueprint,
    awaiting.calendar,
    matches.blueprint,
    matches.joining_blueprint,
    offers.blueprint,
    views.observation,
    turns.blueprint,
    views.log,
    events.blueprint,
    webhooks.blueprint,
    chat.blueprint,
    players.reports_blueprint,
    views.boards,
)
"""In the order the documentation shows them."""


class Api(flask_smorest.Api):  # type: ignore[misc]
    """flask-smorest's Api, whose errors are problems, each documented where it can occur."""

    DEFAULT_ERROR_RESPONSE_NAME = None


def register_api(app: Flask) -> None:
    """Registers every resource, and has the application answer every error as a problem."""
    app.url_map.converters["id"] = IdConverter
    for blueprint in RESOURCES:
        app.register_blueprint(blueprint)
    register_error_handlers(app)
    app.add_url_rule("/openapi.json", "openapi", lambda: Response(served_text(app), content_type="application/json"))


def served_text(app: Flask) -> str:
    """The document as the application serves it, made where it is first asked for."""
    if DOCUMENT not in app.extensions:
        app.extensions[DOCUMENT] = app.json.dumps(openapi_document(), separators=(",", ":"))
    return str(app.extensions[DOCUMENT])


def openapi_document() -> dict[str, Any]:
    """The OpenAPI document of this version of the service, with the games that are installed."""
    app = Flask("service.api", static_folder=None)
    app.config.update(API_TITLE="Overland", API_VERSION="v1", OPENAPI_VERSION="3.1.0", OPENAPI_URL_PREFIX=None)
    app.url_map.converters["id"] = IdConverter
    plugin = Plugin(schema_name_resolver=_name_of)
    options = {
        "info": {
            "description": DESCRIPTION,
            "contact": {"name": "The host of this service"},
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "This service"}],
        "jsonSchemaDialect": "https://spec.openapis.org/oas/3.1/dialect/base",
        "webhooks": webhooks.calls(),
    }
    api = Api(app, spec_kwargs={"marshmallow_plugin": plugin, **options})
    assert isinstance(plugin.converter, Converter)
    api.register_converter(IdConverter, lambda _: {"type": "string", "pattern": ID_PATTERN})
    _add_components(api.spec.components, plugin.converter.everything)
    for blueprint in RESOURCES:
        api.register_blueprint(blueprint)
    api.spec.tag(webhooks.CALLED)
    bound(api.spec.components.schemas)
    document: dict[str, Any] = api.spec.to_dict()
    _flatten(document)
    return document


def _flatten(document: dict[str, Any]) -> None:
    """Has the unions of answers name the parts of a union within: generated clients decode one that
    holds another as the wrong member, or not at all.
    """
    schemas = document["components"]["schemas"]
    operations = (each for methods in document["paths"].values() for each in methods.values() if "responses" in each)
    for operation in operations:
        for answer in operation["responses"].values():
            for content in answer.get("content", {}).values():
                found = content["schema"]
                parts: list[JsonSchema] = []
                for part in found.get("oneOf", ()):
                    name = part["$ref"].removeprefix(COMPONENTS)
                    parts += schemas.pop(name)["oneOf"] if "oneOf" in schemas[name] else [part]
                found |= {"oneOf": parts} if parts else {}


def openapi_text() -> str:
    """The document as the text of `openapi/openapi.json`."""
    return json.dumps(openapi_document(), indent=1, ensure_ascii=False) + "\n"


def _add_components(components: Components, definitions: Definitions) -> None:
    """Adds the components that no operation refers to by class."""
    _add_problem(components, Fault)
    _add_problem(components, ProblemAnswer, examples=[PROBLEM])
    record(definitions)
    stored(definitions)
    for called in (MatchCall, PingCall):
        components.schema(called.__name__, schema=schema_of(called))
    for name, header in HEADERS.items():
        components.header(name, header)
    for name, parameter in PARAMETERS.items():
        components.parameter(name, parameter["in"], parameter)
    components.security_scheme("token", {"type": "http", "scheme": "bearer", "description": "An API token: `ovl_…`"})
    about = "The cookie of a browser in which a player is signed in, for scripts of our own pages."
    cookie = {"type": "apiKey", "in": "cookie", "name": SIGNED_IN, "description": about}
    components.security_scheme("browser", cookie)
    about = "The nonce of our page that sends the request. No page of another origin has one."
    components.security_scheme("nonce", {"type": "apiKey", "in": "header", "name": NONCE, "description": about})
    components.response("Unchanged", documented_answer(UNCHANGED, {}))
    described: set[str] = set()
    for refused in REFUSED.values():
        for status in refused.codes:
            if (name := refused.name_of(status)) not in described:
                described.add(name)
                definitions.define(name, _problem_schema(refused, status))
                components.response(name, _problem_response(name, refused, status))


def _add_problem(components: Components, kind: type, **more: Any) -> None:
    """Adds a part of a problem, which may have further members (RFC 9457, section 3.2)."""
    found = schema_of(kind)(unknown=ma.EXCLUDE)
    components.schema(_name_of(found), more, schema=found)


def _name_of(schema: Any) -> str:
    """The name of a schema; empty for flask-smorest's own, which apispec then leaves out."""
    found = schema if isinstance(schema, type) else type(schema)
    return "" if found.__module__.startswith("flask_smorest.") else found.__name__.removesuffix("Schema")


def _problem_schema(refused: Refused, status: int) -> JsonSchema:
    """A problem of an operation, with its codes."""
    named = refused.codes[status]
    code: JsonSchema = {"type": "string", "description": "A stable code."}
    if refused.by_game and status == HTTPStatus.UNPROCESSABLE_ENTITY:
        listed = ", ".join(f"`{each}`" for each in named)
        code["description"] = f"One of {listed}, or the code of a rule of the game, as refusals of turns have it."
    else:
        code |= {"enum": list(named)}
    return {
        "description": f"{TITLES[status]}.",
        "allOf": [{"$ref": f"{COMPONENTS}Problem"}, {"type": "object", "properties": {"code": code}}],
    }


def _problem_response(name: str, refused: Refused, status: int) -> dict[str, Any]:
    judged = refused.headers if refused.by_game and status in (409, 422) else ()
    told = headers_of(*PROBLEM_HEADERS.get(status, ()), *judged)
    return {
        "description": f"{TITLES[status]}.",
        "headers": {header: {"$ref": f"#/components/headers/{each}"} for header, each in told.items()},
        "content": {MEDIA_TYPE: {"schema": {"$ref": COMPONENTS + name}}},
    }
