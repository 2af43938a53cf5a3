"""Bodies and queries for turns and legal actions."""

from __future__ import annotations

from typing import Any

import marshmallow as ma
from marshmallow import Schema, fields

from service.api.derived import actions
from service.api.fields import Derived, Notation, StrictBoolean, whole
from service.api.inputs.pages import PageQuerySchema, after_field
from service.house import MOST_SEATS
from service.turns.intake import MOST_ACTIONS

FORMS = ("actions", "notation")
"""The fields that state the actions of a turn; a turn has exactly one of them."""


def seat_field() -> fields.Integer:
    """The seat that acts."""
    return whole(
        0,
        MOST_SEATS - 1,
        load_default=None,
        allow_none=True,
        metadata={"description": "The seat that acts; your own if you leave it out."},
    )


class PrefixSchema(Schema):
    """The earlier actions of the same turn, as objects or as notation; none without both."""

    seat = seat_field()
    actions = Derived(
        actions,
        shape=list,
        most=MOST_ACTIONS,
        load_default=lambda: None,
        allow_none=True,
        metadata={"description": "The actions in order, as objects of the match's game."},
    )
    notation = Notation(load_default=lambda: None, allow_none=True)

    @ma.validates_schema
    def check_one_form(self, document: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a document with both actions and notation."""
        if all(document.get(form) is not None for form in FORMS):
            raise ma.ValidationError("Send actions or notation, not both.", "notation")


class NewTurnSchema(PrefixSchema):
    """A turn: the ply that it answers, and the actions, either as objects (`actions`) or as text
    (`notation`).
    """

    ply = whole(0, required=True, metadata={"description": "The ply that the turn answers, from the observation."})
    dry_run = StrictBoolean(
        load_default=False,
        metadata={"description": "True to see what the turn would do up to its first draw; nothing changes."},
    )

    @ma.validates_schema
    def check_some_form(self, document: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a turn without any action."""
        if all(document.get(form) is None for form in FORMS):
            raise ma.ValidationError("A turn needs actions, or notation.", "actions")
        if document.get("actions") == []:
            raise ma.ValidationError("A turn has at least one action.", "actions")


class TurnsQuerySchema(PageQuerySchema):
    """Which turns are listed."""

    after = after_field("turn")


class SeatQuerySchema(Schema):
    """The seat whose legal actions are listed."""

    seat = whole(
        0,
        MOST_SEATS - 1,
        from_text=True,
        load_default=lambda: None,
        metadata={"description": "The seat that would act; your own if you leave it out."},
    )
