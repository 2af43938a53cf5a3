"""Invitations that are accepted in browsers at the same moment."""

from __future__ import annotations

from functools import partial
from urllib.parse import parse_qs, urlsplit

import pytest

from service import signing
from service.addresses import folded
from service.context import Context
from service.errors import ServiceError
from service.ledger.check import check_ledger
from service.links import Invitee, invitation_link
from service.matches import invitations, lobby
from service.matches.invitations import Invitation
from service.matches.types import SeatRequest
from service.store import players
from service.store.players import Player
from tests.service.fakes import at_once, notices, person

pytestmark = pytest.mark.usefixtures("pearls")
ME = SeatRequest("me")


def invited(context: Context, host: str, email: str) -> Invitation:
    """The invitation of that address to a new match, by the link of its mail."""
    ada = person(context, host)
    match = lobby.create(context, ada, "pearls", {}, [ME, SeatRequest("invite", email)]).id
    link = invitation_link(signing.keys_of(context), "", Invitee(match, 1, folded(email)), context.clock())
    fields = parse_qs(urlsplit(link).query)
    found = invitations.find(context, match, "1", "", fields["until"][0], fields["signature"][0])
    assert found is not None
    return found


def test_eight_at_once_with_one_link_are_one_player_with_one_seat(context: Context) -> None:
    found = invited(context, "Ada", "bela@example.org")
    done = at_once(*[partial(invitations.accept, context, found, "Bela", None)] * 8)
    assert {player.id for player in done if isinstance(player, Player)} == {done[0].id}
    assert lobby.find(context, None, found.match.id).seats[1].player_name == "Bela"
    assert len(notices(context, "match_started")) == 2
    assert check_ledger(context.database).breaches == []


def test_eight_strangers_who_say_the_same_name_at_once_all_sit(context: Context) -> None:
    found = [invited(context, f"A{chr(97 + number)}", f"b{number}@example.org") for number in range(8)]
    done = at_once(*(partial(invitations.accept, context, each, "Bela", None) for each in found))
    assert sorted(player.name for player in done) == ["Bela", *(f"Bela {number}" for number in range(2, 9))]


def test_a_seat_that_is_taken_back_at_the_same_moment_is_either_taken_or_free(context: Context) -> None:
    found = invited(context, "Ada", "bela@example.org")
    with context.database.read() as connection:
        ada = players.find(connection, found.match.created_by)
    assert ada is not None
    done = at_once(
        partial(invitations.accept, context, found, "Bela", None),
        partial(lobby.invite, context, ada, found.match.id, 1, None),
    )
    refused = [each for each in done if isinstance(each, ServiceError)]
    seat = lobby.find(context, ada, found.match.id).seats[1]
    assert (seat.player_name, len(refused)) in (("Bela", 1), ("Bela", 0), (None, 1))
    assert check_ledger(context.database).breaches == []
