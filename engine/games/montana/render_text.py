"""Montana's board as monospace text of at most 78 columns, with everything observed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.games.montana.components import GOODS, WORKERS, Terrain, Worker
from engine.games.montana.facts import (
    GOOD_LETTERS,
    SEAT_MARKS,
    awaited,
    called,
    crew,
    letters,
    offers,
    row_words,
    segment,
    wheat_needed,
)
from engine.games.montana.observe import AreaObservation, HexObservation, Observation, SlotObservation
from engine.games.montana.sentences import ENDINGS, SCORE_LABELS
from engine.sentences import filled_in
from engine.wording import listed, name_of, padded, wrapped

_NAME: Final = 16
_AREA: Final = 17
_SLOTS: Final = 3
_MOST_WORKERS: Final = 10
_SEGMENTS: Final = 8
"""So many segments of the wheel are on a line."""


def text(observation: Observation, names: Sequence[str]) -> str:
    """Everything observed, in ASCII except for the names."""
    parts = (
        _headline(observation, names),
        land(observation),
        _players(observation, names),
        _ranking(observation, names),
        _offers(observation),
        _work(observation),
        _shop(observation, names),
        _wheel(observation),
    )
    return "\n\n".join("\n".join(line.rstrip() for line in part) for part in map(list, parts) if part) + "\n"


def _headline(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    heading = f"Round {observation.round}. " if observation.round else ""
    yield from wrapped(f"MONTANA  {heading}{awaited(observation, names)}", 9)
    if observation.ending is not None:
        last = "" if observation.outcome else "The last round: "
        yield from wrapped(f"         {last}{filled_in(ENDINGS, observation.ending)}", 9)


def _players(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    goods = "".join(f"{GOOD_LETTERS[good]:>3}" for good in GOODS)
    yield f"{'':5}{padded('player', _NAME)} built left coins cows cans {goods}  workers"
    for seat, facts in enumerate(observation.seats):
        mark = "=>" if seat in observation.to_act else ""
        held = "".join(f"{facts.goods[good]:>3}" for good in GOODS)
        numbers = f"{facts.built:>6}{facts.settlements_left:>5}{facts.coins:>6}{facts.cows:>5}{facts.canteens:>5}"
        who = f"{mark:<2} {SEAT_MARKS[seat]} {padded(name_of(seat, names), _NAME)}"
        yield f"{who}{numbers} {held}  {_held(facts.workers)}"
    supply = observation.supply
    held = "".join(f"{supply.goods[good]:>3}" for good in GOODS)
    workers = " ".join(f"{GOOD_LETTERS[worker]} {supply.workers[worker]}" for worker in WORKERS)
    yield f"{'':5}{padded('supply', _NAME)}{'':17}{supply.cows:>5}{'':5} {held}"
    yield f"{'':5}{'workers in the supply':<31}{workers}"


def _held(workers: Mapping[Worker, int]) -> str:
    """A seat's workers as letters; as counts if they are more than there is room for."""
    if sum(workers.values()) <= _MOST_WORKERS:
        return letters(workers)
    return "".join(f"{count}{GOOD_LETTERS[worker]}" for worker, count in workers.items())


def _ranking(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    result = observation.outcome
    if result is None:
        return
    for seat in sorted(range(len(observation.seats)), key=lambda seat: result.ranks[seat]):
        sheet = (
            ", ".join(f"{SCORE_LABELS[line.code]} {line.number}" for line in result.details[seat])
            if result.details
            else f"{SCORE_LABELS['settlements']} {result.scores[seat]}"
        )
        yield from wrapped(f" {result.ranks[seat]}. {padded(name_of(seat, names), _NAME)} {sheet}", 23)


def _offers(observation: Observation) -> Iterator[str]:
    for place, (typed, what) in enumerate(offers(observation)):
        yield from wrapped(f"{'' if place else 'possible now':<{_AREA}}{typed}: {what}", _AREA + len(typed) + 2)


def _work(observation: Observation) -> Iterator[str]:
    spaces = (
        f"{number} ${space.coins} [{crew(space.placed):.<{space.workers}}]{_star(observation, f'bank {number}')}"
        for number, space in enumerate(observation.bank, 1)
    )
    yield from wrapped(f"{'bank':<{_AREA}}{'  '.join(spaces)}", _AREA)
    for area in observation.areas:
        yield from _area(area, observation)
    more = {slot.small_goods for area in observation.areas for slot in area.slots}
    yield f"  $ price = goods [large box][small box, +{'/'.join(map(str, sorted(more)))}]"


def _area(area: AreaObservation, observation: Observation) -> Iterator[str]:
    heading = f"{area.area.value} ({area.worker.value})"
    shown = [
        _slot(number, slot, GOOD_LETTERS[area.good])
        + (_star(observation, f"{area.area.value} {number}") or _star(observation, f"{area.area.value} {number} again"))
        for number, slot in enumerate(area.slots, 1)
    ]
    for first in range(0, len(shown), _SLOTS):
        slots = "".join(f"{each:<20}" for each in shown[first : first + _SLOTS])
        yield f"{heading if first == 0 else '':<{_AREA}}{slots}"


def _slot(number: int, slot: SlotObservation, letter: str) -> str:
    return f"{number} ${slot.price}={slot.goods}{letter} [{crew(slot.large_box):<2}][{crew(slot.small_box):<2}]"


def _shop(observation: Observation, names: Sequence[str]) -> Iterator[str]:
    shop = observation.shop
    stands = {(each.row, each.column): SEAT_MARKS[each.seat] for each in shop.representatives if each.row is not None}
    possible = {(space.row, space.column) for space in shop.possible}
    yield f"{'town':<7}{'column':<10}" + "".join(f"  {column:<5}" for column in range(1, len(shop.costs) + 1)).rstrip()
    yield f"{'':<7}{'price':<10}" + "".join(f" {f'{cost}p':>3}   " for cost in shop.costs) + " p pumpkins"
    for number, row in enumerate(shop.rows, 1):
        boxes = "".join(
            f"[{stands.get((number, column), '+' if (number, column) in possible else ''):^3}]"
            f"{_star(observation, f'town {number} {column}') or ' '} "
            for column in range(1, len(shop.costs) + 1)
        )
        yield from wrapped(f"  row {number}".ljust(_AREA) + f"{boxes} {row_words(row)}", _AREA + 7)
    if possible:
        yield f"{'':{_AREA}}[ + ] can be taken now"
    for said, seats in (
        ("served", [each.seat for each in shop.representatives if each.served]),
        ("passed", [each.seat for each in shop.representatives if each.passed]),
        ("yet to decide", [each.seat for each in shop.representatives if each.undecided]),
    ):
        if seats:
            yield from wrapped(f"{'':{_AREA}}{said}: {listed(called(seat, names) for seat in seats)}", _AREA)


def _wheel(observation: Observation) -> Iterator[str]:
    arrow, needed = observation.wheel.arrow, wheat_needed(observation)
    shown = [
        f"{'>' if number == arrow else ' '}{number} {segment(halves)}{'<' if number == arrow else ' '}"
        for number, halves in enumerate(observation.wheel.segments, 1)
    ]
    for first in range(0, len(shown), _SEGMENTS):
        part = slice(first, first + _SEGMENTS)
        yield f"{'' if first else 'wheel':<{_AREA - 1}}{' '.join(shown[part])}"
        if needed:
            wheat = (f"   {number}w" if number else "" for number in needed[part])
            paid = (each.ljust(len(above)) for each, above in zip(wheat, shown[part], strict=True))
            yield f"{'  wheat to pay':<{_AREA - 1}}{' '.join(paid)}"


def _star(observation: Observation, place: str) -> str:
    return "*" if place in observation.last else ""


_ACROSS: Final = 7
_DOWN: Final = 3
_INNER: Final = _ACROSS - 1
_MARGIN: Final = 1
_MOST_COST: Final = 4


def land(observation: Observation) -> Iterator[str]:
    """The lines of the landscape and its legend; none before the first tile is laid."""
    hexes = observation.hexes
    if not hexes:
        return
    left, top = min(2 * hexagon.q + hexagon.r for hexagon in hexes), min(hexagon.r for hexagon in hexes)
    down = max(hexagon.r for hexagon in hexes) - top + 1
    canvas = [[" "] * 100 for _ in range(down * _DOWN + 1)]
    over = observation.outcome is not None
    for hexagon in hexes:
        x, y = _MARGIN + (2 * hexagon.q + hexagon.r - left) * _ACROSS // 2, (hexagon.r - top) * _DOWN
        _brick(canvas, hexagon, x, y, hexagon.name in observation.last, over)
    yield from ("".join(line).rstrip() for line in canvas)
    yield from _legend(hexes)


def _brick(canvas: list[list[str]], hexagon: HexObservation, x: int, y: int, latest: bool, over: bool) -> None:
    for line in (y, y + _DOWN):
        for column in range(x, x + _ACROSS + 1):
            if column in (x, x + _ACROSS):
                canvas[line][column] = "+"
            elif canvas[line][column] == " ":
                canvas[line][column] = "-"
    cow = "o" if hexagon.cow else ""
    double = "2" if hexagon.double and hexagon.owner is None else ""
    marks = f"{cow}{double}{'*' if latest else ''}"
    lines = f"{hexagon.name:<{_INNER - len(marks)}}{marks}", f"{_shown(hexagon, over):<{_INNER}}"
    for line, words in enumerate(lines, y + 1):
        canvas[line][x : x + _ACROSS + 1] = f"|{words}|"


def _shown(hexagon: HexObservation, over: bool) -> str:
    """A hex in six characters: terrain, cost (in brackets if it is open), or settlements."""
    if hexagon.start:
        return "START"
    if hexagon.owner is not None:
        return f" ({SEAT_MARKS[hexagon.owner]}){f'x{hexagon.settlements}' if hexagon.settlements > 1 else ''}"
    if hexagon.terrain is Terrain.LAKE:
        return "~~(u)~" if hexagon.canteen else "~~~~~~"
    if hexagon.terrain is Terrain.MOUNTAIN:
        return " /\\/\\"
    cost = _short(letters(hexagon.cost))
    return f"[{cost}]" if hexagon.open and not over else f" {cost}"


def _short(cost: str) -> str:
    return cost if len(cost) <= _MOST_COST else f"{cost[: _MOST_COST - 1]}+"


def _legend(hexes: tuple[HexObservation, ...]) -> Iterator[str]:
    yield "  w wheat   p pumpkin   c small copper   s small stone   C/S large ones"
    yield "  [ws] open   o cow   2 double (x2)   (u) canteen   (B) settled   * latest"
    long = [
        f"{hexagon.name} {letters(hexagon.cost)}"
        for hexagon in hexes
        if sum(hexagon.cost.values()) > _MOST_COST and hexagon.owner is None and not hexagon.start
    ]
    if long:
        yield from wrapped(f"  + more goods: {', '.join(long)}", 4)
