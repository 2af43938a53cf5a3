"""Oregon by version 1 of its rules, for the matches that were begun by it.

It differs from version 2 in R8.8 alone, so it shares all other code
(docs/decisions/0023-an-old-version-of-rules-may-share-code.md).
"""

from __future__ import annotations

from dataclasses import replace

from engine.games.oregon import GAME as VERSION_2
from engine.games.oregon.actions import Action, SetAside
from engine.games.oregon.state import State
from engine.types import Seat

__all__ = ["GAME", "VERSION_2"]


def apply(state: State, seat: Seat, action: Action) -> State:
    """The state after an action: in version 1 of R8.8 no card is just drawn any more once any card
    has been set aside.
    """
    after = VERSION_2.apply(state, seat, action)
    return replace(after, just_drawn=None) if isinstance(action, SetAside) else after


GAME = replace(VERSION_2, info=replace(VERSION_2.info, rules_version=1), apply=apply)
