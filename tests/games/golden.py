"""Golden files: a whole match of every game, and its refusals, as people can read them.

    python -m tests.games.golden          writes tests/games/<game>/golden*.txt and refusals.txt for
    every game, or for those that are named (make golden)

``golden.txt`` is a match of the fewest seats, ``golden-<seats>.txt`` one of the most: the board as
a spectator sees it, every action in notation, what the seat and the spectators are told of it, and
the score. ``refusals.txt`` has an example of every sentence with which the judge refused something
in such a match. The luck is a fixed seed's and the players look one step ahead, so a difference is
a change of rules, words or players, and is reviewed like one.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from engine import registry
from engine.bots import greedy
from engine.conformance.grammar import grammar
from engine.game import AnyGame
from engine.play import drawn, judge
from engine.sentences import outcome_told
from engine.types import CHANCE, SPECTATOR, Seat, Setup

FOLDER = Path(__file__).parent
NAMES = ("Ada", "Bela", "Cleo", "Dora")
WIDTH = 92
EXAMPLES = 5
"""So many sentences of one rule and code are shown, if there are so many kinds of them."""
TRIED = 50
"""So many of the candidates, and of the actions of every type, are tried at every decision."""
Told = tuple[int, Any, Seat, Any, Any]
"""A step of a match: ply, state before, seat, action, state after."""


def files(game: AnyGame) -> dict[str, str]:
    """The golden files of a game by name."""
    fewest, most = min(game.info.seats), max(game.info.seats)
    return {
        "golden.txt": playthrough(game, fewest, boards=3),
        f"golden-{most}.txt": playthrough(game, most, boards=1),
        "refusals.txt": refusals(game),
    }


def playthrough(game: AnyGame, seats: int, boards: int) -> str:
    """A match from its first to its last entry, with so many boards, the last among them."""
    names = NAMES[:seats]
    steps = played(game, seats)
    shown = {round(number * (len(steps) - 1) / (boards - 1)) for number in range(boards - 1)}
    lines = [f"{game.info.title}: a match of {', '.join(names)}."]
    for index, (ply, before, seat, action, after) in enumerate(steps):
        if index in shown:
            lines += ["", *_board(game, before, ply, names), ""]
        lines += _told(game, ply, before, seat, action, after, names)
    end = steps[-1][4]
    lines += ["", *_board(game, end, len(steps), names), ""]
    outcome = game.outcome(end)
    assert outcome is not None
    told = outcome_told(game, outcome)
    lines += textwrap.wrap(told.ended.sentence, WIDTH)
    for seat, name in enumerate(names):
        sheet = ", ".join(f"{line.label} {line.number}" for line in told.details[seat])
        lines += textwrap.wrap(f"{name}: {outcome.scores[seat]} points, rank {outcome.ranks[seat]} ({sheet}).", WIDTH)
    return "\n".join((*lines, ""))


def refusals(game: AnyGame) -> str:
    """One example for every kind of sentence with which the judge refused an action, in a match of
    the fewest and one of the most seats.
    """
    luck = Random(f"refusals of {game.info.name}")
    kinds = [tuple(action for action in grammar(game) if isinstance(action, kind)) for kind in game.actions]
    notation = {word for pool in kinds for action in pool for word in game.format(action).split()}
    found: dict[tuple[str, str, str], list[str]] = {}
    kind_of = cache(partial(_kind, notation=notation))
    for seats in sorted({min(game.info.seats), max(game.info.seats)}):
        for ply, state, seat, _, _ in played(game, seats):
            if seat == CHANCE:
                continue
            pools = (tuple(game.candidates(state, seat)), *kinds)
            for action in (action for pool in pools for action in luck.sample(pool, min(TRIED, len(pool)))):
                refusal = judge(game, state, seat, action)
                for broken in (refusal, *refusal.others) if refusal is not None else ():
                    kind = broken.rule, broken.code, kind_of(broken.message)
                    if kind not in found and len([other for other in found if kind[:2] == other[:2]]) < EXAMPLES:
                        head = f"{seats} seats, ply {ply}, {NAMES[seat]}: {game.format(action)}"
                        found[kind] = [head, *_wrapped(broken.message)]
    lines = [f"{game.info.title}: what the judge refuses."]
    for kind in sorted(found, key=lambda kind: (_number(kind[0]), *kind[1:])):
        lines += ["", f"{kind[0]} {kind[1]}", *(f"  {line}" for line in found[kind])]
    return "\n".join((*lines, ""))


@cache
def played(game: AnyGame, seats: int) -> tuple[Told, ...]:
    """Every step of the match."""
    luck = Random(f"{game.info.name} of {seats}")
    state = game.setup(Setup(seats, game.options(), registry.components(game.info.name)))
    steps: list[Told] = []
    while awaited := game.to_act(state):
        seat, ply = awaited[0], len(steps)
        if seat == CHANCE:
            action = drawn(game, state, ply, lambda _, total: luck.randrange(total))
        else:
            action = greedy(game, state, seat)
        after = game.apply(state, seat, action)
        steps.append((ply, state, seat, action, after))
        state = after
    return tuple(steps)


def _board(game: AnyGame, state: Any, ply: int, names: Sequence[str]) -> list[str]:
    text = game.text(game.observe(state, SPECTATOR), names)
    return [f"--- ply {ply} ---", *(line.rstrip() for line in text.splitlines())]


def _told(game: AnyGame, ply: int, before: Any, seat: Seat, action: Any, after: Any, names: Sequence[str]) -> list[str]:
    """One step: for a seat who did what, then what spectators are told of it, then what seats are
    told that differs.
    """
    public = game.narrate(before, seat, action, after, SPECTATOR, names)
    lines = [] if seat == CHANCE else [f"{names[seat]}: {game.format(action)}"]
    lines += _wrapped(public)
    for viewer, name in enumerate(names):
        private = game.narrate(before, seat, action, after, viewer, names)
        if private not in ("", public):
            lines += _wrapped(f"(to {name}: {private})")
    if len(" -- ".join(lines)) <= WIDTH:
        return [f"{ply:>4}  {' -- '.join(lines)}".rstrip()]
    return [f"{ply:>4}  {lines[0]}", *(f"        {line}" for line in lines[1:])]


def _wrapped(text: str) -> list[str]:
    return [line for paragraph in text.splitlines() for line in textwrap.wrap(paragraph, WIDTH)]


def _kind(sentence: str, notation: set[str]) -> str:
    """The sentence without what differs from case to case: names, numbers, lists, and the words in
    which actions are written.
    """
    words = re.findall(r"\b[a-z]{4,}\b", re.split("[:;]", sentence)[0])
    return " ".join(word for word in words if word not in notation)


def _number(rule: str) -> tuple[int, ...]:
    return tuple(int(number) for number in re.findall(r"\d+", rule))


def main(names: Sequence[str]) -> None:
    """Writes the files."""
    for name in names or list(registry.games()):
        for file, text in files(registry.game(name)).items():
            (FOLDER / name / file).write_text(text, encoding="utf-8")
            print(f"Written: tests/games/{name}/{file}")


if __name__ == "__main__":
    main(sys.argv[1:])
