"""The rules that an action breaks, as codes and values, and the sentences made from them."""

from __future__ import annotations

from engine.games.montana.refusals.problems import own_prompt, problems
from engine.games.montana.refusals.sentences import explain

__all__ = ["explain", "own_prompt", "problems"]
