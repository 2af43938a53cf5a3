"""Whom you have blocked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from marshmallow import Schema

from engine.documents import About
from service.api.auth import Caller
from service.api.fields import id_of, may, must, whole
from service.api.operations import Answer, Body, Resource
from service.api.paging import items_of
from service.api.requests import context
from service.house import MOST_SEATS
from service.players import blocks
from service.store.players import Blocked


@dataclass(frozen=True, slots=True)
class BlockedAnswer:
    """A player whom you have blocked."""

    player: Annotated[str, About("The id of the player.")]
    name: Annotated[str, About("Their name.")]
    at: Annotated[datetime, About("When you blocked them.")]


class BlockSchema(Schema):
    """Whom to block: the player of a seat of a match, or whoever created it."""

    match = id_of("match", **must("A match in which you have a seat, or are kept one."))
    seat = whole(
        0, MOST_SEATS - 1, **may("The seat of the player. If you leave it out: the player who created the match.")
    )


blueprint = Resource("blocks", "Players from whom you want nothing.")
Blocks = items_of(BlockedAnswer, "Blocks", "Whom you have blocked.", "The players.")

BLOCK = Body(BlockSchema, seat=("The player of a seat", {"match": "k3v7q2m5xa", "seat": 1}))


@blueprint.operation("GET /me/blocks", Answer(Blocks, "Whom you have blocked."), scope="read")
def list_blocks(caller: Caller) -> Any:
    """List whom you have blocked.

    With the ids by which they are unblocked.
    """
    return Blocks(tuple(_answer(each) for each in blocks.blocked(context(), caller)))


@blueprint.operation(
    "POST /me/blocks",
    Answer(BlockedAnswer, "The player is blocked.", 201),
    scope="account",
    body=BLOCK,
    problems="match_not_found not_seated nobody_there too_many_blocks",
)
def block(caller: Caller, body: dict[str, Any]) -> Any:
    """Block a player.

    You read nothing more of what they say, and their invitations do not reach you. They are not
    told. Matches that you play together go on.
    """
    return _answer(blocks.block(context(), caller, body["match"], body["seat"]))


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


def _answer(found: Blocked) -> BlockedAnswer:
    return BlockedAnswer(found.player_id, found.name, found.at)
