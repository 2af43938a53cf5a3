"""The `webhooks` of the description: what addresses that players have entered are called with."""

from __future__ import annotations

from typing import Any, Final

from service.api.derived import COMPONENTS, JsonSchema
from service.api.operations import EXAMPLES
from service.webhooks.bodies import MatchCall, PingCall

CALLS: Final[dict[str, tuple[type[MatchCall | PingCall], str, str]]] = {
    "match.turn": (
        MatchCall,
        "A match waits for somebody",
        "It is told 30 seconds after it began to wait, unless it has moved on since.",
    ),
    "match.reminder": (
        MatchCall,
        "The time of an awaited seat is nearly up",
        "At half of it, where it is a day or more, and in the last 12 to 24 hours of it and of the reserve, whatever"
        " its player wants to be mailed.",
    ),
    "match.started": (MatchCall, "A match has started", "What it waits for first is told with it."),
    "match.over": (MatchCall, "A match is over", "No seat is awaited any more; ask the API how it ended."),
    "ping": (PingCall, "A webhook is tried", "Somebody has asked for it: `POST /v1/me/webhooks/{webhook}/ping`."),
}
"""By the type of a call: its body, what it tells, and what else holds."""

_HEADERS: Final = {
    "webhook-id": ("The id of what is told: a call that is repeated has the same one.", {"pattern": "^[0-9a-f]{32}$"}),
    "webhook-timestamp": ("When it was sent, in seconds since 1970.", {"pattern": "^[0-9]{1,11}$"}),
    "webhook-signature": (
        "HMAC-SHA256 of id, timestamp and body, by the secret of the webhook (Standard Webhooks 1.0.0); several, with"
        " spaces between them, where several secrets are valid.",
        {"pattern": "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$"},
    ),
}


def webhooks() -> dict[str, Any]:
    """The path items of all calls in the format `json`, by their types."""
    return {name: {"post": _call(name)} for name in CALLS}


def _call(name: str) -> dict[str, Any]:
    kind, summary, description = CALLS[name]
    schema: JsonSchema = {
        "allOf": [
            {"$ref": COMPONENTS + kind.__name__},
            {"type": "object", "properties": {"type": {"type": "string", "const": name}}},
        ]
    }
    shown: dict[str, Any] = {}
    if name in EXAMPLES:
        shown["examples"] = {"recorded": {"summary": "As the service has sent it", "value": EXAMPLES[name]["value"]}}
    parameters = [
        {"in": "header", "name": header, "required": True, "description": about, "schema": {"type": "string", **form}}
        for header, (about, form) in _HEADERS.items()
    ]
    return {
        "operationId": "told" + "".join(part.capitalize() for part in name.split(".")),
        "tags": ["webhooks"],
        "summary": summary,
        "description": description,
        "security": [],
        "parameters": parameters,
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema, **shown}}},
        "responses": {
            "2XX": {"description": "It is told. Anything else is tried again, for three days."},
            "410": {"description": "It wants no more calls: the webhook is switched off."},
        },
    }
