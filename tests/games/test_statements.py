"""What the games tell besides refusals: prompts, what ended a match, the lines of score sheets.

Every code of a game's tables is told in a golden match, in a position of typed.json or in one here,
and its sentence is made from all the values that it has. A code that nothing tells, or a value that
no sentence needs, fails.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from engine import registry
from engine.game import AnyGame
from engine.games.montana import state as montana
from engine.games.oregon import state as oregon
from engine.games.ozeanien.tiles import Kind
from engine.play import prompt
from engine.sentences import COMMON_ENDINGS, filled_in
from engine.types import CHANCE, SPECTATOR, Sentence, Statement
from tests.games.golden import played
from tests.games.montana import positions as in_montana
from tests.games.oregon import positions as in_oregon
from tests.games.ozeanien import positions as in_ozeanien
from tests.games.test_typed import POSITIONS, position


class Noting(dict[str, Any]):
    """Values that note which of them are read."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        super().__init__(values)
        self.read = set[str]()

    def __getitem__(self, name: str) -> Any:
        self.read.add(name)
        return super().__getitem__(name)


def rare(game: str) -> Sequence[Any]:
    """States that none of these matches comes to."""
    match game:
        case "montana":
            shop = [montana.OVERTAKEN, 4]
            overtaken = in_montana.position(
                "", in_montana.me("p"), in_montana.me("p"), phase=montana.Phase.TOWN, shop=shop, awaited=0
            )
            full = in_montana.position(
                "", in_montana.me(), in_montana.me(), phase=montana.Phase.OVER, ending=montana.Ending.NO_ROOM
            )
            return (overtaken, full)
        case "oregon":
            stuck = in_oregon.position(hands=["wagon bison settler church"], farmers=(0, 14), stacks={"church": 0})
            empty = in_oregon.position(
                phase=oregon.Phase.OVER, ending=oregon.Ending.EMPTY_STACKS, stacks={"church": 0, "harbour": 0}
            )
            return (stuck, empty)
        case "ozeanien":
            explored = in_ozeanien.position("~ ~ ~\n~ ~ ~\n. . ~", ship="A2", tile=Kind.SEA)
            stranded = in_ozeanien.position("~/E . . ~/W\n~ ~/N . ~\n~ ~ ~ ~", ship="C3", tile=Kind.CAPE)
            return (in_ozeanien.does(explored, "place A3"), in_ozeanien.does(stranded, "place C2 N; skip"))
        case _:
            return ()


def states(game: AnyGame) -> Iterator[Any]:
    """The states of the golden matches, those in which people type, and the rare ones."""
    for seats in sorted({min(game.info.seats), max(game.info.seats)}):
        steps = played(game, seats)
        yield from (before for _, before, _, _, _ in steps)
        yield steps[-1][4]
    yield from (position(name)[1] for name, found in POSITIONS.items() if found["game"] == game.info.name)
    yield from rare(game.info.name)


def assert_every_code_is_told(sentences: Mapping[str, Sentence], told: Sequence[Statement]) -> None:
    """Each with the same values wherever it is told, all of which some sentence of it needs."""
    assert {each.code for each in told} == set(sentences)
    read, given = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for each in told:
        noting = Noting(each.values)
        filled_in(sentences, Statement(each.code, noting))
        read[each.code] |= noting.read
        given[each.code] |= set(each.values)
        assert set(each.values) == given[each.code], each
    assert read == given


@pytest.mark.parametrize("name", registry.games())
def test_every_prompt_is_asked_with_all_that_its_sentence_needs(name: str) -> None:
    game = registry.game(name)
    asked = [
        prompt(game, state, seat, viewer)
        for state in states(game)
        for seat in game.to_act(state)
        if seat != CHANCE
        for viewer in (SPECTATOR, seat)
    ]
    assert_every_code_is_told(game.prompts, asked)


@pytest.mark.parametrize("name", registry.games())
def test_every_ending_and_line_of_a_score_sheet_is_told_with_all_that_its_words_need(name: str) -> None:
    game = registry.game(name)
    outcomes = [outcome for state in states(game) if (outcome := game.outcome(state)) is not None]
    assert_every_code_is_told(game.endings, [outcome.ended for outcome in outcomes])
    assert {line.code for outcome in outcomes for lines in outcome.details for line in lines} == set(game.score_labels)
    assert not set(game.endings) & set(COMMON_ENDINGS)
