"""API tokens, with which programs authenticate; each can be revoked on its own."""

from __future__ import annotations

from typing import Any

from service.api.answers.players import IssuedToken, Tokens
from service.api.auth import Caller, own_token
from service.api.current import context
from service.api.inputs.players import NewTokenSchema
from service.api.operations import Answer, Blueprint, Body, Reply, operation
from service.players import tokens

blueprint = Blueprint("tokens", __name__, url_prefix="/v1", description="Tokens that programs authenticate with.")

NEW_TOKEN = Body(
    NewTokenSchema,
    {
        "for_a_bot": {
            "summary": "A token that can play, but not manage tokens",
            "value": {"label": "my bot", "scopes": ["play", "read"]},
        }
    },
)


@operation(blueprint, "GET", "/tokens", Answer(Tokens, description="Your tokens."), access="player", scope="account")
def list_tokens(caller: Caller) -> Any:
    """List your tokens, without their secrets."""
    return Tokens(tokens.of_player(context(), caller))


@operation(
    blueprint,
    "POST",
    "/tokens",
    Answer(IssuedToken, 201, "The token, shown this once."),
    access="player",
    scope="account",
    body=NEW_TOKEN,
    problems=(409,),
)
def issue_token(caller: Caller, body: dict[str, Any]) -> Any:
    """Issue another token, with the scopes of your own or some of them.

    The scope `account` needs a token that you got by mail at most 15 minutes ago.
    """
    return IssuedToken(*tokens.issue(context(), caller, own_token(), body["label"], body["scopes"]))


@operation(
    blueprint, "DELETE", "/tokens/<id:token>", Answer(None, 204, "It is revoked."), access="player", scope="account"
)
def revoke_token(caller: Caller, token: str) -> Any:
    """Revoke a token, for good."""
    tokens.revoke(context(), caller, token)
    return Reply(None)
