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
    card_name,
    counted,
    ending,
    hand_words,
    offered,
    sheet,
    tokens,
    worth,
)
from engine.games.oregon.observe import Observation, SeatObservation
from engine.games.oregon.vocabulary import BUILDING_NAMES
from engine.grid import column_letter
from engine.wording import amount, listed, name_of


def description(observation: Observation, names: Sequence[str]) -> str:
    """The whole board in sentences."""
    sentences = [f"Round {observation.round}.", awaited(observation, names)]
    if ending(observation):
        sentences.append(ending(observation))
    offers = [f"{typed} ({meaning})" for typed, meaning in offered(observation)]
    if offers:
        sentences.append(f"You may now type: {'; '.join(offers)}.")
    for seat, facts in enumerate(observation.seats):
        sentences.append(_seat(seat, facts, observation, names))
    for building in Building:
        spaces = [placed.space for placed in observation.buildings if placed.building is building]
        if spaces:
            sentences.append(f"{BUILDING_NAMES[building].capitalize()} on {listed(spaces)}.")
    if observation.last:
        sentences.append(f"The latest turn was at {listed(observation.last)}.")
    sentences += _edges(observation)
    sentences += _supplies(observation)
    return " ".join(sentences)


def _seat(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str]) -> str:
    spaces = [farmer.space for farmer in observation.farmers if farmer.seat == seat]
    where = f"farmers on {listed(spaces)}" if spaces else "no farmer on the board"
    who = f"{name_of(seat, names)} ({SEAT_COLOURS[seat]})"
    if observation.outcome is not None:
        rank, score = observation.outcome.ranks[seat], observation.outcome.scores[seat]
        return f"{who}: rank {rank}, {amount(score, 'point')} ({sheet(seat, facts, observation)}), {where}."
    hand = f", hand: {listed(hand_words(facts))}" if facts.hand is not None and hand_words(facts) else ""
    tile = f", start tile {BUILDING_NAMES[facts.start_tile]}" if facts.start_tile else ""
    return (
        f"{who}: {amount(facts.score, 'point')}, {where}, {facts.farmers_left} left{tile}{hand}, joker"
        f" {'active' if facts.joker_active else 'used'}, extra turn {'active' if facts.extra_turn_active else 'used'},"
        f" coal {tokens(facts.coal_tokens, facts.coal)}, gold {tokens(facts.gold_tokens, facts.gold)}."
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
    earns = ", ".join(f"{BUILDING_NAMES[building]} {worth(building, observation)}" for building in Building)
    aside = f" Set aside: {listed(map(card_name, observation.set_aside))}." if observation.set_aside else ""
    return [
        f"Tiles left: {counted(observation.stacks)}.",
        f"{WORTH}: {earns}. {CHURCH_NOTE} A group of three of one colour, side by side: {GROUP_NOTE}.",
        f"Landscape deck: {amount(observation.landscape_deck, 'card')}, discards:"
        f" {counted(observation.landscape_discards)}. Building deck: {amount(observation.building_deck, 'card')},"
        f" discards: {counted(observation.building_discards)}.{aside}",
    ]
