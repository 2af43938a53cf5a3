"""The check of ``evaluate``: the bot that looks one action ahead beats random bots. Simulations and
resigned seats use that bot.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.bots import greedy, random_action
from engine.conformance.subject import RandomGenerator, Subject
from engine.play import drawn
from engine.types import CHANCE, Outcome, Seat

MATCHES = 100


def the_greedy_bot_beats_random_bots(subject: Subject) -> Iterator[str]:
    """The greedy bot wins as many of 100 matches as the game declares (``Game.wins_of_100``), with
    the fewest seats that the game allows, but more than one if possible. Its seat changes from
    match to match; a shared victory does not count. In a game for one seat it has to score more
    than a random bot.
    """
    seats = min((seats for seats in subject.game.info.seats if seats > 1), default=1)
    wins, won, lost = subject.game.wins_of_100, 0, 0
    while won < wins and lost <= MATCHES - wins:  # the remaining matches could change the result
        if _beaten(subject, seats, won + lost):
            won += 1
        else:
            lost += 1
    if won < wins:
        yield f"{won} matches are won and {lost} are not; {wins} of {MATCHES} are expected"


def _beaten(subject: Subject, seats: int, number: int) -> bool:
    sensible = number % seats
    outcome = _played(subject, seats, subject.luck(seats, number), sensible)
    if seats > 1:
        return outcome.winners == (sensible,)
    return outcome.scores > _played(subject, seats, subject.luck(seats, number), None).scores


def _played(subject: Subject, seats: int, luck: RandomGenerator, sensible: Seat | None) -> Outcome:
    """A match in which the seat ``sensible`` looks ahead (``None``: no seat) and the others play at
    random. Raises ``ValueError`` if it ends without an outcome.
    """
    game = subject.game
    state, ply = game.setup(subject.setup(seats)), 0
    while awaited := game.to_act(state):
        seat = awaited[0]
        if seat == CHANCE:
            action = drawn(game, state, ply, lambda _, total: luck.randrange(total))
        elif seat == sensible:
            action = greedy(game, state, seat)
        else:
            action = random_action(game, state, seat, luck.choice)
        state, ply = game.apply(state, seat, action), ply + 1
    outcome = game.outcome(state)
    if outcome is None:
        raise ValueError(f"nobody is awaited at ply {ply}, and there is no outcome")
    return outcome
