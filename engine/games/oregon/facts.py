"""Facts about an observation that Oregon's text and picture share: marks and colours of the seats,
the awaited seat, descriptions in words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.observe import Observation, SeatObservation
from engine.games.oregon.vocabulary import BUILDING_NAMES
from engine.wording import amount, as_sentence, listed, name_of, victory

SEAT_MARKS: Final = ("R", "B", "Y", "K")
"""The letter on a seat's farmers."""

SEAT_COLOURS: Final = ("red", "blue", "yellow", "black")
"""The colour of a seat's farmers; the four can be distinguished with any colour vision."""

TERRAIN_NAMES: Final = {".": "prairie", "~": "water", "^": "mountain", "=": "railway"}
_ASKED: Final = {
    "start": "to place the start tile",
    "play": "to play two cards",
    "extra": "to play the extra turn",
    "refill": "to refill the hand",
}


def called(seat: int, names: Sequence[str]) -> str:
    """The player's name with the mark of the seat: "Ada (R)"."""
    return f"{name_of(seat, names)} ({SEAT_MARKS[seat]})"


def awaited(observation: Observation, names: Sequence[str]) -> str:
    """A sentence that says who is awaited and for what."""
    if observation.outcome is not None:
        return f"The match is over: {victory([name_of(seat, names) for seat in observation.outcome.winners])}."
    if not observation.to_act or observation.to_act[0] < 0:
        return "The match is over." if observation.phase == "over" else "Cards are being dealt."
    who = listed(called(seat, names) for seat in observation.to_act)
    return f"{who} {'is' if len(observation.to_act) == 1 else 'are'} {_ASKED.get(observation.phase, 'to act')}."


def counted(counts: Mapping[Symbol, int] | Mapping[Building, int]) -> str:
    """Counts above 0 in words: "bison 2, church 1"."""
    return ", ".join(f"{card_name(card)} {count}" for card, count in counts.items() if count) or "none"


def card_name(card: Symbol | Building) -> str:
    """The name of a card."""
    return BUILDING_NAMES[card] if isinstance(card, Building) else card.value


def tokens(count: int, values: tuple[int, ...] | None) -> str:
    """The number of coal or gold tokens, with their values if these are known: "2 (1+3)"."""
    return f"{count} ({'+'.join(map(str, values))})" if values else str(count)


def description(observation: Observation, names: Sequence[str]) -> str:
    """The whole board in sentences, for screen readers."""
    sentences = [f"Round {observation.round}.", awaited(observation, names)]
    if observation.ending and observation.outcome is None:
        sentences.append(as_sentence(observation.ending))
    for seat, facts in enumerate(observation.seats):
        sentences.append(_seat_described(seat, facts, observation, names))
    for building in Building:
        spaces = [placed.space for placed in observation.buildings if placed.building is building]
        if spaces:
            sentences.append(f"{BUILDING_NAMES[building].capitalize()} on {listed(spaces)}.")
    if observation.last:
        sentences.append(f"The latest turn was at {listed(observation.last)}.")
    bands = (
        ("columns", observation.column_symbols, 3, "ABCDEFGHIJKLMNO"),
        ("rows", observation.row_symbols, 2, tuple(str(row + 1) for row in range(10))),
    )
    for word, symbols, width, labels in bands:
        ranges = (
            f"{symbol} {labels[index * width]} to {labels[index * width + width - 1]}"
            for index, symbol in enumerate(symbols)
        )
        sentences.append(f"The symbols of the {word}: {', '.join(ranges)}.")
    sentences.append(f"Tiles left: {counted(observation.stacks)}.")
    return " ".join(sentences)


def _seat_described(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str]) -> str:
    spaces = [farmer.space for farmer in observation.farmers if farmer.seat == seat]
    where = f"farmers on {listed(spaces)}" if spaces else "no farmer on the board"
    hand = f", hand: {listed(hand_words(facts))}" if facts.hand is not None and hand_words(facts) else ""
    tile = f", start tile {BUILDING_NAMES[facts.start_tile]}" if facts.start_tile else ""
    return (
        f"{name_of(seat, names)} ({SEAT_COLOURS[seat]}): {amount(facts.score, 'point')}, {where}, {facts.farmers_left}"
        f" left{tile}{hand}, joker {'active' if facts.joker_active else 'used'}, extra turn"
        f" {'active' if facts.extra_turn_active else 'used'}, coal {tokens(facts.coal_tokens, facts.coal)}, gold"
        f" {tokens(facts.gold_tokens, facts.gold)}."
    )


def hand_words(facts: SeatObservation) -> tuple[str, ...]:
    """The cards of a hand by name; none where it is hidden."""
    if facts.hand is None:
        return ()
    return (
        *(card_name(symbol) for symbol in facts.hand.symbols),
        *(card_name(building) for building in facts.hand.buildings),
    )
