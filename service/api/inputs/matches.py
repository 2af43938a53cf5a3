"""Bodies and queries for matches and their seats."""

from __future__ import annotations

from typing import Any, get_args

import marshmallow as ma
from marshmallow import Schema, fields

from engine.bots import LEVELS
from engine.draws import NONCE_PATTERN
from service.api.derived import components, options
from service.api.fields import (
    CheckedField,
    ClockField,
    ComponentSet,
    Derived,
    GameName,
    StrictBoolean,
    one_of,
    text,
    whole,
)
from service.api.inputs.pages import PageQuerySchema, after_field
from service.house import MOST_SEATS
from service.matches.fairness import NOT_A_NONCE
from service.matches.types import SeatKind
from service.players.addresses import LONGEST_EMAIL, read_email
from service.statuses import MATCH_STATUSES

NONCE_TOO_EARLY = (
    "A nonce sent now would be known before the commitment. Ask for a seat of kind reserved, and send the nonce when"
    " you take that seat, by joining the match, once you know the commitment."
)


class SeatRequestSchema(Schema):
    """How a seat of a new match is filled."""

    kind = one_of(
        get_args(SeatKind),
        required=True,
        metadata={
            "description": (
                "Who takes the seat. `me`: you, at once; `reserved`: you, when you join, with a nonce that you send"
                " after you have seen the commitment; `open`: any player who joins; `invite`: the owner of the address"
                " in `email`; `bot`: a bot of the house, which plays as well as `level` says."
            )
        },
    )
    email = CheckedField(
        read_email,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The address that the invitation is mailed to; only for `invite`, which requires it.",
            "format": "email",
            "maxLength": LONGEST_EMAIL,
        },
    )

    level = one_of(
        LEVELS,
        load_default=None,
        allow_none=True,
        metadata={
            "description": (
                "How well the bot plays; only for `bot`, which requires it. `easy` weighs a few of its moves, `fair`"
                " plans its turn."
            )
        },
    )

    @ma.validates_schema
    def check_email(self, document: dict[str, Any], **kwargs: Any) -> None:
        """An invitation needs an address, a bot a level, and nothing else takes one."""
        kind = document.get("kind")
        if kind == "invite" and not document.get("email"):
            raise ma.ValidationError("An invitation needs an email.", "email")
        if kind in ("me", "reserved", "open", "bot") and document.get("email"):
            raise ma.ValidationError(f"A seat of kind {kind} takes no email.", "email")
        if kind == "bot" and not document.get("level"):
            raise ma.ValidationError(f"A bot needs a level: {' or '.join(LEVELS)}.", "level")
        if kind in ("me", "reserved", "open", "invite") and document.get("level"):
            raise ma.ValidationError(f"A seat of kind {kind} takes no level.", "level")


class NewMatchSchema(Schema):
    """A new match: the game, its options and components, and how its seats are filled."""

    game = GameName(required=True, metadata={"description": "The name of a game of the catalogue."})
    title = text(
        1,
        80,
        load_default=None,
        allow_none=True,
        metadata={"description": "The title of the match, as lists and mails show it."},
    )
    options = Derived(
        options,
        shape=dict,
        load_default=dict,
        metadata={"description": "The options of the game; those that you leave out have their defaults."},
    )
    components = ComponentSet(
        components,
        load_default="standard",
        metadata={
            "description": (
                "The name of a component set of the game, or a whole set as a document, such as the printed components"
                " of your own box."
            )
        },
    )
    seats = fields.List(
        fields.Nested(SeatRequestSchema),
        required=True,
        validate=ma.validate.Length(
            min=1, max=MOST_SEATS, error=f"A match has 1 to {MOST_SEATS} seats; the game says how many it takes."
        ),
        metadata={"description": "How each seat is filled, in the order of the seats."},
    )

    clock = ClockField(
        metadata={
            "description": (
                "How much time each player has, and what follows when it is up. Without it the preset `relaxed`:"
                " 3 days, 12 hours more for each turn, never more than 5 days; or none where you play with bots alone."
                " `none` for a match without a clock."
            )
        },
    )

    @ma.pre_load
    def refuse_nonce(self, document: Any, **kwargs: Any) -> Any:
        """Names the two steps: this nonce would be known before the service commits itself."""
        if isinstance(document, dict) and "nonce" in document:
            raise ma.ValidationError(NONCE_TOO_EARLY, "nonce")
        return document


class JoinSchema(Schema):
    """The seat to join.

    The body is optional: without it you get the seat that you are invited to, or the first open
    one.
    """

    optional = True

    seat = whole(
        0,
        MOST_SEATS - 1,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The seat to take. If you leave it out: the one you are invited to, or the first open one."
        },
    )
    nonce = fields.String(
        load_default=None,
        allow_none=True,
        validate=ma.validate.Regexp(f"^{NONCE_PATTERN}\\Z", error=NOT_A_NONCE),
        metadata={
            "pattern": f"^{NONCE_PATTERN}$",
            "description": (
                "Your nonce, which is mixed into every draw. Note the commitment of the match before you send it,"
                " choose it at random, and send the same one if you have to repeat the request. If you send none, the"
                " service makes one from its secret."
            ),
        },
    )


class MatchesQuerySchema(PageQuerySchema):
    """Which matches are listed."""

    mine = StrictBoolean(
        from_text=True,
        load_default=False,
        metadata={
            "description": (
                "True to list the matches in which you have a seat; needs a token. Otherwise matches with an open seat."
            )
        },
    )
    to_act = StrictBoolean(
        from_text=True,
        load_default=False,
        metadata={"description": "True to list only the matches that wait for you; needs a token."},
    )
    status = one_of(
        MATCH_STATUSES,
        load_default=lambda: None,
        metadata={"description": "List only matches with this status."},
    )
    after = after_field("match")
