"""The grammar of counts and of what there is none of, in everything that the games say."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.conformance.grammar import grammar
from engine.conformance.subject import PlayedMatch, play
from engine.play import judge
from engine.types import SPECTATOR, Layout
from tests.engine.matches import asked, subject

SEED = 20261125
COUNTED = (
    "building|canteen|card|coin|cow|edge|explorer|farmer|good|hex|island|point|pumpkin|round|segment|settlement|space"
    "|stone|tile|token|turn|upgrade|worker"
)
"""The nouns that are counted; wheat and copper are not."""
WRONG = re.compile(
    rf"\b(?<![-.,])1 (?:small |large |more |empty |open )?(?:{COUNTED})s\b"
    rf"|\b(?:0|[2-9]|[1-9]\d+) (?:small |large |more |empty |open )?(?:{COUNTED})\b(?! (?:{COUNTED}))"
    r"|\b(?:are|is) none\b|\b(?:no|of|with|for) none\b"
)


def said(match: PlayedMatch, luck: Random) -> Iterator[str]:
    """Narrations, prompts, boards, descriptions of pictures and refusals of a match."""
    game = match.game
    tried = grammar(game)
    for _, before, entry, after in match.steps:
        yield game.narrate(before, entry.seat, entry.action, after, SPECTATOR, match.names)
    for state in match.sample(12):
        observation = game.observe(state, SPECTATOR)
        yield game.text(observation, match.names)
        yield "".join(re.findall(r"<desc[^>]*>(.*?)</desc>", game.svg(observation, match.names, Layout.PHONE)))
    for _, state, seat in match.decisions():
        yield asked(game, state, seat, seat)
        for action in luck.sample(tried, 8):
            refused = judge(game, state, seat, action)
            yield from (each.message for each in (refused, *refused.others)) if refused is not None else ()


@pytest.mark.parametrize("name", registry.games())
def test_nouns_agree_with_their_numbers(name: str) -> None:
    luck, wrong = Random(SEED), dict[str, Any]()
    for seats in registry.game(name).info.seats:
        for text in said(play(subject(name), seats, 2), luck):
            wrong |= {found.group(): text for found in WRONG.finditer(text)}
    assert not wrong, {found: text[:300] for found, text in wrong.items()}
