"""Players: sign up with a mail address, confirm it, look at yourself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from marshmallow import Schema

from engine.documents import About
from service.addresses import LONGEST_EMAIL, LONGEST_NAME, folded, read_email, read_name
from service.api.addresses import OwnAddress, own_address
from service.api.auth import Caller
from service.api.fields import CheckedField, must, text
from service.api.limits import limit_mails_to
from service.api.operations import Answer, Blueprint, Body, operation
from service.api.requests import context
from service.errors import NotFound
from service.players import accounts, own_addresses
from service.store.players import Player


@dataclass(frozen=True, slots=True)
class SignedUp:
    """A mail is on its way. The answer is the same for an address that is known already."""

    email: Annotated[str, About("The address that the mail goes to.")]
    detail: Annotated[str, About("What to do next, in a sentence.")]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the token of a mail has confirmed: a player, who gets an API token, or an address that a
    player has added, who gets none.
    """

    player: Annotated[Player | None, About("You, when you sign up or in; `null` for another address.")]
    token: Annotated[str | None, About("The API token. Keep it: it is not shown again.", example="ovl_…")]
    address: Annotated[OwnAddress | None, About("The address that was added; `null` when you sign up or in.")]


class SignUpSchema(Schema):
    """A sign-up: the name and the address of a new player."""

    name = CheckedField(read_name, **must("Your name, as other players see it.", minLength=1, maxLength=LONGEST_NAME))
    email = CheckedField(
        read_email,
        **must(
            "Your address, to which mails are sent. Other players do not see it.",
            format="email",
            maxLength=LONGEST_EMAIL,
        ),
    )


class ConfirmSchema(Schema):
    """The confirmation of an address."""

    token = text(8, 200, **must("The one-time token from the mail."))


blueprint = Blueprint(
    "players", __name__, url_prefix="/v1", description="Sign up by mail address, confirm it, get a token."
)

SIGN_UP = Body(SignUpSchema, ada=("Somebody new", {"name": "Ada", "email": "ada@example.org"}))
CONFIRM = Body(ConfirmSchema, from_the_mail=("The token from the mail", {"token": "Hq0m8rYkz3v5w1cF7n2pXg"}))


@operation(blueprint, "POST", "/players", Answer(SignedUp, "A mail is on its way.", 202), body=SIGN_UP)
def sign_up(body: dict[str, Any]) -> Any:
    """Sign up.

    A mail with a one-time token goes to the address. A known address gets a mail to sign in with
    instead, and the answer is the same, so nobody learns who is registered.
    """
    limit_mails_to(folded(body["email"]))
    accounts.sign_up(context(), body["name"], body["email"])
    email = body["email"]
    return SignedUp(email, f"A mail is on its way to {email}; the token in it confirms the address.")


@operation(
    blueprint,
    "POST",
    "/confirm",
    Answer(Confirmed, "The address is confirmed.", is_secret=True),
    body=CONFIRM,
    problems=(404, 409),
)
def confirm(body: dict[str, Any]) -> Any:
    """Confirm an address with the token of the mail.

    Whoever signs up or in gets an API token. An address that was added needs no token to be
    confirmed, and gives none: your primary address is told, and can undo it for seven days.
    """
    try:
        return Confirmed(*accounts.confirm(context(), body["token"]), None)
    except NotFound as unknown:
        try:
            address = own_addresses.confirm(context(), body["token"])[1]
        except NotFound:
            raise unknown from None
        return Confirmed(None, None, own_address(address))


@operation(blueprint, "GET", "/me", Answer(Player, "You."), scope="read")
def get_me(caller: Caller) -> Any:
    """See who you are.

    The player that the token belongs to, with the address that nobody else sees.
    """
    return caller
