"""The absences of the caller, which stop their clocks."""

from __future__ import annotations

from typing import Any

from service.api.auth import Caller
from service.api.current import context
from service.api.inputs.preferences import NewAbsenceSchema
from service.api.operations import Answer, Blueprint, Body, operation
from service.players import absences
from service.players.absences import Absences

blueprint = Blueprint("absences", __name__, url_prefix="/v1", description="Your absences, which stop your clocks.")

ABSENCES = Answer(Absences, description="Your absences that are not over, and your bank.")
NEW_ABSENCE = Body(
    NewAbsenceSchema,
    {
        "now": {"summary": "Three days from now on", "value": {"days": 3}},
        "later": {"summary": "Ten days at Christmas", "value": {"days": 10, "start": "2026-12-23T18:00:00+01:00"}},
    },
)


@operation(blueprint, "GET", "/me/absences", ABSENCES, access="player", scope="read")
def list_absences(caller: Caller) -> Any:
    """List your absences that are not over, and how many days your bank has.

    It has 7 to begin with, one more for every 12 days since you signed up, and at most 30.
    """
    return absences.of_player(context(), caller)


@operation(
    blueprint,
    "POST",
    "/me/absences",
    Answer(Absences, 201, "Your absences and your bank."),
    access="player",
    scope="play",
    body=NEW_ABSENCE,
    problems=(409,),
)
def declare_absence(caller: Caller, body: dict[str, Any]) -> Any:
    """Declare an absence.

    From now or from later on your clocks stand still in all matches that allow it, for at most 15
    days in each. You may still move.
    """
    return absences.declare(context(), caller, body["days"], body["start"])


@operation(blueprint, "DELETE", "/me/absences/<id:absence>", ABSENCES, access="player", scope="play")
def end_absence(caller: Caller, absence: str) -> Any:
    """End an absence now, or take it back where it has not begun.

    Whole days that were not used are given back.
    """
    return absences.end(context(), caller, absence)
