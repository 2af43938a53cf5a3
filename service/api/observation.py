"""The observation: what the caller may know of a match, and a `304` where it is unchanged."""

from __future__ import annotations

from typing import Any

from service.api.answers.views import Observation
from service.api.auth import Caller
from service.api.current import context
from service.api.etags import UNCHANGED, conditional, conditional_operation
from service.api.operations import Answer, Blueprint, written
from service.views import match as views

blueprint = Blueprint(
    "observation", __name__, url_prefix="/v1", description="What you, or a spectator, may know of a match."
)

OBSERVATION = Answer(Observation, description="What the caller may know.", headers=("ETag",))


@conditional_operation(blueprint, "GET", "/matches/<id:match>/observation", OBSERVATION, UNCHANGED)
def get_observation(caller: Caller | None, match: str) -> Any:
    """Look at a match.

    With the token of a player of the match it is the seat's observation, hidden cards included;
    otherwise a spectator's. Ask again with `If-None-Match`: the answer is `304` while nothing
    has changed.
    """
    return conditional(
        caller, match, lambda: written(Observation(views.observation(context(), caller, match))), "observation"
    )
