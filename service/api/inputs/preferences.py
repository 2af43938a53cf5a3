"""Bodies for preferences, chat, notes and blocks."""

from __future__ import annotations

from typing import Any, Final, get_args

import marshmallow as ma
from marshmallow import Schema, fields

from service.api.fields import CheckedField, StrictBoolean, one_of, whole
from service.api.inputs.pages import PageQuerySchema, after_field
from service.api.paths import ID_PATTERN
from service.clocks.days_off import MOST_DAYS, SHORTEST
from service.house import MOST_SEATS
from service.kinds import OptionalKind
from service.matches.chat import LONGEST_TEXT, read_text
from service.matches.notes import LONGEST_NOTE, read_note
from service.players.local_hours import read_hours
from service.players.local_time import LONGEST_ZONE, read_zone
from service.players.preferences import CONFIRM, MAILS, REMINDERS

_KINDS: Final[tuple[OptionalKind, ...]] = get_args(OptionalKind)


def _chosen(description: str) -> dict[str, Any]:
    return {"allow_none": True, "metadata": {"description": description}}


class ChangedMatchPreferencesSchema(Schema):
    """What you want of one match. What you leave out stays as it is; `null` sets it back to what
    you want of all matches.
    """

    mails = one_of(
        MAILS,
        **_chosen("`at_once`: a mail for what happens; `digest`: one a day; `off`: none but answers to what you ask."),
    )
    without = fields.List(
        one_of(_KINDS),
        validate=ma.validate.Length(max=len(_KINDS), error=f"There are only {len(_KINDS)} kinds."),
        **_chosen("The kinds of mails that you do not want."),
    )
    merged = StrictBoolean(**_chosen("True to be told what happens in quick succession by one mail."))
    chat = StrictBoolean(**_chosen("False to be mailed nothing of what is said."))
    text_only = StrictBoolean(**_chosen("True for mails that are plain text, without HTML and pictures."))
    confirm = one_of(
        CONFIRM,
        **_chosen("Which turns that you mail are played only when you have confirmed them: `draws`, those that draw."),
    )


class ChangedPreferencesSchema(ChangedMatchPreferencesSchema):
    """What you want of all matches. What you leave out stays as it is; `null` sets it back to the
    default.
    """

    digest_hour = whole(0, 23, **_chosen("The local hour at which a digest is sent."))
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
                " They can be set once in 30 days, and a mistake be mended within a day."
            ),
            "examples": ["22:00-07:00"],
            "maxLength": 20,
        },
    )
    reminders = one_of(
        REMINDERS,
        **_chosen(
            "When you are reminded: `both`, at half of your time and in its last 12 to 24 hours; `last`; `none`."
        ),
    )
    automatic_days_off = StrictBoolean(
        **_chosen("True to take two days off where your time would be up, as long as you have them.")
    )


class NewDaysOffSchema(Schema):
    """Days off to declare."""

    days = whole(
        SHORTEST, MOST_DAYS, required=True, metadata={"description": "How many whole days, as far as you have them."}
    )
    start = fields.AwareDateTime(
        format="iso",
        load_default=None,
        allow_none=True,
        metadata={"description": "When it begins, with its offset from UTC; now if you leave it out."},
    )


class SaySchema(Schema):
    """Something to be said to the players of a match."""

    text = CheckedField(
        read_text,
        required=True,
        metadata={"description": "One line of plain text.", "minLength": 1, "maxLength": LONGEST_TEXT},
    )


class ChatQuerySchema(PageQuerySchema):
    """Which lines of a chat are listed."""

    after = whole(
        0, from_text=True, load_default=0, metadata={"description": "List only what was said after this number."}
    )


class MailsQuerySchema(PageQuerySchema):
    """Which mails are listed."""

    after = after_field("mail")


class NewNoteSchema(Schema):
    """A note; an empty one deletes it."""

    text = CheckedField(
        read_note,
        required=True,
        metadata={"description": "Plain text, of any number of lines.", "maxLength": LONGEST_NOTE},
    )


class BlockSchema(Schema):
    """Whom to block: the player of a seat of a match, or whoever created it."""

    match = fields.String(
        required=True,
        validate=ma.validate.Regexp(f"^{ID_PATTERN}\\Z", error="{input!r} is not the id of a match."),
        metadata={
            "pattern": f"^{ID_PATTERN}$",
            "description": "A match in which you have a seat, or are kept one.",
        },
    )
    seat = whole(
        0,
        MOST_SEATS - 1,
        load_default=None,
        allow_none=True,
        metadata={"description": "The seat of the player. If you leave it out: the player who created the match."},
    )
