"""What you were mailed, and what you want to be mailed: of all matches, and of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, get_args, get_type_hints

import marshmallow as ma
from marshmallow import Schema, fields

from engine.documents import About
from service.api.auth import Caller
from service.api.fields import CheckedField, StrictBoolean, one_of, text, whole
from service.api.operations import Answer, Body, Resource
from service.api.paging import after_field, page, page_of, page_query
from service.api.requests import context
from service.api.shapes import Inlined
from service.kinds import OptionalKind
from service.notices import mails
from service.notices.mails import MailToPlayer
from service.players import choosing
from service.players.choosing import MatchPreferences
from service.players.local_time import LONGEST_ZONE, read_hours, read_zone
from service.players.preferences import CONFIRM, MAILS, REMINDERS, Preferences
from service.store.players import Stopped

mails_blueprint = Resource("mails", "The mails that you were written.")
MailPage = page_of(MailToPlayer, "MailPage", "A page of mails.", "The mails, newest first.")


@mails_blueprint.operation(
    "GET /me/mails",
    Answer(MailPage, "A page of mails.", headers=("Link",)),
    scope="read",
    query=page_query(after_field("mail")),
)
def list_mails(caller: Caller, query: dict[str, Any]) -> Any:
    """List the mails that you were written, newest first, with what became of each.

    Mails that were sent long ago may be left out, as the host has set.
    """
    found = mails.mails_of(context(), caller, query["limit"] + 1, query["after"])
    return page(MailPage, found, query["limit"], lambda mail: mail.id)


@mails_blueprint.operation(
    "POST /me/mails/<id:mail>/send",
    Answer(MailToPlayer, "It is sent again.", 202),
    scope="account",
    problems="mail_not_found mail_waits mail_not_kept",
)
def send_mail_again(caller: Caller, mail: str) -> Any:
    """Have a mail sent to you again, at most five a day.

    It is the same mail, with the same Message-ID. A mail with a token cannot be sent again, because
    the token is not kept.
    """
    return mails.send_again(context(), caller, mail)


@dataclass(frozen=True, slots=True)
class PreferencesAnswer:
    """What you want to be mailed."""

    preferences: Annotated[Preferences, Inlined()]
    stopped: Annotated[
        tuple[Stopped, ...], About("What links in your mails were used to stop, newest first, at most 20.")
    ]


@dataclass(frozen=True, slots=True)
class MatchPreferencesAnswer:
    """What you want to be mailed about one match."""

    preferences: Annotated[Preferences, Inlined()]
    chosen: Annotated[
        tuple[str, ...], About("The preferences that you chose for this match; the others are those of all matches.")
    ]


_KINDS: Final[tuple[OptionalKind, ...]] = get_args(OptionalKind)
_WANTED: Final = get_type_hints(Preferences, include_extras=True)


def _chosen(name: str) -> dict[str, Any]:
    """What the API tells of a preference that may be chosen is what it tells of the one chosen."""
    (about,) = _WANTED[name].__metadata__
    return {"allow_none": True, "metadata": {"description": about.description}}


class ChangedMatchPreferencesSchema(Schema):
    """What you want of one match. What you leave out stays as it is; `null` sets it back to what
    you want of all matches.
    """

    mails = one_of(MAILS, **_chosen("mails"))
    without = fields.List(
        one_of(_KINDS),
        validate=ma.validate.Length(max=len(_KINDS), error=f"There are only {len(_KINDS)} kinds."),
        **_chosen("without"),
    )
    merged = StrictBoolean(**_chosen("merged"))
    chat = StrictBoolean(**_chosen("chat"))
    text_only = StrictBoolean(**_chosen("text_only"))
    confirm = one_of(CONFIRM, **_chosen("confirm"))


class ChangedPreferencesSchema(ChangedMatchPreferencesSchema):
    """What you want of all matches. What you leave out stays as it is; `null` sets it back to the
    default.
    """

    digest_hour = whole(0, 23, **_chosen("digest_hour"))
    time_zone = CheckedField(
        read_zone,
        allow_none=True,
        metadata={
            "description": "Your time zone, as the IANA database names it.",
            "examples": ["Europe/Zurich"],
            "maxLength": LONGEST_ZONE,
        },
    )
    quiet = CheckedField(
        read_hours,
        allow_none=True,
        metadata={
            "description": (
                "Hours in which your clocks stand still, at most nine a day; in matches of a day or more for a turn."
                " They can be set once in a week, and given up at any time."
            ),
            "examples": ["22:00-07:00"],
            "pattern": "^([01]?[0-9]|2[0-3]):[0-5][0-9] ?(-|to) ?([01]?[0-9]|2[0-3]):[0-5][0-9]$",
            "maxLength": 20,
        },
    )
    reminders = one_of(REMINDERS, **_chosen("reminders"))
    automatic_days_off = StrictBoolean(**_chosen("automatic_days_off"))
    discord = text(1, 20, **_chosen("discord"))
    slack = text(1, 13, **_chosen("slack"))


preferences_blueprint = Resource("preferences", "What you want to be mailed: when, of what, in which form.")

CHANGES = Body(
    ChangedPreferencesSchema,
    digest=(
        "One mail a day, at seven in the evening",
        {"mails": "digest", "digest_hour": 19, "time_zone": "Europe/Zurich"},
    ),
    screen_reader=("Mails without HTML", {"text_only": True}),
)
CHANGES_OF_MATCH = Body(
    ChangedMatchPreferencesSchema,
    off=("No mails about this match", {"mails": "off"}),
    like_all=("Mails as about all matches again", {"mails": None}),
)
MINE = Answer(PreferencesAnswer, "What you want.")
OF_MATCH = Answer(MatchPreferencesAnswer, "What you want of this match.")


@preferences_blueprint.operation("GET /me/preferences", MINE, scope="read")
def get_preferences(caller: Caller) -> Any:
    """See what you want to be mailed.

    With what links in your mails were used to stop.
    """
    return PreferencesAnswer(choosing.wanted(context(), caller), choosing.stopped(context(), caller))


@preferences_blueprint.operation("PATCH /me/preferences", MINE, scope="account", body=CHANGES)
def change_preferences(caller: Caller, body: dict[str, Any]) -> Any:
    """Change what you want to be mailed.

    It holds at once, for mails that wait already, too. Mails that you ask for (to sign in, answers
    to your own mails) are always sent.
    """
    return PreferencesAnswer(choosing.choose(context(), caller, body), choosing.stopped(context(), caller))


@preferences_blueprint.operation("GET /matches/<id:match>/preferences", OF_MATCH, scope="read", problems="not_seated")
def get_match_preferences(caller: Caller, match: str) -> Any:
    """See what you want to be mailed about a match.

    What you have not chosen for it is as for all matches.
    """
    return _of_match(choosing.wanted_of(context(), caller, match))


@preferences_blueprint.operation(
    "PATCH /matches/<id:match>/preferences", OF_MATCH, scope="account", body=CHANGES_OF_MATCH, problems="not_seated"
)
def change_match_preferences(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Change what you want to be mailed about a match, whatever you want of all; `null` sets a
    preference back to that.

    What you leave out stays as it is.
    """
    return _of_match(choosing.choose_for(context(), caller, match, body))


def _of_match(found: MatchPreferences) -> MatchPreferencesAnswer:
    return MatchPreferencesAnswer(found.preferences, found.chosen)
