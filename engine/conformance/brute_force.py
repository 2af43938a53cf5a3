"""Checks that compare the list of legal actions with brute force, which judges every action in the
grammar.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from engine.conformance.grammar import Unbounded, grammar
from engine.conformance.subject import PlayedMatch, Subject
from engine.documents import from_document, to_document
from engine.game import AnyGame
from engine.play import is_legal, legal_actions
from engine.types import Seat

POSITIONS = 20
"""The number of positions of a match that are compared; all if there are fewer."""


def brute_force(game: AnyGame, state: Any, seat: Seat) -> Sequence[Any]:
    """The legal ones of all actions in the grammar; for unbounded types, of the listed candidates.
    Of several that lead to the same state, the first.
    """
    found, reached = [], []
    listed = [action for action in game.candidates(state, seat) if type(action) in game.unbounded]
    for action in (*grammar(game), *listed):
        if is_legal(game, state, seat, action) and (after := game.apply(state, seat, action)) not in reached:
            found.append(action)
            reached.append(after)
    return tuple(found)


def the_grammar_is_finite_and_its_actions_have_documents(subject: Subject) -> Iterator[str]:
    """The grammar can be enumerated without duplicates, and its actions can be read from their
    documents.
    """
    try:
        everything = grammar(subject.game)
    except Unbounded as error:
        yield f"the grammar cannot be written out: {error}"
        return
    if len(set(everything)) != len(everything):
        yield "the grammar has an action twice"
    for kind in (kind for kind in subject.game.actions if kind not in subject.game.unbounded):
        sample = next((action for action in everything if type(action) is kind), None)
        if sample is None:
            yield f"no {kind.__name__} can be written down"
        elif from_document(kind, to_document(sample)) != sample:
            yield f"{sample} is another action when it is read again"


def every_legal_action_is_in_the_grammar(match: PlayedMatch) -> Iterator[str]:
    """Every legal action is in the grammar, unless its type is unbounded."""
    everything = set(grammar(match.game))
    for ply, state, seat in match.decisions():
        for action in legal_actions(match.game, state, seat):
            if action not in everything and type(action) not in match.game.unbounded:
                yield f"ply {ply}: {action} is legal for seat {seat}, and not in the grammar"


def the_list_of_legal_actions_agrees_with_brute_force(match: PlayedMatch) -> Iterator[str]:
    """The listed actions lead to the same states as all legal actions, and to each state once."""
    decisions = tuple(match.decisions())
    for index in sorted(match.luck.sample(range(len(decisions)), min(POSITIONS, len(decisions)))):
        ply, state, seat = decisions[index]
        yield from (f"ply {ply}: {finding}" for finding in compared(match.game, state, seat))


def compared(game: AnyGame, state: Any, seat: Seat) -> Iterator[str]:
    """The differences between the list of a seat and the legal actions of the grammar."""
    listed = [(action, game.apply(state, seat, action)) for action in legal_actions(game, state, seat)]
    reached = [after for _, after in listed]
    found = [(action, game.apply(state, seat, action)) for action in brute_force(game, state, seat)]
    allowed = [after for _, after in found]
    for action, after in found:
        if after not in reached:
            yield f"{action} is legal for seat {seat}, but its result is that of no listed action"
    for index, (action, after) in enumerate(listed):
        if after in reached[:index]:
            yield f"{action} of seat {seat} has the same result as another listed action"
        if after not in allowed:
            yield f"{action} is listed for seat {seat}, and nothing in the grammar has its result"
