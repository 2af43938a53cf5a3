"""What the sweeper does: acts on clocks whose time is up, settles offers, reminds players, looks
after the archive and who leaves, calls off what does not start, and keeps the database small.

Each kind of sweep is an item of the loop of sweeps, and each match or guest in it is an item of its
own, so that none keeps another from being done. Sweeps that are missed or doubled do no harm.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from zlib import crc32

import structlog

from service import leaving
from service.context import Context
from service.guard import Answered, ChildOutcome
from service.loop import Loop, run
from service.matches import archive, mending, reminding, unstarted
from service.offers import settling
from service.rowless import Kind, RowlessWork
from service.store import leasing
from service.turns import time_up
from service.upkeep import UPKEEP

SweepResult: TypeAlias = Literal["done", "nothing", "failed"]
"""Of an item; ``failed``: it is set aside."""
Swept: TypeAlias = Mapping[Loop, Counter[SweepResult]]
_log = structlog.get_logger("service.sweeps")


@dataclass(frozen=True, slots=True)
class Sweep:
    """A kind of sweep: the ids of what is due, and what is done with one, giving how much."""

    due: Callable[[Context], Collection[str]]
    act: Callable[[Context, str], int]


SWEEPS: Final[Mapping[Loop, Sweep]] = MappingProxyType(
    {
        Loop.RULES: Sweep(mending.due, mending.wake_one),
        Loop.CLOCKS: Sweep(time_up.due, lambda context, match_id: int(time_up.act_on(context, match_id).anything)),
        Loop.OFFERS: Sweep(settling.due, settling.settle_match),
        Loop.REMINDERS: Sweep(reminding.due, reminding.remind_of),
        Loop.ARCHIVE: Sweep(archive.due, archive.look_at),
        Loop.LEAVING: Sweep(leaving.due, leaving.send_away),
        Loop.UNSTARTED: Sweep(unstarted.due, unstarted.call_off),
    }
)
"""By the loop of the items."""
KINDS: Final = (*SWEEPS, *UPKEEP)
PROMPT: Final = (Loop.CLOCKS, Loop.OFFERS, Loop.REMINDERS)
"""The kinds that somebody waits for; the others may be a minute late."""
LONGEST_SECONDS: Final = 20.0  # of each kind of ``SWEEPS``; what is left waits for the next sweep


def prompt(context: Context) -> Collection[Loop]:
    """The kinds that cannot wait: ``PROMPT``, and those with an item that is due again."""
    with context.database.look() as connection:
        again = leasing.loops_due_again(connection, context.clock())
    return [loop for loop in KINDS if loop in PROMPT or loop in again]


def sweep(context: Context, first: bool = True, due: Collection[Loop] = KINDS) -> Swept:
    """Does once what is due of these kinds. ``first``: of this process; then a kind that ended the
    process before is known by its charge. Raises errors of the database, and no others.
    """
    swept = {loop: Counter[SweepResult]() for loop in (Loop.SWEEPS, *KINDS)}
    kinds: Kind[SweepResult] = Kind(Loop.SWEEPS, lambda: due, partial(_swept, context, swept), "failed")
    run(RowlessWork(context, kinds, charged=first), swept[Loop.SWEEPS], lambda: True)
    if done := {loop.value: dict(results) for loop, results in swept.items() if results["done"] or results["failed"]}:
        _log.info("sweeper.swept", results=done)
    return swept


def sweep_items(context: Context, loop: Loop) -> Counter[SweepResult]:
    """Does each item of one kind of sweep that is due. Returns the number of items by result."""
    due, act, results = partial(_due, context, loop), SWEEPS[loop].act, Counter[SweepResult]()
    kind: Kind[SweepResult] = Kind(loop, due, lambda each: _result(act(context, each)), "failed")
    until = context.timer() + LONGEST_SECONDS
    run(RowlessWork(context, kind), results, lambda: context.timer() <= until)
    return results


def _swept(context: Context, swept: Swept, item: str) -> ChildOutcome[SweepResult]:
    loop = Loop(item)
    if loop in UPKEEP:
        return _result(UPKEEP[loop](context))
    swept[loop].update(sweep_items(context, loop))
    return _result(swept[loop]["done"])


def _due(context: Context, loop: Loop) -> Collection[str]:
    """The items that are due, in another order each time: where time is short none is left out for
    good. What follows is their own charge, and not that of their kind.
    """
    now = context.clock().isoformat()
    items = sorted(SWEEPS[loop].due(context), key=lambda item: crc32(f"{now} {item}".encode()))
    with context.database.look() as connection:
        charged = loop in leasing.items_of(connection, Loop.SWEEPS)
    if charged:
        with context.database.write() as connection:
            leasing.clear_items(connection, Loop.SWEEPS, [loop])
    return items


def _result(done: int) -> ChildOutcome[SweepResult]:
    return Answered("done" if done else "nothing")
