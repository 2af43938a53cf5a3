"""Fair draws of stored matches: what is published when, what is found out, and older matches."""

from __future__ import annotations

import hashlib
import random
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import select, update

from engine.draws import made_nonce
from engine.errors import RecordError
from engine.record import Record, check_noted, verify
from service.context import Context
from service.errors import Forbidden
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.check import check
from service.matches.types import Match, SeatRequest
from service.notices import delivery
from service.store.players import Player
from service.store.tables import matches, seats
from service.views import match as views
from service.views.record import match_record
from tests.service.fakes import Postbag, Round, notices, person, played_on

pytestmark = pytest.mark.usefixtures("pearls")

ME, RESERVED, OPEN = SeatRequest("me"), SeatRequest("reserved"), SeatRequest("open")
NONCES = ("ada-brings-her-own", "bela-brings-his-own")


@pytest.fixture
def people(context: Context) -> tuple[Player, Player]:
    return person(context, "Ada"), person(context, "Bela")


def with_own_nonces(context: Context, people: tuple[Player, Player]) -> Round:
    """A running match whose players sent a nonce each, after they had seen the commitment."""
    match = lobby.create(context, people[0], "pearls", {}, [RESERVED, OPEN])
    for player, nonce in zip(people, NONCES, strict=True):
        match = lobby.join(context, player, match.id, nonce=nonce)
    return Round(match, people)


def digest(match: Match, nonces: tuple[str, ...]) -> str:
    """As docs/decisions/0003 describes it."""
    return hashlib.sha256("\n".join(("overland/1", match.id, match.commitment, *nonces)).encode()).hexdigest()


def secret_of(context: Context, match_id: str) -> bytes:
    with context.database.read() as connection:
        found: bytes = connection.execute(select(matches.c.secret).where(matches.c.id == match_id)).scalar_one()
    return found


def told_by_mail(context: Context) -> str:
    """All mails that were sent, as text."""
    delivery.deliver_due(context)
    assert isinstance(context.transport, Postbag)
    bodies = [message.get_body(("plain",)) for message in context.transport.messages]
    return "\n".join(body.get_content() for body in bodies if body is not None)


def everything_shown(context: Context, match_id: str, *viewers: Player | None) -> str:
    """What the service shows of a match to these viewers, and the mails it sent."""
    shown: list[Any] = [told_by_mail(context)]
    for viewer in viewers:
        match = views.match(context, viewer, match_id)
        shown += [asdict(match), lobby.open_matches(context), lobby.mine(context, viewer) if viewer else ()]
        if match.status != "open":
            shown += [views.observation(context, viewer, match_id), match_record(context, viewer, match_id)]
    return repr(shown)


def finished(context: Context, table: Round) -> Record:
    played_on(context, table, random.Random("fair"))
    return match_record(context, None, table.match.id)


def swap_nonce(context: Context, table: Round, seat: int, nonce: str) -> None:
    """What a host does who has access to the database."""
    with context.database.write() as connection:
        connection.execute(
            update(seats).where(seats.c.match_id == table.match.id, seats.c.seat == seat).values(nonce=nonce)
        )


def test_the_creator_adds_a_nonce_after_the_commitment_was_published(
    context: Context, people: tuple[Player, Player]
) -> None:
    ada, bela = people
    created = lobby.create(context, ada, "pearls", {}, [RESERVED, OPEN])
    assert (created.scheme, len(created.commitment)) == ("overland/1", 64)
    assert (created.seats[0].player_id, created.seats[0].invited) == (None, True)
    waiting = lobby.join(context, bela, created.id, nonce=NONCES[1])
    assert (waiting.status, waiting.seats[1].player_id) == ("open", bela.id)
    begun = lobby.join(context, ada, created.id, nonce=NONCES[0])
    assert (begun.status, begun.commitment) == ("running", created.commitment)
    assert tuple(seat.nonce for seat in begun.seats) == NONCES
    assert begun.nonces_digest == digest(begun, NONCES)


def test_a_reserved_seat_is_for_the_creator_and_mailed_to_nobody(
    context: Context, people: tuple[Player, Player]
) -> None:
    ada, bela = people
    match = lobby.create(context, ada, "pearls", {}, [OPEN, RESERVED])
    with pytest.raises(Forbidden) as refused:
        lobby.join(context, bela, match.id, seat=1)
    assert refused.value.code == "seat_kept"
    assert lobby.join(context, ada, match.id).seats[1].player_id == ada.id
    assert notices(context, "invitation") == []
    assert check_ledger(context.database).breaches == []


def test_every_door_shows_the_same_digest_once_the_match_has_started(
    context: Context, people: tuple[Player, Player]
) -> None:
    table = with_own_nonces(context, people)
    match_id, expected = table.match.id, digest(table.match, NONCES)
    for viewer in (*people, None):
        assert views.match(context, viewer, match_id).nonces_digest == expected
        assert views.observation(context, viewer, match_id)["nonces_digest"] == expected
        assert match_record(context, viewer, match_id).nonces_digest == expected
    assert lobby.mine(context, people[1])[0].nonces_digest == expected
    assert lobby.join(context, people[1], match_id).nonces_digest == expected
    assert lobby.start(context, people[0], match_id).nonces_digest == expected
    mails = told_by_mail(context)
    assert mails.count(f"\n{expected}\n") == 2
    assert mails.count(f"overland verify pearls-{match_id}.json --commitment {table.match.commitment}") == 2
    for player, nonce in zip(people, NONCES, strict=True):
        assert mails.count(f"\n{player.name}: {nonce}\n") == 2


def test_no_nonce_is_shown_before_the_match_starts(context: Context, people: tuple[Player, Player]) -> None:
    match = lobby.create(context, people[0], "pearls", {}, [RESERVED, OPEN, OPEN])
    for player, nonce in zip(people, NONCES, strict=True):
        seen = lobby.join(context, player, match.id, nonce=nonce)
        assert seen.nonces_digest is None
    shown = everything_shown(context, match.id, *people, None)
    assert match.commitment in shown
    assert not [nonce for nonce in NONCES if nonce in shown]
    made = made_nonce(secret_of(context, match.id), match.id, 2)
    lobby.join(context, person(context, "Cleo"), match.id)
    assert made in everything_shown(context, match.id, None)


def test_the_secret_is_shown_only_when_the_match_is_over(context: Context, people: tuple[Player, Player]) -> None:
    table = with_own_nonces(context, people)
    played_on(context, table, random.Random("secret"), plies=12)
    secret = secret_of(context, table.match.id)
    shown = everything_shown(context, table.match.id, *people, None)
    assert (secret.hex() in shown, repr(secret) in shown) == (False, False)
    assert finished(context, table).secret == secret.hex()


def test_a_fair_match_is_what_its_players_noted(context: Context, people: tuple[Player, Player]) -> None:
    table = with_own_nonces(context, people)
    record = finished(context, table)
    check_noted(record, table.match.commitment, table.match.nonces_digest)
    verified = verify(record)
    assert (record.scheme, record.nonces, verified.made) == ("overland/1", NONCES, ())


def test_the_nonce_of_a_player_who_sends_none_follows_from_the_secret(
    context: Context, people: tuple[Player, Player]
) -> None:
    match = lobby.create(context, people[0], "pearls", {}, [ME, OPEN])
    record = finished(context, Round(lobby.join(context, people[1], match.id, nonce=NONCES[1]), people))
    assert record.nonces == (made_nonce(secret_of(context, match.id), match.id, 0), NONCES[1])
    assert verify(record).made == (0,)


def test_no_match_has_a_nonce_from_before_its_commitment(context: Context, people: tuple[Player, Player]) -> None:
    for kinds in ((ME, OPEN), (RESERVED, OPEN), (OPEN, OPEN)):
        match = lobby.create(context, people[0], "pearls", {}, list(kinds))
        with context.database.read() as connection:
            (secret, *_), *_ = connection.execute(select(matches.c.secret).where(matches.c.id == match.id))
            stored = [
                row.nonce
                for row in connection.execute(
                    select(seats.c.nonce).where(seats.c.match_id == match.id).order_by(seats.c.seat)
                )
            ]
        assert match.scheme == "overland/1"
        assert stored == [made_nonce(secret, match.id, 0) if kinds[0] == ME else None, None]


def test_a_host_who_swaps_the_nonce_of_the_creator_is_found_out(
    context: Context, people: tuple[Player, Player]
) -> None:
    table = with_own_nonces(context, people)
    finished(context, table)
    swap_nonce(context, table, 0, "the-host-likes-this-one")
    seen = views.match(context, people[0], table.match.id)
    assert seen.nonces_digest != table.match.nonces_digest
    assert seen.commitment == table.match.commitment
    checked = check(context.database, table.match.id)
    assert checked is not None
    assert [difference.code for difference in checked.differences] == ["draw"]
    assert {breach.code for breach in check_ledger(context.database).breaches} == {"draw_differs"}
    record = match_record(context, None, table.match.id)
    with pytest.raises(RecordError, match="not those of the start"):
        check_noted(record, None, table.match.nonces_digest)
    with pytest.raises(RecordError, match="draw does not follow"):
        verify(record)


def test_a_damaged_match_is_shown_without_a_digest(context: Context, people: tuple[Player, Player]) -> None:
    table = with_own_nonces(context, people)
    with context.database.write() as connection:
        connection.execute(update(seats).where(seats.c.match_id == table.match.id).values(nonce=None))
    assert lobby.mine(context, people[0])[0].nonces_digest is None
