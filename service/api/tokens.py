"""API tokens, with which programs authenticate; each can be revoked on its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import marshmallow as ma
from marshmallow import Schema, fields

from engine.documents import About
from service.api.auth import Caller, own_token
from service.api.fields import may, one_of, otherwise, text, whole
from service.api.operations import Answer, Body, Resource
from service.api.paging import items_of
from service.api.requests import context
from service.api.shapes import Inlined
from service.players import tokens
from service.players.tokens import LONGEST_DAYS, LONGEST_LABEL, SCOPES
from service.store.tokens import Token


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token with its secret, shown this once."""

    issued: Annotated[Token, Inlined()]
    token: Annotated[str, About("Keep it: it is not shown again.")]


class TokenRequestSchema(Schema):
    """A new API token: its label and its scopes."""

    label = text(
        1, LONGEST_LABEL, **otherwise("API", "A name for the token, for instance that of the program that uses it.")
    )
    scopes = fields.List(
        one_of(SCOPES),
        validate=ma.validate.Length(min=1, max=len(SCOPES), error="Name one to three scopes."),
        **may(
            "What the token allows: `read` to look, `play` to act in matches, `account` for tokens. It may have no"
            " scope that your own token lacks, and without this has the same."
        ),
    )
    expires_in = whole(1, LONGEST_DAYS, **may("For how many days the token is valid; without it, until it is revoked."))


blueprint = Resource("tokens", "Tokens that programs authenticate with.")
Tokens = items_of(Token, "Tokens", "All your tokens.", "The tokens.")

NEW_TOKEN = Body(
    TokenRequestSchema,
    for_a_bot=("A token that can play, but not manage tokens", {"label": "my bot", "scopes": ["play", "read"]}),
)


@blueprint.operation("GET /tokens", Answer(Tokens, "Your tokens."), scope="account")
def list_tokens(caller: Caller) -> Any:
    """List your tokens, without their secrets.

    Those that are revoked, too.
    """
    return Tokens(tokens.of_player(context(), caller))


@blueprint.operation(
    "POST /tokens",
    Answer(IssuedToken, "The token, shown this once.", 201, is_secret=True),
    scope="account",
    body=NEW_TOKEN,
    creates=True,
    problems="proof_needed too_many_tokens",
)
def issue_token(caller: Caller, body: dict[str, Any]) -> Any:
    """Issue another token, with the scopes of your own or some of them.

    The scope `account` needs a token that you got by mail at most 15 minutes ago.
    """
    return IssuedToken(*tokens.issue(context(), caller, own_token(), body["label"], body["scopes"], body["expires_in"]))


@blueprint.operation(
    "DELETE /tokens/<id:token>", Answer(None, "It is revoked.", 204), scope="account", problems="token_not_found"
)
def revoke_token(caller: Caller, token: str) -> Any:
    """Revoke a token, for good.

    Requests with it are refused from now on. You can revoke the one that you use.
    """
    tokens.revoke(context(), caller, token)
