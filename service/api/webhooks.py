"""Webhooks: addresses that are called when somebody is awaited, and a match starts or ends; and
what they are called with, the `webhooks` of the description.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Final, get_args

from marshmallow import Schema

from engine.documents import About
from service.api.auth import Caller
from service.api.derived import COMPONENTS, JsonSchema
from service.api.fields import StrictBoolean, may, must, one_of, text
from service.api.operations import EXAMPLES, Answer, Body, Resource
from service.api.paging import items_of
from service.api.requests import context
from service.api.shapes import Inlined
from service.store.webhooks import Webhook, WebhookFormat
from service.webhooks import owning
from service.webhooks.bodies import MatchCall, PingCall
from service.webhooks.targets import LONGEST_URL, read_target

FORMATS: Final[tuple[WebhookFormat, ...]] = get_args(WebhookFormat)
ABOUT_FORMAT: Final = "`json`: signed, after Standard Webhooks; `discord`, `slack`: a message there."


@dataclass(frozen=True, slots=True)
class WebhookAnswer:
    """A webhook of yours."""

    id: Annotated[str, About("Its id.")]
    match: Annotated[str | None, About("The match that it is told of; `null`: what concerns you in all of yours.")]
    format: Annotated[WebhookFormat, About(ABOUT_FORMAT)]
    url: Annotated[str, About("Where it is called.")]
    on: Annotated[bool, About("False where it was switched off: after three days of failures, or an answer 410.")]
    created_at: Annotated[datetime, About("When it was entered.")]
    told_at: Annotated[datetime | None, About("When it was called last with success.")]
    failing_since: Annotated[datetime | None, About("Since when every call has failed; `null` if the last did not.")]
    last_error: Annotated[str | None, About("Why the last call failed; `null` if it did not.")]


@dataclass(frozen=True, slots=True)
class WebhookWithSecret:
    """A webhook of yours, with the secret that signs what it is told."""

    webhook: Annotated[WebhookAnswer, Inlined()]
    secret: Annotated[str | None, About("Shown only now; `null` where the format is not `json`.", example="whsec_…")]


@dataclass(frozen=True, slots=True)
class WebhookOfMatch:
    """A webhook of a match, as all its players see it."""

    id: Annotated[str, About("Its id.")]
    format: Annotated[WebhookFormat, About(ABOUT_FORMAT)]
    place: Annotated[str, About("Scheme and host of its address; the rest may be a secret.")]
    you: Annotated[bool, About("True if you have entered it.")]
    on: Annotated[bool, About("False where it was switched off.")]
    last_error: Annotated[str | None, About("Why the last call failed; `null` if it did not.")]


class WebhookRequestSchema(Schema):
    """Where to call, and in which format."""

    url = text(1, LONGEST_URL, **must("Where it is called, by https or http, on a usual port of a public host."))
    format = one_of(FORMATS, **may(ABOUT_FORMAT + " `json` if you leave it out."))


class ChangedWebhookSchema(Schema):
    """What you leave out stays as it is."""

    url = text(1, LONGEST_URL, **may("Another address; it is switched on."))
    format = one_of(FORMATS, **may("Another format."))
    on = StrictBoolean(**may("True to switch it on again, false to switch it off."))


blueprint = Resource("webhooks", "Addresses that are called when somebody is awaited.")
WebhooksOfMatch = items_of(
    WebhookOfMatch, "WebhooksOfMatch", "The webhooks of a match.", "Oldest first, at most three."
)
Webhooks = items_of(WebhookAnswer, "Webhooks", "Your webhooks.", "Oldest first.")

NEW = Body(
    WebhookRequestSchema,
    own=("A program of yours", {"url": "https://example.org/overland"}),
    discord=(
        "A channel in Discord",
        {"url": "https://discord.com/api/webhooks/123456789012345678/token", "format": "discord"},
    ),
)
CHANGES = Body(ChangedWebhookSchema, on=("Try again", {"on": True}))
ENTERED = Answer(WebhookWithSecret, "It is entered.", 201, is_secret=True)

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
CALLED: Final = {"name": "calls", "description": "What addresses are called with, which answer us."}
"""The tag of the calls, which no operation has: generated clients have a module for each tag."""

_HEADERS: Final = {
    "webhook-id": ("The id of what is told: a call that is repeated has the same one.", {"pattern": "^[0-9a-f]{32}$"}),
    "webhook-timestamp": ("When it was sent, in seconds since 1970.", {"pattern": "^[0-9]{1,11}$"}),
    "webhook-signature": (
        "HMAC-SHA256 of id, timestamp and body, by the secret of the webhook (Standard Webhooks 1.0.0); several, with"
        " spaces between them, where several secrets are valid.",
        {"pattern": "^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$"},
    ),
}


@blueprint.operation("GET /me/webhooks", Answer(Webhooks, "Your webhooks."), scope="read")
def list_webhooks(caller: Caller) -> Any:
    """List your webhooks.

    Those that you have entered for matches are among them.
    """
    return Webhooks(tuple(_shown(each) for each in owning.of_player(context(), caller)))


@blueprint.operation(
    "POST /me/webhooks", ENTERED, scope="account", body=NEW, creates=True, problems="too_many_webhooks"
)
def enter_webhook(caller: Caller, body: dict[str, Any]) -> Any:
    """Have an address called when a match waits for you, your time is nearly up, and a match of
    yours starts or ends.

    What follows within 30 seconds is told at once, by one call. You can have five.
    """
    return _with_secret(owning.enter(context(), caller, body["format"] or "json", body["url"]))


@blueprint.operation(
    "PATCH /me/webhooks/<id:webhook>",
    Answer(WebhookAnswer, "The webhook."),
    scope="account",
    body=CHANGES,
    problems="webhook_not_found",
)
def change_webhook(caller: Caller, body: dict[str, Any], webhook: str) -> Any:
    """Change a webhook.

    One that was switched off is switched on again by another address, or by `on`.
    """
    return _shown(owning.change(context(), caller, webhook, body["url"], body["format"], body["on"]))


@blueprint.operation(
    "DELETE /me/webhooks/<id:webhook>",
    Answer(None, "It is removed.", 204),
    scope="account",
    problems="webhook_not_found",
)
def remove_webhook(caller: Caller, webhook: str) -> Any:
    """Remove a webhook.

    It is called no more, also with what waits to be told.
    """
    owning.remove(context(), caller, webhook)


@blueprint.operation(
    "POST /me/webhooks/<id:webhook>/ping",
    Answer(WebhookAnswer, "It is called soon.", 202),
    scope="account",
    problems="webhook_not_found webhook_off",
)
def ping_webhook(caller: Caller, webhook: str) -> Any:
    """Have a webhook called to try it, at most 30 times a day.

    What came of it is in `told_at` and `last_error` some seconds later.
    """
    return _shown(owning.ping(context(), caller, webhook))


@blueprint.operation(
    "POST /me/webhooks/<id:webhook>/secret",
    Answer(WebhookWithSecret, "The new secret.", 201, is_secret=True),
    scope="account",
    creates=True,
    problems="webhook_not_found",
)
def renew_webhook_secret(caller: Caller, webhook: str) -> Any:
    """Give a webhook another secret.

    For 24 hours what it is told is signed with the one before, too.
    """
    return _with_secret(owning.renew_secret(context(), caller, webhook))


@blueprint.operation(
    "GET /matches/<id:match>/webhooks",
    Answer(WebhooksOfMatch, "The webhooks of the match."),
    scope="read",
    problems="not_seated",
)
def list_webhooks_of_match(caller: Caller, match: str) -> Any:
    """List the webhooks of a match.

    Its players see them, without the part of an address that may be a secret.
    """
    return WebhooksOfMatch(tuple(_of_match(caller, each) for each in owning.of_match(context(), caller, match)))


@blueprint.operation(
    "POST /matches/<id:match>/webhooks",
    ENTERED,
    scope="account",
    body=NEW,
    creates=True,
    problems="not_seated too_many_webhooks",
)
def enter_webhook_of_match(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Have an address called, such as the channel of a club, whoever a match waits for.

    A match has at most three. You find and change it among yours; everybody who plays the match may
    remove it. An address that several have entered is told once.
    """
    return _with_secret(owning.enter(context(), caller, body["format"] or "json", body["url"], match))


@blueprint.operation(
    "DELETE /matches/<id:match>/webhooks/<id:webhook>",
    Answer(None, "It is removed.", 204),
    scope="play",
    problems="not_seated webhook_not_found",
)
def remove_webhook_of_match(caller: Caller, match: str, webhook: str) -> Any:
    """Remove a webhook of a match.

    Everybody who plays the match may, whoever has entered it.
    """
    owning.remove_from(context(), caller, match, webhook)


def calls() -> dict[str, Any]:
    """The path items of all calls in the format `json`, by their types."""
    return {name: {"post": _call(name)} for name in CALLS}


def _with_secret(webhook: Webhook) -> WebhookWithSecret:
    return WebhookWithSecret(_shown(webhook), webhook.secret if webhook.format == "json" else None)


def _shown(webhook: Webhook) -> WebhookAnswer:
    return WebhookAnswer(
        webhook.id,
        webhook.match_id,
        webhook.format,
        webhook.url,
        webhook.off_at is None,
        webhook.created_at,
        webhook.told_at,
        webhook.failing_since,
        webhook.last_error,
    )


def _of_match(caller: Caller, webhook: Webhook) -> WebhookOfMatch:
    mine, place = webhook.player_id == caller.id, read_target(webhook.url).place
    return WebhookOfMatch(webhook.id, webhook.format, place, mine, webhook.off_at is None, webhook.last_error)


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
        "tags": [CALLED["name"]],
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
