"""What players of a match say to each other, and what each notes alone."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema

from service.api.auth import Caller
from service.api.fields import CheckedField, in_query, must, whole
from service.api.operations import Answer, Body, Resource
from service.api.paging import page, page_of, page_query
from service.api.requests import context
from service.matches import chat
from service.matches.chat import LONGEST_NOTE, LONGEST_TEXT, Said, read_note, read_text
from service.store.chat import Note


class SaySchema(Schema):
    """Something to be said to the players of a match."""

    text = CheckedField(read_text, **must("One line of plain text.", minLength=1, maxLength=LONGEST_TEXT))


class NewNoteSchema(Schema):
    """A note; an empty one deletes it."""

    text = CheckedField(read_note, **must("Plain text, of any number of lines.", maxLength=LONGEST_NOTE))


blueprint = Resource("chat", "What is said in a match, and what you note for yourself.")
ChatPage = page_of(Said, "ChatPage", "A page of what was said.", "What was said, oldest first.")

SAY = Body(SaySchema, greeting=("A greeting", {"text": "Good luck!"}))
NOTE = Body(NewNoteSchema, plan=("A plan", {"text": "Coal first, then the harbour."}))
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
