"""Submitting: a row before it is a job, once for each key, and never for a ply that is over."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, InvalidNotation, NotFound, ServiceError, StalePly
from service.matches import lobby
from service.matches.types import SeatRequest
from service.store import matches
from service.store import turns as rows
from service.store.players import Player
from service.turns import lookup
from service.turns.submit import expecting, submit, until_judged
from service.turns.types import Turn
from tests.service.fakes import Clock, Round, Timer, at_once, judge_one, log_of, person, played, set_apart, started
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.usefixtures("pearls")

DIVE = {"type": "dive"}


@pytest.fixture
def table(context: Context) -> Round:
    return started(context, "pearls")


def submitted(context: Context, table: Round, seat: int = 0, ply: int = 0, **rest: Any) -> Turn:
    rest = rest or {"actions": [DIVE]}
    return submit(context, table.players[seat], table.match.id, None, ply, **rest)


def test_a_submitted_turn_is_queued_and_a_worker_is_woken_for_it(context: Context, table: Round) -> None:
    turn = submitted(context, table)
    assert (turn.status, turn.seat, turn.ply, turn.actions, turn.verdict, turn.submitted_at) == (
        "queued",
        0,
        0,
        (DIVE,),
        None,
        context.clock(),
    )
    assert lookup.find(context, table.players[0], table.match.id, turn.id) == turn
    assert isinstance(context.queue, MemoryQueue)
    assert context.queue.turns == 1
    assert log_of(context, table.match.id) == ()


def test_notation_is_kept_as_it_was_typed_beside_the_actions_it_stands_for(context: Context, table: Round) -> None:
    turn = submitted(context, table, notation="DIVE; offer 2")
    assert (turn.actions, turn.notation) == ((DIVE, {"type": "offer", "value": 2}), ("DIVE; offer 2",))


def test_the_same_key_and_body_answer_the_same_turn_even_after_it_was_judged(context: Context, table: Round) -> None:
    first = submitted(context, table, actions=[DIVE], idempotency_key="k")
    assert submitted(context, table, actions=[DIVE], idempotency_key="k") == first
    judged = judge_one(context, first.id)
    assert submitted(context, table, actions=[DIVE], idempotency_key="k") == judged
    assert len(lookup.of_player(context, table.players[0], table.match.id)) == 1


@pytest.mark.parametrize("change", [{"actions": [DIVE, DIVE]}, {"notation": "dive", "actions": None}])
def test_the_same_key_with_another_body_is_refused(context: Context, table: Round, change: dict[str, Any]) -> None:
    submitted(context, table, actions=[DIVE], idempotency_key="k")
    said = r"^The idempotency key k was used for another turn; use a new one\.$"
    with pytest.raises(Conflict, match=said) as refused:
        submitted(context, table, **({"actions": [DIVE], "idempotency_key": "k"} | change))
    assert refused.value.code == "idempotency_key_reused"


@pytest.mark.usefixtures("in_advance")
def test_two_players_may_use_the_same_key(context: Context, table: Round) -> None:
    first = submitted(context, table, actions=[DIVE], idempotency_key="k")
    second = submitted(context, table, seat=1, actions=[DIVE], idempotency_key="k")
    assert first.id != second.id


def test_of_many_who_race_with_one_key_all_get_the_same_turn(context: Context, table: Round) -> None:
    got = at_once(*[lambda: submitted(context, table, actions=[DIVE], idempotency_key="k")] * 8)
    assert len({turn.id for turn in got}) == 1
    assert len(lookup.of_player(context, table.players[0], table.match.id)) == 1


def test_a_stale_ply_is_refused_with_what_changed_for_the_asker(context: Context, table: Round) -> None:
    played(context, table.players[0], table.match.id, "dive")
    with pytest.raises(StalePly) as refused:
        submitted(context, table, seat=1, ply=0)
    assert (refused.value.code, refused.value.ply, refused.value.current_ply) == ("stale_ply", 0, 2)
    assert refused.value.changes == ("Ada dives.", "Ada draws a pearl.")
    assert refused.value.members()["current_ply"] == 2
    played(context, table.players[1], table.match.id, "dive")
    with pytest.raises(StalePly) as own:
        submitted(context, table, seat=0, ply=1)
    assert own.value.changes[0].startswith("Ada draws a pearl of ")


@pytest.mark.parametrize("ply", [1, 99])
def test_a_ply_that_has_not_come_is_refused(context: Context, table: Round, ply: int) -> None:
    with pytest.raises(Conflict, match=r"^The match is only at ply 0; a turn has to answer that ply\.$") as refused:
        submitted(context, table, ply=ply)
    assert refused.value.code == "ply_ahead"


def test_seat_then_turn_then_ply_then_notation_are_checked(context: Context, table: Round) -> None:
    """Each request has one fault fewer than the one before."""
    ada, bela = table.players

    def refused(player: Player, seat: int | None, ply: int, line: str) -> str:
        with pytest.raises(ServiceError) as error:
            submit(context, player, table.match.id, seat, ply, notation=line)
        return error.value.code

    asked = [
        (person(context, "Eve"), 0, 99, "fly"),
        (bela, 0, 99, "fly"),
        (bela, 1, 99, "fly"),
        (ada, 0, 99, "fly"),
        (ada, 0, 0, "fly"),
    ]
    codes = [refused(*each) for each in asked]
    assert codes == ["not_seated", "not_your_seat", "not_your_turn", "ply_ahead", "notation_error"]
    played(context, ada, table.match.id, "dive")
    assert [refused(ada, None, 0, "fly"), refused(bela, None, 0, "fly")] == ["not_your_turn", "stale_ply"]


def test_only_the_player_of_a_seat_may_act_for_it(context: Context, table: Round) -> None:
    eve = person(context, "Eve")
    with pytest.raises(Forbidden) as stranger:
        submit(context, eve, table.match.id, 0, 0, actions=[DIVE])
    assert stranger.value.code == "not_seated"
    with pytest.raises(Forbidden) as neighbour:
        submit(context, table.players[1], table.match.id, 0, 0, actions=[DIVE])
    assert neighbour.value.code == "not_your_seat"


def test_a_match_that_has_not_started_or_is_over_takes_no_turns(context: Context) -> None:
    ada = person(context, "Cleo")
    match = lobby.create(context, ada, "pearls", {}, [SeatRequest("me"), SeatRequest("open")])
    with pytest.raises(Conflict, match=r"^The match has not started yet: seats are still free\.$") as early:
        submit(context, ada, match.id, None, 0, actions=[DIVE])
    assert early.value.code == "match_not_started"
    table = started(context, "pearls")
    lobby.resign(context, table.players[1], table.match.id)
    with pytest.raises(Conflict) as late:
        submitted(context, table)
    assert late.value.code == "match_over"
    with pytest.raises(NotFound):
        submit(context, ada, "nowhere", None, 0, actions=[DIVE])


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
    context: Context, table: Round, body: dict[str, Any], pointers: list[str]
) -> None:
    with pytest.raises(Invalid) as refused:
        submitted(context, table, **body)
    assert [pointer for pointer, _ in refused.value.problems] == pointers
    assert lookup.of_player(context, table.players[0], table.match.id) == ()


@pytest.mark.parametrize("body", [{"actions": [DIVE] * 64}, {"notation": "; ".join(["dive"] * 64)}])
def test_a_turn_has_64_actions_at_most(context: Context, table: Round, body: dict[str, Any]) -> None:
    assert len(submitted(context, table, **body).actions) == 64
    with pytest.raises(Invalid) as refused:
        submitted(context, table, actions=[DIVE] * 65)
    assert refused.value.problems == (("/actions", "A turn has at most 64 actions, not 65."),)
    with pytest.raises(Invalid) as refused:
        submit(context, table.players[0], table.match.id, None, 0, notation=["; ".join(["dive"] * 64), "dive", "fly"])
    assert refused.value.problems == (("/notation/1", "A turn has at most 64 actions."),)


def test_notation_that_cannot_be_read_is_refused_with_the_place_and_what_would_work(
    context: Context, table: Round
) -> None:
    with pytest.raises(InvalidNotation) as refused:
        submitted(context, table, notation=["dive", "  offer 2; fly"])
    assert (refused.value.pointer, refused.value.line, refused.value.column) == ("/notation/1", "  offer 2; fly", 11)
    assert "take" in refused.value.expected
    assert refused.value.members()["errors"][0]["column"] == 11


def test_a_similar_word_is_offered_where_the_line_is_legal_with_it(context: Context) -> None:
    table = started(context, "ozeanien")
    with pytest.raises(InvalidNotation, match='"shiip" is not a word of this notation; did you mean "ship"'):
        submitted(context, table, notation="shiip west 3")
    with pytest.raises(InvalidNotation) as refused:
        submitted(context, table, notation="explorrer 2")
    assert "did you mean" not in refused.value.message


@pytest.mark.usefixtures("in_advance")
def test_turns_are_listed_oldest_first_and_only_ones_own(context: Context, table: Round) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    own = []
    for _ in range(3):
        clock.advance(seconds=1)
        own.append(set_apart(context, submitted(context, table)).id)
    submitted(context, table, seat=1)
    ada, eve = table.players[0], person(context, "Eve")
    assert [turn.id for turn in lookup.of_player(context, ada, table.match.id)] == own
    assert [turn.id for turn in lookup.of_player(context, ada, table.match.id, after=own[0], limit=1)] == [own[1]]
    for look in (
        lambda: lookup.of_player(context, eve, table.match.id),
        lambda: lookup.find(context, eve, table.match.id, own[0]),
    ):
        with pytest.raises(Forbidden) as stranger:
            look()
        assert stranger.value.code == "not_seated"
    with pytest.raises(NotFound):
        lookup.find(context, table.players[1], table.match.id, own[0])


def waited(context: Context, turn: Turn, seconds: float) -> Turn:
    with context.database.read() as connection:
        stored, match = rows.find(connection, turn.id), matches.find(connection, turn.match_id)
    assert stored is not None
    assert match is not None
    with expecting(context, stored, seconds) as waiter:
        return until_judged(context, match, stored, waiter, seconds)


def test_a_client_that_waits_too_long_gets_the_queued_turn(context: Context, table: Round) -> None:
    turn = submitted(context, table)
    assert waited(replace(context, timer=Timer(step=0.05)), turn, 0.1) == turn
