"""Preferences: what you want to be mailed, of all matches and of one."""

from __future__ import annotations

from typing import Any

from service.api.answers.mine import MatchPreferencesAnswer, PreferencesAnswer
from service.api.auth import Caller
from service.api.current import context
from service.api.inputs.preferences import ChangedMatchPreferencesSchema, ChangedPreferencesSchema
from service.api.operations import Answer, Blueprint, Body, operation
from service.players import choosing
from service.players.choosing import MatchPreferences

blueprint = Blueprint(
    "preferences", __name__, url_prefix="/v1", description="What you want to be mailed: when, of what, in which form."
)

CHANGES = Body(
    ChangedPreferencesSchema,
    {
        "digest": {
            "summary": "One mail a day, at seven in the evening",
            "value": {"mails": "digest", "digest_hour": 19, "time_zone": "Europe/Zurich"},
        },
        "screen_reader": {"summary": "Mails without HTML", "value": {"text_only": True}},
    },
)
CHANGES_OF_MATCH = Body(
    ChangedMatchPreferencesSchema,
    {
        "off": {"summary": "No mails about this match", "value": {"mails": "off"}},
        "like_all": {"summary": "Mails as about all matches again", "value": {"mails": None}},
    },
)
MINE = Answer(PreferencesAnswer, description="What you want.")
OF_MATCH = Answer(MatchPreferencesAnswer, description="What you want of this match.")


@operation(blueprint, "GET", "/me/preferences", MINE, access="player", scope="read")
def get_preferences(caller: Caller) -> Any:
    """See what you want to be mailed."""
    return PreferencesAnswer(choosing.wanted(context(), caller), choosing.stopped(context(), caller))


@operation(blueprint, "PATCH", "/me/preferences", MINE, access="player", scope="account", body=CHANGES)
def change_preferences(caller: Caller, body: dict[str, Any]) -> Any:
    """Change what you want to be mailed.

    It holds at once, for mails that wait already, too. Mails that you ask for (to sign in, answers
    to your own mails) are always sent.
    """
    return PreferencesAnswer(choosing.choose(context(), caller, body), choosing.stopped(context(), caller))


@operation(blueprint, "GET", "/matches/<id:match>/preferences", OF_MATCH, access="player", scope="read")
def get_match_preferences(caller: Caller, match: str) -> Any:
    """See what you want to be mailed about a match."""
    return _of_match(choosing.wanted_of(context(), caller, match))


@operation(
    blueprint,
    "PATCH",
    "/matches/<id:match>/preferences",
    OF_MATCH,
    access="player",
    scope="account",
    body=CHANGES_OF_MATCH,
)
def change_match_preferences(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Change what you want to be mailed about a match, whatever you want of all."""
    return _of_match(choosing.choose_for(context(), caller, match, body))


@operation(blueprint, "DELETE", "/matches/<id:match>/preferences", OF_MATCH, access="player", scope="account")
def forget_match_preferences(caller: Caller, match: str) -> Any:
    """Be mailed about a match as about all matches again."""
    return _of_match(choosing.forget_for(context(), caller, match))


def _of_match(found: MatchPreferences) -> MatchPreferencesAnswer:
    return MatchPreferencesAnswer(found.preferences, found.chosen)
