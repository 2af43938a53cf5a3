"""Checks of the course of a match: awaited seats, legal actions, the end, the greedy bot."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator

from engine.bots import greedy, random_action
from engine.conformance.subject import PlayedMatch, RandomGenerator, Subject, finished_record
from engine.errors import RecordError
from engine.game import AnyGame
from engine.play import drawn, judge, legal_actions, replay
from engine.record import verify
from engine.sentences import COMMON
from engine.types import CHANCE, Outcome, Problem, Seat, Violation


def a_replay_gives_the_same_state(match: PlayedMatch) -> Iterator[str]:
    """A replay of the log gives the last state."""
    if replay(match.game, match.setup, match.log) != match.states[-1]:
        yield "a replay of the log ends in a different state"


def an_outcome_exists_only_at_the_end(match: PlayedMatch) -> Iterator[str]:
    """``outcome`` exists exactly at the end, which is before ``longest``, and fits the scores."""
    game, last = match.game, match.states[-1]
    if len({game.longest(state) for state in match.states}) != 1:
        yield "longest is not the same in all states of the match"
    for ply, state in enumerate(match.states[:-1]):
        if not game.to_act(state) or game.outcome(state) is not None:
            yield f"ply {ply}: the match is not over, but there is an outcome or nobody is awaited"
    outcome = game.outcome(last)
    if game.to_act(last) != () or not isinstance(outcome, Outcome):
        yield "at the end, somebody is awaited or there is no outcome"
        return
    if not len(outcome.scores) == len(outcome.ranks) == match.seats:
        yield f"{match.seats} seats have {len(outcome.scores)} scores and {len(outcome.ranks)} ranks"
    if any(rank != 1 + sum(1 for other in outcome.ranks if other < rank) for rank in outcome.ranks):
        yield f"the ranks {outcome.ranks} do not begin with 1, equal ones shared and the next one skipped"
    results = tuple(zip(outcome.scores, outcome.ranks, strict=False))
    if any(score > other and rank > ahead for score, rank in results for other, ahead in results):
        yield f"the ranks {outcome.ranks} put a seat behind one that has fewer points: {outcome.scores}"
    if outcome.scores != game.standing(last):
        yield f"the scores are {outcome.scores}, the standing at the end is {game.standing(last)}"
    if len(outcome.details) not in (0, match.seats):
        yield f"{match.seats} seats have {len(outcome.details)} score sheets"
    if len({tuple(line.code for line in lines) for lines in outcome.details}) > 1:
        yield "the score sheets do not have the same lines for every seat"


def awaited_seats_are_seats_of_the_match_or_only_chance(match: PlayedMatch) -> Iterator[str]:
    """``to_act`` gives seats of the match, each once, or only chance."""
    for ply, state in enumerate(match.states):
        awaited = match.game.to_act(state)
        if type(awaited) is not tuple or (awaited != (CHANCE,) and not set(awaited) <= set(range(match.seats))):
            yield f"ply {ply}: {awaited!r} is awaited, which is no tuple of seats, nor (CHANCE,)"
        elif len(set(awaited)) != len(awaited):
            yield f"ply {ply}: a seat is awaited twice: {awaited}"


def invariants_hold_at_every_ply(match: PlayedMatch) -> Iterator[str]:
    """``check`` finds nothing, and every seat has a score."""
    for ply, state in enumerate(match.states):
        yield from (f"ply {ply}: {sentence}" for sentence in match.game.check(state))
        if len(match.game.standing(state)) != match.seats:
            yield f"ply {ply}: the number of scores is {len(match.game.standing(state))}, for {match.seats} seats"


def every_awaited_seat_has_a_legal_action(match: PlayedMatch) -> Iterator[str]:
    """Every awaited seat has at least one legal action."""
    for ply, state, seat in match.decisions():
        if not legal_actions(match.game, state, seat):
            yield f"ply {ply}: seat {seat} is awaited, and nothing is legal"


def outcomes_of_chance_are_distinct_with_positive_integer_weights(match: PlayedMatch) -> Iterator[str]:
    """``outcomes`` lists distinct actions of the types of chance with positive integer weights."""
    for ply, state in enumerate(match.states):
        if match.game.to_act(state) != (CHANCE,):
            continue
        outcomes = match.game.outcomes(state)
        if not outcomes:
            yield f"ply {ply}: chance is due, and has no outcome"
        if len({action for action, _ in outcomes}) != len(outcomes):
            yield f"ply {ply}: an outcome is listed twice"
        for action, weight in outcomes:
            if type(weight) is not int or weight <= 0:
                yield f"ply {ply}: the weight of {action} is {weight!r}, not a positive whole number"
            if not isinstance(action, match.game.chance_actions):
                yield f"ply {ply}: {action} is not an action of chance"


def no_two_legal_actions_lead_to_the_same_state(match: PlayedMatch) -> Iterator[str]:
    """Each effect is listed once."""
    for state in match.sample(60):
        for seat in (seat for seat in match.game.to_act(state) if seat != CHANCE):
            actions = legal_actions(match.game, state, seat)
            reached = [(match.game.apply(state, seat, action), action) for action in actions]
            for (one, action), (other, another) in itertools.combinations(reached, 2):
                if action == another or one == other:
                    yield f"{action} and {another} of seat {seat} lead to the same state"


def the_list_of_legal_actions_is_deterministic(match: PlayedMatch) -> Iterator[str]:
    """``candidates`` depends on the state alone."""
    half = len(match.log) // 2
    again = replay(match.game, match.setup, match.log[:half])
    for seat in match.game.to_act(again):
        if legal_actions(match.game, again, seat) != legal_actions(match.game, match.states[half], seat):
            yield f"ply {half}: the list of seat {seat} is another one after a replay"


def unlisted_actions_are_refused_with_a_rule_and_a_sentence(match: PlayedMatch) -> Iterator[str]:
    """What is not listed is refused with a rule and a sentence, or does what a listed one does."""
    game, luck, rules = match.game, match.luck, match.subject.rule_numbers
    pool = sorted({entry.action for entry in match.log if entry.seat != CHANCE}, key=repr)
    for state in match.sample(60):
        for seat in (seat for seat in game.to_act(state) if seat != CHANCE):
            reached = [game.apply(state, seat, action) for action in legal_actions(game, state, seat)]
            for action in luck.sample(pool, min(12, len(pool))):
                refusal = judge(game, state, seat, action)
                if refusal is not None:
                    yield from _of_a_refusal(game, refusal, rules)
                elif game.apply(state, seat, action) not in reached:
                    yield f"{action} is legal for seat {seat}, but its result is that of no listed action"


def _of_a_refusal(game: AnyGame, refusal: Violation, rules: tuple[str, ...]) -> Iterator[str]:
    """Each problem is given once, and its sentence can be made from what is stored of it."""
    problems = (refusal, *refusal.others)
    if len({(each.code, each.rule, each.message) for each in problems}) != len(problems):
        yield f"a refusal has the same sentence twice: {refusal}"
    for each in problems:
        if not re.fullmatch(r"[a-z][a-z_]*", each.code):
            yield f"the code of a refusal is {each.code!r}"
        if each.code in COMMON:
            yield f"{each.code} is a problem that the driver reports, and the game reports it too"
        if not each.message.strip().endswith((".", "!")) or re.search(r"[\s,:;][.!]", each.message):
            yield f"{each.code} has the message {each.message!r}, which is not a sentence"
        if each.rule not in rules:
            yield f"{each.code} cites {each.rule!r}, which RULES.md does not have"
        stored = json.loads(json.dumps(dict(each.values)))
        if stored != each.values:
            yield f"the values of {each.code} are {each.values} and {stored} when they are read as JSON"
        elif game.explain(Problem(each.code, each.rule, stored)) != each.message:
            yield f"{each.code} has another sentence once it is stored"


def a_finished_record_can_be_verified(match: PlayedMatch) -> Iterator[str]:
    """The record of a match whose draws come from a secret can be verified."""
    record = finished_record(match)
    try:
        verified = verify(record, lambda name, version: match.game)
    except RecordError as error:
        yield f"the record of the match is refused: {error}"
    else:
        if verified.plies != len(record.log):
            yield f"{verified.plies} of {len(record.log)} plies are verified"


def the_greedy_bot_beats_random_bots(subject: Subject, matches: int = 100) -> Iterator[str]:
    """The greedy bot wins as many of 100 matches as the game declares (``Game.wins_of_100``), or
    the same share of fewer matches, with the fewest seats from two on, from every seat in turn,
    victories that all seats share not counted. Alone, it has to score more than a random bot.
    """
    seats = min((seats for seats in subject.game.info.seats if seats > 1), default=1)
    wins, won, lost = subject.game.wins_of_100 * matches // 100, 0, 0
    while won < wins and lost <= matches - wins:  # the remaining matches could change the result
        if _beaten(subject, seats, won + lost):
            won += 1
        else:
            lost += 1
    if won < wins:
        yield f"{won} matches are won and {lost} are not; {wins} of {matches} are expected"


def _beaten(subject: Subject, seats: int, number: int) -> bool:
    sensible = number % seats
    outcome = _played(subject, seats, subject.luck(seats, number), sensible)
    if seats > 1:
        return sensible in outcome.winners and len(outcome.winners) < seats
    return outcome.scores > _played(subject, seats, subject.luck(seats, number), None).scores


def _played(subject: Subject, seats: int, luck: RandomGenerator, sensible: Seat | None) -> Outcome:
    """A match in which ``sensible`` looks ahead; raises ``ValueError`` if it has no outcome."""
    game = subject.game
    state, ply = game.setup(subject.setup(seats)), 0
    while awaited := game.to_act(state):
        seat = awaited[0]
        if seat == CHANCE:
            action = drawn(game, state, ply, lambda _, total: luck.randrange(total))
        else:
            action = greedy(game, state, seat) if seat == sensible else random_action(game, state, seat, luck.choice)
        state, ply = game.apply(state, seat, action), ply + 1
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError(f"nobody is awaited at ply {ply}, and there is no outcome")
    return outcome
