"""Join links: what one leads to, and replacing it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from engine.documents import About
from service.api.answers import MatchAnswer, match_answer
from service.api.auth import Caller
from service.api.matches import MATCH
from service.api.operations import Answer, operation, resource
from service.api.requests import context
from service.api.shapes import Inlined
from service.matches import lobby
from service.views import match as views
from service.views.joining import Joining, joining, match_of_link

blueprint = resource("joining", "Join links, by which one shows a match and gives a seat.")


@dataclass(frozen=True, slots=True)
class JoiningAnswer:
    """What a join link leads to."""

    joining: Annotated[Joining, Inlined()]
    match: Annotated[MatchAnswer, About("The match. Take a seat of it with `link` at `POST /v1/matches/{match}/join`.")]


@operation(
    blueprint,
    "GET /join/<id:secret>",
    Answer(JoiningAnswer, "What the link leads to."),
    scope="read",
    spectators=True,
    problems="join_link_not_found match_unreadable rules_version_missing",
)
def get_joining(caller: Caller | None, secret: str) -> Any:
    """Look at what a join link leads to, with or without a token.

    It is all that whoever has the link may know of an unlisted match, until they take a seat.
    """
    found = joining(context(), caller, match_of_link(context(), secret))
    return JoiningAnswer(found, match_answer(found.match, caller))


@operation(blueprint, "DELETE /join/<id:secret>", MATCH, scope="play", problems="join_link_not_found not_the_creator")
def replace_join_link(caller: Caller, secret: str) -> Any:
    """Replace the join link of a match that you have created.

    The link leads nowhere any more, whoever has it; `join_url` of the answer is the new one.
    """
    match = lobby.renew_link(context(), caller, secret)
    return match_answer(views.match(context(), caller, match.id), caller)
