"""What Montana's text, picture and description share: marks, letters, words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from engine.games.montana.components import GOODS, WORKERS, Good, Hiring, Terrain, Worker, noun, quantity
from engine.games.montana.observe import (
    HexObservation,
    Observation,
    RepresentativeObservation,
    RowObservation,
    SeatObservation,
    ShopObservation,
    SlotObservation,
)
from engine.games.montana.sentences import ENDINGS, PROMPTS, SCORE_LABELS
from engine.games.montana.state import MOST_SEGMENTS
from engine.sentences import filled_in
from engine.types import Layout, Outcome
from engine.wording import amount, listed, name_of, victory

SEAT_MARKS: Final = ("B", "Y", "G", "R")
"""The letter on a seat's settlements and representative."""

SEAT_COLOURS: Final = ("blue", "yellow", "green", "red")
"""The colour of a seat's settlements, as in the rulebook."""

GOOD_LETTERS: Final[Mapping[str, str]] = dict(zip(GOODS, "wpcsCS", strict=True))
"""Lower case for small goods and the workers that harvest them, upper case for large goods."""

_BY_CHANCE: Final = {
    "laying": "The landscape is being laid.",
    "start": "The start tile is being placed.",
    "spin": "The arrow of the wheel is spinning for {}.",
}


def called(seat: int, names: Sequence[str]) -> str:
    """The player's name with the mark of the seat: "Ada (B)"."""
    return f"{name_of(seat, names)} ({SEAT_MARKS[seat]})"


def awaited(observation: Observation, names: Sequence[str]) -> str:
    """Who is awaited and for what, and whose turn it is if that is another seat."""
    if observation.outcome is not None:
        return f"The match is over: {victory([name_of(seat, names) for seat in observation.outcome.winners])}."
    if not observation.awaited:
        return _BY_CHANCE.get(observation.phase, "The match is over.").format(called(observation.turn, names))
    asked = " ".join(f"{called(each.seat, names)}: {filled_in(PROMPTS, each.prompt)}" for each in observation.awaited)
    if observation.turn in observation.to_act:
        return asked
    return f"{asked} It is the turn of {called(observation.turn, names)}."


def offers(observation: Observation) -> tuple[tuple[str, str], ...]:
    """What the awaited seat can do now beside what it is asked: what it types, and what for."""
    found = []
    counted = [(each.name, each.possible) for each in observation.hexes if each.possible]
    sites = [name if count == 1 else f"{name} x{count}" for name, count in counted]
    if sites:
        found.append(("build", ", ".join(sites)))
    for each in observation.awaited:
        seat = observation.seats[each.seat]
        reach = max((wheat for wheat in wheat_needed(observation) if wheat <= seat.goods[Good.WHEAT]), default=0)
        if reach:
            found.append(("wheat", f"{1 if reach == 1 else f'1 to {reach}'}, for as many segments"))
        if each.can_trade:
            found.append(("trade cow", f"{amount(seat.cows, 'cow')} to trade"))
        if each.can_use_canteen:
            found.append(("canteen", f"another turn at once, {seat.canteens} to use"))
    return tuple(found)


def wheat_needed(observation: Observation) -> tuple[int, ...]:
    """The wheat that moves the arrow to each segment, 0 for others; () if it may not be moved."""
    wheel = observation.wheel
    if observation.phase != "recruited" or observation.surplus or wheel.arrow is None:
        return ()
    count = len(wheel.segments)
    steps = ((segment - wheel.arrow + 1) % count for segment in range(count))
    return tuple(step if step <= MOST_SEGMENTS else 0 for step in steps)


def decided(outcome: Outcome) -> str:
    """R9.3: what has decided between equally many settlements: "cows and canteens: G 2, B 1"."""
    tied = [seat for seat, score in enumerate(outcome.scores) if score == max(outcome.scores)]
    for lines in zip(*(outcome.details[seat] for seat in tied), strict=True):
        if len({line.number for line in lines}) > 1:
            each = sorted(zip(lines, tied, strict=True), key=lambda pair: -pair[0].number)
            numbers = ", ".join(f"{SEAT_MARKS[seat]} {line.number}" for line, seat in each)
            return f"{SCORE_LABELS[lines[0].code]}: {numbers}"
    return ""


def counted(counts: Mapping[Good, int] | Mapping[Worker, int]) -> str:
    """Counts above 0 in words: "2 wheat, 1 large stone"; of workers "wheat 2, stone 1"."""
    some = ((thing, count) for thing, count in counts.items() if count)
    found = (quantity(count, each) if isinstance(each, Good) else f"{each.value} {count}" for each, count in some)
    return ", ".join(found) or "none"


def letters(counts: Mapping[Good, int] | Mapping[Worker, int]) -> str:
    """Counts as letters: "wwS" for two wheat and a large stone."""
    return "".join(GOOD_LETTERS[thing] * count for thing, count in counts.items())


def crew(workers: Iterable[Worker]) -> str:
    """Workers as letters: "cs"."""
    return "".join(GOOD_LETTERS[worker] for worker in workers)


def segment(halves: tuple[Hiring, ...]) -> str:
    """A segment of the wheel as letters, "?" for any worker."""
    return "".join("?" if half is Hiring.ANY else GOOD_LETTERS[half.value] for half in halves)


def row_words(row: RowObservation) -> str:
    """What a row of the shop gives, in words."""
    gives = (
        (row.cows, amount(row.cows, "cow")),
        (row.coins, amount(row.coins, "coin")),
        (row.goods, f"{row.goods} of wheat, copper, stone"),
        (row.upgrades, f"up to {amount(row.upgrades, 'upgrade')}"),
    )
    return ", ".join(words for number, words in gives if number) or "nothing"


def where(representative: RepresentativeObservation) -> str:
    """Where a representative is: "in row 2, column 3", "has passed"; "" while nobody is in town."""
    if representative.row is not None:
        return f"in row {representative.row}, column {representative.column}"
    if representative.served:
        return "is served"
    return "has passed" if representative.passed else "has yet to decide" if representative.undecided else ""


def description(observation: Observation, names: Sequence[str], layout: Layout) -> str:
    """Everything observed, a line each; for the board alone without what its list of moves says."""
    round_ = f"Round {observation.round}." if observation.round else "Before the first round."
    ending = [] if observation.ending is None else [filled_in(ENDINGS, observation.ending)]
    sentences = [" ".join((round_, awaited(observation, names), *ending))]
    possible = [f"{typed} ({what})" for typed, what in offers(observation)]
    if possible and layout is not Layout.BOARD:
        sentences.append(f"Possible now: {'; '.join(possible)}.")
    sentences += [_seat_described(seat, facts, observation, names) for seat, facts in enumerate(observation.seats)]
    sentences += _work_described(observation)
    sentences += _town_described(observation.shop)
    stands = ((SEAT_COLOURS[each.seat], where(each)) for each in observation.shop.representatives)
    found = [f"{colour} {place}" for colour, place in stands if place]
    if found:
        sentences.append(f"In town: {listed(found)}.")
    arrow, needed = observation.wheel.arrow, wheat_needed(observation)
    segments = []
    for number, halves in enumerate(observation.wheel.segments, 1):
        wheat = needed[number - 1] if needed else 0
        note = " (the arrow)" if number == arrow else f" ({wheat} wheat to pay)" if wheat else ""
        segments.append(f"{number} {' and '.join(half.value for half in halves)}{note}")
    sentences.append(f"Wheel: {'; '.join(segments)}.")
    supply = observation.supply
    goods, workers = counted(supply.goods), counted(supply.workers)
    sentences.append(f"Supply: goods {goods}; workers {workers}; {amount(supply.cows, 'cow')}.")
    if observation.last:
        sentences.append(f"The latest action: at {listed(observation.last)}.")
    return "\n".join((*sentences, *_land_described(observation.hexes, layout)))


def _seat_described(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str]) -> str:
    owned = [hexagon for hexagon in observation.hexes if hexagon.owner == seat]
    places = [f"{each.name}{f' with {each.settlements}' if each.settlements > 1 else ''}" for each in owned]
    where_built = f" on {listed(places)}" if places else ""
    return (
        f"{name_of(seat, names)} ({SEAT_COLOURS[seat]}): {amount(facts.built, 'settlement')} built{where_built},"
        f" {facts.settlements_left} left, {amount(facts.coins, 'coin')}, {amount(facts.cows, 'cow')},"
        f" {amount(facts.canteens, 'canteen')}, goods {counted(facts.goods)}, workers {counted(facts.workers)}."
    )


def _land_described(hexes: Sequence[HexObservation], layout: Layout) -> list[str]:
    """The terrain, and the contents of each hex that has some and can be built on soon, or ever."""
    lakes = [hexagon for hexagon in hexes if hexagon.terrain is Terrain.LAKE]
    free = [hexagon for hexagon in hexes if hexagon.terrain is Terrain.PRAIRIE and hexagon.owner is None]
    closed = [hexagon for hexagon in free if not (hexagon.open or hexagon.start or layout is Layout.BOARD)]
    kinds = (
        ("Lakes", [f"{hexagon.name}{' with a canteen' if hexagon.canteen else ''}" for hexagon in lakes]),
        ("Mountains", [hexagon.name for hexagon in hexes if hexagon.terrain is Terrain.MOUNTAIN]),
        ("Start tile", [hexagon.name for hexagon in hexes if hexagon.start]),
        ("Open to build", [_site(hexagon) for hexagon in hexes if hexagon.open]),
        ("Further prairie", [_site(hexagon) for hexagon in closed]),
    )
    return [f"{kind}: {', '.join(found)}." for kind, found in kinds if found]


def _site(hexagon: HexObservation) -> str:
    extras = f"{', two settlements' if hexagon.double else ''}{', a cow' if hexagon.cow else ''}"
    return f"{hexagon.name} ({counted(hexagon.cost)}{extras})"


def _work_described(observation: Observation) -> list[str]:
    bank = (
        f"{number} gives {amount(space.coins, 'coin')} for {amount(space.workers, 'worker')}{_placed(space.placed)}"
        for number, space in enumerate(observation.bank, 1)
    )
    return [f"Bank: {'; '.join(bank)}."] + [
        f"{noun(area.area).capitalize()}, for {area.worker.value} workers:"
        f" {'; '.join(_slot_described(number, slot, area.good) for number, slot in enumerate(area.slots, 1))}."
        for area in observation.areas
    ]


def _slot_described(number: int, slot: SlotObservation, good: Good) -> str:
    return (
        f"{number} gives {quantity(slot.goods, good)} for {amount(slot.price, 'coin')}{_placed(slot.large_box)},"
        f" again {slot.small_goods} more{_placed(slot.small_box)}"
    )


def _placed(workers: Sequence[Worker]) -> str:
    return f" (taken by {_crew_words(workers)})" if workers else ""


def _town_described(shop: ShopObservation) -> list[str]:
    """What the columns cost, what the rows give, and the spaces that can be taken now."""
    rows = (f"row {number} gives {row_words(row)}" for number, row in enumerate(shop.rows, 1))
    costs = ", ".join(map(str, shop.costs))
    found = [f"Town: {'; '.join(rows)}. The columns cost, in pumpkins: {costs}."]
    if shop.possible:
        found.append(f"Town now: {listed(f'row {space.row}, column {space.column}' for space in shop.possible)}.")
    return found


def _crew_words(workers: Sequence[Worker]) -> str:
    kinds = groupby(sorted(workers, key=WORKERS.index))
    return listed(amount(len(list(same)), f"{worker.value} worker") for worker, same in kinds)
