"""Bodies for players and their tokens."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import Schema, fields

from service.api.fields import CheckedField, one_of, text
from service.players.addresses import LONGEST_EMAIL, LONGEST_NAME, read_email, read_name
from service.players.tokens import LONGEST_LABEL, SCOPES


class SignUpSchema(Schema):
    """A sign-up: the name and the address of a new player."""

    name = CheckedField(
        read_name,
        required=True,
        metadata={"description": "Your name, as other players see it.", "minLength": 1, "maxLength": LONGEST_NAME},
    )
    email = CheckedField(
        read_email,
        required=True,
        metadata={
            "description": "Your address, to which mails are sent. Other players do not see it.",
            "format": "email",
            "maxLength": LONGEST_EMAIL,
        },
    )


class ConfirmSchema(Schema):
    """The confirmation of an address."""

    token = text(8, 200, required=True, metadata={"description": "The one-time token from the mail."})


class NewTokenSchema(Schema):
    """A new API token: its label and its scopes."""

    label = text(
        1,
        LONGEST_LABEL,
        load_default="API",
        metadata={"description": "A name for the token, for instance that of the program that uses it."},
    )
    scopes = fields.List(
        one_of(SCOPES),
        load_default=None,
        validate=ma.validate.Length(min=1, max=len(SCOPES), error="Name one to three scopes."),
        metadata={
            "description": "What the token allows: `read` to look, `play` to act in matches, `account` for tokens."
            " It may have no scope that your own token lacks, and without this has the same.",
        },
    )
