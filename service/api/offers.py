"""What the players of a match offer each other: a pause, a day more."""

from __future__ import annotations

from typing import Any, Final, get_args

from marshmallow import Schema

from service.addresses import read_email
from service.api.auth import Caller
from service.api.fields import EMAIL, CheckedField, Form, FormsSchema, may, must, one_of, otherwise, whole
from service.api.operations import Answer, Body, Resource
from service.api.requests import context
from service.house import MOST_SEATS
from service.offers import offering
from service.offers.offering import LONGEST_PAUSE, Offers
from service.statuses import OfferKind

KINDS: Final = get_args(OfferKind)
ANSWERS: Final = ("accept", "decline", "withdraw")


class OfferRequestSchema(FormsSchema):
    """What you offer the others of a match."""

    tag, noun = "kind", "An offer"
    forms = (
        Form("OfferOfPause", "A pause of the match.", (), ("email", "seat"), ("pause",)),
        Form("OfferOfTime", "More time for a turn.", (), ("email", "days"), ("extend",)),
        Form(
            "OfferOfEnd",
            "An end of the match.",
            without=("email", "days", "seat"),
            values=("end", "draw", "call_off", "abandon"),
        ),
        Form("OfferOfSeat", "Somebody else for your seat.", ("email",), ("days", "seat"), ("hand_over",)),
    )

    kind = one_of(
        KINDS,
        **must(
            "`pause`: all clocks of the match stand still for `days`; `extend`: the present turn of a `seat` may"
            " take a day longer; `end`: the match ends with the standing; `draw`: it ends, and all who play share"
            " the first rank; `call_off`: it is cancelled, without a result; `abandon`: the same, without the word"
            " of those who have been `away` for 14 days, and were asked twice; `hand_over`: whoever has"
            " the address `email` gets your seat, if they agree."
        ),
    )
    days = whole(1, LONGEST_PAUSE, **otherwise(1, "The days of the pause."))
    email = CheckedField(
        read_email,
        load_default=None,
        allow_none=False,
        metadata={**EMAIL, "description": "Whom to hand your seat to; they are asked by mail."},
    )
    seat = whole(
        0, MOST_SEATS - 1, **may("Whose time to extend. If you leave it out: yours, or that of the only seat awaited.")
    )


class OfferAnswerSchema(Schema):
    """Your answer to an offer."""

    answer = one_of(
        ANSWERS, **must("`accept` or `decline`, where you are asked; `withdraw`, where you have offered it.")
    )


blueprint = Resource("offers", "What players offer each other: pauses, time.")

OFFERS = Answer(Offers, "The latest offers of the match, and its pause.")
NEW_OFFER = Body(
    OfferRequestSchema,
    pause=("A pause of a week", {"kind": "pause", "days": 7}),
    extend=("A day more for whom the match waits", {"kind": "extend", "seat": 1}),
    draw=("A draw", {"kind": "draw"}),
    hand_over=("Somebody else for your seat", {"kind": "hand_over", "email": "carl@example.org"}),
)
ANSWER = Body(OfferAnswerSchema, accept=("Yes", {"answer": "accept"}), withdraw=("Your own", {"answer": "withdraw"}))


@blueprint.operation("GET /matches/<id:match>/offers", OFFERS, spectators=True)
def list_offers(caller: Caller | None, match: str) -> Any:
    """List the latest 20 offers of a match, the newest first, and until when it is paused.

    Those that are settled, too, with who has accepted.
    """
    return offering.of_match(context(), match, context().clock(), caller)


@blueprint.operation(
    "POST /matches/<id:match>/offers",
    Answer(Offers, "The latest offers of the match, and its pause.", 201),
    scope="play",
    body=NEW_OFFER,
    creates=True,
    problems="not_seated match_not_started match_over resigned seat_gone match_not_running no_clock offer_open paused"
    " not_awaited already_seated seat_held nobody_away asked_lately mail_unwanted too_many_invitations",
)
def make_offer(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Offer the others a pause of at most 14 days, a day more for a turn, the end of the match, or
    somebody else for your seat.

    Everybody who owns a seat has to accept, also while they have days off or a bot holds
    their seat;
    bots are not asked. Silence accepts nothing, with two exceptions: a pause and an extension pass
    over who has been away for three days, counted from the offer or from when they left, whichever
    was later; and `abandon` ends the match without those whose seats a bot has held, or who were
    suspended, for 14 days, after they were asked twice. One offer of a kind is open at a time.
    """
    return offering.offer(context(), caller, match, body["kind"], body["days"], body["seat"], email=body["email"])


@blueprint.operation(
    "POST /matches/<id:match>/offers/<id:offer>/answer",
    OFFERS,
    scope="play",
    body=ANSWER,
    problems="not_seated not_asked offer_not_found offer_settled already_seated match_not_started match_over resigned"
    " seat_gone match_not_running",
)
def answer_offer(caller: Caller, body: dict[str, Any], match: str, offer: str) -> Any:
    """Accept or decline an offer, or withdraw your own while it is open.

    With the last acceptance that it needs it takes effect; the end of a match is judged after the
    turns that wait. One who declines ends it. To whom a seat is offered needs none in the match;
    the others are asked after them.
    """
    if body["answer"] == "withdraw":
        return offering.withdraw(context(), caller, match, offer)
    return offering.answer(context(), caller, match, offer, accepts=body["answer"] == "accept")
