"""Turns: what is submitted, what becomes of it, what would be legal."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import Schema, fields

from service.api.derived import action, actions, observation
from service.api.fields import Derived, Notation, StrictBoolean, whole
from service.api.paths import ID_PATTERN
from service.api.schemas.matches import MOST_SEATS
from service.api.schemas.pages import PageQuerySchema, next_field
from service.turns.intake import MOST_ACTIONS

TURN_STATUSES = ("queued", "accepted", "partly_accepted", "rejected")


def seat_field() -> fields.Integer:
    """Which seat acts."""
    return whole(
        0,
        MOST_SEATS - 1,
        load_default=None,
        allow_none=True,
        metadata={"description": "The seat that acts; yours if you leave it out."},
    )


class PrefixSchema(Schema):
    """Actions of the same turn that come before: as objects or as notation, or none."""

    seat = seat_field()
    actions = Derived(
        actions,
        shape=list,
        most=MOST_ACTIONS,
        load_default=lambda: None,
        allow_none=True,
        metadata={"description": "The actions, all of the match's game."},
    )
    notation = Notation(load_default=lambda: None, allow_none=True)

    @ma.validates_schema
    def check_one_form(self, document: dict[str, Any], **kwargs: Any) -> None:
        """Not both."""
        if document.get("actions") is not None and document.get("notation") is not None:
            raise ma.ValidationError("Send actions or notation, not both.", "notation")


class NewTurnSchema(PrefixSchema):
    """A turn: the ply it answers, and what is done, as objects (`actions`) or as text (`notation`),
    one of the two.
    """

    ply = whole(0, required=True, metadata={"description": "The ply this turn answers, from the observation."})
    dry_run = StrictBoolean(
        load_default=False,
        metadata={"description": "True to see what the turn would do up to its first draw; nothing changes."},
    )

    @ma.validates_schema
    def check_some_form(self, document: dict[str, Any], **kwargs: Any) -> None:
        """At least one of the two."""
        if document.get("actions") is None and document.get("notation") is None:
            raise ma.ValidationError("A turn needs actions, or notation.", "actions")
        if document.get("actions") == []:
            raise ma.ValidationError("A turn has at least one action.", "actions")


class LegalActionSchema(Schema):
    """An action that is legal, as a document and as text."""

    number = fields.Integer(
        required=True,
        metadata={"description": "Its number, which is an answer too: the notation `3` means the third.", "minimum": 1},
    )
    notation = fields.String(required=True)
    action = Derived(action, required=True)


class BrokenRuleSchema(Schema):
    """A further rule that the same action breaks."""

    code = fields.String(required=True)
    rule = fields.String(required=True)
    detail = fields.String(required=True, attribute="message")


class ViolationSchema(Schema):
    """Why an action was refused."""

    code = fields.String(required=True, metadata={"description": "The game's stable code."})
    rule = fields.String(required=True, metadata={"description": "The number of the rule in the game's rules text."})
    detail = fields.String(required=True, attribute="message")
    pointer = fields.String(
        required=True,
        metadata={
            "description": "The action, as a JSON pointer into the turn; empty for the turn as a whole.",
            "examples": ["/actions/1"],
        },
    )
    others = fields.List(fields.Nested(BrokenRuleSchema), required=True)
    legal = fields.List(
        fields.Nested(LegalActionSchema),
        metadata={
            "description": (
                "What would have been legal there; at most 200. Left out within a problem, which has them itself."
            )
        },
    )
    legal_total = fields.Integer(
        metadata={
            "description": "How many actions would have been legal. Left out within a problem, which says so itself."
        }
    )


class VerdictSchema(Schema):
    """What became of a turn."""

    status = fields.String(required=True, metadata={"enum": list(TURN_STATUSES[1:])})
    accepted = fields.Integer(required=True, metadata={"description": "How many of its actions stand."})
    ply_before = fields.Integer(required=True)
    ply_after = fields.Integer(required=True)
    entries = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "What happened, as you may know it, one sentence an entry."},
    )
    violation = fields.Nested(ViolationSchema, required=True, allow_none=True)


class NextTurnSchema(Schema):
    """What the match asks of you now."""

    ply = fields.Integer(required=True, metadata={"description": "The ply your next turn has to answer."})
    prompt = fields.String(
        required=True, metadata={"description": "What you are asked.", "examples": ["place a coast tile"]}
    )
    legal = fields.List(
        fields.Nested(LegalActionSchema),
        required=True,
        metadata={"description": "What is legal, numbered, in canonical order; at most 200."},
    )
    legal_total = fields.Integer(required=True, metadata={"description": "How many actions are legal."})


class TurnLinksSchema(Schema):
    """Where to look next."""

    self = fields.String(required=True)
    match = fields.String(required=True)
    observation = fields.String(required=True)


class TurnSchema(Schema):
    """A submitted turn: `queued` until it is judged, then it has its verdict."""

    id = fields.String(required=True)
    match = fields.String(required=True, attribute="match_id")
    seat = fields.Integer(required=True)
    ply = fields.Integer(required=True)
    status = fields.String(required=True, metadata={"enum": list(TURN_STATUSES)})
    actions = fields.List(Derived(action), required=True)
    notation = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "The lines the actions were read from, if they came as notation."},
    )
    submitted_at = fields.DateTime(format="iso", required=True)
    judged_at = fields.DateTime(format="iso", required=True, allow_none=True)
    verdict = fields.Nested(VerdictSchema, required=True, allow_none=True)
    next = fields.Nested(
        NextTurnSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": (
                "What is asked of you next, where the match still waits for you behind an accepted turn: a tile was"
                " drawn, and is to be placed. `null` otherwise, once the match has moved on, and in lists of turns."
            )
        },
    )
    links = fields.Nested(TurnLinksSchema, required=True)


class PreviewSchema(Schema):
    """What a turn would do, up to its first draw. Nothing has changed."""

    dry_run = fields.Boolean(required=True, metadata={"enum": [True]})
    accepted = fields.Integer(
        required=True,
        metadata={"description": "How many actions were legal, one after the other, up to the first draw."},
    )
    drawing = fields.Boolean(
        required=True, metadata={"description": "True if chance comes next: what lies behind it cannot be previewed."}
    )
    violation = fields.Nested(ViolationSchema, required=True, allow_none=True)
    entries = fields.List(
        fields.String(), required=True, metadata={"description": "What would happen, one sentence an entry."}
    )
    observation = Derived(observation, required=True)


class TurnPageSchema(Schema):
    """A page of turns: your own."""

    items = fields.List(fields.Nested(TurnSchema), required=True)
    next = next_field()


class TurnsQuerySchema(PageQuerySchema):
    """Which page of turns."""

    after = fields.String(
        load_default=lambda: None,
        validate=ma.validate.Regexp(f"^{ID_PATTERN}\\Z", error="{input!r} is not the id of a turn."),
        metadata={"pattern": f"^{ID_PATTERN}$", "description": "The id of the last turn of the page before."},
    )


class SeatQuerySchema(Schema):
    """Which of your seats."""

    seat = whole(
        0,
        MOST_SEATS - 1,
        from_text=True,
        load_default=lambda: None,
        metadata={"description": "Your seat; yours if you leave it out."},
    )


class LegalActionsSchema(Schema):
    """What the seat may do now, or after a prefix of the same turn."""

    match = fields.String(required=True)
    ply = fields.Integer(required=True, metadata={"description": "The ply a turn has to answer."})
    seat = fields.Integer(required=True, allow_none=True)
    items = fields.List(
        fields.Nested(LegalActionSchema),
        required=True,
        metadata={"description": "In canonical order; the notation `3` means the third."},
    )
