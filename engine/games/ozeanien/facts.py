"""What Ozeanien's text, picture and description share: marks, who is awaited, islands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.games.ozeanien.observe import ExplorerOnBoard, Observation, SeatObservation
from engine.games.ozeanien.score import DISCARDED, UNEXPLORED_SPACE, Island
from engine.games.ozeanien.sentences import ENDINGS, SCORE_LABELS
from engine.games.ozeanien.tiles import KIND_NAMES, Kind, a
from engine.sentences import filled_in
from engine.types import Layout
from engine.wording import amount, listed, name_of, victory

SEAT_MARKS: Final = ("G", "W")
"""The letter on a seat's explorers."""

SEAT_COLOURS: Final = ("grey", "white")
"""The colour of a seat's explorers, as in the rulebook."""


def called(seat: int, observation: Observation, names: Sequence[str]) -> str:
    """The player's name, with the mark of the seat if there are two seats: "Ada (G)"."""
    name = name_of(seat, names)
    return f"{name} ({SEAT_MARKS[seat]})" if len(observation.seats) > 1 else name


def awaited(observation: Observation, names: Sequence[str]) -> str:
    """A sentence that says who is awaited and for what."""
    result = observation.outcome
    if result is not None:
        if len(observation.seats) == 1:
            return f"The match is over: {points(result.scores[0])} for {name_of(0, names)}."
        return f"The match is over: {victory([name_of(seat, names) for seat in result.winners])}."
    if observation.phase == "draw" or not observation.to_act:
        return "A tile is being drawn."
    who = called(observation.to_act[0], observation, names)
    match observation.phase:
        case "place" if observation.tile is not None:
            return f"{who} is to place {a(observation.tile)}."
        case "explorer":
            return f"{who} may put an explorer on {observation.last[0]}."
        case _:
            return f"{who} is to choose a starting point for the ship."


def hint(observation: Observation) -> str:
    """How to answer, with an example: "Type a number, or: ship west 3"; "" without a choice."""
    if observation.starts:
        example = f"ship {observation.starts[0].start}"
    elif observation.placements:
        example = f"place {observation.placements[0].space} {observation.placements[0].land}".rstrip()
    elif observation.stands:
        first = observation.stands[0]
        example = f"explorer {first.value}{f' {first.part}' if first.part else ''}"
    else:
        return ""
    return f"Type a number, or: {example}"


def reuse_example(observation: Observation) -> str:
    """How to type that a discarded tile is taken; there is one that may be."""
    reuse = observation.reuses[0]
    value = next(value for value, count in observation.seats[observation.to_act[0]].explorers.items() if count)
    return f"ship {reuse.starts[0]} with {reuse.tile} for {value}"


def islands_to_land_on(observation: Observation) -> tuple[str, ...]:
    """The islands on which the awaited explorer may go: "C4, 3 tiles, 1 open, G 2", of a strait
    with the sides: "north: C4, 3 tiles, 1 open, G 2". None where no explorer is awaited.
    """
    found = []
    for side in dict.fromkeys(each.part for each in observation.stands):
        for island in observation.islands:
            edges = dict(zip(island.spaces, island.edges, strict=True)).get(observation.last[0], "")
            if edges and (side is None or side.value[0].upper() in edges):
                state = "complete" if island.complete else f"{island.gaps} open"
                parts = (island.name, amount(len(island.spaces), "tile"), state, strength(island))
                found.append(f"{f'{side}: ' if side else ''}{', '.join(part for part in parts if part)}")
    return tuple(found)


def numbers_of(numbers: Sequence[int], most: int) -> str:
    """The numbers of choices, with neighbours drawn together: "1, 3-5"; "anywhere" for ``most``."""
    if len(numbers) == most:
        return "anywhere"
    spans: list[list[int]] = []
    for each in numbers:
        if spans and spans[-1][-1] == each - 1:
            spans[-1].append(each)
        else:
            spans.append([each])
    return ", ".join(f"{span[0]}-{span[-1]}" if len(span) > 1 else str(span[0]) for span in spans)


def score_sheet(seat: int, observation: Observation) -> tuple[tuple[str, int], ...]:
    """How the points of a seat come about, as (label, points) lines."""
    islands, unexplored, discarded = (SCORE_LABELS[code] for code in ("islands", "unexplored", "discarded"))
    if len(observation.seats) == 1:
        earned = sum(island.points for island in observation.islands)
        return (islands, earned), (unexplored, -UNEXPLORED_SPACE * observation.unexplored)
    earned = sum(island.points for island in observation.islands if island.leader == seat)
    thrown = sum(observation.seats[seat].discarded.values())
    return (islands, earned), (discarded, -DISCARDED * thrown)


def ranked_islands(observation: Observation) -> tuple[Island, ...]:
    """The islands: by the points they earn, then by those they would earn, then by size."""
    return tuple(sorted(observation.islands, key=lambda each: (-each.points, -each.worth, -len(each.spaces))))


def earned_said(island: Island, observation: Observation) -> str:
    """What an island earns, and for whom: "G 4"; what it would earn: "(W 2)"; "-" for nothing."""
    over = observation.outcome is not None
    if not island.complete and (over or not island.worth):
        return "0" if over else "-"
    mark = "" if island.leader is None or len(observation.seats) == 1 else f"{SEAT_MARKS[island.leader]} "
    return f"{mark}{island.points}" if island.complete else f"({mark}{island.worth})"


def others_said(others: Sequence[Island], observation: Observation) -> str:
    """Islands that are not listed, with their points: "and 5 more islands: G 6, W 3 points"."""
    words = f"and {amount(len(others), 'more island')}: "
    total = sum(island.points for island in others)
    if len(observation.seats) == 1 or not total:
        return f"{words}{points(total)}"
    sums = {
        mark: sum(island.points for island in others if island.leader == seat) for seat, mark in enumerate(SEAT_MARKS)
    }
    return f"{words}{', '.join(f'{mark} {earned}' for mark, earned in sums.items() if earned)} points"


def counted(counts: Mapping[Kind, int]) -> str:
    """Counts above 0 in words: "2 bay, 1 cape"."""
    return ", ".join(f"{count} {KIND_NAMES[kind]}" for kind, count in counts.items() if count) or "none"


def points(count: int) -> str:
    """The number of points in words: "1 point", "-2 points"."""
    return f"{count} point{'' if abs(count) == 1 else 's'}"


def strength(island: Island) -> str:
    """The strengths of the seats on an island: "G 3, W 1"; "" without explorers."""
    return ", ".join(f"{SEAT_MARKS[seat]} {value}" for seat, value in enumerate(island.strengths) if value)


def where(explorer: ExplorerOnBoard) -> str:
    """The place of an explorer: "C4", "C4 in the east"."""
    return explorer.space if explorer.part is None else f"{explorer.space} in the {explorer.part}"


def description(observation: Observation, names: Sequence[str], layout: Layout) -> str:
    """Everything observed, a line for each matter; for the board without what the list says."""
    ended = [] if observation.outcome is None else [filled_in(ENDINGS, observation.outcome.ended)]
    sentences = [" ".join((f"Turn {observation.turn}.", awaited(observation, names), *ended))]
    if observation.starts:
        starts = ", ".join(f"{each.number} {each.start}" for each in observation.starts)
        sentences.append(f"Starting points: {starts}.")
    for reuse in observation.reuses:
        sentences.append(
            f"Instead of a draw, for an explorer, the discarded {KIND_NAMES[reuse.tile]} tile may be taken at"
            f" {listed(reuse.starts)}."
        )
    if observation.reuses and layout is not Layout.BOARD:
        sentences.append(f"Type: {reuse_example(observation)}.")
    if observation.placements:
        ways = (
            f"{each.number} {each.space}" + (f" with land on {'-'.join(each.land)}" if each.land else "")
            for each in observation.placements
        )
        sentences.append(f"Possible placements: {', '.join(ways)}.")
    sentences += (f"To land on: {words}." for words in islands_to_land_on(observation))
    sentences += [_seat_described(seat, facts, observation, names) for seat, facts in enumerate(observation.seats)]
    sentences.append(
        f"Supply: {amount(observation.unexplored, 'space')} unexplored, {amount(observation.draws, 'tile')} to draw."
    )
    sentences.append(f"Unseen tiles: {counted(observation.unseen)}.")
    sentences.append(f"Reserve: {counted(observation.reserve)}.")
    if observation.ship is not None:
        sentences.append(f"The ship: at {observation.ship}.")
    if observation.last:
        sentences.append(f"The latest placement: on {listed(observation.last)}.")
    for island in observation.islands:
        state = "complete" if island.complete else f"{amount(island.gaps, 'open edge')}"
        force = f", explorers {strength(island)}" if strength(island) else ""
        would = "" if island.complete else "would earn "
        worth = f", {would}{points(island.worth)}" if island.worth else ""
        sentences.append(
            f"Island {island.name}: {amount(len(island.spaces), 'tile')} ({', '.join(island.spaces)}),"
            f" {state}{force}{worth}."
        )
    for kind in Kind if layout is not Layout.BOARD else ():
        found = [
            f"{tile.space}{f' ({chr(45).join(tile.land)})' if tile.land else ''}"
            f"{', imagined' if tile.source == 'imagined' else ''}"
            for tile in observation.tiles
            if tile.kind is kind
        ]
        if found:
            sentences.append(f"{KIND_NAMES[kind].capitalize()}, with land edges: {', '.join(found)}.")
    return "\n".join(sentences)


def _seat_described(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str]) -> str:
    sheet = ", ".join(f"{label} {number}" for label, number in score_sheet(seat, observation))
    head = f"{name_of(seat, names)}: {points(facts.score)} ({sheet})"
    if len(observation.seats) == 1:
        return f"{head}, discarded tiles: {counted(facts.discarded)}."
    left = ", ".join(f"{count} of value {value}" for value, count in facts.explorers.items() if count) or "none"
    stands = listed(f"{each.value} on {where(each)}" for each in observation.explorers if each.seat == seat)
    head = f"{name_of(seat, names)} ({SEAT_COLOURS[seat]}): {points(facts.score)} ({sheet})"
    gone = ", ".join(f"{count} of value {value}" for value, count in facts.given_up.items() if count)
    return (
        f"{head}, explorers left: {left}{f', on the board: {stands}' if stands else ''}, discarded tiles:"
        f" {counted(facts.discarded)}{f', explorers given up: {gone}' if gone else ''}."
    )
