"""What a process does before it forks the parts of the service, so that they share its memory: it
makes what each part would make when it first needs it, the games with their components and what
they remember of these, and keeps Python and the C library from writing where parts share.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from typing import Final

from engine import registry
from engine.bots import planned
from engine.documents import from_document
from engine.game import AnyGame
from engine.listing import listing
from engine.play import adjudicate, begin
from engine.types import SPECTATOR, Layout, Setup

TURNS: Final = 6
POSITIONS: Final = 30  # the positions at which the bot looks for a turn, at most
THRESHOLDS: Final = (50_000, 20, 20)
"""Python's are 700, 10, 10. Each look at the oldest generation goes through all states."""
_GAPS: Final = (4096, 2048, *range(1024, 16, -16))
"""The sizes in bytes with which gaps of the heap are filled, the largest first."""
_MALLOC_HEADER: Final = 8
_M_ARENA_MAX: Final = -8  # the parameter of ``mallopt`` for the number of heaps


class _Heap(ctypes.Structure):
    """glibc's ``struct mallinfo2``; ``keepcost`` are the free bytes at the end of the heap."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    )


def preload() -> None:
    """Loads every game, and plays and shows the first turns of a match of those that come with the
    service: so Python has adapted their code, too, and parts need not write where they share.
    """
    for name, game in registry.games().items():
        if not registry.package(name).origin:  # what was installed may hang or crash, and is played by children alone
            _play(game)


def freeze() -> None:
    """Has the forks of this process share its memory for as long as possible: they never look for
    cycles among the objects that exist now, and get no memory from between these.
    """
    sys._clear_type_cache()  # of names: an entry that a fork replaces costs it the page of the former name
    gc.collect()
    gc.freeze()
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallinfo2"):
        libc.mallopt(_M_ARENA_MAX, 1)  # threads of Python run one at a time, and need no heap each
        _fill_gaps(libc)


def collect_seldom() -> None:
    """Makes this process, and its forks, look for cycles seldom, and never in what exists now."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)


def _play(game: AnyGame) -> None:
    seats = game.info.seats[0]
    names = tuple(f"Player {seat}" for seat in range(seats))
    setup = Setup(seats, from_document(game.options, {}), registry.components(game.info.name))
    state, entries = begin(game, setup, _draw)
    ply = len(entries)
    for _ in range(TURNS):
        for seat in game.to_act(state)[:1]:
            listing(game, state, seat)
            turn = planned(game, state, seat, positions=POSITIONS)
            judged = adjudicate(game, state, ply, seat, turn, _draw)
            game.narrate(state, seat, turn[0], judged.states[0], seat, names)
            state, ply = judged.state, ply + len(judged.entries)
        for viewer in (*range(seats), SPECTATOR):
            observation = game.observe(state, viewer)
            game.text(observation, names)
            for layout in Layout:
                game.svg(observation, names, layout)


def _draw(ply: int, total: int) -> int:
    return ply % total


def _fill_gaps(libc: ctypes.CDLL) -> None:
    """Allocates, for good, the pieces of glibc's heap that importing has left free: what a fork
    puts there costs it a page each, of those that it shares.
    """
    libc.mallinfo2.restype = _Heap
    libc.malloc.argtypes, libc.malloc.restype = [ctypes.c_size_t], ctypes.c_void_p
    for size in _GAPS:
        end = libc.mallinfo2().keepcost
        while libc.mallinfo2().keepcost == end:
            libc.malloc(size - _MALLOC_HEADER)
