"""Whatever players do, nobody is flooded with mails, and refusals state only what is so."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest

from service.context import Context
from service.errors import ServiceError, TooMany
from service.events import gate
from service.ledger.check import check_ledger
from service.matches import chat, lobby
from service.matches.types import Match, SeatRequest
from service.notices.delivery import deliver_due
from service.offers import offering
from service.players import blocks, choosing
from service.store import questions, quotas
from service.store.outbox import Notice
from service.store.players import Player
from service.store.questions import StoredOffer
from tests.service.fakes import Clock, notices, person

pytestmark = pytest.mark.usefixtures("pearls")

REFUSED = """offer_open offer_not_found not_asked not_seated too_many_open_matches too_many_invitations
offer_settled match_not_running match_not_started match_over resigned"""


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.deep) for seed in range(1, 3))])
def test_whatever_players_do_nobody_is_flooded(context: Context, seed: int) -> None:
    """Nobody is mailed more than the limits by one sender a day, a blocked sender causes nothing,
    and what is not delivered is charged to its sender alone.
    """
    print(f"seed {seed}")
    rng = random.Random(seed)
    assert isinstance(context.clock, Clock)
    people = [person(context, name) for name in ("Ada", "Bela", "Cleo")]
    matches = []
    for host, guests in ((0, (1, 2)), (1, (2,)), (2, (0, 1))):
        seats = [SeatRequest("me"), *[SeatRequest("open")] * len(guests)]
        match = lobby.create(context, people[host], "pearls", None, seats)
        for guest in guests:
            match = lobby.join(context, people[guest], match.id)
        matches.append(match)
    blocked = set[tuple[str, str]]()
    for _ in range(120):
        act(context, rng, people, matches, blocked)
        if rng.random() < 0.4:
            context.clock.advance(minutes=rng.choice((1, 20, 20, 60)))
        if rng.random() < 0.5:
            before = {notice.id for notice in notices(context) if notice.status == "sent"}
            deliver_due(context)
            for notice in notices(context):
                if notice.status == "sent" and notice.id not in before and notice.kind != "chat":
                    assert (notice.player_id, notice.sender_id) not in blocked
    sent = [notice for notice in notices(context) if notice.status == "sent" and notice.sender_id is not None]
    assert sent, "something was told"
    by_one = Counter((each.sender_id, each.player_id or each.address, day_of(each)) for each in sent)
    assert max(by_one.values()) <= gate.BY_ONE
    offers = Counter((each.match_id, each.player_id, day_of(each)) for each in sent if each.kind == "offer_made")
    assert max(offers.values(), default=0) <= 3
    assert check_ledger(context.database).breaches == []


def day_of(notice: Notice) -> str:
    """The day on which it was caused, or for which it was held."""
    return quotas.day_of(notice.held_until or notice.created_at)


def act(
    context: Context, rng: random.Random, people: list[Player], matches: list[Match], blocked: set[tuple[str, str]]
) -> None:
    """Something that a player may do to another; refusals say only what is so."""
    who, other, match = *rng.sample(people, 2), rng.choice(matches)
    does: list[Callable[[], object]] = [
        lambda: chat.say(context, who, match.id, "Hello"),
        lambda: offering.offer(context, who, match.id, rng.choice(("draw", "end", "call_off"))),
        lambda: withdraw(context, who, match),
        lambda: decline(context, who, match),
        lambda: invite_checked(context, who, other),
        lambda: block_or_not(context, who, other, matches, blocked),
        lambda: choosing.choose(context, who, {"mails": rng.choice(("at_once", "at_once", "digest", "off"))}),
    ]
    try:
        rng.choices(does, (6, 8, 8, 2, 3, 1, 1))[0]()
    except ServiceError as error:
        if error.code not in REFUSED:
            raise


def withdraw(context: Context, who: Player, match: Match) -> None:
    own = [each for each in open_offers(context, match) if match.seats[each.seat].player_name == who.name]
    if own:
        offering.withdraw(context, who, match.id, own[0].id)


def decline(context: Context, who: Player, match: Match) -> None:
    theirs = [each for each in open_offers(context, match) if match.seats[each.seat].player_name != who.name]
    if theirs:
        offering.answer(context, who, match.id, theirs[0].id, accepts=False)


def open_offers(context: Context, match: Match) -> tuple[StoredOffer, ...]:
    with context.database.read() as connection:
        return questions.open_offers(connection, match.id)


def invite_checked(context: Context, who: Player, other: Player) -> None:
    """Invites a player, and cancels the match; who is refused has been told why truly."""
    today = quotas.day_of(context.clock())
    written = [each for each in notices(context, "invitation") if quotas.day_of(each.created_at) == today]
    own = [each for each in written if each.sender_id == who.id]
    to_other = [each for each in written if each.player_id == other.id]
    try:
        match = lobby.create(context, who, "pearls", None, [SeatRequest("me"), SeatRequest("invite", other.email)])
    except TooMany as error:
        said = str(error)
        told = [each for each in to_other if each.status in ("pending", "sent")]
        mine = [each for each in to_other if each.sender_id == who.id]
        said = str(error)
        assert (
            (said.startswith("You have invited") and len(mine) >= 3)
            or ("were written" in said and len(told) >= 3)
            or ("You may send" in said and len(own) >= 10)
        )
        raise
    lobby.leave(context, who, match.id)


def block_or_not(
    context: Context, who: Player, other: Player, matches: list[Match], blocked: set[tuple[str, str]]
) -> None:
    if (who.id, other.id) in blocked:
        blocks.unblock(context, who, other.id)
        blocked.remove((who.id, other.id))
        return
    for match in matches:
        names = [seat.player_name for seat in match.seats]
        if who.name in names and other.name in names:
            blocks.block(context, who, match.id, names.index(other.name))
            blocked.add((who.id, other.id))
            return
