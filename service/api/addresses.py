"""Your mail addresses: the one that your mails go to, and others from which you may write."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import marshmallow as ma
from marshmallow import Schema

from service.addresses import folded, read_email
from service.api.auth import Caller, own_token
from service.api.fields import EMAIL, CheckedField, StrictBoolean, must
from service.api.limits import limit_mails_to
from service.api.operations import Answer, Body, Resource
from service.api.paging import items_of
from service.api.requests import context
from service.api.shapes import Inlined
from service.players import own_addresses
from service.store.addresses import PlayerAddress


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """One of your mail addresses; other players see none of them."""

    address: Annotated[PlayerAddress, Inlined()]


class AddressSchema(Schema):
    """An address to be added."""

    email = CheckedField(
        read_email, **must("Your address. Letters of any script are taken, before and behind the @.", **EMAIL)
    )


class ChangedAddressSchema(Schema):
    """What is changed of an address."""

    primary = StrictBoolean(
        validate=ma.validate.Equal(True, error="An address can only be made primary: make another one primary."),
        **must("`true`: your mails go to this address from now on."),
    )


blueprint = Resource("addresses", "Your mail addresses.")
Addresses = items_of(OwnAddress, "Addresses", "All your addresses.", "The addresses.")

NEW = Body(AddressSchema, another=("Another address", {"email": "ada@home.example"}))
PRIMARY = Body(ChangedAddressSchema, primary=("Mails go there from now on", {"primary": True}))


@blueprint.operation("GET /me/addresses", Answer(Addresses, "Your addresses."), scope="account")
def list_addresses(caller: Caller) -> Any:
    """List your addresses, the one that your mails go to first.

    From each that is confirmed you may write to the service.
    """
    return Addresses(tuple(OwnAddress(each) for each in own_addresses.of_player(context(), caller)))


@blueprint.operation(
    "POST /me/addresses",
    Answer(OwnAddress, "A mail with a code is on its way to it.", 202),
    scope="account",
    body=NEW,
    problems="proof_needed too_many_addresses address_taken too_many_mails_to",
)
def add_address(caller: Caller, body: dict[str, Any]) -> Any:
    """Add an address, from which you may write once it is confirmed.

    It needs a token that you got by mail at most 15 minutes ago. A mail with a code goes to the
    address, at most three a day. Add it again to get another code.
    """
    limit_mails_to(folded(body["email"]))
    return OwnAddress(own_addresses.add(context(), caller, own_token(), body["email"]))


@blueprint.operation(
    "PATCH /me/addresses/<id:address>",
    Answer(OwnAddress, "It is the one that your mails go to."),
    scope="account",
    body=PRIMARY,
    problems="proof_needed address_not_found address_unconfirmed",
)
def make_address_primary(caller: Caller, body: dict[str, Any], address: str) -> Any:
    """Have your mails sent to another of your confirmed addresses.

    It needs a token that you got by mail at most 15 minutes ago. The address before is told, and
    can undo it for seven days.
    """
    return OwnAddress(own_addresses.make_primary(context(), caller, own_token(), address))


@blueprint.operation(
    "DELETE /me/addresses/<id:address>",
    Answer(None, "It is removed.", 204),
    scope="account",
    problems="proof_needed address_not_found primary_address",
)
def remove_address(caller: Caller, address: str) -> Any:
    """Remove an address that your mails do not go to.

    It needs a token that you got by mail at most 15 minutes ago. The address is told, and can undo
    it for seven days.
    """
    own_addresses.remove(context(), caller, own_token(), address)
