"""A stolen token does not become the account, and the address before undoes what was changed."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest

from service.context import Context
from service.errors import Conflict, Forbidden, NotFound, ServiceError
from service.players import accounts, bots, own_addresses, tokens
from service.store import addresses
from service.store import players as player_rows
from service.store.players import Player
from service.store.tokens import Token
from service.views import calendar
from service.webhooks import owning
from tests.service.fakes import holder, later, notices, person_with_token, proof, sent_token

OWNER, THIEF = "ada@example.org", "eve@example.net"


@pytest.fixture
def ada(context: Context) -> Player:
    return person_with_token(context, "Ada", OWNER)[0]


def present(context: Context, player: Player) -> Player:
    with context.database.read() as connection:
        found = player_rows.find(connection, player.id)
    assert found is not None
    return found


def own(context: Context, player: Player) -> dict[str, tuple[bool, bool]]:
    """The player's addresses, each with whether it is confirmed, and primary."""
    shown = own_addresses.of_player(context, present(context, player))
    return {each.folded: (each.confirmed_at is not None, each.is_primary) for each in shown}


def undo_for(context: Context, address: str) -> str:
    """What the newest mail to an address undoes a change by."""
    told = [each for each in notices(context, "address_changed") if each.address == address]
    return str(next(each.payload["token"] for each in reversed(told) if each.payload.get("token")))


def taken_over(context: Context, ada: Player) -> str:
    """The thief reads the owner's mail once, and takes everything; gives the thief's secret."""
    own_addresses.add(context, ada, proof(context, ada), THIEF)
    later(context, minutes=1)
    own_addresses.confirm(context, str(notices(context, "confirm_another_address")[-1].payload["token"]))
    later(context, minutes=1)
    theirs = next(each for each in own_addresses.of_player(context, ada) if each.folded == THIEF)
    own_addresses.make_primary(context, ada, proof(context, ada), theirs.id)
    later(context, minutes=1)
    before = next(each for each in own_addresses.of_player(context, present(context, ada)) if each.folded == OWNER)
    own_addresses.remove(context, present(context, ada), proof(context, ada), before.id)
    later(context, minutes=1)
    accounts.sign_up(context, "Eve", THIEF)
    secret = accounts.confirm(context, sent_token(context, THIEF))[1]
    assert own(context, ada) == {THIEF: (True, True)}
    return secret


def test_a_stolen_token_changes_nothing_that_gives_access(context: Context, ada: Player) -> None:
    stolen = Token("stolen", ada.id, "clerk", tokens.SCOPES, context.clock())
    (primary,) = own_addresses.of_player(context, ada)
    for attack in (
        lambda: own_addresses.add(context, ada, stolen, THIEF),
        lambda: own_addresses.make_primary(context, ada, stolen, primary.id),
        lambda: own_addresses.remove(context, ada, stolen, primary.id),
        lambda: tokens.issue(context, ada, stolen, "another", ("account",)),
    ):
        with pytest.raises(Forbidden) as refused:
            attack()
        assert refused.value.code == "proof_needed"
    assert own(context, ada) == {OWNER: (True, True)}


def test_the_owner_takes_everything_back_within_seven_days(context: Context, ada: Player) -> None:
    secret = taken_over(context, ada)
    browser = tokens.sign_in(context, present(context, ada))
    accounts.sign_up(context, "Eve", THIEF)
    waiting = sent_token(context, THIEF)
    later(context, days=6)
    told = [each for each in notices(context, "address_changed") if each.address == OWNER and each.payload.get("token")]
    assert [each.payload["change"] for each in told] == ["added", "primary", "removed"]
    token = str(told[0].payload["token"])
    assert own_addresses.to_undo(context, token) == (present(context, ada), OWNER)
    own_addresses.undo(context, token)
    assert own(context, ada) == {OWNER: (True, True)}
    assert present(context, ada).email == OWNER
    assert tokens.recognise_at(context, secret, None)[0] is None
    assert tokens.signed_in(context, browser) is None
    with pytest.raises(Conflict):
        accounts.confirm(context, waiting)
    for each in told[1:]:
        with pytest.raises(NotFound):
            own_addresses.undo(context, str(each.payload["token"]))
    with pytest.raises(Conflict) as again:
        own_addresses.undo(context, token)
    assert again.value.code == "confirmation_used"


def test_changes_of_the_same_moment_are_undone_together(context: Context, ada: Player) -> None:
    own_addresses.add(context, ada, proof(context, ada), THIEF)
    _, theirs = own_addresses.confirm(context, str(notices(context, "confirm_another_address")[-1].payload["token"]))
    own_addresses.make_primary(context, ada, proof(context, ada), theirs.id)
    told = [str(each.payload["token"]) for each in notices(context, "address_changed") if each.payload.get("token")]
    assert len(told) == 2
    own_addresses.undo(context, told[0])
    with pytest.raises(NotFound):
        own_addresses.undo(context, told[1])
    assert own(context, ada) == {OWNER: (True, True)}


def test_what_was_issued_before_the_change_stays(context: Context) -> None:
    ada, secret = person_with_token(context, "Ada", OWNER)
    later(context, days=1)
    taken_over(context, ada)
    own_addresses.undo(context, undo_for(context, OWNER))
    assert holder(context, secret).id == ada.id


def test_bots_and_calendar_are_the_owners_alone_again(context: Context, ada: Player) -> None:
    bot, _token, kept = bots.make(context, ada, "Ada bot")
    later(context, minutes=1)
    taken_over(context, ada)
    stolen, feed = bots.issue(context, ada, bot.id, "another")[1], calendar.renew(context, ada)
    own_addresses.undo(context, undo_for(context, OWNER))
    assert tokens.recognise_at(context, kept, None)[0] is not None
    assert tokens.recognise_at(context, stolen, None)[0] is None
    with pytest.raises(NotFound):
        calendar.feed(context, feed, "https://overland.example.org")


def test_no_webhook_calls_the_thief_any_more(context: Context, ada: Player) -> None:
    bot, _token, _secret = bots.make(context, ada, "Ada bot")
    turned = owning.enter(context, ada, "json", "http://ada.example.org/calls")
    taken_over(context, ada)
    owning.change(context, ada, turned.id, "http://eve.example.net/calls", None, None)
    owning.enter(context, ada, "json", "http://eve.example.net/others")
    owning.enter(context, bot, "json", "http://eve.example.net/of-the-bot")
    own_addresses.undo(context, undo_for(context, OWNER))
    found = [*owning.of_player(context, ada), *owning.of_player(context, bot)]
    assert [each.off_at for each in found] == [context.clock()] * 3
    owning.change(context, ada, turned.id, "http://ada.example.org/calls", None, True)
    assert owning.of_player(context, ada)[0].off_at is None


def test_after_seven_days_nothing_is_undone(context: Context, ada: Player) -> None:
    taken_over(context, ada)
    token = undo_for(context, OWNER)
    later(context, days=8)
    with pytest.raises(Conflict) as late:
        own_addresses.undo(context, token)
    assert late.value.code == "confirmation_expired"


def test_an_address_that_another_player_has_confirmed_since_stays_theirs(context: Context, ada: Player) -> None:
    taken_over(context, ada)
    person_with_token(context, "Bela", OWNER)
    with pytest.raises(Conflict) as refused:
        own_addresses.undo(context, undo_for(context, OWNER))
    assert refused.value.code == "address_taken"
    assert own(context, ada) == {THIEF: (True, True)}


@dataclass
class Thief:
    """Has read the owner's mail once, and does whatever it may with that, and with its own mail."""

    context: Context
    owner: Player
    random: random.Random
    done: list[str] = field(default_factory=list)

    def act(self) -> None:
        act = self.random.choice([self.add, self.promote, self.remove, self.undo, self.sign_in])
        try:
            act()
            self.done.append(act.__name__)
        except ServiceError:
            pass

    def add(self) -> None:
        player = present(self.context, self.owner)
        address = f"eve{self.random.randrange(3)}@example.net"
        own_addresses.add(self.context, player, proof(self.context, player), address)
        own_addresses.confirm(self.context, str(notices(self.context, "confirm_another_address")[-1].payload["token"]))

    def promote(self) -> None:
        player = present(self.context, self.owner)
        chosen = self.random.choice(own_addresses.of_player(self.context, player))
        own_addresses.make_primary(self.context, player, proof(self.context, player), chosen.id)

    def remove(self) -> None:
        player = present(self.context, self.owner)
        chosen = self.random.choice(own_addresses.of_player(self.context, player))
        own_addresses.remove(self.context, player, proof(self.context, player), chosen.id)

    def told(self) -> list[str]:
        told = notices(self.context, "address_changed")
        return [str(each.payload["token"]) for each in told if each.address != OWNER and each.payload.get("token")]

    def undo(self) -> None:
        if self.told():
            own_addresses.undo(self.context, self.random.choice(self.told()))

    def sign_in(self) -> None:
        accounts.sign_up(self.context, "Eve", f"eve{self.random.randrange(3)}@example.net")


@pytest.mark.parametrize("seed", range(12))
def test_whatever_a_thief_does_the_first_mail_to_the_owner_undoes_it(context: Context, ada: Player, seed: int) -> None:
    thief = Thief(context, ada, random.Random(seed))
    for _ in range(25):
        later(context, hours=5)
        thief.act()
    assert {"add", "undo"} & set(thief.done)
    told = [each for each in notices(context, "address_changed") if each.address == OWNER and each.payload.get("token")]
    own_addresses.undo(context, str(told[0].payload["token"]))
    assert own(context, ada) == {OWNER: (True, True)}
    with context.database.read() as connection:
        assert addresses.confirmed(connection, present(context, ada)) == {OWNER}
    for token in thief.told():
        with pytest.raises(ServiceError):
            own_addresses.undo(context, token)
    assert own(context, ada) == {OWNER: (True, True)}
