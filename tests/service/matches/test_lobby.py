"""The lobby: creating, finding, joining, leaving and starting matches."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import registry
from engine.draws import commitment, terms
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound, ServiceError
from service.ledger.check import check_ledger
from service.matches import lobby
from service.matches.lobby import MOST_OPEN
from service.matches.types import Match, SeatRequest
from service.store.players import Player
from service.views import match as views
from service.views.record import match_record
from tests.service.fakes import Clock, at_once, log_of, notices, person, started
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")

ME, OPEN = SeatRequest("me"), SeatRequest("open")
BELA = SeatRequest("invite", "Bela@Example.org")


def created(context: Context, player: Player, *seats: SeatRequest) -> Match:
    return lobby.create(context, player, "pearls", {}, seats)


def problems(error: pytest.ExceptionInfo[Invalid]) -> list[str]:
    return [pointer for pointer, _ in error.value.problems]


def test_a_new_match_is_open_and_committed_to_before_anybody_else_sits_down(context: Context) -> None:
    ada = person(context, "Ada")
    match = lobby.create(context, ada, "pearls", {"hoard": True}, [ME, OPEN], "Low tide")
    assert (match.status, match.title, match.options, match.ply) == ("open", "Low tide", {"hoard": True}, 0)
    assert (match.created_by, match.created_at, match.components_name, match.rules_version) == (
        ada.id,
        context.clock(),
        "standard",
        1,
    )
    assert [(seat.player_name, seat.invited, seat.to_act) for seat in match.seats] == [
        ("Ada", False, False),
        (None, False, False),
    ]
    assert len(match.commitment) == 64
    assert len(match.id) == 10
    assert lobby.find(context, None, match.id) == match


def test_the_commitment_covers_what_the_record_says_the_match_is_played_for(context: Context) -> None:
    table = started(context, "pearls", 3, hoard=True)
    lobby.resign(context, table.players[0], table.match.id)
    lobby.resign(context, table.players[1], table.match.id)
    record = match_record(context, None, table.match.id)
    assert record.secret is not None
    agreed = terms(table.match.id, "pearls", 1, 3, {"hoard": True}, registry.component_document("pearls"))
    assert table.match.commitment == record.commitment == commitment(bytes.fromhex(record.secret), agreed)


def test_a_match_without_a_title_has_the_title_of_its_game(context: Context) -> None:
    assert created(context, person(context, "Ada"), ME, OPEN).title == "Pearls"


def test_options_that_are_left_out_have_their_defaults(context: Context) -> None:
    assert created(context, person(context, "Ada"), ME, OPEN).options == {"hoard": False}


@pytest.mark.parametrize(
    ("change", "pointers"),
    [
        ({"game": "chess"}, ["/game"]),
        ({"options": {"hoard": "yes", "sharks": 3}}, ["/options/hoard", "/options/sharks"]),
        ({"components": "golden"}, ["/components"]),
        ({"seats": [ME]}, ["/seats"]),
        ({"seats": [ME, OPEN, OPEN, OPEN, OPEN]}, ["/seats"]),
        ({"seats": [ME, ME]}, ["/seats"]),
        ({"seats": [ME, SeatRequest("invite")]}, ["/seats/1/email"]),
        ({"seats": [ME, SeatRequest("invite", "bela@example.org\nBcc: eve@example.org")]}, ["/seats/1/email"]),
        ({"seats": [ME, SeatRequest("invite", "ADA@example.org")]}, ["/seats/1/email"]),
        ({"seats": [ME, BELA, BELA]}, ["/seats/2/email"]),
        ({"seats": [ME, SeatRequest("open", "bela@example.org")]}, ["/seats/1/email"]),
        ({"title": "x" * 81}, ["/title"]),
        ({"title": "Low\ntide"}, ["/title"]),
        ({"title": "Win at example.com"}, ["/title"]),
        ({"title": "=?utf-8?q?Low?="}, ["/title"]),
        ({"seats": [ME, SeatRequest("reserved")]}, ["/seats"]),
        ({"seats": [ME, SeatRequest("reserved", "ada@example.org")]}, ["/seats", "/seats/1/email"]),
        ({"title": "Low\ntide", "components": "golden", "seats": [ME]}, ["/components", "/seats", "/title"]),
    ],
)
def test_everything_that_is_wrong_with_a_new_match_is_named_at_once(
    context: Context, change: dict[str, object], pointers: list[str]
) -> None:
    asked = {
        "game": "pearls",
        "options": {},
        "seats": [ME, OPEN],
        "title": None,
        "components": "standard",
    } | change
    with pytest.raises(Invalid) as refused:
        lobby.create(context, person(context, "Ada"), **asked)  # type: ignore[arg-type]
    assert problems(refused) == pointers
    assert lobby.open_matches(context) == ()


def test_a_number_of_seats_that_a_game_is_not_played_with_is_refused_with_those_it_is(context: Context) -> None:
    with pytest.raises(Invalid) as refused:
        created(context, person(context, "Ada"), ME)
    assert refused.value.problems == (("/seats", "Pearls is for 2, 3 or 4 players, not 1."),)


def test_a_player_who_has_not_confirmed_their_address_can_neither_create_nor_join(context: Context) -> None:
    ada = person(context, "Ada")
    match = created(context, ada, ME, OPEN)
    stranger = replace(person(context, "Eve"), confirmed_at=None)
    attempts: tuple[Callable[[], Match], ...] = (
        lambda: created(context, stranger, ME, OPEN),
        lambda: lobby.join(context, stranger, match.id),
    )
    for attempt in attempts:
        with pytest.raises(Forbidden) as refused:
            attempt()
        assert refused.value.code == "address_not_confirmed"


def test_an_invitation_goes_to_the_player_with_that_address(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    assert isinstance(context.queue, MemoryQueue)
    woken = context.queue.notices
    match = created(context, ada, ME, BELA)
    (invitation,) = notices(context, "invitation")
    assert (invitation.player_id, invitation.address, invitation.match_id, invitation.payload) == (
        bela.id,
        None,
        match.id,
        {"seat": 1, "question": 0},
    )
    assert context.queue.notices == woken + 1


def test_an_invitation_reaches_somebody_who_is_no_player_yet(context: Context) -> None:
    match = created(context, person(context, "Ada"), ME, BELA)
    (invitation,) = notices(context, "invitation")
    assert (invitation.player_id, invitation.address) == (None, "Bela@example.org")  # as typed
    joined = lobby.join(context, person(context, "Bela"), match.id)
    assert (joined.status, joined.seats[1].player_name) == ("running", "Bela")


def test_only_the_creator_sees_who_is_invited(context: Context) -> None:
    ada = person(context, "Ada")
    match = created(context, ada, ME, BELA, OPEN)
    for viewer, email in ((ada, "bela@example.org"), (person(context, "Bela"), None), (None, None)):
        seat = lobby.find(context, viewer, match.id).seats[1]
        assert (seat.invited, seat.invited_email) == (True, email)


def test_the_last_one_to_join_starts_the_match_and_everybody_is_told(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = created(context, ada, ME, OPEN)
    assert isinstance(context.queue, MemoryQueue)
    woken = context.queue.notices
    match = lobby.join(context, bela, match.id)
    assert (match.status, match.started_at, [seat.to_act for seat in match.seats]) == (
        "running",
        context.clock(),
        [True, False],
    )
    assert {notice.player_id for notice in notices(context, "match_started")} == {ada.id, bela.id}
    (turn,) = notices(context, "your_turn")
    assert (turn.player_id, turn.payload) == (ada.id, {"seat": 0, "ply": 0})
    assert context.queue.notices == woken + 1


def test_what_chance_deals_at_the_start_is_in_the_log(context: Context) -> None:
    table = started(context, "oregon")
    assert table.match.ply == len(log_of(context, table.match.id)) == 10
    assert {entry.seat for entry in log_of(context, table.match.id)} == {-1}
    assert [notice.payload["ply"] for notice in notices(context, "match_started")] == [10, 10]


def test_joining_again_changes_nothing(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = created(context, ada, ME, OPEN, OPEN)
    once = lobby.join(context, bela, match.id, nonce="bela-was-here")
    assert lobby.join(context, bela, match.id) == once
    assert lobby.join(context, bela, match.id, seat=1) == once
    with pytest.raises(Conflict) as refused:
        lobby.join(context, bela, match.id, seat=2)
    assert refused.value.code == "already_seated"


def test_joining_again_after_the_start_answers_the_running_match(context: Context) -> None:
    table = started(context, "pearls")
    assert lobby.join(context, table.players[1], table.match.id).status == "running"
    assert len(notices(context, "match_started")) == 2


def test_the_invited_take_the_seat_that_is_kept_for_them(context: Context) -> None:
    match = created(context, person(context, "Ada"), ME, OPEN, BELA)
    match = lobby.join(context, person(context, "Bela"), match.id)
    assert [seat.player_name for seat in match.seats] == ["Ada", None, "Bela"]


def test_nobody_else_takes_a_seat_that_is_kept(context: Context) -> None:
    match, eve = created(context, person(context, "Ada"), ME, BELA, OPEN), person(context, "Eve")
    with pytest.raises(Forbidden) as refused:
        lobby.join(context, eve, match.id, seat=1)
    assert refused.value.code == "seat_kept"
    assert lobby.join(context, eve, match.id).seats[2].player_name == "Eve"
    with pytest.raises(Conflict) as full:
        lobby.join(context, person(context, "Cleo"), match.id)
    assert full.value.code == "no_seat_open"


@pytest.mark.parametrize(
    ("seat", "error", "code"), [(0, Conflict, "seat_taken"), (7, Invalid, "invalid"), (-1, Invalid, "invalid")]
)
def test_a_seat_that_is_taken_or_does_not_exist_is_refused(
    context: Context, seat: int, error: type[ServiceError], code: str
) -> None:
    match = created(context, person(context, "Ada"), ME, OPEN, OPEN)
    with pytest.raises(error) as refused:
        lobby.join(context, person(context, "Bela"), match.id, seat=seat)
    assert refused.value.code == code


def test_a_seat_that_does_not_exist_is_refused_with_those_that_do(context: Context) -> None:
    match = created(context, person(context, "Ada"), ME, OPEN, OPEN)
    with pytest.raises(Invalid) as refused:
        lobby.join(context, person(context, "Bela"), match.id, seat=3)
    assert refused.value.problems == (("/seat", "There is no seat 3; the seats are 0 to 2."),)


def test_nobody_joins_a_match_that_has_started(context: Context) -> None:
    table = started(context, "pearls")
    with pytest.raises(Conflict, match="has started") as refused:
        lobby.join(context, person(context, "Eve"), table.match.id)
    assert refused.value.code == "match_not_open"


def test_of_many_who_want_the_last_seat_one_gets_it_and_the_match_starts_once(context: Context) -> None:
    match = created(context, person(context, "Ada"), ME, OPEN)
    crowd = [person(context, f"P{number}") for number in range(8)]
    outcomes: list[str] = []

    def try_to_join(player: Player) -> None:
        try:
            outcomes.append(lobby.join(context, player, match.id).status)
        except Conflict as error:
            outcomes.append(error.code)

    threads = [threading.Thread(target=try_to_join, args=(player,)) for player in crowd]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(outcomes) == ["match_not_open"] * 7 + ["running"]
    assert len(notices(context, "match_started")) == 2


def test_the_nonces_of_the_seats_are_in_the_record(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("reserved"), OPEN])
    lobby.join(context, ada, match.id, nonce="rain-on-a-tin-roof")
    lobby.join(context, bela, match.id)
    first, second = match_record(context, None, match.id).nonces
    assert first == "rain-on-a-tin-roof"
    assert len(second) == 32


def test_leaving_frees_the_seat_for_anybody(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = created(context, ada, ME, BELA, OPEN)
    lobby.join(context, bela, match.id)
    match = lobby.leave(context, bela, match.id)
    assert [(seat.player_id, seat.invited) for seat in match.seats] == [(ada.id, False), (None, False), (None, False)]
    assert lobby.join(context, person(context, "Eve"), match.id, seat=1).seats[1].player_name == "Eve"


def test_who_leaves_gives_up_a_seat_that_is_kept_for_them_too(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = created(context, ada, ME, BELA, OPEN)
    lobby.join(context, bela, match.id, seat=2)
    match = lobby.leave(context, bela, match.id)
    assert [(seat.player_id, seat.invited) for seat in match.seats] == [(ada.id, False), (None, False), (None, False)]


def test_an_invitation_can_be_declined(context: Context) -> None:
    match = created(context, person(context, "Ada"), ME, BELA)
    assert lobby.leave(context, person(context, "Bela"), match.id).seats[1].invited is False


def test_who_created_a_match_is_mailed_that_a_seat_is_free_again_and_by_nobody_more_than_thrice_a_day(
    context: Context,
) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = created(context, ada, ME, BELA, OPEN)
    lobby.decline(context, match.id, 1, bela.email)
    lobby.decline(context, match.id, 1, bela.email)
    for _ in range(4):
        lobby.join(context, bela, match.id)
        lobby.leave(context, bela, match.id)
    told = notices(context, "seat_freed")
    assert {(notice.player_id, notice.match_id, notice.payload["freed"]) for notice in told} == {(ada.id, match.id, 1)}
    assert sorted(notice.held_until is None for notice in told) == [False, False, True, True, True]
    assert check_ledger(context.database).breaches == []


def test_the_creator_who_leaves_cancels_the_match(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = created(context, ada, ME, OPEN)
    assert lobby.leave(context, ada, match.id).status == "cancelled"
    assert lobby.open_matches(context) == ()
    with pytest.raises(Conflict, match="was cancelled"):
        lobby.join(context, bela, match.id)


def test_a_player_without_a_seat_cannot_leave_and_nobody_leaves_a_running_match(context: Context) -> None:
    match = created(context, person(context, "Cleo"), ME, OPEN)
    with pytest.raises(Forbidden):
        lobby.leave(context, person(context, "Eve"), match.id)
    table = started(context, "pearls")
    with pytest.raises(Conflict, match=r"^The match has started: resign instead\.$"):
        lobby.leave(context, table.players[1], table.match.id)


def test_a_match_with_free_seats_cannot_be_started(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = created(context, ada, ME, OPEN, OPEN)
    lobby.join(context, bela, match.id)
    with pytest.raises(Conflict, match=r"^Seats are still free: 2\. The match starts by itself when they are taken\.$"):
        lobby.start(context, ada, match.id)
    with pytest.raises(Forbidden):
        lobby.start(context, bela, match.id)


def test_starting_a_match_that_runs_changes_nothing(context: Context) -> None:
    table = started(context, "pearls")
    assert lobby.start(context, table.players[0], table.match.id).status == "running"
    assert len(notices(context, "match_started")) == 2


def test_my_matches_are_those_i_sit_in_made_or_am_invited_to_newest_first(context: Context) -> None:
    ada, bela, clock = person(context, "Ada"), person(context, "Bela"), context.clock
    assert isinstance(clock, Clock)
    ids = []
    for seats in ((ME, OPEN), (OPEN, OPEN), (ME, BELA)):
        clock.advance(minutes=1)
        ids.append(created(context, ada, *seats).id)
    lobby.join(context, bela, ids[0])
    assert [match.id for match in lobby.mine(context, ada)] == ids[::-1]
    assert [match.id for match in lobby.mine(context, bela)] == [ids[2], ids[0]]
    assert [match.id for match in lobby.mine(context, bela, ["open"])] == [ids[2]]
    assert [match.id for match in lobby.mine(context, ada, to_act=True)] == [ids[0]]
    assert lobby.mine(context, bela, to_act=True) == ()
    assert [match.id for match in lobby.open_matches(context)] == [ids[1]]


def test_long_lists_come_in_pages(context: Context) -> None:
    ada, bela, clock = person(context, "Ada"), person(context, "Bela"), context.clock
    assert isinstance(clock, Clock)
    for number in range(7):  # some at the same moment
        clock.advance(minutes=number % 2)
        made = created(context, ada if number < MOST_OPEN else bela, ME, OPEN, OPEN)
        lobby.join(context, ada, made.id)
    lists: tuple[Callable[[str | None], tuple[Match, ...]], ...] = (
        lambda after: lobby.mine(context, ada, limit=3, after=after),
        lambda after: lobby.open_matches(context, limit=3, after=after),
    )
    for listed in lists:
        pages: list[list[str]] = []
        after = None
        while page := listed(after):
            pages.append([match.id for match in page])
            after = pages[-1][-1]
        assert [len(page) for page in pages] == [3, 3, 1]
        assert len({match_id for page in pages for match_id in page}) == 7


def test_a_player_has_five_matches_that_wait_for_players(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    results = at_once(*(lambda: created(context, ada, ME, OPEN) for _ in range(7)))
    made = [result for result in results if isinstance(result, Match)]
    refused = [result for result in results if isinstance(result, Conflict)]
    assert (len(made), [error.code for error in refused]) == (MOST_OPEN, ["too_many_open_matches"] * 2)
    with pytest.raises(Conflict, match="5 matches that wait"):
        created(context, ada, ME, OPEN)
    created(context, ada, ME, SeatRequest("bot", level="easy"))  # waits for nobody
    created(context, bela, ME, OPEN)
    lobby.leave(context, ada, made[0].id)
    created(context, ada, ME, OPEN)
    lobby.join(context, bela, made[1].id)
    created(context, ada, ME, OPEN)


def test_a_match_that_does_not_exist_is_not_found(context: Context) -> None:
    ada = person(context, "Ada")
    for attempt in (lobby.find, lobby.join, lobby.leave, lobby.start, lobby.resign):
        with pytest.raises(NotFound, match="no match nowhere"):
            attempt(context, ada, "nowhere")


def test_nothing_a_use_case_answers_of_an_open_or_running_match_holds_the_secret(context: Context) -> None:
    from service.store import matches as rows

    table = started(context, "pearls")
    with context.database.read() as connection:
        stored = rows.find(connection, table.match.id)
    assert stored is not None
    for player in (*table.players, None):
        shown = (
            lobby.find(context, player, stored.id),
            match_record(context, player, stored.id),
            views.observation(context, player, stored.id),
        )
        assert stored.secret.hex() not in repr(shown)
        assert repr(stored.secret) not in repr(shown)


def test_a_title_has_80_characters_at_most(context: Context) -> None:
    match = lobby.create(context, person(context, "Ada"), "pearls", {}, [ME, OPEN], title="x" * 80)
    assert match.title == "x" * 80


def test_a_title_that_is_too_long_is_refused_with_its_length(context: Context) -> None:
    with pytest.raises(Invalid) as refused:
        lobby.create(context, person(context, "Ada"), "pearls", {}, [ME, OPEN], title="x" * 81)
    assert refused.value.problems == (("/title", "A title has 1 to 80 characters, not 81."),)


def test_an_invitation_is_given_to_somebody_else_and_the_one_before_is_worth_nothing(context: Context) -> None:
    ada, bela, carl = (person(context, name) for name in ("Ada", "Bela", "Carl"))
    seats = [SeatRequest("me"), SeatRequest("invite", bela.email)]
    match = lobby.create(context, ada, "pearls", {}, seats)
    again = lobby.invite(context, ada, match.id, 1, "Carl@example.org")
    assert again.seats[1].invited_email == carl.email
    assert lobby.invite(context, ada, match.id, 1, carl.email) == again
    told = [(each.player_id, each.status) for each in notices(context, "invitation")]
    assert sorted(told) == sorted([(bela.id, "covered"), (carl.id, "pending")])
    with pytest.raises(Forbidden) as kept:
        lobby.join(context, bela, match.id, 1)
    assert kept.value.code == "seat_kept"
    assert check_ledger(context.database).breaches == []
    assert lobby.join(context, carl, match.id).status == "running"


def test_an_invitation_is_withdrawn_and_anybody_may_take_the_seat(context: Context) -> None:
    ada, bela, carl = (person(context, name) for name in ("Ada", "Bela", "Carl"))
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("invite", bela.email)])
    assert not lobby.invite(context, ada, match.id, 1, None).seats[1].invited
    assert lobby.join(context, carl, match.id).seats[1].player_id == carl.id
    assert check_ledger(context.database).breaches == []


def test_only_the_creator_gives_invitations_and_nobody_gets_two_seats(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    seats = [SeatRequest("me"), SeatRequest("invite", bela.email), SeatRequest("open")]
    match = lobby.create(context, ada, "pearls", {}, seats)
    with pytest.raises(Forbidden):
        lobby.invite(context, bela, match.id, 2, "eve@example.org")
    for email in (ada.email, bela.email, "nobody"):
        with pytest.raises(Invalid):
            lobby.invite(context, ada, match.id, 2, email)
    with pytest.raises(Invalid):
        lobby.invite(context, ada, match.id, 3, "eve@example.org")
    with pytest.raises(Conflict) as refused:
        lobby.invite(context, ada, match.id, 0, "eve@example.org")
    assert refused.value.code == "seat_taken"


def test_no_invitation_tells_whose_address_it_is(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    match = lobby.create(context, ada, "pearls", {}, [ME, OPEN, OPEN])
    lobby.join(context, bela, match.id)
    told = [lobby.invite(context, ada, match.id, 2, email) for email in ("nobody@example.org", bela.email)]
    assert [each.seats[2].invited for each in told] == [True, True]
    with pytest.raises(Conflict, match="You already have seat 1"):
        lobby.join(context, bela, match.id, 2)
    assert check_ledger(context.database).breaches == []


def test_an_unlisted_match_is_in_no_list_of_others(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    seats = [SeatRequest("me"), SeatRequest("open")]
    hidden = lobby.create(context, ada, "pearls", {}, seats, unlisted=True)
    shown = lobby.create(context, ada, "pearls", {}, seats)
    assert [match.id for match in lobby.open_matches(context)] == [shown.id]
    assert {match.id for match in lobby.mine(context, ada)} == {hidden.id, shown.id}
    assert lobby.mine(context, bela) == ()
    assert lobby.find(context, ada, hidden.id).unlisted
