"""The observation: what the caller may know of a match, and a `304` where it is unchanged."""

from __future__ import annotations

from typing import Any

from flask import current_app

from service.api.answers.views import Observation
from service.api.auth import Caller
from service.api.current import context
from service.api.etags import tagged, unchanged
from service.api.operations import Answer, Blueprint, operation
from service.api.shapes import made
from service.api.versions import version_of
from service.matches import lobby
from service.views import match as views

blueprint = Blueprint(
    "observation", __name__, url_prefix="/v1", description="What you, or a spectator, may know of a match."
)

OBSERVATION = Answer(Observation, description="What the caller may know.", headers=("ETag",))
UNCHANGED = Answer(None, 304, "Nothing has changed.", headers=("ETag",))


@operation(
    blueprint,
    "GET",
    "/matches/<id:match>/observation",
    OBSERVATION,
    UNCHANGED,
    access="either",
    scope="read",
    headers=("IfNoneMatch",),
    problems=(409,),
)
def get_observation(caller: Caller | None, match: str) -> Any:
    """Look at a match.

    With the token of a player of the match it is the seat's observation, hidden cards included;
    otherwise a spectator's. Ask again with `If-None-Match`: the answer is `304` while nothing
    has changed.
    """
    etag = version_of(lobby.find(context(), caller, match), caller, "observation")
    known = unchanged(etag)
    if known is not None:
        return known
    document = made(Observation).dump(Observation(views.observation(context(), caller, match)))
    return tagged(current_app.response_class(current_app.json.dumps(document), mimetype="application/json"), etag)
