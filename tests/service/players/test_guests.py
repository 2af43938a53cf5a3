"""A guest plays one match against bots for seven days, and keeps it by signing up."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.record import verify
from service.context import Context
from service.errors import Forbidden, Invalid, NotFound
from service.ledger.check import check_ledger
from service.loop import Loop
from service.matches import chat, lobby, one_click
from service.matches.types import Match, SeatRequest
from service.names import read_name
from service.notices.delivery import deliver_due
from service.offers import offering
from service.players import accounts, bots, guests, own_addresses, profiles, tokens
from service.store import players, tables
from service.store.players import Player
from service.sweeps import sweep
from service.turns import lookup
from service.views.record import match_record
from service.webhooks import owning
from tests.service.fakes import Postbag, at_once, later, notices, person, played, proof, sent_token

pytestmark = pytest.mark.usefixtures("pearls")
BROWSER = "a" * 32
EMAIL = "ada@example.org"


def free() -> None:
    """There is no limit."""


def playing(context: Context, browser: str = BROWSER) -> tuple[Player, Match]:
    return one_click.play_now(context, "pearls", browser, free, None)


def confirmed(context: Context, guest: Player | None, token: str | None = None) -> Player:
    """Confirms the address in the browser of that guest, or of nobody."""
    return accounts.confirm_in_browser(context, token or sent_token(context, EMAIL), guest)[0]


def present(context: Context, player_id: str) -> Player | None:
    with context.database.read() as connection:
        return players.find(connection, player_id)


def sent(context: Context) -> list[str]:
    bag = context.transport
    assert isinstance(bag, Postbag)
    return [str(message["X-Overland-Kind"]) for message in bag.messages]


def test_a_guest_is_seated_against_a_bot_at_once(context: Context) -> None:
    guest, match = playing(context)
    assert guest.name.startswith("Guest ")
    assert (match.status, match.clock, match.unlisted) == ("running", None, True)
    assert [(seat.player_id == guest.id, seat.bot) for seat in match.seats] == [(True, None), (False, "easy")]
    assert guest.guest_until == context.clock() + timedelta(days=7)


def test_however_often_the_button_is_pressed_there_is_one_match(context: Context) -> None:
    admitted: list[None] = []
    press = lambda: one_click.play_now(context, "pearls", BROWSER, lambda: admitted.append(None), None)  # noqa: E731
    found = at_once(*[press] * 8)
    assert len({(guest.id, match.id) for guest, match in found}) == 1
    assert len(admitted) == 1
    again, match = playing(context)
    assert (again.id, match.id) == (found[0][0].id, found[0][1].id)
    assert len(lobby.mine(context, again)) == 1


def test_another_browser_is_another_guest(context: Context) -> None:
    one, other = playing(context)[0], playing(context, "b" * 32)[0]
    assert one.id != other.id
    assert one.name != other.name


def test_who_is_not_admitted_leaves_no_trace(context: Context) -> None:
    def refuse() -> None:
        raise Forbidden("Full.")

    with pytest.raises(Forbidden):
        one_click.play_now(context, "pearls", BROWSER, refuse, None)
    with context.database.read() as connection:
        assert connection.execute(tables.players.select()).all() == []


@pytest.mark.parametrize("name", ["Guest", "guest 7", "GUEST-7", "\uff27uest 7", "Guest7", "Guest of honour"])
def test_nobody_else_is_called_like_a_guest(name: str) -> None:
    with pytest.raises(Invalid, match='begin with "Guest"'):
        read_name(name)


def test_a_name_may_begin_with_the_same_letters() -> None:
    assert read_name("Guestling") == "Guestling"


def test_a_guest_does_nothing_that_others_notice(context: Context) -> None:
    guest, match = playing(context)
    ada = person(context, "Ada")
    open_one = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    by = proof(context, guest)
    for refused in (
        lambda: lobby.create(context, guest, "pearls", {}, [SeatRequest("me"), SeatRequest("bot", level="easy")]),
        lambda: lobby.join(context, guest, open_one.id),
        lambda: lobby.invite(context, guest, match.id, 1, "eve@example.org"),
        lambda: offering.offer(context, guest, match.id, "end"),
        lambda: chat.say(context, guest, match.id, "Hello"),
        lambda: tokens.issue(context, guest, by, "mine"),
        lambda: bots.make(context, guest, "Mine"),
        lambda: own_addresses.add(context, guest, by, "eve@example.org"),
        lambda: owning.enter(context, guest, "json", "https://example.org/"),
        lambda: accounts.rename(context, guest, "Ada"),
    ):
        with pytest.raises(Forbidden) as told:
            refused()
        assert told.value.code == "not_for_guests"
    assert len(lobby.mine(context, guest)) == 1


@pytest.mark.parametrize(
    "seats",
    [
        [SeatRequest("me"), SeatRequest("open")],
        [SeatRequest("me"), SeatRequest("invite", "eve@example.org")],
        [SeatRequest("reserved"), SeatRequest("bot", level="easy")],
        [SeatRequest("me"), SeatRequest("bot", level="easy"), SeatRequest("open")],
        [SeatRequest("me")],
    ],
)
def test_a_guest_plays_against_bots_alone(context: Context, seats: list[SeatRequest]) -> None:
    guest = guests.welcome(context, BROWSER, free)
    with pytest.raises(Forbidden, match="against bots"):
        lobby.create(context, guest, "pearls", {}, seats)
    assert lobby.mine(context, guest) == ()


def test_a_guest_is_mailed_nothing_and_has_no_profile(context: Context) -> None:
    guest, match = playing(context)
    played(context, guest, match.id, "dive")
    later(context, days=1)
    deliver_due(context)
    assert sent(context) == []
    assert {notice.status for notice in notices(context)} == {"covered"}
    with pytest.raises(NotFound):
        profiles.of_player(context, guest.id)
    assert check_ledger(context.database).breaches == []


def test_the_address_of_a_guest_signs_nobody_up(context: Context) -> None:
    guest, _ = playing(context)
    with pytest.raises(Invalid, match="not a mail address"):
        accounts.sign_up(context, "Eve", guest.email)
    after = present(context, guest.id)
    assert after is not None
    assert (after.name, after.guest_until) == (guest.name, guest.guest_until)


def test_whoever_confirms_a_new_address_is_the_guest_from_now_on(context: Context) -> None:
    guest, match = playing(context)
    played(context, guest, match.id, "dive")
    chat.note(context, guest, match.id, "Coal first")
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    ada = confirmed(context, guest)
    assert (ada.id, ada.name, ada.guest_until) == (guest.id, "Ada", None)
    assert present(context, ada.id) == ada
    [kept] = lobby.mine(context, ada)
    assert (kept.id, kept.seats[0].player_name, kept.created_by) == (match.id, "Ada", ada.id)
    assert chat.noted(context, ada, match.id).text == "Coal first"
    second = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    assert second.status == "open"
    assert check_ledger(context.database).breaches == []
    with context.database.read() as connection:
        assert len(connection.execute(tables.players.select().where(tables.players.c.email == EMAIL)).all()) == 1


def test_where_the_address_is_known_its_player_gets_the_match(context: Context) -> None:
    ada = person(context, "Ada", EMAIL)
    later(context, seconds=1)
    guest, match = playing(context)
    turn = played(context, guest, match.id, "dive")
    accounts.sign_up(context, "Somebody", EMAIL, guest=guest)
    again = confirmed(context, guest)
    assert (again.id, again.name) == (ada.id, "Ada")
    assert present(context, guest.id) is None
    [kept] = lobby.mine(context, ada)
    assert (kept.id, kept.seats[0].player_id) == (match.id, ada.id)
    assert lookup.find(context, ada, match.id, turn.id).id == turn.id
    assert check_ledger(context.database).breaches == []
    lobby.resign(context, ada, match.id)
    verify(match_record(context, ada, match.id))


def test_the_answer_to_a_guest_says_of_no_address_whether_it_is_known(context: Context) -> None:
    guest, _ = playing(context)
    person(context, "Ada", EMAIL)
    known, new = (accounts.sign_up(context, "Ada", email, guest=guest) for email in (EMAIL, "eve@example.org"))
    assert replace(new, email=EMAIL) == known
    assert present(context, guest.id) == guest


def test_what_signed_a_guest_in_ends_with_the_guest(context: Context) -> None:
    guest, _ = playing(context)
    secret = tokens.sign_in(context, guest)
    assert tokens.signed_in(context, secret) == guest
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    confirmed(context, guest)
    assert tokens.signed_in(context, secret) is None
    another, match = playing(context)
    assert another.id != guest.id
    assert match.status == "running"


@pytest.mark.parametrize("is_known", [True, False])
def test_whose_address_a_guest_types_gets_nothing_of_the_guest(context: Context, is_known: bool) -> None:
    """They read the mail elsewhere, as a guest of their own or not: the match stays where it is."""
    if is_known:
        person(context, "Ada", EMAIL)
    guest, match = playing(context)
    secret = tokens.sign_in(context, guest)
    for own in (None, playing(context, "b" * 32)[0]):
        later(context, seconds=1)
        accounts.sign_up(context, "Ada", EMAIL, guest=guest)
        ada = confirmed(context, own)
        assert ada.id not in (guest.id, own.id if own else "")
        assert lobby.mine(context, ada) == ()
    later(context, seconds=1)
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    by_program, _ = accounts.confirm(context, sent_token(context, EMAIL))
    assert lobby.mine(context, by_program) == ()
    assert tokens.signed_in(context, secret) == guest
    assert [each.id for each in lobby.mine(context, guest)] == [match.id]


def test_who_passes_on_a_link_takes_no_match_of_the_guest_who_follows_it(context: Context) -> None:
    victim, match = playing(context)
    accounts.sign_up(context, "Eve", EMAIL)
    eve = confirmed(context, victim)
    later(context, seconds=1)
    accounts.sign_up(context, "Eve", EMAIL, guest=playing(context, "b" * 32)[0])
    confirmed(context, victim)
    assert lobby.mine(context, eve) == ()
    assert [each.id for each in lobby.mine(context, victim)] == [match.id]


def test_who_has_confirmed_elsewhere_keeps_the_match_by_signing_in_where_it_is_played(context: Context) -> None:
    guest, match = playing(context)
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    ada = confirmed(context, None)
    assert lobby.mine(context, ada) == ()
    later(context, seconds=1)
    accounts.sign_in(context, EMAIL, guest)
    assert confirmed(context, guest).id == ada.id
    assert [each.id for each in lobby.mine(context, ada)] == [match.id]


def test_a_second_mail_to_sign_up_signs_in(context: Context) -> None:
    guest, _ = playing(context)
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    first = sent_token(context, EMAIL)
    accounts.sign_up(context, "Ada", "eve@example.org", guest=guest)
    other = sent_token(context, "eve@example.org")
    ada = confirmed(context, guest, first)
    eve = confirmed(context, guest, other)
    assert (ada.id, ada.email) == (guest.id, EMAIL)
    assert eve.id != ada.id
    assert lobby.mine(context, eve) == ()


def test_two_at_once_who_confirm_are_one_player(context: Context) -> None:
    guest, match = playing(context)
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    token = sent_token(context, EMAIL)
    done = at_once(*[lambda: accounts.confirm_in_browser(context, token, guest)] * 4)
    assert [each[0].id for each in done if isinstance(each, tuple)] == [guest.id]
    ada = present(context, guest.id)
    assert ada is not None
    assert [each.id for each in lobby.mine(context, ada)] == [match.id]


def test_a_guest_is_nobody_after_seven_days_and_gone_an_hour_later(context: Context) -> None:
    guest, match = playing(context)
    secret = tokens.sign_in(context, guest)
    chat.note(context, guest, match.id, guest.name)
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    later(context, days=7, seconds=-1)
    assert tokens.signed_in(context, secret) == guest
    sweep(context)
    assert lobby.find(context, guest, match.id).status == "running"
    later(context, seconds=1)
    assert tokens.signed_in(context, secret) is None
    sweep(context)
    assert lobby.find(context, guest, match.id).status == "running"
    later(context, hours=1, seconds=1)
    assert sweep(context)[Loop.LEAVING]["done"] == 1
    with pytest.raises(NotFound):
        lobby.find(context, None, match.id)
    over = lobby.find(context, guest, match.id)
    assert (over.status, over.seats[0].player_name) == ("finished", "A former player")
    verify(match_record(context, guest, match.id))
    assert check_ledger(context.database).breaches == []
    with context.database.read() as connection:
        for table in tables.metadata.sorted_tables:
            assert guest.name not in repr(connection.execute(table.select()).all()), table.name
    assert not sweep(context)[Loop.LEAVING]["done"]
    assert playing(context)[0].id != guest.id


def test_whoever_signs_up_too_late_starts_anew(context: Context) -> None:
    guest, _ = playing(context)
    later(context, days=6)
    accounts.sign_up(context, "Ada", EMAIL, guest=guest)
    later(context, days=1, seconds=1)
    ada = confirmed(context, guest)
    assert ada.id != guest.id
    assert lobby.mine(context, ada) == ()
    later(context, hours=2)
    assert sweep(context)[Loop.LEAVING]["done"] == 1
    assert sweep(context)[Loop.LEAVING]["failed"] == 0


def test_the_browser_of_an_expired_guest_gets_a_new_one_before_the_sweep(context: Context) -> None:
    guest, match = playing(context)
    later(context, days=7)
    again, another = playing(context)
    assert again.id != guest.id
    assert another.id != match.id
