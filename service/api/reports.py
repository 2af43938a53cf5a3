"""What you report to the host of the service."""

from __future__ import annotations

from typing import Any, get_args

from marshmallow import Schema

from service.api.auth import Caller
from service.api.fields import CheckedField, id_of, may, must, one_of, whole
from service.api.operations import Answer, Body, operation, resource
from service.api.requests import context
from service.errors import Invalid
from service.matches import reporting
from service.matches.reporting import (
    LONGEST_WORDS,
    Reported,
    ReportedInvitation,
    ReportedLine,
    ReportedName,
    read_words,
)
from service.statuses import ReportedKind
from service.store.reports import PlayerReport


class NewReportSchema(Schema):
    """What is reported: a line of a chat, an invitation, or a name; and why."""

    kind = one_of(get_args(ReportedKind), **must("What is reported."))
    match = id_of("match", **may("The match of the chat or of the invitation; not for a name."))
    number = whole(1, **may("The number of the line; for a chat only."))
    player = id_of("player", **may("Whose name it is; for a name only."))
    words = CheckedField(
        read_words, load_default="", metadata={"description": "What is wrong with it.", "maxLength": LONGEST_WORDS}
    )


blueprint = resource("reports", "What the host of the service should look at.")

REPORT = Body(
    NewReportSchema,
    line=("A line of a chat", {"kind": "chat", "match": "k3v7q2m5xa", "number": 3, "words": "This is no talk."}),
    invitation=("An invitation", {"kind": "invitation", "match": "k3v7q2m5xa"}),
    name=("A name", {"kind": "name", "player": "k3v7q2m5xa2b", "words": "It insults others."}),
)


@operation(
    blueprint,
    "POST /reports",
    Answer(PlayerReport, "Your report.", 201),
    scope="play",
    body=REPORT,
    creates=True,
    problems="match_not_found not_seated nothing_reported player_not_found bot_owns_nothing",
)
def report(caller: Caller, body: dict[str, Any]) -> Any:
    """Report a line of a chat, an invitation or a name to the host of the service.

    It is kept as it reads now. Whoever it is about is not told. If you report it again, nothing
    more is stored, and the answer is the report that you made.
    """
    return reporting.report(context(), caller, _thing(body), body["words"])


def _thing(body: dict[str, Any]) -> Reported:
    match body:
        case {"kind": "chat", "match": str(match), "number": int(number), "player": None}:
            return ReportedLine(match, number)
        case {"kind": "invitation", "match": str(match), "number": None, "player": None}:
            return ReportedInvitation(match)
        case {"kind": "name", "match": None, "number": None, "player": str(player)}:
            return ReportedName(player)
    sentence = "A chat has a match and a number, an invitation a match, a name a player; and nothing else."
    raise Invalid((("/kind", sentence),))
