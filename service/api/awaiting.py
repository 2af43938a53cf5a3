"""What waits for the caller: a list that can be polled for free, and a calendar of deadlines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from flask import Response

from engine.documents import About
from service.api.answers import match_path
from service.api.auth import Caller
from service.api.conditional import UNCHANGED, unless_known
from service.api.operations import Answer, Blueprint, operation, written
from service.api.requests import context
from service.api.shapes import Inlined
from service.views import awaiting as views
from service.views import calendar as calendars
from service.views.awaiting import AwaitsYou


@dataclass(frozen=True, slots=True)
class AwaitingLinks:
    """Where to play."""

    match: str
    turns: str
    legal_actions: str
    page: str


@dataclass(frozen=True, slots=True)
class AwaitsYouAnswer:
    """A match that waits for you."""

    awaits: Annotated[AwaitsYou, Inlined()]
    links: AwaitingLinks


@dataclass(frozen=True, slots=True)
class AwaitingAnswer:
    """What waits for you, most urgent first."""

    items: tuple[AwaitsYouAnswer, ...]


@dataclass(frozen=True, slots=True)
class CalendarAddress:
    """The address of your calendar."""

    address: Annotated[str, About("Whoever has it sees your deadlines: give it to your calendar program alone.")]


blueprint = Blueprint("awaiting", __name__, url_prefix="/v1", description="What waits for you.")
calendar = Blueprint("calendar", __name__, url_prefix="/v1", description="Your deadlines as a calendar.")


@operation(
    blueprint,
    "GET",
    "/me/awaiting",
    Answer(AwaitingAnswer, "What waits for you, most urgent first.", headers=("ETag",)),
    UNCHANGED,
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


def awaiting_answer(found: Sequence[AwaitsYou]) -> AwaitingAnswer:
    """These matches, with links."""
    return AwaitingAnswer(tuple(AwaitsYouAnswer(each, _links(each.match)) for each in found))


def _links(match_id: str) -> AwaitingLinks:
    root = match_path(match_id)
    return AwaitingLinks(root, f"{root}/turns", f"{root}/legal-actions", f"/matches/{match_id}")


@operation(
    calendar,
    "POST",
    "/me/calendar",
    Answer(CalendarAddress, "The address, which is shown only now.", 201, is_secret=True),
    scope="account",
    creates=True,
)
def renew_calendar(caller: Caller) -> Any:
    """Get a new address for your calendar of deadlines (RFC 5545).

    The one before ceases to work. Calendar programs subscribe to it.
    """
    base = context().settings.base_url.rstrip("/")
    return CalendarAddress(f"{base}/calendar.ics?key={calendars.renew(context(), caller)}")


@operation(calendar, "DELETE", "/me/calendar", Answer(None, "There is no calendar any more.", 204), scope="account")
def end_calendar(caller: Caller) -> Any:
    """End your calendar: its address ceases to work."""
    calendars.stop(context(), caller)
    return Response(status=204)
