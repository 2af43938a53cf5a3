"""Seats that act at once in secret: sealed bids by three clients at the same moment, none of them
stale, and nobody learns a bid before it is opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from engine.record import verify
from service.clocks.spans import moment
from service.context import Context
from service.errors import StalePly
from service.ledger.check import check_ledger
from service.matches import lobby
from service.store.players import Player
from service.store.tables import turns as turn_table
from service.turns import pending, time_up
from service.turns.submit import submit
from service.turns.trials import legal_actions, next_turn, preview
from service.turns.types import Turn
from service.views import match as views
from service.views.match import board_svg, board_text
from service.views.record import match_log, match_record
from tests.service.fakes import (
    AT_ONCE,
    Round,
    at_once,
    discovered,
    judge_one,
    judged_batch,
    log_of,
    notices,
    restarted,
    set_apart,
    started,
    state_of,
)
from tests.service.turns.clocks import kinds, now_is, stored, times


@pytest.fixture(autouse=True)
def sealed() -> Iterator[None]:
    with discovered(AT_ONCE):
        yield


@pytest.fixture
def table(context: Context) -> Round:
    """A lot is up, and three seats may bid."""
    table = started(context, "sealed", 3)
    assert table.match.ply == 1
    return table


def test_of_two_whose_time_is_up_at_once_one_is_not_held(context: Context) -> None:
    """As nobody else is left who plays, whichever is judged first."""
    table = started(context, "sealed", 3, clock="brisk")
    for resigns in (True, False):
        now_is(context, moment(max(own.due_at for own in times(context, table) if own.due_at)) + timedelta(seconds=16))
        for _ in range(3):
            time_up.act_on(context, table.match.id)
            while judged_batch(context).judged:
                continue
        if resigns:
            lobby.resign(context, table.players[2], table.match.id)
    assert stored(context, table).status == "running"
    assert sorted(kinds(context, table)[-2:]) == ["time_up_bot_hold", "time_up_bot_turn"]
    assert check_ledger(context.database).breaches == []


def bid(context: Context, table: Round, seat: int, coins: int, ply: int = 1) -> Turn:
    """A bid that is submitted, to be judged later."""
    return submit(context, table.players[seat], table.match.id, None, ply, notation=f"bid {coins}")


def code(turn: Turn) -> str | None:
    """Why a judged turn was refused."""
    assert turn.verdict is not None
    return None if turn.verdict.violation is None else turn.verdict.violation.code


def test_a_whole_match_is_played_by_three_who_bid_at_the_same_moment(context: Context, table: Round) -> None:
    processes = [restarted(context) for _ in table.players]
    rounds = 0
    while (match := lobby.find(context, None, table.match.id)).status == "running":
        coins = state_of(context, match.id).coins

        def client(seat: int, ply: int = match.ply, coins: tuple[int, ...] = coins) -> Turn:
            turn = bid(processes[seat], table, seat, min(seat, coins[seat]), ply)
            return judge_one(processes[seat], turn.id)

        answers = at_once(*[lambda seat=seat: client(seat) for seat in range(3)])
        assert [code(answer) for answer in answers] == [None] * 3
        rounds += 1
    assert rounds == 18
    verify(match_record(context, None, match.id))
    assert check_ledger(context.database).breaches == []


def test_bids_for_the_same_ply_are_judged_one_after_the_other(context: Context, table: Round) -> None:
    queued = [bid(context, table, seat, coins) for seat, coins in ((2, 5), (0, 3), (1, 4))]
    assert pending.judge_pending(context) == 3
    judged = [judge_one(context, turn.id) for turn in queued]
    assert [turn.status for turn in judged] == ["accepted"] * 3
    spans = sorted((turn.verdict.ply_before, turn.verdict.ply_after) for turn in judged if turn.verdict is not None)
    assert spans == [(1, 2), (2, 3), (3, 6)]  # the last one opens the bids, and the next lot is turned up
    assert [turn.ply for turn in judged] == [1, 1, 1]
    assert state_of(context, table.match.id).won[2] != ()
    assert check_ledger(context.database).breaches == []


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 1, 0)])
def test_the_order_in_which_bids_come_makes_no_difference(
    context: Context, table: Round, order: tuple[int, ...]
) -> None:
    for seat in order:
        judge_one(context, bid(context, table, seat, 3 + seat).id)
    opened = log_of(context, table.match.id)[4]
    assert (opened.seat, opened.action.bids) == (-1, (3, 4, 5))


@pytest.mark.usefixtures("in_advance")
def test_a_seat_that_has_bid_cannot_bid_again(context: Context, table: Round) -> None:
    first, again = set_apart(context, bid(context, table, 0, 3)), bid(context, table, 0, 9)
    assert code(judge_one(context, first.id)) is None
    assert code(judge_one(context, again.id)) == "stale_ply"
    with pytest.raises(StalePly) as refused:
        bid(context, table, 0, 9)
    assert refused.value.changes == ("Ada bids 3.",)
    assert code(judge_one(context, bid(context, table, 0, 9, ply=2).id)) == "not_your_turn"
    assert state_of(context, table.match.id).bids == (3, None, None)


def test_a_bid_for_a_lot_that_is_gone_is_stale(context: Context, table: Round) -> None:
    late = set_apart(context, bid(context, table, 1, 2))
    with context.database.write() as connection:  # so that the others are judged before it
        later = turn_table.update().where(turn_table.c.id == late.id)
        connection.execute(later.values(submitted_at=late.submitted_at + timedelta(hours=1)))
    for seat in (0, 2):
        judge_one(context, bid(context, table, seat, 3).id)
    judge_one(context, bid(context, table, 1, 4).id)
    assert code(judge_one(context, late.id)) == "stale_ply"
    with pytest.raises(StalePly) as refused:
        bid(context, table, 1, 2)
    told = " ".join(refused.value.changes)
    assert "Ada bids secretly. Cleo bids secretly." in told
    assert "The bids are opened: Ada 3, Bela 4, Cleo 3." in told


def shown(context: Context, player: Player | None, match_id: str) -> dict[str, Any]:
    """What somebody is shown of a match, but for how far it is and who is awaited."""
    look: dict[str, Any] = dict(views.observation(context, player, match_id))
    found = {"observation": look["observation"], "prompts": {each["prompt"].sentence for each in look["awaited"]}}
    found |= {"text": board_text(context, player, match_id), "svg": board_svg(context, player, match_id)}
    if player is not None:
        found["legal"] = legal_actions(context, player, match_id).items
    return found


def test_nobody_learns_a_bid_before_it_is_opened(context: Context, table: Round) -> None:
    ada, *others = table.players
    match_id = table.match.id
    before = [shown(context, player, match_id) for player in (*others, None)]
    written = {notice.id for notice in notices(context)}
    turn = judge_one(context, bid(context, table, 0, 7).id)
    assert [shown(context, player, match_id) for player in (*others, None)] == before
    assert shown(context, ada, match_id)["observation"]["bid"] == 7
    for player in (*others, None):
        entry = match_log(context, player, match_id)[-1]
        assert (entry["ply"], entry["seat"], entry["action"]) == (1, 0, None)
        assert entry["sentence"] == "Ada bids secretly."
        assert match_record(context, player, match_id).log[-1].action is None
        assert views.observation(context, player, match_id)["to_act"] == (1, 2)
    assert match_log(context, ada, match_id)[-1]["action"] == {"type": "bid", "coins": 7}
    new = [notice for notice in notices(context) if notice.id not in written]
    assert [(notice.kind, notice.player_id) for notice in new] == [("verdict", ada.id)]
    assert new[0].payload["turn_id"] == turn.id


def test_a_preview_and_a_number_of_the_list_stay_valid_after_a_secret_bid(context: Context, table: Round) -> None:
    ply, bela = table.match.ply, table.players[1]
    listed = legal_actions(context, bela, table.match.id).items
    judge_one(context, bid(context, table, 0, 7).id)
    looked = preview(context, bela, table.match.id, None, ply, notation="5")
    assert (looked["accepted"], looked["violation"], looked["entries"]) == (1, None, ("Bela bids 4.",))
    turn = submit(context, bela, table.match.id, None, ply, notation="5")
    assert turn.actions == (listed[4].action,)
    assert judge_one(context, turn.id).status == "accepted"


def test_after_ones_own_bid_nothing_more_is_asked(context: Context, table: Round) -> None:
    turn = judge_one(context, bid(context, table, 0, 7).id)
    judge_one(context, bid(context, table, 1, 7).id)
    assert next_turn(context, turn) is None
    last = judge_one(context, bid(context, table, 2, 7).id)
    following = next_turn(context, last)
    assert following is not None
    assert following.ply == 6


def test_what_follows_a_turn_is_still_asked_after_a_secret_bid(context: Context, table: Round) -> None:
    for seat in range(3):
        last = judge_one(context, bid(context, table, seat, 2).id)
    judge_one(context, bid(context, table, 0, 1, ply=6).id)
    following = next_turn(context, last)
    assert following is not None
    assert following.ply == 7
    for seat in (1, 2):
        judge_one(context, bid(context, table, seat, 1, ply=6).id)
    assert next_turn(context, last) is None


def test_a_seat_that_resigns_makes_no_bid_stale(context: Context, table: Round) -> None:
    waiting = bid(context, table, 1, 4)
    lobby.resign(context, table.players[0], table.match.id)
    assert judge_one(context, waiting.id).status == "accepted"
    assert judged_batch(context, 64).judged == ()
    assert check_ledger(context.database).breaches == []


def test_the_ledger_notices_a_turn_that_was_judged_though_it_was_stale(context: Context, table: Round) -> None:
    for seat in range(3):
        judge_one(context, bid(context, table, seat, 2).id)
    stale = judge_one(context, bid(context, table, 0, 1, ply=6).id)
    assert check_ledger(context.database).breaches == []
    with context.database.write() as connection:
        connection.execute(turn_table.update().where(turn_table.c.id == stale.id).values(ply=1))
    assert [breach.code for breach in check_ledger(context.database).breaches] == ["span_differs"]
