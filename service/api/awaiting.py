"""What waits for the caller: a list that can be polled for free, and a calendar of deadlines; and
the days off, on which it waits longer.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from flask import Response
from marshmallow import Schema, fields

from engine.documents import About
from service.api.answers import LegalActionsAnswer, legal_answer, match_path
from service.api.auth import Caller
from service.api.conditional import unless_known
from service.api.fields import StrictBoolean, in_query, may, must, whole
from service.api.limits import count_afresh
from service.api.operations import Answer, Body, Resource, written
from service.api.requests import context
from service.api.shapes import Inlined, LinkAddress
from service.matches import days_off, mending
from service.matches.days_off import MOST_DAYS, SHORTEST, AllDaysOff
from service.sandbox import Trial
from service.turns.trials import legal_after
from service.views import awaiting as views
from service.views import calendar as calendars
from service.views.awaiting import AwaitsYou, Waits


@dataclass(frozen=True, slots=True)
class AwaitingLinks:
    """Where to play."""

    match: Annotated[LinkAddress, About("The match.")]
    turns: Annotated[LinkAddress, About("Where turns are submitted.")]
    legal_actions: Annotated[LinkAddress, About("What you may do.")]
    page: Annotated[LinkAddress, About("The page of the match.")]


@dataclass(frozen=True, slots=True)
class AwaitsYouAnswer:
    """A match that waits for you."""

    awaits: Annotated[AwaitsYou, Inlined()]
    legal: Annotated[
        LegalActionsAnswer | None,
        About("What you may do; `null` unless you ask for it, and while the log of the match cannot be read."),
    ]
    links: AwaitingLinks


@dataclass(frozen=True, slots=True)
class AwaitingAnswer:
    """What waits for you, most urgent first."""

    items: Annotated[tuple[AwaitsYouAnswer, ...], About("The matches.")]
    total: Annotated[int, About("How many matches wait for you, at most 200; these may be fewer.")]


@dataclass(frozen=True, slots=True)
class CalendarAddress:
    """The address of your calendar."""

    address: Annotated[str, About("Whoever has it sees your deadlines: give it to your calendar program alone.")]


class DaysOffRequestSchema(Schema):
    """Days off to declare."""

    days = whole(SHORTEST, MOST_DAYS, **must("How many whole days, as far as you have them."))
    start = fields.AwareDateTime(
        format="iso", **may("When it begins, with its offset from UTC; now if you leave it out.")
    )


blueprint = Resource("awaiting", "What waits for you.")
calendar = Resource("calendar", "Your deadlines as a calendar.")
days_off_blueprint = Resource("days_off", "Your days off, which stop your clocks.")

DAYS_OFF = Answer(AllDaysOff, "Your days off that are not over, and how many more you have.")
NEW_DAYS_OFF = Body(
    DaysOffRequestSchema,
    now=("Three days from now on", {"days": 3}),
    later=("Ten days at Christmas", {"days": 10, "start": "2026-12-23T18:00:00+01:00"}),
)


@blueprint.operation(
    "GET /me/awaiting",
    Answer(AwaitingAnswer, "What waits for you, most urgent first."),
    scope="read",
    query={
        "observation": StrictBoolean(**in_query(False, "True to have what you may know of each match.")),
        "legal": StrictBoolean(**in_query(False, "True to have what you may do in each.")),
    },
)
def list_awaiting(caller: Caller, query: dict[str, Any]) -> Any:
    """List the matches that wait for you, most urgent first, at most 200.

    With `observation` or `legal` there are at most 20, and this is all that a client needs to show
    where you are awaited, or a program to play: the next come once you have played in these. Ask
    again with `If-None-Match`: the answer is `304` while nothing has changed but the time that
    passes. So compute what is left from `deadline`; while `stopped_by` is set, `remaining` stays as
    it is.
    """
    waits = views.waiting(context(), caller)
    in_full = query["observation"] or query["legal"]
    listed = waits[: views.MOST_IN_FULL] if in_full else waits

    def answer() -> Response:
        if in_full:
            count_afresh(len(listed))
        found = views.awaiting(context(), listed, observation=query["observation"])
        items = [_answer(each, wait if query["legal"] else None) for each, wait in zip(found, listed, strict=True)]
        return written(AwaitingAnswer(tuple(items), len(waits)))

    states = [each.state for each in waits]
    return unless_known(answer, caller.id, query, states, views.stopped_now(context(), waits))


def _answer(awaits: AwaitsYou, wait: Waits | None) -> AwaitsYouAnswer:
    """A match with its links, and where ``wait`` is given with what is legal, unless it cannot be
    read.
    """
    legal = None
    if wait is not None and awaits.prompt is not None:
        trial = Trial(wait.match, wait.seat)
        legal = mending.of_several(context(), awaits.match, lambda: legal_answer(legal_after(context(), trial)))
    root = match_path(awaits.match)
    links = AwaitingLinks(root, f"{root}/turns", f"{root}/legal-actions", f"/matches/{awaits.match}")
    return AwaitsYouAnswer(awaits, legal, links)


@calendar.operation(
    "POST /me/calendar",
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


@calendar.operation("DELETE /me/calendar", Answer(None, "There is no calendar any more.", 204), scope="account")
def end_calendar(caller: Caller) -> Any:
    """End your calendar: its address ceases to work.

    POST gives another one.
    """
    calendars.stop(context(), caller)


@days_off_blueprint.operation("GET /me/days-off", DAYS_OFF, scope="read")
def list_days_off(caller: Caller) -> Any:
    """List your days off that are not over, and how many more you have.

    You have 7 to begin with, one more for every 12 days since you signed up, and at most 30.
    """
    return days_off.of_player(context(), caller)


@days_off_blueprint.operation(
    "POST /me/days-off",
    Answer(AllDaysOff, "Your days off, and how many more you have.", 201),
    scope="play",
    body=NEW_DAYS_OFF,
    creates=True,
    problems="days_off_overlap days_off_short",
)
def declare_days_off(caller: Caller, body: dict[str, Any]) -> Any:
    """Declare days off.

    From now or from later on your clocks stand still in all matches that allow it, for at most 15
    days in each. You may still move.
    """
    return days_off.declare(context(), caller, body["days"], body["start"])


@days_off_blueprint.operation("DELETE /me/days-off/<id:taken>", DAYS_OFF, scope="play", problems="days_off_not_found")
def end_days_off(caller: Caller, taken: str) -> Any:
    """End days off now, or take them back where they have not begun.

    Whole days that were not used are given back.
    """
    return days_off.end(context(), caller, taken)
