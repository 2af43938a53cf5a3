"""Bodies for players and their tokens."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import Schema, fields

from service.api.fields import CheckedField, one_of, text
from service.players.addresses import LONGEST_EMAIL, LONGEST_NAME, read_email, read_name
from service.players.tokens import LONGEST_LABEL, SCOPES


class SignUpSchema(Schema):
    """Who wants to play."""

    name = CheckedField(
        read_name,
        required=True,
        metadata={"description": "What the other players read.", "minLength": 1, "maxLength": LONGEST_NAME},
    )
    email = CheckedField(
        read_email,
        required=True,
        metadata={"description": "Where mails go. Nobody else sees it.", "format": "email", "maxLength": LONGEST_EMAIL},
    )


class ConfirmSchema(Schema):
    """The token from the mail."""

    token = text(8, 200, required=True, metadata={"description": "The one-time token that the mail holds."})


class NewTokenSchema(Schema):
    """What the token is for."""

    label = text(
        1,
        LONGEST_LABEL,
        load_default="API",
        metadata={"description": "What you call it, for instance the name of the program that uses it."},
    )
    scopes = fields.List(
        one_of(SCOPES),
        load_default=lambda: list(SCOPES),
        validate=ma.validate.Length(min=1, max=len(SCOPES), error="Name one to three scopes."),
        metadata={
            "description": "`read` looks, `play` acts in matches, `account` manages tokens.",
            "default": list(SCOPES),
        },
    )
