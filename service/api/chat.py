"""What players of a match say to each other, what each notes alone, and whom one has blocked, so
that one reads nothing of them.
"""

from __future__ import annotations

from typing import Any

from marshmallow import Schema

from service.api.auth import Caller
from service.api.fields import CheckedField, id_of, in_query, may, must, whole
from service.api.operations import Answer, Body, Resource
from service.api.paging import items_of, page, page_of, page_query
from service.api.requests import context
from service.house import MOST_SEATS
from service.matches import chat
from service.matches.chat import LONGEST_NOTE, LONGEST_TEXT, Said, read_note, read_text
from service.players import blocks
from service.store.chat import Note
from service.store.players import Blocked


class SaySchema(Schema):
    """Something to be said to the players of a match."""

    text = CheckedField(read_text, **must("One line of plain text.", minLength=1, maxLength=LONGEST_TEXT))


class NoteRequestSchema(Schema):
    """A note; an empty one deletes it."""

    text = CheckedField(read_note, **must("Plain text, of any number of lines.", maxLength=LONGEST_NOTE))


class BlockSchema(Schema):
    """Whom to block: the player of a seat of a match, or whoever created it."""

    match = id_of("match", **must("A match in which you have a seat, or are kept one."))
    seat = whole(
        0, MOST_SEATS - 1, **may("The seat of the player. If you leave it out: the player who created the match.")
    )


blueprint = Resource("chat", "What is said in a match, and what you note for yourself.")
blocks_blueprint = Resource("blocks", "Players from whom you want nothing.")
ChatPage = page_of(Said, "ChatPage", "A page of what was said.", "What was said, oldest first.")
Blocks = items_of(Blocked, "Blocks", "Whom you have blocked.", "The players.")

SAY = Body(SaySchema, greeting=("A greeting", {"text": "Good luck!"}))
NOTE = Body(NoteRequestSchema, plan=("A plan", {"text": "Coal first, then the harbour."}))
BLOCK = Body(BlockSchema, seat=("The player of a seat", {"match": "k3v7q2m5xa", "seat": 1}))
YOURS = Answer(Note, "Your note.")


@blueprint.operation(
    "GET /matches/<id:match>/chat",
    Answer(ChatPage, "A page of what was said.", headers=("Link",)),
    scope="read",
    query=page_query(whole(0, **in_query(0, "List only what was said after this number."))),
    problems="not_seated",
)
def get_chat(caller: Caller, query: dict[str, Any], match: str) -> Any:
    """Read what the players of a match said, in order.

    Only players of the match can; what somebody said whom you have blocked is left out.
    """
    found = chat.heard(context(), caller, match, query["after"], query["limit"] + 1)
    return page(ChatPage, found, query["limit"], lambda said: str(said.number))


@blueprint.operation(
    "POST /matches/<id:match>/chat",
    Answer(Said, "What you said.", 201),
    scope="play",
    body=SAY,
    creates=True,
    problems="not_seated match_cancelled",
)
def say(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Say something to the players of a match.

    They read it in the next mail about the match, which is sent within a quarter of an hour. It
    cannot be taken back.
    """
    return chat.say(context(), caller, match, body["text"])


@blueprint.operation("GET /matches/<id:match>/notes", YOURS, scope="read", problems="not_seated")
def get_note(caller: Caller, match: str) -> Any:
    """Read what you have noted on a match.

    Empty where you have noted nothing.
    """
    return chat.noted(context(), caller, match)


@blueprint.operation("PUT /matches/<id:match>/notes", YOURS, scope="play", body=NOTE, problems="not_seated")
def put_note(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Note something on a match, in place of what you have noted. Nobody else sees it.

    An empty text deletes it.
    """
    return chat.note(context(), caller, match, body["text"])


@blocks_blueprint.operation("GET /me/blocks", Answer(Blocks, "Whom you have blocked."), scope="read")
def list_blocks(caller: Caller) -> Any:
    """List whom you have blocked.

    With the ids by which they are unblocked.
    """
    return Blocks(blocks.blocked(context(), caller))


@blocks_blueprint.operation(
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


@blocks_blueprint.operation(
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
