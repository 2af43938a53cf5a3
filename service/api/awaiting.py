"""What waits for the caller, as a list that can be polled for free."""

from __future__ import annotations

from typing import Any

from flask import Response

from service.api.answers.awaiting import AwaitingAnswer, awaiting_answer
from service.api.auth import Caller
from service.api.current import context
from service.api.etags import UNCHANGED, unless_known
from service.api.operations import Answer, Blueprint, operation, written
from service.views import awaiting as views

blueprint = Blueprint("awaiting", __name__, url_prefix="/v1", description="What waits for you.")


@operation(
    blueprint,
    "GET",
    "/me/awaiting",
    Answer(AwaitingAnswer, description="What waits for you, most urgent first.", headers=("ETag",)),
    UNCHANGED,
    access="player",
    scope="read",
    headers=("IfNoneMatch",),
)
def list_awaiting(caller: Caller) -> Any:
    """List the matches that wait for you, most urgent first, at most 200.

    Ask again with `If-None-Match`: the answer is `304` while nothing has changed but the time that
    passes. So compute what is left from `deadline`; while `stopped_by` is set, `remaining` stays as
    it is.
    """
    waits = views.waiting(context(), caller)

    def answer() -> Response:
        return written(awaiting_answer(views.awaiting(context(), waits)))

    return unless_known(answer, caller.id, [each.state for each in waits], views.stopped_now(context(), waits))
