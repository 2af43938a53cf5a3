"""The days off of the caller, which stop their clocks."""

from __future__ import annotations

from typing import Any

from marshmallow import Schema, fields

from service.api.auth import Caller
from service.api.fields import may, must, whole
from service.api.operations import Answer, Body, Resource
from service.api.requests import context
from service.matches import days_off
from service.matches.days_off import MOST_DAYS, SHORTEST, AllDaysOff


class NewDaysOffSchema(Schema):
    """Days off to declare."""

    days = whole(SHORTEST, MOST_DAYS, **must("How many whole days, as far as you have them."))
    start = fields.AwareDateTime(
        format="iso", **may("When it begins, with its offset from UTC; now if you leave it out.")
    )


blueprint = Resource("days_off", "Your days off, which stop your clocks.")

DAYS_OFF = Answer(AllDaysOff, "Your days off that are not over, and how many more you have.")
NEW_DAYS_OFF = Body(
    NewDaysOffSchema,
    now=("Three days from now on", {"days": 3}),
    later=("Ten days at Christmas", {"days": 10, "start": "2026-12-23T18:00:00+01:00"}),
)


@blueprint.operation("GET /me/days-off", DAYS_OFF, scope="read")
def list_days_off(caller: Caller) -> Any:
    """List your days off that are not over, and how many more you have.

    You have 7 to begin with, one more for every 12 days since you signed up, and at most 30.
    """
    return days_off.of_player(context(), caller)


@blueprint.operation(
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


@blueprint.operation("DELETE /me/days-off/<id:taken>", DAYS_OFF, scope="play", problems="days_off_not_found")
def end_days_off(caller: Caller, taken: str) -> Any:
    """End days off now, or take them back where they have not begun.

    Whole days that were not used are given back.
    """
    return days_off.end(context(), caller, taken)
