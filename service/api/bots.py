"""Bots of players: programs that play, with tokens of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from marshmallow import Schema

from engine.documents import About
from service import leaving
from service.api.auth import Caller
from service.api.fields import CheckedField, must, text
from service.api.operations import Answer, Body, Resource
from service.api.paging import items_of
from service.api.requests import context
from service.api.tokens import IssuedToken
from service.names import LONGEST_NAME, bots_name
from service.players import bots, tokens
from service.players.tokens import LONGEST_LABEL
from service.store.players import Player
from service.store.tokens import Token


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


class BotRequestSchema(Schema):
    """A new bot."""

    name = CheckedField(
        bots_name,
        **must(
            "Its name. The last word of the names of bots is `bot`, and is added where it is missing.",
            minLength=1,
            maxLength=LONGEST_NAME,
        ),
    )


class BotTokenRequestSchema(Schema):
    """Another token of a bot."""

    label = text(1, LONGEST_LABEL, **must("A name for the token, for instance that of a machine."))


blueprint = Resource("bots", "Bots of players, with tokens of their own.")
OwnBots = items_of(OwnBot, "OwnBots", "All your bots.", "Oldest first.")

NEW_BOT = Body(BotRequestSchema, greedy=("A bot that is called Greedy bot", {"name": "Greedy"}))
NEW_BOT_TOKEN = Body(BotTokenRequestSchema, machine=("A token for another machine", {"label": "my other machine"}))


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
