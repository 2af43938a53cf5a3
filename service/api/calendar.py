"""The caller's calendar of deadlines, to which calendar programs subscribe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from flask import Response

from engine.documents import About
from service.api.auth import Caller
from service.api.current import context
from service.api.operations import Answer, Blueprint, operation
from service.views import calendar

blueprint = Blueprint("calendar", __name__, url_prefix="/v1", description="Your deadlines as a calendar.")


@dataclass(frozen=True, slots=True)
class CalendarAddress:
    """The address of your calendar."""

    address: Annotated[str, About("Whoever has it sees your deadlines: give it to your calendar program alone.")]


@operation(
    blueprint,
    "POST",
    "/me/calendar",
    Answer(CalendarAddress, 201, "The address, which is shown only now."),
    access="player",
    scope="account",
)
def renew_calendar(caller: Caller) -> Any:
    """Get a new address for your calendar of deadlines (RFC 5545).

    The one before ceases to work. Calendar programs subscribe to it.
    """
    base = context().settings.base_url.rstrip("/")
    return CalendarAddress(f"{base}/calendar.ics?key={calendar.renew(context(), caller)}")


@operation(
    blueprint,
    "DELETE",
    "/me/calendar",
    Answer(None, 204, "There is no calendar any more."),
    access="player",
    scope="account",
)
def end_calendar(caller: Caller) -> Any:
    """End your calendar: its address ceases to work."""
    calendar.stop(context(), caller)
    return Response(status=204)
