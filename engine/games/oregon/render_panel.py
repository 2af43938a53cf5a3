"""The panel beside Oregon's board: the awaited seat, all seats, the viewer's hand, the key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.facts import awaited
from engine.games.oregon.observe import Hand, Observation, SeatObservation
from engine.games.oregon.render_icons import building_icon, farmer_icon, symbol_icon
from engine.games.oregon.vocabulary import BUILDING_NAMES
from engine.panel import below_status, panel_head, seat_card, short_names
from engine.svg import INK, SOFT, fitted, group, label, lines, path, rect, text_width, use
from engine.wording import as_sentence, name_of

PANEL_WIDTH: Final = 268
_SEAT_HEIGHT: Final = 104
_CARD: Final = 56
_KEY_LINE: Final = 27


def panel(observation: Observation, names: Sequence[str], height: float) -> Iterator[str]:
    """The panel, its upper left corner at the origin."""
    status = _status(observation, names)
    yield from panel_head(
        "Oregon", f"Round {observation.round}" if observation.round else "", status, PANEL_WIDTH, height, 30
    )
    y = below_status(status) - 4
    for seat, facts in enumerate(observation.seats):
        yield group(*_seat(seat, facts, observation, names), transform=f"translate(8 {y:g})")
        y += _SEAT_HEIGHT + 6
    own = observation.seats[observation.viewer] if observation.viewer is not None else None
    if own is not None and own.hand is not None:
        yield group(*_own(observation, own, own.hand), transform=f"translate(16 {y + 6:g})")
        y += 132
    if y + 5 * _KEY_LINE + 16 <= height:
        yield group(*_key(), transform=f"translate(16 {height - 5 * _KEY_LINE - 8:g})")


def _status(observation: Observation, names: Sequence[str]) -> tuple[str, ...]:
    width = PANEL_WIDTH - 28
    short = short_names(len(observation.seats), names)
    ending = observation.outcome.ended if observation.outcome is not None else observation.ending
    if ending is None:
        return lines(awaited(observation, short), width, 16, 3)
    last = as_sentence(ending) if observation.outcome is not None else f"Last round: {as_sentence(ending)}"
    return (*lines(awaited(observation, short), width, 16, 2), *lines(last, width, 16, 3))


def _seat(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str]) -> Iterator[str]:
    width = PANEL_WIDTH - 16
    due = seat in observation.to_act
    yield from seat_card(width, _SEAT_HEIGHT, due)
    yield use(farmer_icon(seat), 27, 24, 0.9)
    outcome = observation.outcome
    score = str(facts.score if outcome is None else outcome.scores[seat])
    room = width - 66 - text_width(score, 27, True)
    name = name_of(seat, names) if outcome is None else f"{outcome.ranks[seat]}. {name_of(seat, names)}"
    yield label(fitted(name, room, 17, True), 52, 32, 17, font_weight="bold", fill=INK)
    yield label(score, width - 12, 35, 27, font_weight="bold", text_anchor="end", fill=INK)
    yield from _stock(seat, facts)
    if facts.coal is not None and facts.gold is not None and outcome is not None:
        sheet = f"{facts.score} + {sum(facts.coal)} coal + {sum(facts.gold)} gold"
        yield label(fitted(sheet, width - 20, 16), 12, 91, 16, fill=INK)
        return
    yield _token("Joker", facts.joker_active, 8, 71)
    yield _token("Extra", facts.extra_turn_active, 78, 71)
    yield from _counted("coal", facts.coal_tokens, 162)
    yield from _counted("gold", facts.gold_tokens, 210)


def _stock(seat: int, facts: SeatObservation) -> Iterator[str]:
    """Farmers left, numbers of cards in hand by kind, the start tile."""
    yield use(farmer_icon(seat), 22, 55, 0.4)
    yield label(f"\u00d7{facts.farmers_left}", 33, 60, 16, fill=INK)
    yield use("landscape-back", 87, 54)
    yield label(f"\u00d7{facts.landscape_cards}", 99, 60, 16, fill=INK)
    yield use("building-back", 143, 54)
    yield label(f"\u00d7{facts.building_cards}", 155, 60, 16, fill=INK)
    if facts.start_tile is not None:
        yield use(building_icon(facts.start_tile), 226, 55, 0.68)


def _counted(icon: str, count: int, x: float) -> Iterator[str]:
    yield use(icon, x, 85, 1.05)
    yield label(str(count), x + 14, 91, 17, fill=INK)


def _token(name: str, active: bool, x: float, y: float) -> str:
    """A token: filled when active, crossed out when used."""
    if active:
        return rect(x, y, 64, 26, rx=13, fill=INK) + label(
            name, x + 32, y + 18.5, 16, text_anchor="middle", fill="#ffffff", font_weight="bold"
        )
    return (
        rect(x, y, 64, 26, rx=13, fill="none", stroke="#8a7a64", stroke_width=1.4, stroke_dasharray="4 3")
        + label(name, x + 32, y + 18.5, 16, text_anchor="middle", fill=SOFT)
        + path(f"M{x + 8} {y + 13}H{x + 56}", stroke=SOFT, stroke_width=1.6)
    )


def _own(observation: Observation, facts: SeatObservation, hand: Hand) -> Iterator[str]:
    """The viewer's hand and tokens."""
    yield label("Your hand", 0, 16, 17, font_weight="bold", fill=INK)
    cards: tuple[Symbol | Building, ...] = (*hand.symbols, *hand.buildings)
    step = min(60.0, (PANEL_WIDTH - 32 - _CARD) / max(1, len(cards) - 1))
    for index, card in enumerate(cards):
        yield group(*_card(card), transform=f"translate({index * step:g} 25)")
    known = (
        f"{word} {'+'.join(map(str, values))}"
        for word, values in (("coal", facts.coal), ("gold", facts.gold))
        if values
    )
    yield label(fitted(", ".join(known).capitalize(), PANEL_WIDTH - 28, 16), 0, 116, 16, fill=INK)


def _key() -> Iterator[str]:
    """The key of the small icons."""
    kinds = (
        (farmer_icon(0), 0.5, "farmers left"),
        ("landscape-back", 1, "landscape cards"),
        ("building-back", 1, "building cards"),
        ("coal", 1.05, "coal tokens"),
        ("gold", 1.05, "gold tokens"),
    )
    for index, (icon, scale, meaning) in enumerate(kinds):
        yield use(icon, 12, 12 + index * _KEY_LINE, scale)
        yield label(meaning, 32, 18 + index * _KEY_LINE, 16, fill=SOFT)


def _card(card: Symbol | Building) -> Iterator[str]:
    name = (BUILDING_NAMES[card].split()[0] if isinstance(card, Building) else card.value).capitalize()
    yield rect(
        0, 0, _CARD, 70, rx=6, fill="#f3e2bf" if isinstance(card, Building) else "#eef3d8", stroke=INK, stroke_width=1.6
    )
    if isinstance(card, Building):
        yield use(building_icon(card), _CARD / 2, 27, 0.9)
    else:
        yield use(symbol_icon(card), _CARD / 2, 27, fill=INK, stroke=INK)
    yield label(name, _CARD / 2, 64, min(13.5, (_CARD - 4) / text_width(name, 1)), text_anchor="middle", fill=INK)
