"""The panel of Oregon's picture: who is awaited, what may be done now, all seats, the viewer's
hand. Its parts are blocks, which a layout puts one below the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from engine.games.oregon.components import Building, Symbol
from engine.games.oregon.facts import awaited, by_rank, card_name, ending, offered, sheet
from engine.games.oregon.observe import Hand, Observation, SeatObservation
from engine.games.oregon.render_icons import building_icon, farmer_icon, silhouette, symbol_icon
from engine.games.oregon.render_layout import Plan, Spot
from engine.panel import short_names
from engine.svg import INK, SOFT, fitted, frame, group, label, lines, polygon, rect, text_width, use
from engine.wording import name_of

Block: TypeAlias = tuple[float, str]
"""The height of a part of the picture, and its drawing with the upper left corner at the origin."""


def panel_blocks(observation: Observation, names: Sequence[str], plan: Plan) -> Iterator[Block]:
    """The parts of the panel from top to bottom."""
    yield _head(observation, names, plan)
    offers = list(offered(observation))
    if offers:
        yield _offers(offers, plan)
    own = observation.seats[observation.viewer] if observation.viewer is not None else None
    if own is not None and own.hand is not None and observation.outcome is None:
        yield _own(own, own.hand, plan)
    for seat in by_rank(observation):
        yield _seat(seat, observation.seats[seat], observation, names, plan)


def _head(observation: Observation, names: Sequence[str], plan: Plan) -> Block:
    width = plan.side[2] - 20
    corner = "The end" if observation.outcome is not None else f"Round {observation.round}" if observation.round else ""
    short = short_names(len(observation.seats), names)
    told = [
        *lines(awaited(observation, short), width, plan.text, 4),
        *lines(ending(observation), width, plan.text, 6),
    ]
    top = plan.title * 1.1
    drawn = group(
        label("Oregon", 10, top, plan.title, font_weight="bold", fill=INK),
        label(corner, plan.side[2] - 10, top, plan.text + 1, text_anchor="end", fill=SOFT) if corner else "",
        *(label(line, 10, top + plan.line * (row + 1.3), plan.text, fill=INK) for row, line in enumerate(told)),
    )
    return top + plan.line * (len(told) + 0.9), drawn


def _offers(offers: Sequence[tuple[str, str]], plan: Plan) -> Block:
    """What may be done now: what is typed in bold, then what it does."""
    width, size = plan.side[2] - 8, plan.small
    height = plan.line * (len(offers) + 1) + 12
    marked = [_box(width, height, plan, due=True)]
    marked.append(label("You may type now", 12, plan.line + 1, size, fill=SOFT))
    for row, (typed, meaning) in enumerate(offers):
        y = plan.line * (row + 2) + 1
        x = 12 + text_width(typed, size, bold=True) + 7
        marked.append(label(typed, 12, y, size, font_weight="bold", fill=INK))
        marked.append(label(fitted(meaning, width - x - 8, size), x, y, size, fill=INK))
    return height + 8, group(*marked, transform="translate(4 0)")


def _box(width: float, height: float, plan: Plan, *, due: bool) -> str:
    inks = plan.inks
    return frame(
        0,
        0,
        width,
        height,
        rx=8,
        fill="#ffffff" if due else inks.idle,
        stroke=inks.accent if due else inks.border,
        stroke_width=2.6 if due else 1.2,
    )


def _seat(seat: int, facts: SeatObservation, observation: Observation, names: Sequence[str], plan: Plan) -> Block:
    place, outcome, width = plan.seats, observation.outcome, plan.side[2] - 8
    due = seat in observation.to_act or (outcome is not None and seat in outcome.winners)
    name = name_of(seat, names) if outcome is None else f"{outcome.ranks[seat]}. {name_of(seat, names)}"
    score = str(facts.score if outcome is None else outcome.scores[seat])
    room = width - place.name[0] - text_width(score, place.score[1], bold=True) - 28
    x, y, size = place.name
    drawn = [
        _box(width, place.height, plan, due=due),
        polygon(((-7, 12), (1, 19), (-7, 26)), fill=plan.inks.accent) if seat in observation.to_act else "",
        use(farmer_icon(seat), *place.farmer),
        label(fitted(name, room, size, bold=True), x, y, size, font_weight="bold", fill=INK),
        label(score, width - 10, place.score[0], place.score[1], font_weight="bold", text_anchor="end", fill=INK),
    ]
    if outcome is None:
        drawn += _stock(seat, facts, plan)
    else:
        x, y, size = place.sheet
        drawn.append(label(fitted(sheet(seat, facts, observation), width - x - 8, size), x, y, size, fill=INK))
    return place.height + 6, group(*drawn, transform="translate(4 0)")


def _stock(seat: int, facts: SeatObservation, plan: Plan) -> Iterator[str]:
    """Farmers left, cards in hand by kind, coal and gold, the two tokens, the start tile."""
    place = plan.seats
    counts = (
        (silhouette(seat), 0.48, facts.farmers_left, place.farmers_left),
        ("landscape-back", 1, facts.landscape_cards, place.landscape),
        ("building-back", 1, facts.building_cards, place.building),
        ("coal", 1.05, facts.coal_tokens, place.coal),
        ("gold", 1.05, facts.gold_tokens, place.gold),
    )
    for icon, scale, count, (x, y, size) in counts:
        yield use(icon, x, y, scale * size / 16)
        yield label(str(count), x + size * 0.85, y + size * 0.36, size, fill=INK)
    yield token("Joker", place.joker, plan, active=facts.joker_active)
    yield token("Extra", place.extra, plan, active=facts.extra_turn_active)
    if facts.start_tile is not None:
        yield use(building_icon(facts.start_tile), *place.tile)


def token(name: str, spot: Spot, plan: Plan, *, active: bool) -> str:
    """A token, by its upper left corner: filled when it is active, with a broken line when used."""
    x, y, size = spot
    width, height = token_width(size), size * 1.6
    inks = plan.inks
    return group(
        rect(
            x,
            y,
            width,
            height,
            rx=height / 2,
            fill=inks.active if active else "none",
            stroke=inks.active_line if active else SOFT,
            stroke_width=1.8 if active else 1.1,
            stroke_dasharray=None if active else "3 3",
        ),
        label(
            name,
            x + width / 2,
            y + height / 2 + size * 0.36,
            size,
            text_anchor="middle",
            fill=inks.active_ink if active else SOFT,
            font_weight="bold" if active else None,
        ),
    )


def token_width(size: float) -> float:
    """The width of a token with text of this size."""
    return size * 4.1


def _own(facts: SeatObservation, hand: Hand, plan: Plan) -> Block:
    """The viewer's hand and the values of its coal and gold."""
    width, height = plan.card
    size = plan.small + 0.5
    drawn = [label("Your hand", 10, size, size, font_weight="bold", fill=INK)]
    room = plan.side[2] - 26 - text_width("Your hand", size, bold=True)
    known = _known(facts, room, plan.small)
    if known:
        drawn.append(label(known, plan.side[2] - 10, size, plan.small, text_anchor="end", fill=INK))
    cards: tuple[Symbol | Building, ...] = (*hand.symbols, *hand.buildings)
    step = min(width + 6, (plan.side[2] - 20 - width) / max(1, len(cards) - 1))
    for index, card in enumerate(cards):
        drawn.append(group(*_card(card, plan), transform=f"translate({10 + index * step:g} {size + 8:g})"))
    return size + height + 18, group(*drawn)


def _known(facts: SeatObservation, room: float, size: float) -> str:
    """The values of the viewer's tokens, or their sums where there is no room for them."""
    held = [(word, values) for word, values in (("coal", facts.coal), ("gold", facts.gold)) if values]
    values = ", ".join(f"{word} {'+'.join(map(str, values))}" for word, values in held).capitalize()
    if text_width(values, size) <= room:
        return values
    return ", ".join(f"{word} worth {sum(values)}" for word, values in held).capitalize()


def _card(card: Symbol | Building, plan: Plan) -> Iterator[str]:
    width, height = plan.card
    name = card_name(card).capitalize()
    fill = plan.inks.cards[isinstance(card, Building)]
    yield rect(0, 0, width, height, rx=6, fill=fill, stroke=INK, stroke_width=1.5, **{"class": "panel"})
    if isinstance(card, Building):
        yield use(building_icon(card), width / 2, height * 0.4, height / 80)
    else:
        yield use(symbol_icon(card), width / 2, height * 0.4, height / 72, fill=INK, stroke=INK)
    size = min(plan.small, (width - 6) / text_width(name, 1))
    yield label(name, width / 2, height - 8, size, text_anchor="middle", fill=INK)
