"""The description of Oregon's board in sentences, for screen readers."""

from __future__ import annotations

from collections.abc import Sequence

from engine.games.oregon.components import Building
from engine.games.oregon.facts import (
    CHURCH_NOTE,
    GROUP_NOTE,
    SEAT_COLOURS,
    WORTH,
    awaited,
    by_rank,
    card_name,
    counted,
    ending,
    hands,
    offered,
    sheet,
    supply,
    worth,
)
from engine.games.oregon.observe import Observation, SeatObservation
from engine.games.oregon.vocabulary import BUILDING_CODES, BUILDING_NAMES
from engine.grid import column_letter
from engine.wording import amount, listed, name_of


def description(observation: Observation, names: Sequence[str]) -> str:
    """Everything observed, a line for each matter: the hand, the seats, the supplies, the board."""
    sentences = [
        " ".join(filter(None, (f"Round {observation.round}.", awaited(observation, names), ending(observation))))
    ]
    offers = [f"{typed} ({meaning})" for typed, meaning in offered(observation)]
    if offers:
        sentences.append(f"You may now type: {'; '.join(offers)}.")
    sentences += hands(observation)
    sentences += (_seat(seat, observation.seats[seat], observation, names) for seat in by_rank(observation))
    sentences += _supplies(observation)
    standing = (
        (building, [placed.space for placed in observation.buildings if placed.building is building])
        for building in Building
    )
    found = [f"{BUILDING_NAMES[building]} on {listed(spaces)}" for building, spaces in standing if spaces]
    if found:
        sentences.append(f"Buildings: {'; '.join(found)}.")
    if observation.last:
        sentences.append(f"The latest turn: at {listed(observation.last)}.")
    sentences += _edges(observation)
    return "\n".join(sentences)


def _seat(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str]) -> str:
    spaces = [farmer.space for farmer in observation.farmers if farmer.seat == seat]
    where = f"farmers on {listed(spaces)}" if spaces else "no farmer on the board"
    who = f"{name_of(seat, names)} ({SEAT_COLOURS[seat]})"
    if observation.outcome is not None:
        rank, score = observation.outcome.ranks[seat], observation.outcome.scores[seat]
        return f"{who}: rank {rank}, {amount(score, 'point')} ({sheet(seat, facts, observation)}), {where}."
    cards = f"{amount(facts.landscape_cards, 'landscape card')}, {amount(facts.building_cards, 'building card')}"
    tile = f", start tile {BUILDING_NAMES[facts.start_tile]}" if facts.start_tile else ""
    return (
        f"{who}: {amount(facts.score, 'point')}, {where}, {facts.farmers_left} left{tile}, {cards}, joker"
        f" {'active' if facts.joker_active else 'used'}, extra turn {'active' if facts.extra_turn_active else 'used'},"
        f" coal {facts.coal_tokens}, gold {facts.gold_tokens}."
    )


def _edges(observation: Observation) -> list[str]:
    bands = (
        ("columns", observation.column_symbols, 3, tuple(map(column_letter, range(len(observation.terrain[0]))))),
        ("rows", observation.row_symbols, 2, tuple(str(row + 1) for row in range(len(observation.terrain)))),
    )
    found = []
    for word, symbols, width, labels in bands:
        ranges = (
            f"{symbol} {labels[index * width]} to {labels[index * width + width - 1]}"
            for index, symbol in enumerate(symbols)
        )
        found.append(f"The symbols of the {word}: {', '.join(ranges)}.")
    return found


def _supplies(observation: Observation) -> list[str]:
    earns = "; ".join(
        f"{BUILDING_CODES[building]} {BUILDING_NAMES[building]} {worth(building, observation)}" for building in Building
    )
    aside = [f"Set aside: {listed(map(card_name, observation.set_aside))}."] if observation.set_aside else []
    return [
        f"Landscape deck: {amount(observation.landscape_deck, 'card')}, discards:"
        f" {counted(observation.landscape_discards)}.",
        f"Building deck: {amount(observation.building_deck, 'card')}, discards:"
        f" {counted(observation.building_discards)}.",
        *aside,
        f"Supply: {supply('coal', observation.coal_supply, observation.coal_values)};"
        f" {supply('gold', observation.gold_supply, observation.gold_values)}.",
        f"Tiles left: {counted(observation.stacks)}.",
        f"{WORTH}: {earns}. {CHURCH_NOTE} A group of three of one colour, side by side: {GROUP_NOTE}.",
    ]
