"""Bodies for offers."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import Schema

from service.api.fields import CheckedField, one_of, whole
from service.house import MOST_SEATS
from service.offers.offering import LONGEST_PAUSE
from service.players.addresses import LONGEST_EMAIL, read_email
from service.store.questions import OfferKind

KINDS: Final = get_args(OfferKind)


class NewOfferSchema(Schema):
    """What you offer the others of a match."""

    kind = one_of(
        KINDS,
        required=True,
        metadata={
            "description": (
                "`pause`: all clocks of the match stand still for `days`; `extend`: the present turn of a `seat` may"
                " take a day longer; `end`: the match ends with the standing; `draw`: it ends, and all who play share"
                " the first rank; `call_off`: it is cancelled, without a result; `abandon`: the same, without the word"
                " of those whose seats a bot has held for 14 days, and who were mailed twice; `hand_over`: whoever has"
                " the address `email` gets your seat, if they agree."
            )
        },
    )
    days = whole(
        1,
        LONGEST_PAUSE,
        load_default=1,
        metadata={"description": "The days of the pause."},
    )
    email = CheckedField(
        read_email,
        load_default=None,
        allow_none=True,
        metadata={
            "format": "email",
            "maxLength": LONGEST_EMAIL,
            "description": "Whom to hand your seat to, required for `hand_over`; they are asked by mail.",
        },
    )
    seat = whole(
        0,
        MOST_SEATS - 1,
        load_default=None,
        allow_none=True,
        metadata={"description": "Whose time to extend. If you leave it out: yours, or that of the only seat awaited."},
    )
