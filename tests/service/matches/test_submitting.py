"""Submitting: a row before it is a job, once for each key, and never for a ply that is over."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest

from service.errors import Conflict, Forbidden, Invalid, InvalidNotation, NotFound, StalePly
from service.matches import lobby, turns
from service.matches.types import SeatRequest, Turn
from service.queue import MemoryQueue
from service.wiring import Overland
from tests.service.fakes import Clock, Round, log_of, person, played, started

pytestmark = pytest.mark.usefixtures("pearls")

DIVE = {"type": "dive"}


@pytest.fixture
def table(overland: Overland) -> Round:
    return started(overland, "pearls")


def submitted(overland: Overland, table: Round, seat: int = 0, ply: int = 0, **rest: Any) -> Turn:
    rest = rest or {"actions": [DIVE]}
    return turns.submit(overland, table.players[seat], table.match.id, None, ply, **rest)


def test_a_submitted_turn_is_queued_and_a_worker_is_woken_for_it(overland: Overland, table: Round) -> None:
    turn = submitted(overland, table)
    assert (turn.status, turn.seat, turn.ply, turn.actions, turn.verdict, turn.submitted_at) == (
        "queued",
        0,
        0,
        (DIVE,),
        None,
        overland.clock(),
    )
    assert turns.find(overland, table.players[0], table.match.id, turn.id) == turn
    assert isinstance(overland.queue, MemoryQueue)
    assert overland.queue.turns == 1
    assert log_of(overland, table.match.id) == ()


def test_notation_is_kept_as_it_was_typed_beside_the_actions_it_stands_for(overland: Overland, table: Round) -> None:
    turn = submitted(overland, table, notation="DIVE; offer 2")
    assert (turn.actions, turn.notation) == ((DIVE, {"type": "offer", "value": 2}), ("DIVE; offer 2",))


def test_the_same_key_and_body_answer_the_same_turn_even_after_it_was_judged(overland: Overland, table: Round) -> None:
    first = submitted(overland, table, actions=[DIVE], idempotency_key="k")
    assert submitted(overland, table, actions=[DIVE], idempotency_key="k") == first
    judged = turns.judge(overland, first.id)
    assert submitted(overland, table, actions=[DIVE], idempotency_key="k") == judged
    assert len(turns.list(overland, table.players[0], table.match.id)) == 1


@pytest.mark.parametrize("change", [{"actions": [DIVE, DIVE]}, {"notation": "dive", "actions": None}])
def test_the_same_key_with_another_body_is_refused(overland: Overland, table: Round, change: dict[str, Any]) -> None:
    submitted(overland, table, actions=[DIVE], idempotency_key="k")
    with pytest.raises(Conflict) as refused:
        submitted(overland, table, **({"actions": [DIVE], "idempotency_key": "k"} | change))
    assert refused.value.code == "idempotency_key_reused"


def test_two_players_may_use_the_same_key(overland: Overland, table: Round) -> None:
    first = submitted(overland, table, actions=[DIVE], idempotency_key="k")
    second = submitted(overland, table, seat=1, actions=[DIVE], idempotency_key="k")
    assert first.id != second.id


def test_of_many_who_race_with_one_key_all_get_the_same_turn(overland: Overland, table: Round) -> None:
    gate, got, failed = threading.Barrier(8), [], []

    def race() -> None:
        gate.wait(10)
        try:
            got.append(submitted(overland, table, actions=[DIVE], idempotency_key="k").id)
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=race) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert failed == []
    assert len(got) == 8
    assert len(set(got)) == 1
    assert len(turns.list(overland, table.players[0], table.match.id)) == 1


def test_a_stale_ply_is_refused_with_what_changed_for_the_asker(overland: Overland, table: Round) -> None:
    played(overland, table.players[0], table.match.id, "dive")
    with pytest.raises(StalePly) as refused:
        submitted(overland, table, seat=1, ply=0)
    assert (refused.value.code, refused.value.ply, refused.value.current_ply) == ("stale_ply", 0, 2)
    assert refused.value.changes == ("Ada dives.", "Ada draws a pearl.")
    with pytest.raises(StalePly) as own:
        submitted(overland, table, seat=0, ply=1)
    assert own.value.changes[0].startswith("Ada draws a pearl of ")
    assert own.value.members()["current_ply"] == 2


@pytest.mark.parametrize("ply", [-1, 1, 99])
def test_a_ply_that_has_not_come_is_refused(overland: Overland, table: Round, ply: int) -> None:
    with pytest.raises(Invalid) as refused:
        submitted(overland, table, ply=ply)
    assert refused.value.problems[0][0] == "/ply"


def test_only_who_sits_there_may_act_for_a_seat(overland: Overland, table: Round) -> None:
    eve = person(overland, "Eve")
    with pytest.raises(Forbidden) as stranger:
        turns.submit(overland, eve, table.match.id, 0, 0, actions=[DIVE])
    assert stranger.value.code == "not_seated"
    with pytest.raises(Forbidden) as neighbour:
        turns.submit(overland, table.players[1], table.match.id, 0, 0, actions=[DIVE])
    assert neighbour.value.code == "not_your_seat"


def test_a_match_that_has_not_started_or_is_over_takes_no_turns(overland: Overland) -> None:
    ada = person(overland, "Cleo")
    match = lobby.create(overland, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    with pytest.raises(Conflict) as early:
        turns.submit(overland, ada, match.id, None, 0, actions=[DIVE])
    assert early.value.code == "match_not_running"
    table = started(overland, "pearls")
    lobby.resign(overland, table.players[1], table.match.id)
    with pytest.raises(Conflict) as late:
        submitted(overland, table)
    assert late.value.code == "match_over"
    with pytest.raises(NotFound):
        turns.submit(overland, ada, "nowhere", None, 0, actions=[DIVE])


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({"actions": []}, ["/actions"]),
        ({"actions": None}, ["/actions"]),
        ({"actions": [DIVE], "notation": "dive"}, ["/notation"]),
        (
            {"actions": [DIVE, {"type": "fly"}, {"type": "offer"}, "dive", {"type": "offer", "value": 9}]},
            ["/actions/1/type", "/actions/2/value", "/actions/3", "/actions/4/value"],
        ),
        ({"actions": [{"type": "draw", "to": 0, "value": 3}]}, ["/actions/0/type"]),
        ({"actions": [{"type": ["dive"]}]}, ["/actions/0/type"]),
        ({"actions": [DIVE] * 65}, ["/actions"]),
        ({"notation": ""}, ["/notation"]),
        ({"notation": ["", " "]}, ["/notation"]),
        ({"notation": ["dive"] * 65}, ["/notation"]),
        ({"notation": ["dive", "x" * 1001]}, ["/notation/1"]),
    ],
)
def test_what_cannot_be_read_is_refused_with_json_pointers(
    overland: Overland, table: Round, body: dict[str, Any], pointers: list[str]
) -> None:
    with pytest.raises(Invalid) as refused:
        submitted(overland, table, **body)
    assert [pointer for pointer, _ in refused.value.problems] == pointers
    assert turns.list(overland, table.players[0], table.match.id) == ()


def test_notation_that_cannot_be_read_says_where_it_stumbled_and_what_would_work(
    overland: Overland, table: Round
) -> None:
    with pytest.raises(InvalidNotation) as refused:
        submitted(overland, table, notation=["dive", "  offer 2; fly"])
    assert (refused.value.pointer, refused.value.line, refused.value.column) == ("/notation/1", "  offer 2; fly", 11)
    assert "take" in refused.value.expected
    assert refused.value.members()["errors"][0]["column"] == 11


def test_turns_are_listed_oldest_first_and_only_ones_own(overland: Overland, table: Round) -> None:
    clock = overland.clock
    assert isinstance(clock, Clock)
    own = []
    for _ in range(3):
        clock.pass_(seconds=1)
        own.append(submitted(overland, table).id)
    submitted(overland, table, seat=1)
    ada = table.players[0]
    assert [turn.id for turn in turns.list(overland, ada, table.match.id)] == own
    assert [turn.id for turn in turns.list(overland, ada, table.match.id, after=own[0], limit=1)] == [own[1]]
    assert turns.list(overland, person(overland, "Eve"), table.match.id) == ()
    with pytest.raises(NotFound):
        turns.find(overland, table.players[1], table.match.id, own[0])


def test_turns_that_nobody_judged_are_found_for_the_sweeper(overland: Overland, table: Round) -> None:
    clock = overland.clock
    assert isinstance(clock, Clock)
    lost = submitted(overland, table)
    clock.pass_(seconds=10)
    fresh = submitted(overland, table, seat=1)
    assert turns.pending(overland, timedelta(seconds=3)) == (lost.id,)
    clock.pass_(seconds=10)
    assert turns.pending(overland, timedelta(seconds=3)) == (lost.id, fresh.id)
    turns.judge(overland, lost.id)
    assert turns.pending(overland, timedelta(seconds=3)) == (fresh.id,)


def test_who_waits_gets_the_verdict_as_soon_as_it_is_there(overland: Overland, table: Round) -> None:
    turn = submitted(overland, table)
    worker = threading.Timer(0.2, turns.judge, (overland, turn.id))
    worker.start()
    assert turns.wait(overland, table.players[0], table.match.id, turn.id, 30).status == "accepted"
    worker.join(10)
    assert turns.wait(overland, table.players[0], table.match.id, turn.id, 30).status == "accepted"


def test_who_waits_in_vain_gets_the_queued_turn(overland: Overland, table: Round) -> None:
    turn = submitted(overland, table)
    assert turns.wait(overland, table.players[0], table.match.id, turn.id, 0.1) == turn
