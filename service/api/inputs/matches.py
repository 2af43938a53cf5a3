"""Bodies and queries for matches and their seats."""

from __future__ import annotations

from typing import Any, get_args

import marshmallow as ma
from marshmallow import Schema, fields

from engine.draws import NONCE_PATTERN
from service.api.derived import components, options
from service.api.fields import CheckedField, ComponentSet, Derived, GameName, StrictBoolean, one_of, text, whole
from service.api.inputs.pages import PageQuerySchema, after_field
from service.matches.types import SeatKind
from service.players.addresses import LONGEST_EMAIL, read_email
from service.statuses import MATCH_STATUSES

MOST_SEATS = 8


def nonce_field() -> fields.String:
    """Your share of the luck."""
    return fields.String(
        load_default=None,
        allow_none=True,
        validate=ma.validate.Regexp(f"^{NONCE_PATTERN}\\Z", error="A nonce is 8 to 64 letters, digits, _ and -."),
        metadata={
            "pattern": f"^{NONCE_PATTERN}$",
            "description": "Your nonce, mixed into every draw; the service makes one if you send none.",
        },
    )


class SeatRequestSchema(Schema):
    """Who is to sit there."""

    kind = one_of(
        get_args(SeatKind),
        required=True,
        metadata={"description": "`me`: you; `open`: anybody who joins; `invite`: the owner of this address."},
    )
    email = CheckedField(
        read_email,
        load_default=None,
        allow_none=True,
        metadata={
            "description": "The address invited by mail; for `invite` only.",
            "format": "email",
            "maxLength": LONGEST_EMAIL,
        },
    )

    @ma.validates_schema
    def check_email(self, document: dict[str, Any], **kwargs: Any) -> None:
        """An invitation needs an address, and nothing else takes one."""
        if document.get("kind") == "invite" and not document.get("email"):
            raise ma.ValidationError("An invitation needs an email.", "email")
        if document.get("kind") in ("me", "open") and document.get("email"):
            raise ma.ValidationError(f"A seat of kind {document['kind']} takes no email.", "email")


class NewMatchSchema(Schema):
    """What is to be played, and by whom."""

    game = GameName(required=True, metadata={"description": "The name of a game of the catalogue."})
    title = text(
        1, 80, load_default=None, allow_none=True, metadata={"description": "What the match is called in mails."}
    )
    options = Derived(
        options,
        shape=dict,
        load_default=dict,
        metadata={"description": "The game's options; what is left out has its default."},
    )
    components = ComponentSet(
        components,
        load_default="standard",
        metadata={
            "description": (
                "The name of a component set of the game, or a whole set as a document: the printed components of your"
                " own box."
            )
        },
    )
    seats = fields.List(
        fields.Nested(SeatRequestSchema),
        required=True,
        validate=ma.validate.Length(
            min=1, max=MOST_SEATS, error=f"A match has 1 to {MOST_SEATS} seats; the game says how many it takes."
        ),
        metadata={"description": "One for each seat, in seat order."},
    )
    nonce = nonce_field()


class JoinSchema(Schema):
    """Where to sit.

    May be left out: then you get the seat you are invited to, or the first open one.
    """

    optional = True

    seat = whole(
        0,
        MOST_SEATS - 1,
        load_default=None,
        allow_none=True,
        metadata={"description": "The seat; without it the one you are invited to, or the first open one."},
    )
    nonce = nonce_field()


class MatchesQuerySchema(PageQuerySchema):
    """Which matches."""

    mine = StrictBoolean(
        from_text=True,
        load_default=False,
        metadata={
            "description": "True for the matches you sit in; needs a token. Otherwise matches with an open seat."
        },
    )
    to_act = StrictBoolean(
        from_text=True, load_default=False, metadata={"description": "True for those of yours that wait for you."}
    )
    status = one_of(MATCH_STATUSES, load_default=lambda: None, metadata={"description": "Only matches of this status."})
    after = after_field("match")
