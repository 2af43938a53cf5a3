"""The driver, over the toy game: legal actions, the commit point, preview, replay."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from engine import play
from engine.game import MOST_PLIES
from engine.play import Draw as Luck
from engine.play import (
    IllegalAction,
    WrongDraw,
    adjudicate,
    begin,
    check_drawn,
    conceded,
    drawn,
    judge,
    legal_actions,
    preview,
    replay,
    resume,
    walk,
)
from engine.types import CHANCE, Entry, Outcome, Problem, Setup, Statement, Violation
from tests.engine.toy import BAG, GAME, Answer, Bag, Dive, Draw, Offer, Options, State, start

TWO = Setup(2, Options(), BAG)
FRESH = start(TWO)


def lowest(ply: int, total: int) -> int:
    return 0


def no_luck(ply: int, total: int) -> int:
    raise AssertionError("no draw was expected")


def holding(*hands: tuple[int, ...], turn: int = 0, offered: int | None = None) -> State:
    return replace(FRESH, hands=hands, turn=turn, offered=offered)


def test_an_action_that_is_superfluous_after_another_one_is_passed_over() -> None:
    modest = replace(GAME, superfluous=lambda state, seat, action: action == Answer(False))
    after = (Offer(2), Answer(False))
    judgement = adjudicate(modest, holding((2,), ()), 4, 0, after, no_luck)
    assert (judgement.verdict, judgement.accepted) == ("accepted", 2)
    assert judgement.entries == (Entry(0, Offer(2)),)
    assert preview(modest, holding((2,), ()), 0, after).actions == 2
    assert adjudicate(GAME, holding((2,), ()), 4, 0, after, no_luck).verdict == "rejected"


def test_a_superfluous_action_alone_is_refused() -> None:
    modest = replace(GAME, superfluous=lambda state, seat, action: True)
    assert adjudicate(modest, FRESH, 0, 0, (Answer(False), Dive()), no_luck).verdict == "rejected"
    assert preview(modest, FRESH, 0, (Answer(False), Dive())).violation is not None


def test_a_match_begins_where_the_first_seat_is_awaited() -> None:
    assert begin(GAME, TWO, no_luck) == (FRESH, ())


def test_chance_acts_before_the_first_seat_if_it_is_due() -> None:
    dealing = replace(GAME, setup=lambda setup: replace(start(setup), drawing=1))
    state, entries = begin(dealing, TWO, lowest)
    assert entries == (Entry(CHANCE, Draw(1, 1)),)
    assert GAME.to_act(state) == (0,)


def test_legal_actions_are_the_candidates_without_violation_in_their_order() -> None:
    generous = replace(GAME, candidates=lambda state, seat: (Offer(3), Dive(), Answer(True), Offer(1)))
    assert legal_actions(generous, holding((1,), ()), 0) == (Dive(), Offer(1))


def test_a_seat_that_is_not_awaited_has_no_legal_actions() -> None:
    assert legal_actions(GAME, FRESH, 1) == ()
    assert legal_actions(GAME, FRESH, CHANCE) == ()


def test_a_draw_takes_the_outcome_its_number_falls_in() -> None:
    state = replace(FRESH, drawing=0, bag=(2, 0, 3))

    def number(n: int) -> Luck:
        return lambda ply, total: n

    assert [drawn(GAME, state, 7, number(n)) for n in range(5)] == [Draw(0, 1)] * 2 + [Draw(0, 3)] * 3


def test_a_draw_is_told_the_ply_and_the_total_weight() -> None:
    asked = []

    def draw(ply: int, total: int) -> int:
        asked.append((ply, total))
        return 0

    adjudicate(GAME, FRESH, 40, 0, (Dive(),), draw)
    assert asked == [(41, 12)]


@pytest.mark.parametrize("number", [-1, 12])
def test_a_draw_outside_the_weights_is_an_error(number: int) -> None:
    with pytest.raises(ValueError, match="not from 0 to 11"):
        drawn(GAME, replace(FRESH, drawing=0), 3, lambda ply, total: number)


def test_a_legal_turn_is_accepted_with_the_draws_it_causes() -> None:
    judgement = adjudicate(GAME, FRESH, 0, 0, (Dive(),), lowest)
    assert (judgement.verdict, judgement.accepted, judgement.failed, judgement.violation) == ("accepted", 1, None, None)
    assert judgement.entries == (Entry(0, Dive()), Entry(CHANCE, Draw(0, 1)))
    assert judgement.state.hands == ((1,), ())


def test_an_illegal_first_action_is_rejected_and_changes_nothing() -> None:
    judgement = adjudicate(GAME, FRESH, 0, 0, (Offer(2),), no_luck)
    assert (judgement.verdict, judgement.accepted, judgement.failed, judgement.entries, judgement.state) == (
        "rejected",
        0,
        0,
        (),
        FRESH,
    )
    assert judgement.violation is not None
    assert judgement.violation.code == "not_in_hand"


def test_without_a_draw_one_illegal_action_rejects_all() -> None:
    state = holding((2,), (), turn=0)
    judgement = adjudicate(GAME, state, 4, 0, (Offer(2), Dive()), no_luck)
    assert (judgement.verdict, judgement.accepted, judgement.failed, judgement.state) == ("rejected", 0, 1, state)


def test_actions_before_a_draw_that_the_seat_saw_are_accepted_and_the_rest_is_refused() -> None:
    judgement = adjudicate(GAME, holding((), (2,), turn=1), 4, 1, (Dive(), Offer(2)), lowest)
    assert (judgement.verdict, judgement.accepted, judgement.failed) == ("partly_accepted", 1, 1)
    assert judgement.entries == (Entry(1, Dive()), Entry(CHANCE, Draw(1, 1)))
    assert judgement.state.hands == ((), (1, 2))
    assert judgement.violation is not None
    assert judgement.violation.code == "not_your_turn"
    assert judgement.violation.message == "Your turn ended with the action before this one: seat 0 is awaited."


def test_a_draw_that_the_seat_cannot_see_is_rejected_with_the_rest() -> None:
    state = holding((2,), (), turn=0, offered=2)
    judgement = adjudicate(GAME, state, 4, 1, (Answer(True), Offer(3)), lowest)
    assert (judgement.verdict, judgement.entries, judgement.accepted, judgement.failed, judgement.state) == (
        "rejected",
        (),
        0,
        1,
        state,
    )


def test_a_hidden_draw_is_accepted_once_a_later_one_was_seen() -> None:
    state = holding((2,), (), turn=0, offered=2)
    judgement = adjudicate(GAME, state, 4, 1, (Answer(True), Dive(), Dive()), lowest)
    assert (judgement.verdict, judgement.accepted, judgement.failed) == ("partly_accepted", 2, 2)
    assert judgement.entries == (
        Entry(1, Answer(True)),
        Entry(CHANCE, Draw(0, 1)),
        Entry(1, Dive()),
        Entry(CHANCE, Draw(1, 1)),
    )


def test_a_turn_without_actions_is_rejected() -> None:
    judgement = adjudicate(GAME, FRESH, 0, 0, (), no_luck)
    assert judgement.verdict == "rejected"
    assert judgement.violation is not None
    assert judgement.violation.code == "empty_turn"


def test_the_wrong_seat_is_told_who_is_awaited() -> None:
    violation = judge(GAME, FRESH, 1, Dive())
    assert violation is not None
    assert (violation.code, violation.message) == ("not_your_turn", "It is not your turn: seat 0 is awaited.")


def test_an_out_of_turn_seat_may_answer_and_the_seat_of_the_turn_may_not() -> None:
    state = holding((2,), (), offered=2)
    assert judge(GAME, state, 1, Answer(False)) is None
    refused = judge(GAME, state, 0, Dive())
    assert refused is not None
    assert refused.code == "not_your_turn"


def test_no_seat_can_submit_an_action_of_chance() -> None:
    due = replace(FRESH, drawing=0)
    for seat in (CHANCE, 0):
        violation = judge(GAME, due, seat, Draw(0, 3))
        assert violation is not None
        assert violation.message == "It is not your turn: chance is awaited."
    as_a_seat = judge(GAME, FRESH, 0, Draw(0, 3))
    assert as_a_seat is not None
    assert as_a_seat.code == "not_an_action"
    assert as_a_seat.message == '"draw" is done by chance, not by a seat.'


def test_nothing_is_accepted_when_the_match_is_over() -> None:
    over = start(Setup(2, Options(), Bag(0, 0, 0)))
    violation = judge(GAME, over, 0, Dive())
    assert violation is not None
    assert violation.code == "match_over"


def test_a_preview_stops_before_a_draw() -> None:
    shown = preview(GAME, holding((), (), turn=1), 1, (Dive(), Dive()))
    assert (shown.actions, shown.drawing, shown.ending, shown.violation) == (1, True, False, None)
    assert shown.state.drawing == 1


def test_a_preview_shows_what_is_certain() -> None:
    shown = preview(GAME, holding((3,), ()), 0, (Offer(3),))
    assert (shown.actions, shown.drawing, shown.state) == (1, False, holding((3,), (), offered=3))


def test_a_preview_says_which_action_is_illegal_and_keeps_what_is_legal() -> None:
    shown = preview(GAME, holding((3,), ()), 0, (Offer(3), Dive()))
    assert (shown.actions, shown.state) == (1, holding((3,), (), offered=3))
    assert shown.violation is not None
    assert shown.violation.code == "not_your_turn"
    assert shown.violation.message == "Your turn ended with the action before this one: seat 1 is awaited."


def test_an_action_after_the_last_of_the_match_is_told_what_ended_it() -> None:
    over_after_answers = replace(GAME, to_act=lambda state: () if state.offered is None else (1,))
    judgement = adjudicate(over_after_answers, holding((3,), (2,), offered=3), 4, 1, (Answer(False), Dive()), no_luck)
    assert judgement.violation is not None
    assert judgement.violation.code == "match_over"
    assert judgement.violation.message.startswith("The match ended with the action before this one;")


def test_a_preview_of_the_last_action_does_not_reveal_the_hands() -> None:
    last = replace(holding((3,), (2,), offered=3), bag=(0, 0, 0))
    over_after_answers = replace(GAME, to_act=lambda state: () if state.offered is None else (1,))
    shown = preview(over_after_answers, last, 1, (Answer(False), Dive()))
    assert (shown.ending, shown.actions, shown.drawing, shown.state) == (True, 1, False, last)


def test_a_preview_of_nothing_is_the_state_itself() -> None:
    shown = preview(GAME, FRESH, 0, ())
    assert (shown.state, shown.actions, shown.drawing, shown.violation) == (FRESH, 0, False, None)


def a_log(plies: int) -> tuple[Entry[Any], ...]:
    luck, state = Random(5), FRESH
    log: list[Entry[Any]] = []
    while len(log) < plies:
        seat = GAME.to_act(state)[0]
        action = (
            drawn(GAME, state, len(log), lambda ply, total: luck.randrange(total))
            if seat == CHANCE
            else luck.choice(legal_actions(GAME, state, seat))
        )
        log.append(Entry(seat, action))
        state = GAME.apply(state, seat, action)
    return tuple(log)


def test_a_replay_gives_the_same_state_whole_or_in_parts() -> None:
    log = a_log(12)
    whole = replay(GAME, TWO, log)
    for cut in range(len(log)):
        assert resume(GAME, replay(GAME, TWO, log[:cut]), cut, log[cut:]) == whole


def test_a_replay_names_the_ply_of_an_illegal_entry() -> None:
    with pytest.raises(IllegalAction, match="Ply 3: seat 1 cannot do") as refused:
        replay(GAME, TWO, (Entry(0, Dive()), Entry(CHANCE, Draw(0, 1)), Entry(1, Dive()), Entry(1, Dive())))
    assert refused.value.ply == 3


def test_a_replay_refuses_an_impossible_draw() -> None:
    with pytest.raises(IllegalAction, match="Ply 1: chance cannot do"):
        replay(GAME, TWO, (Entry(0, Dive()), Entry(CHANCE, Draw(1, 1))))
    with pytest.raises(IllegalAction, match="Ply 0: chance cannot do"):
        replay(GAME, TWO, (Entry(CHANCE, Draw(0, 1)),))


def test_a_walk_yields_every_entry_with_the_states_before_and_after_it() -> None:
    log = a_log(8)
    steps = list(walk(GAME, replay(GAME, TWO, log[:3]), 3, log[3:]))
    assert [step.ply for step in steps] == [3, 4, 5, 6, 7]
    assert tuple(step.entry for step in steps) == log[3:]
    for ply, before, _, after in steps:
        assert (before, after) == (replay(GAME, TWO, log[:ply]), replay(GAME, TWO, log[: ply + 1]))


def test_a_walk_reads_the_log_lazily() -> None:
    read = []

    def log() -> Iterator[Entry[Any]]:
        for entry in a_log(6):
            read.append(entry)
            yield entry

    steps = walk(GAME, FRESH, 0, log())
    assert read == []
    next(steps)
    next(steps)
    assert len(read) == 2


def test_a_walk_without_a_check_judges_nothing() -> None:
    stubborn = replace(GAME, problems=lambda state, seat, action: [Problem("no", "P1")], explain=lambda problem: "No.")
    log = a_log(8)
    assert [step.after for step in walk(stubborn, FRESH, 0, log, None)][-1] == replay(GAME, TWO, log)
    with pytest.raises(IllegalAction) as refused:
        list(walk(stubborn, FRESH, 0, log))
    assert (refused.value.ply, refused.value.violation) == (0, Violation("no", "P1", "No."))


def test_a_walk_that_checks_draws_names_the_first_wrong_one() -> None:
    log = (Entry(0, Dive()), Entry(CHANCE, Draw(0, 1)), Entry(1, Dive()), Entry(CHANCE, Draw(1, 2)))
    with pytest.raises(WrongDraw, match="Ply 3: the draw does not follow from the secret") as refused:
        list(walk(GAME, FRESH, 0, log, check_drawn(lowest)))
    assert refused.value.ply == 3
    assert len(list(walk(GAME, FRESH, 0, log[:3], check_drawn(lowest)))) == 3
    with pytest.raises(IllegalAction, match="Ply 0: seat 1 cannot do"):
        list(walk(GAME, FRESH, 0, log[2:], check_drawn(lowest)))
    with pytest.raises(IllegalAction, match="Ply 0: chance cannot do"):
        list(walk(GAME, FRESH, 0, log[1:], check_drawn(lowest)))


def test_a_conceded_match_is_won_by_the_remaining_seat_whatever_the_scores() -> None:
    state = replace(start(Setup(3, Options(), BAG)), laid=((3, 3), (1,), ()))
    outcome = conceded(GAME, state, (0, 2))
    assert (outcome.scores, outcome.ranks, outcome.winners) == ((6, 1, 0), (2, 1, 2), (1,))
    assert outcome.ended == Statement("resignation")


def test_a_preview_ends_before_an_illegal_action() -> None:
    state = holding((3,), ())
    shown = preview(GAME, state, 0, (Offer(2), Offer(3)))
    assert (shown.state, shown.actions, shown.drawing, shown.ending) == (state, 0, False, False)
    assert shown.violation == judge(GAME, state, 0, Offer(2))


def test_no_match_has_more_plies_than_any_match_may_have() -> None:
    state = GAME.setup(Setup(2, GAME.options(), BAG))
    assert play.longest(GAME, state) == MOST_PLIES
    assert play.longest(replace(GAME, longest=lambda state: MOST_PLIES + 1), state) == MOST_PLIES
    assert play.outcome(GAME, state, MOST_PLIES - 1) is None


def test_after_its_most_plies_a_match_is_ranked_by_the_standing() -> None:
    short = replace(GAME, longest=lambda state: 5, standing=lambda state: (3, 7))
    state = GAME.setup(Setup(2, GAME.options(), BAG))
    assert play.outcome(short, state, 4) is None
    assert play.outcome(short, state, 5) == Outcome((3, 7), (2, 1), Statement("most_plies", {"plies": 5}))
