"""Whom you have blocked."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema

from service.api.auth import Caller
from service.api.fields import id_of, may, must, whole
from service.api.operations import Answer, Body, Resource
from service.api.paging import items_of
from service.api.requests import context
from service.house import MOST_SEATS
from service.players import blocks
from service.store.players import Blocked


class BlockSchema(Schema):
    """Whom to block: the player of a seat of a match, or whoever created it."""

    match = id_of("match", **must("A match in which you have a seat, or are kept one."))
    seat = whole(
        0, MOST_SEATS - 1, **may("The seat of the player. If you leave it out: the player who created the match.")
    )


blueprint = Resource("blocks", "Players from whom you want nothing.")
Blocks = items_of(Blocked, "Blocks", "Whom you have blocked.", "The players.")

BLOCK = Body(BlockSchema, seat=("The player of a seat", {"match": "k3v7q2m5xa", "seat": 1}))


@blueprint.operation("GET /me/blocks", Answer(Blocks, "Whom you have blocked."), scope="read")
def list_blocks(caller: Caller) -> Any:
    """List whom you have blocked.

    With the ids by which they are unblocked.
    """
    return Blocks(blocks.blocked(context(), caller))


@blueprint.operation(
    "POST /me/blocks",
    Answer(Blocked, "The player is blocked.", 201),
    scope="account",
    body=BLOCK,
    problems="match_not_found not_seated nobody_there too_many_blocks",
)
def block(caller: Caller, body: dict[str, Any]) -> Any:
    """Block a player.

    You read nothing more of what they say, and their invitations do not reach you. They are not
    told. Matches that you play together go on.
    """
    return blocks.block(context(), caller, body["match"], body["seat"])


@blueprint.operation(
    "DELETE /me/blocks/<id:player>",
    Answer(None, "The player is not blocked any more.", 204),
    scope="account",
    problems="not_blocked",
)
def unblock(caller: Caller, player: str) -> Any:
    """Block a player no longer.

    What they say from now on is shown to you again.
    """
    blocks.unblock(context(), caller, player)
