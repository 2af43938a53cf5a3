"""Bots of players, and the API tokens with which these and other programs authenticate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import marshmallow as ma
from marshmallow import Schema, fields

from engine.documents import About
from service import leaving
from service.api.auth import Caller, own_token
from service.api.fields import CheckedField, may, must, one_of, otherwise, text, whole
from service.api.operations import Answer, Body, Resource
from service.api.paging import items_of
from service.api.requests import context
from service.api.shapes import Inlined
from service.names import LONGEST_NAME, bots_name
from service.players import bots, tokens
from service.players.tokens import LONGEST_DAYS, LONGEST_LABEL, SCOPES
from service.store.players import Player
from service.store.tokens import Token


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token with its secret, shown this once."""

    issued: Annotated[Token, Inlined()]
    token: Annotated[str, About("Keep it: it is not shown again.")]


class NewTokenSchema(Schema):
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


tokens_blueprint = Resource("tokens", "Tokens that programs authenticate with.")
Tokens = items_of(Token, "Tokens", "All your tokens.", "The tokens.")

NEW_TOKEN = Body(
    NewTokenSchema,
    for_a_bot=("A token that can play, but not manage tokens", {"label": "my bot", "scopes": ["play", "read"]}),
)


@tokens_blueprint.operation("GET /tokens", Answer(Tokens, "Your tokens."), scope="account")
def list_tokens(caller: Caller) -> Any:
    """List your tokens, without their secrets.

    Those that are revoked, too.
    """
    return Tokens(tokens.of_player(context(), caller))


@tokens_blueprint.operation(
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


@tokens_blueprint.operation(
    "DELETE /tokens/<id:token>", Answer(None, "It is revoked.", 204), scope="account", problems="token_not_found"
)
def revoke_token(caller: Caller, token: str) -> Any:
    """Revoke a token, for good.

    Requests with it are refused from now on. You can revoke the one that you use.
    """
    tokens.revoke(context(), caller, token)


@dataclass(frozen=True, slots=True)
class MadeBot:
    """A new bot, with its first token, which is shown this once."""

    player: Annotated[Player, About("The bot.")]
    token: Annotated[str, About("Keep it: it is not shown again.", example="ovl_…")]


@dataclass(frozen=True, slots=True)
class OwnBot:
    """A bot of yours."""

    player: Annotated[Player, About("The bot.")]
    tokens: Annotated[tuple[Token, ...], About("Its tokens, without their secrets.")]


class NewBotSchema(Schema):
    """A new bot."""

    name = CheckedField(
        bots_name,
        **must(
            "Its name. The last word of the names of bots is `bot`, and is added where it is missing.",
            minLength=1,
            maxLength=LONGEST_NAME,
        ),
    )


class NewBotTokenSchema(Schema):
    """Another token of a bot."""

    label = text(1, LONGEST_LABEL, **must("A name for the token, for instance that of a machine."))


blueprint = Resource("bots", "Bots of players, with tokens of their own.")
OwnBots = items_of(OwnBot, "OwnBots", "All your bots.", "Oldest first.")

NEW_BOT = Body(NewBotSchema, greedy=("A bot that is called Greedy bot", {"name": "Greedy"}))
NEW_BOT_TOKEN = Body(NewBotTokenSchema, machine=("A token for another machine", {"label": "my other machine"}))


@blueprint.operation("GET /me/bots", Answer(OwnBots, "Your bots."), scope="account")
def list_bots(caller: Caller) -> Any:
    """List your bots, with their tokens.

    A token is revoked as one of your own.
    """
    own = bots.of_player(context(), caller)
    return OwnBots(tuple(OwnBot(bot, tokens.of_player(context(), bot)) for bot in own))


@blueprint.operation(
    "POST /me/bots",
    Answer(MadeBot, "The bot.", 201, is_secret=True),
    scope="account",
    body=NEW_BOT,
    problems="bot_owns_nothing name_taken too_many_bots",
    creates=True,
)
def make_bot(caller: Caller, body: dict[str, Any]) -> Any:
    """Make a bot: a player without a mailbox, whose owner you are.

    Its token can read and play, so a program takes seats with it. Everybody sees whose it is. What
    it does counts for your limits. You have at most ten.
    """
    bot, _, secret = bots.make(context(), caller, body["name"])
    return MadeBot(bot, secret)


@blueprint.operation(
    "POST /me/bots/<id:player>/tokens",
    Answer(IssuedToken, "The token, shown this once.", 201, is_secret=True),
    scope="account",
    body=NEW_BOT_TOKEN,
    problems="player_not_found too_many_tokens",
    creates=True,
)
def issue_bot_token(caller: Caller, body: dict[str, Any], player: str) -> Any:
    """Issue another token of a bot of yours.

    It can read and play.
    """
    return IssuedToken(*bots.issue(context(), caller, player, body["label"]))


@blueprint.operation(
    "DELETE /me/bots/<id:player>", Answer(None, "It has left.", 204), scope="account", problems="player_not_found"
)
def delete_bot(caller: Caller, player: str) -> Any:
    """Delete a bot of yours.

    It resigns from its matches, and its tokens are revoked.
    """
    leaving.leave_for_good(context(), bots.find(context(), caller, player))
