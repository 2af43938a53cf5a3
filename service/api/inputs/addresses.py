"""Bodies for mail addresses."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import Schema

from service.api.fields import CheckedField, StrictBoolean
from service.players.addresses import LONGEST_EMAIL, read_email


class AddressSchema(Schema):
    """An address to be added."""

    email = CheckedField(
        read_email,
        required=True,
        metadata={
            "description": "Your address. Letters of any script are taken, before and behind the @.",
            "format": "email",
            "maxLength": LONGEST_EMAIL,
        },
    )


class ChangedAddressSchema(Schema):
    """What is changed of an address."""

    primary = StrictBoolean(
        required=True,
        validate=ma.validate.Equal(True, error="An address can only be made primary: make another one primary."),
        metadata={"description": "`true`: your mails go to this address from now on."},
    )
