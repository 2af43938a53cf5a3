"""Matches and their seats."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import Schema, fields

from engine.documents import schema
from engine.draws import NONCE_PATTERN
from engine.types import Outcome
from service.api.derived import any_object, components, options
from service.api.fields import Checked, Components, Derived, GameName, StrictBoolean, one_of, text, whole
from service.api.paths import ID_PATTERN
from service.api.schemas.pages import PageQuerySchema, next_field
from service.players.addresses import LONGEST_EMAIL, read_email

STATUSES = ("open", "running", "finished", "cancelled")
MOST_SEATS = 8


def nonce_field() -> fields.String:
    """Your share of the luck."""
    return fields.String(
        load_default=None,
        allow_none=True,
        validate=ma.validate.Regexp(f"^{NONCE_PATTERN}\\Z", error="A nonce is 8 to 64 letters, digits, _ and -."),
        metadata={
            "pattern": f"^{NONCE_PATTERN}$",
            "description": "Your share of the luck, mixed into every draw; the service makes one if you do not.",
        },
    )


def outcome(definitions: dict[str, Any]) -> dict[str, Any]:
    """How a match ended, or null while it has not."""
    return {"anyOf": [schema(Outcome, definitions), {"type": "null"}]}


class SeatRequestSchema(Schema):
    """Who is to sit there."""

    kind = one_of(
        ("me", "open", "invite"),
        required=True,
        metadata={"description": "`me`: you; `open`: whoever joins; `invite`: whoever has this address."},
    )
    email = Checked(
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
    components = Components(
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


class SeatSchema(Schema):
    """A seat of a match."""

    seat = fields.Integer(required=True)
    colour = fields.String(required=True)
    player = fields.String(
        required=True,
        allow_none=True,
        attribute="player_name",
        metadata={"description": "The player's name; `null` while the seat is free."},
    )
    you = fields.Boolean(required=True, metadata={"description": "True if the seat is yours."})
    invited_email = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "Who is invited; shown to the creator of the match only."},
    )
    invited = fields.Boolean(
        required=True, metadata={"description": "True if the seat is kept for somebody who is invited."}
    )
    joined_at = fields.DateTime(format="iso", required=True, allow_none=True)
    resigned_at = fields.DateTime(format="iso", required=True, allow_none=True)
    to_act = fields.Boolean(required=True, metadata={"description": "True if the match waits for this seat."})
    prompt = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": (
                "What the seat is asked, for everybody to see; `null` where the match does not wait for it, and in"
                " lists of matches."
            )
        },
    )


class MatchLinksSchema(Schema):
    """Where the rest of a match is."""

    self = fields.String(required=True)
    game = fields.String(required=True)
    observation = fields.String(required=True)
    legal_actions = fields.String(required=True)
    turns = fields.String(required=True)
    components = fields.String(required=True)
    log = fields.String(required=True)
    record = fields.String(required=True)
    board_svg = fields.String(required=True)
    board_png = fields.String(required=True)
    board_txt = fields.String(required=True)


class MatchSchema(Schema):
    """A match: one playing of a game."""

    id = fields.String(required=True)
    game = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.String(required=True, metadata={"enum": list(STATUSES)})
    options = Derived(options, required=True)
    components = fields.String(
        required=True,
        attribute="components_name",
        metadata={"description": "The name of the component set; `custom` for one that its creator brought along."},
    )
    components_digest = fields.String(
        required=True,
        metadata={
            "description": (
                "SHA-256 of the component set as canonical JSON, which the commitment covers; `overland components"
                " check` prints it."
            )
        },
    )
    rules_version = fields.Integer(required=True)
    ply = fields.Integer(
        required=True, metadata={"description": "The number of entries in the log: the version of the match."}
    )
    you_created = fields.Boolean(required=True, metadata={"description": "True if you created the match."})
    created_at = fields.DateTime(format="iso", required=True)
    started_at = fields.DateTime(format="iso", required=True, allow_none=True)
    finished_at = fields.DateTime(format="iso", required=True, allow_none=True)
    commitment = fields.String(
        required=True,
        metadata={
            "description": (
                "What the service committed to before anyone sat down; the record of the finished match reveals it."
            )
        },
    )
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    outcome = Derived(outcome, required=True)
    links = fields.Nested(MatchLinksSchema, required=True)


class MatchComponentsSchema(Schema):
    """What a match is played with."""

    match = fields.String(required=True)
    game = fields.String(required=True)
    name = fields.String(
        required=True,
        metadata={"description": "The name of the component set; `custom` for one that the creator brought along."},
    )
    digest = fields.String(
        required=True,
        metadata={"description": "SHA-256 of `components` as canonical JSON, which the commitment covers."},
    )
    components = Derived(
        any_object,
        required=True,
        metadata={"description": "The set as a document. It can be sent as `components` of another match."},
    )


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
    status = one_of(STATUSES, load_default=lambda: None, metadata={"description": "Only matches of this status."})
    after = fields.String(
        load_default=lambda: None,
        validate=ma.validate.Regexp(f"^{ID_PATTERN}\\Z", error="{input!r} is not the id of a match."),
        metadata={"pattern": f"^{ID_PATTERN}$", "description": "The id of the last match of the page before."},
    )


class MatchPageSchema(Schema):
    """A page of matches."""

    items = fields.List(fields.Nested(MatchSchema), required=True)
    next = next_field()
