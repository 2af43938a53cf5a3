"""One kind of sweep at a time, where an error is raised and nothing set aside."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from service.context import Context
from service.matches import archive, reminding
from service.turns import time_up
from service.turns.time_up import Acted


def act_on_due(context: Context) -> Acted:
    """Acts on all clocks whose time is up."""
    acted = Acted()
    for match_id in time_up.due(context):
        more = time_up.act_on(context, match_id)
        acted = replace(acted, **{name: getattr(acted, name) + getattr(more, name) for name in Acted.__annotations__})
    return acted


def remind(context: Context) -> int:
    """Writes the reminders that are due."""
    return _all(context, reminding.due, reminding.remind_of)


def look_after(context: Context) -> int:
    """Looks after the archive."""
    return _all(context, archive.due, archive.look_at)


def _all(context: Context, due: Callable[[Context], tuple[str, ...]], act: Callable[[Context, str], int]) -> int:
    return sum(act(context, item) for item in due(context))
