"""Whom you have blocked."""

from __future__ import annotations

from typing import Any

from service.api.answers.mine import BlockedAnswer, Blocks
from service.api.auth import Caller
from service.api.current import context
from service.api.inputs.preferences import BlockSchema
from service.api.operations import Answer, Blueprint, Body, Reply, operation
from service.players import blocks
from service.store.players import Blocked

blueprint = Blueprint("blocks", __name__, url_prefix="/v1", description="Players from whom you want nothing.")

BLOCK = Body(BlockSchema, {"seat": {"summary": "The player of a seat", "value": {"match": "k3v7q2m5xa", "seat": 1}}})


@operation(
    blueprint, "GET", "/me/blocks", Answer(Blocks, description="Whom you have blocked."), access="player", scope="read"
)
def list_blocks(caller: Caller) -> Any:
    """List whom you have blocked."""
    return Blocks(tuple(_answer(each) for each in blocks.blocked(context(), caller)))


@operation(
    blueprint,
    "POST",
    "/me/blocks",
    Answer(BlockedAnswer, 201, "The player is blocked."),
    access="player",
    scope="account",
    body=BLOCK,
    problems=(404, 409),
)
def block(caller: Caller, body: dict[str, Any]) -> Any:
    """Block a player.

    You read nothing more of what they say, and their invitations do not reach you. They are not
    told. Matches that you play together go on.
    """
    return _answer(blocks.block(context(), caller, body["match"], body["seat"]))


@operation(
    blueprint,
    "DELETE",
    "/me/blocks/<id:player>",
    Answer(None, 204, "The player is not blocked any more."),
    access="player",
    scope="account",
)
def unblock(caller: Caller, player: str) -> Any:
    """Block a player no longer."""
    blocks.unblock(context(), caller, player)
    return Reply(None)


def _answer(found: Blocked) -> BlockedAnswer:
    return BlockedAnswer(found.player_id, found.name, found.at)
