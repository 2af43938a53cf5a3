"""Positions of Montana drawn as text, on the board of two, three or four seats with a landscape of
plain prairies.

    position("E4 wS cow double; F4 lake canteen; D5 mountain", built="0:E6 1:F6x2", places="bank
    2:sp mine 1:c/ss")

Letters stand for goods and workers: ``w`` wheat, ``p`` pumpkin, ``c`` copper, ``s`` stone; ``C``
and ``S`` for the large ones. A hex that is not drawn is a prairie for a wheat. The start tile lies
on E5 unless it is said otherwise. The components fit what is drawn, so that nothing is missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from engine import registry
from engine.games.montana import GAME
from engine.games.montana.actions import LayTile, Spin
from engine.games.montana.apply import apply
from engine.games.montana.board import FLOWER
from engine.games.montana.check import check
from engine.games.montana.components import GOODS, WORKERS, Components, Options, Terrain, load_components
from engine.games.montana.landscape import open_hexes
from engine.games.montana.state import UNDECIDED, Ground, Phase, SeatState, State, Tally, setup
from engine.play import judge, legal_actions
from engine.types import CHANCE, Seat, Setup, Violation
from tests.games.montana.observations import boxes, tally

STANDARD: Components = registry.components("montana")
TEN = "w" * 10 + "p" * 10 + "c" * 10 + "s" * 10 + "C" * 6 + "S" * 6
NAMES = ("Ann", "Bob", "Cleo", "Dan")


def me(
    goods: str = "", workers: str = "", *, coins: int = 0, cows: int = 0, canteens: int = 0, left: int | None = None
) -> SeatState:
    """A seat; ``left`` are its settlements, if not as many as the others lack on the board."""
    return SeatState(-1 if left is None else left, coins, cows, canteens, tally(goods), tally(workers, 4))


def position(
    drawing: str = "",
    *seats: SeatState,
    start: str = "E5",
    built: str = "",
    places: str = "",
    supply: str = TEN,
    hands: str | None = None,
    cows: int = 10,
    seat: Seat = 0,
    shop: Sequence[int] | None = None,
    phase: Phase = Phase.TURN,
    **changed: Any,
) -> State:
    """A sound position: by default seat 0 of two is to take its turn.

    ``hands`` are the workers of the supply, by default what is left of 18 each.
    """
    seats = seats or (me(), me())
    plain = setup(Setup(len(seats), Options(), plains()))
    for tile in plain.table.tiles[: len(plain.table.geometry.names) // 7]:
        plain = apply(plain, CHANCE, LayTile(tile, 0))
    index = plain.table.geometry.index
    land = list(plain.land)
    for words in filter(None, (part.split() for part in drawing.split(";"))):
        land[index[words[0]]] = _ground(words[1:])
    owners, counts = [-1] * len(land), [0] * len(land)
    for place in built.split():
        owner, where = place.split(":")
        name, _, number = where.partition("x")
        owners[index[name]], counts[index[name]] = int(owner), int(number or 1)
    free = {hexagon for hexagon, owner in enumerate(owners) if owner < 0}
    beside = {
        hexagon for hexagon in free if not any(owners[other] >= 0 for other in plain.table.geometry.around[hexagon])
    }
    state = replace(
        plain,
        land=tuple(land),
        start=index[start],
        owners=tuple(owners),
        counts=tuple(counts),
        cattle=frozenset(hexagon for hexagon, ground in enumerate(land) if ground.cow and hexagon in free),
        canteens=frozenset(hexagon for hexagon, ground in enumerate(land) if ground.canteen and hexagon in beside),
        seats=tuple(_seat(number, facts, owners, counts) for number, facts in enumerate(seats)),
        goods=tally(supply),
        cows=cows,
        seat=seat,
        awaited=changed.pop("awaited", seat),
        shop=(UNDECIDED,) * len(seats) if shop is None else tuple(shop),
        phase=phase,
        round=changed.pop("round", 1),
        arrow=changed.pop("arrow", 0),
        last=(),
    )
    state = boxes(state, places)
    state = replace(state, open=open_hexes(state), **changed)
    state = _fitted(state, hands)
    assert check(state) == (), check(state)
    return state


def act(state: State, line: str, seat: Seat | None = None) -> State:
    """The state after a line of notation, each action of which is legal for the seat that is
    awaited (or the one that is named).
    """
    for action in GAME.parse(line):
        (awaited,) = GAME.to_act(state)
        assert seat in (None, awaited), f"seat {awaited} is awaited"
        refusal = judge(GAME, state, awaited, action)
        assert refusal is None, refusal
        state = GAME.apply(state, awaited, action)
        assert check(state) == (), check(state)
    return state


def spin(state: State, segment: int) -> State:
    """The state after a spin of the wheel that is due."""
    assert GAME.to_act(state) == (CHANCE,)
    state = GAME.apply(state, CHANCE, Spin(segment))
    assert check(state) == (), check(state)
    return state


def refused(state: State, line: str) -> Violation:
    """Why the seat that is awaited may not do the (only) action of the line."""
    (action,) = GAME.parse(line)
    (awaited,) = GAME.to_act(state)
    refusal = judge(GAME, state, awaited, action)
    assert refusal is not None, f"{line} is legal"
    return refusal


def rules(refusal: Violation) -> list[str]:
    """The numbers of all rules that a refusal names."""
    return [refusal.rule, *(other.rule for other in refusal.others)]


def lines(state: State) -> list[str]:
    """What the seat that is awaited may do, as notation."""
    (awaited,) = GAME.to_act(state)
    return [GAME.format(action) for action in legal_actions(GAME, state, awaited)]


def document(**changed: Any) -> dict[str, Any]:
    """The document of the tests' own component set with other values: positions stay as they are,
    whatever becomes of the standard one.
    """
    found: dict[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
    for name, value in changed.items():
        found[name]["value"] = value
    return found


@cache
def plains() -> Components:
    """Components with twelve tiles of nothing but prairie; the rest is as in that set."""
    tile = [{"at": list(at), "terrain": "prairie", "cost": {"wheat": 1}} for at in FLOWER]
    return load_components(document(tiles=dict.fromkeys("ABCDEFGHIJKL", tile)))


def _ground(words: Sequence[str]) -> Ground:
    kinds = {"lake": Terrain.LAKE, "mountain": Terrain.MOUNTAIN}
    terrain = kinds.get(words[0], Terrain.PRAIRIE)
    cost = tally(words[0]) if terrain is Terrain.PRAIRIE else (0,) * len(GOODS)
    return Ground("X", terrain, cost, "cow" in words, "double" in words, "canteen" in words)


def _seat(number: int, facts: SeatState, owners: Sequence[int], counts: Sequence[int]) -> SeatState:
    placed = sum(count for owner, count in zip(owners, counts, strict=True) if owner == number)
    return facts if facts.settlements >= 0 else replace(facts, settlements=12 - placed)


def _fitted(state: State, hands: str | None) -> State:
    """The state with a table whose components are exactly what is drawn."""
    parts, key = state.table.components, str(len(state.seats))
    held = [sum(seat.goods[index] for seat in state.seats) + state.goods[index] for index in range(len(GOODS))]
    placed = [
        sum(crew.count(index) for crew in (*state.bank, *state.boxes))
        + sum(seat.workers[index] for seat in state.seats)
        for index in range(len(WORKERS))
    ]
    workers: Tally = tuple(18 - number for number in placed) if hands is None else tally(hands, 4)
    totals = [
        sum(count for owner, count in zip(state.owners, state.counts, strict=True) if owner == seat)
        for seat in range(len(state.seats))
    ]
    each = {total + facts.settlements for total, facts in zip(totals, state.seats, strict=True)}
    assert len(each) == 1, f"the seats have {each} settlements in all"
    parts = replace(
        parts,
        goods=replace(parts.goods, value=dict.fromkeys(GOODS, 0)),
        supplies=replace(parts.supplies, value={key: dict(zip(GOODS, held, strict=True))}),
        workers=replace(
            parts.workers, value={worker: workers[index] + placed[index] for index, worker in enumerate(WORKERS)}
        ),
        cows=replace(parts.cows, value=state.cows + len(state.cattle) + sum(seat.cows for seat in state.seats)),
        settlements=replace(parts.settlements, value=_counts(key, each.pop())),
    )
    canteens = sum(1 for ground in state.land if ground.canteen)
    spent = canteens - len(state.canteens) - sum(seat.canteens for seat in state.seats)
    return replace(state, table=replace(state.table, components=parts), workers=workers, spent=spent)


def _counts(key: str, number: int) -> Mapping[str, int]:
    return {key: number}
