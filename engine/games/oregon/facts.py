"""What Oregon's text, picture and description share: marks, offers, what buildings are worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.observe import Observation, SeatObservation
from engine.games.oregon.score import GROUP_POINTS, POINTS
from engine.games.oregon.sentences import ENDINGS
from engine.games.oregon.state import HAND
from engine.games.oregon.terms import BUILDING_CODES, BUILDING_NAMES
from engine.grid import column_letter
from engine.sentences import filled_in
from engine.types import Layout
from engine.wording import a, amount, listed, name_of, victory

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


def ending(observation: Observation) -> str:
    """A sentence that says why this is the last round, or what ended the match; "" before."""
    if observation.outcome is not None:
        return filled_in(ENDINGS, observation.outcome.ended)
    return "" if observation.ending is None else f"The last round: {filled_in(ENDINGS, observation.ending)}"


def offered(observation: Observation) -> Iterator[tuple[str, str]]:
    """What the viewer may do now: the words to type, with what they do. Nothing for the others."""
    offers, seat = observation.offers, observation.viewer
    if offers is None or seat is None:
        return
    facts = observation.seats[seat]
    if facts.start_tile is not None:
        yield "start", f"and a space, for {a(BUILDING_NAMES[facts.start_tile])}"
    if offers.farmer:
        yield "farmer", "two landscape cards"
    if offers.building:
        yield "building", "its card, a landscape card"
    if offers.joker:
        yield "joker", "for one landscape card"
    if offers.discard:
        yield "discard", "two cards: no play is possible"
    if offers.extra_turn:
        yield "extra", "your extra turn: play again"
    missing = HAND - facts.landscape_cards - facts.building_cards
    for deck in offers.draw:
        yield deck_words(deck), f"{amount(missing, 'card')} to draw"
    for building in offers.set_aside:
        yield f"set aside {BUILDING_NAMES[building]}", "for another card"
    if offers.done:
        yield "done", "your turn ends"


def worth(building: Building, observation: Observation) -> str:
    """What a farmer beside a building earns from it (R6.3 to R6.5): "3 points"."""
    match building:
        case Building.CHURCH:
            return "1 per farmer"
        case Building.COAL_MINE:
            return _tokens("coal", observation.coal_values)
        case Building.GOLD_MINE:
            return _tokens("gold", observation.gold_values)
        case Building.WAREHOUSE:
            return f"{POINTS[building]} + joker"
        case Building.STATION:
            return f"{POINTS[building]} + extra turn"
        case _:
            return amount(POINTS[building], "point")


WORTH: Final = "What each farmer next to a building earns"
CHURCH_NOTE: Final = "Church: 1 for each farmer around it, of all colours."
GROUP_NOTE: Final = amount(GROUP_POINTS, "point")
"""R6.6: what a group of three of one colour, side by side, earns when it is made."""


def deck_words(deck: Deck) -> str:
    """What is typed to draw a card from a deck."""
    return f"draw {deck}"


def counted(counts: Mapping[Symbol, int] | Mapping[Building, int]) -> str:
    """Counts above 0 in words: "bison 2, church 1"."""
    return ", ".join(f"{card_name(card)} {count}" for card, count in counts.items() if count) or "none"


def card_name(card: Symbol | Building) -> str:
    """The name of a card."""
    return BUILDING_NAMES[card] if isinstance(card, Building) else card.value


def tokens(count: int, values: tuple[int, ...] | None) -> str:
    """The number of coal or gold tokens, with their values if these are known: "2 (1+3)"."""
    return f"{count} ({'+'.join(map(str, values))})" if values else str(count)


def span(values: Sequence[int]) -> str:
    """What tokens can be worth: "1 to 3"."""
    return f"{values[0]} to {values[-1]}" if len(values) > 1 else "".join(map(str, values))


def sheet(seat: int, facts: SeatObservation, observation: Observation) -> str:
    """The final points of a seat by their sources, and its farmers, which break ties."""
    placed = sum(1 for farmer in observation.farmers if farmer.seat == seat)
    return f"{facts.score} + {sum(facts.coal or ())} coal + {sum(facts.gold or ())} gold, {amount(placed, 'farmer')}"


def hand_words(facts: SeatObservation) -> tuple[str, ...]:
    """The cards of a hand by name; none where it is hidden."""
    if facts.hand is None:
        return ()
    return (
        *(card_name(symbol) for symbol in facts.hand.symbols),
        *(card_name(building) for building in facts.hand.buildings),
    )


def hands(observation: Observation) -> Iterator[str]:
    """Sentences of the hands and tokens that the viewer may know: its own, and all at the end."""
    for seat, facts in enumerate(observation.seats):
        if facts.hand is None:
            continue
        whose = "Your" if seat == observation.viewer else f"{SEAT_COLOURS[seat].capitalize()}'s"
        yield f"{whose} hand: {listed(hand_words(facts)) or 'no cards'}."
        if facts.coal or facts.gold:
            yield (
                f"{whose} tokens: coal {tokens(facts.coal_tokens, facts.coal)}, gold"
                f" {tokens(facts.gold_tokens, facts.gold)}."
            )


def supply(word: str, left: int, values: Sequence[int]) -> str:
    """The tokens that are left, with what they can be worth: "12 coal, 1 to 3 each"."""
    return f"{left} {word}, {span(values)} each" if values else f"{left} {word}"


def by_rank(observation: Observation) -> list[int]:
    """The seats in the order in which they are shown: as they sit, by rank after the end."""
    seats = range(len(observation.seats))
    result = observation.outcome
    return list(seats) if result is None else sorted(seats, key=lambda seat: result.ranks[seat])


def _tokens(word: str, values: tuple[int, ...]) -> str:
    return f"{word}, {span(values)}" if values else word


def description(observation: Observation, names: Sequence[str], layout: Layout) -> str:
    """Everything observed, a line each; for the board alone without what its list of moves says."""
    sentences = [
        " ".join(filter(None, (f"Round {observation.round}.", awaited(observation, names), ending(observation))))
    ]
    offers = [f"{typed} ({meaning})" for typed, meaning in offered(observation)]
    if offers and layout is not Layout.BOARD:
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
    if layout is not Layout.BOARD:
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
