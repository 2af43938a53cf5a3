"""What a match shows: observation, log, record."""

from __future__ import annotations

from marshmallow import Schema, fields

from service.api.derived import logged_action, observation
from service.api.fields import Derived, whole
from service.api.schemas.pages import PageQuerySchema, next_field


class AwaitedSchema(Schema):
    """A seat that the match waits for, and what for."""

    seat = fields.Integer(required=True)
    player = fields.String(required=True)
    prompt = fields.String(
        required=True, metadata={"description": "What the seat is asked.", "examples": ["recruit, harvest or build"]}
    )


class ObservationSchema(Schema):
    """What the asker may know of a match."""

    match = fields.String(required=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    ply = fields.Integer(required=True, metadata={"description": "The ply a turn has to answer."})
    seat = fields.Integer(
        required=True, allow_none=True, metadata={"description": "The seat that looks; `null` for a spectator."}
    )
    to_act = fields.List(fields.Integer(), required=True, metadata={"description": "The seats the match waits for."})
    awaited = fields.List(
        fields.Nested(AwaitedSchema),
        required=True,
        metadata={"description": "What each of these seats is asked; everybody may know that, spectators too."},
    )
    prompt = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": (
                "What you are asked; where the match does not wait for you, what the first of `awaited` is asked;"
                " `null` if nobody is."
            )
        },
    )
    observation = Derived(observation, required=True)


class LogEntrySchema(Schema):
    """An entry of the log, as the asker may know it."""

    ply = fields.Integer(required=True)
    seat = fields.Integer(required=True, metadata={"description": "Who acted; -1 is chance."})
    player = fields.String(required=True, allow_none=True)
    sentence = fields.String(
        required=True, metadata={"description": "What happened; empty where there is nothing to tell."}
    )
    action = Derived(
        logged_action,
        required=True,
        metadata={"description": "The action; `null` where it is concealed from the asker."},
    )
    at = fields.DateTime(format="iso", required=True)


class LogQuerySchema(PageQuerySchema):
    """Which entries."""

    after = whole(
        0, from_text=True, load_default=lambda: None, metadata={"description": "Only entries behind this ply."}
    )


class LogPageSchema(Schema):
    """A page of the log."""

    items = fields.List(fields.Nested(LogEntrySchema), required=True)
    next = next_field()


class BoardQuerySchema(Schema):
    """How large."""

    width = whole(
        200, 2000, from_text=True, load_default=900, metadata={"description": "The width of the picture in pixels."}
    )
