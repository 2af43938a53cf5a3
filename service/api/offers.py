"""What the players of a match offer each other: a pause, a day more."""

from __future__ import annotations

from typing import Any

from service.api.auth import Caller
from service.api.current import context
from service.api.inputs.offers import NewOfferSchema
from service.api.operations import Answer, Blueprint, Body, operation
from service.offers import offering
from service.offers.types import Offers

blueprint = Blueprint("offers", __name__, url_prefix="/v1", description="What players offer each other: pauses, time.")

OFFERS = Answer(Offers, description="The latest offers of the match, and its pause.")
NEW_OFFER = Body(
    NewOfferSchema,
    {
        "pause": {"summary": "A pause of a week", "value": {"kind": "pause", "days": 7}},
        "extend": {"summary": "A day more for whom the match waits", "value": {"kind": "extend", "seat": 1}},
        "draw": {"summary": "A draw", "value": {"kind": "draw"}},
        "hand_over": {
            "summary": "Somebody else for your seat",
            "value": {"kind": "hand_over", "email": "carl@example.org"},
        },
    },
)


@operation(blueprint, "GET", "/matches/<id:match>/offers", OFFERS, access="either", scope="read")
def list_offers(caller: Caller | None, match: str) -> Any:
    """List the latest 20 offers of a match, the newest first, and until when it is paused."""
    return offering.of_match(context(), match, context().clock())


@operation(
    blueprint,
    "POST",
    "/matches/<id:match>/offers",
    Answer(Offers, 201, "The latest offers of the match, and its pause."),
    access="player",
    scope="play",
    body=NEW_OFFER,
    problems=(409, 429),
)
def make_offer(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Offer the others a pause of at most 14 days, a day more for a turn, the end of the match, or
    somebody else for your seat.

    Everybody who owns a seat has to accept, also while they have days off or a bot holds
    their seat;
    bots are not asked. Silence accepts nothing, with two exceptions: a pause and an extension pass
    over who has been away for three days, counted from the offer or from when they left, whichever
    was later; and `abandon` ends the match without those whose seats a bot has held for 14 days,
    after two mails to them. One offer of a kind is open at a time.
    """
    return offering.offer(context(), caller, match, body["kind"], body["days"], body["seat"], email=body["email"])


@operation(
    blueprint,
    "POST",
    "/matches/<id:match>/offers/<id:offer>/accept",
    OFFERS,
    access="player",
    scope="play",
    problems=(409,),
)
def accept_offer(caller: Caller, match: str, offer: str) -> Any:
    """Accept an offer. With the last acceptance that it needs it takes effect; the end of a match
    is judged after the turns that wait.

    To whom a seat is offered needs none in the match; the others are asked after them.
    """
    return offering.answer(context(), caller, match, offer, accepts=True)


@operation(
    blueprint,
    "POST",
    "/matches/<id:match>/offers/<id:offer>/decline",
    OFFERS,
    access="player",
    scope="play",
    problems=(409,),
)
def decline_offer(caller: Caller, match: str, offer: str) -> Any:
    """Decline an offer, which ends it."""
    return offering.answer(context(), caller, match, offer, accepts=False)


@operation(
    blueprint,
    "POST",
    "/matches/<id:match>/offers/<id:offer>/withdraw",
    OFFERS,
    access="player",
    scope="play",
    problems=(409,),
)
def withdraw_offer(caller: Caller, match: str, offer: str) -> Any:
    """Withdraw your own offer, while it is open."""
    return offering.withdraw(context(), caller, match, offer)


@operation(blueprint, "POST", "/matches/<id:match>/resume", OFFERS, access="player", scope="play", problems=(409,))
def resume_match(caller: Caller, match: str) -> Any:
    """End the pause of a match: the clocks run again a day from now, or when the pause
    ends anyway.
    """
    return offering.resume(context(), caller, match)
