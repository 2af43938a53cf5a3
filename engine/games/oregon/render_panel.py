"""The panels of Oregon's picture, as blocks: status, offers, seats, hand; and the legend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from engine import svg
from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.facts import (
    CHURCH_NOTE,
    GROUP_NOTE,
    TERRAIN_NAMES,
    WORTH,
    awaited,
    by_rank,
    card_name,
    deck_words,
    ending,
    offered,
    sheet,
    worth,
)
from engine.games.oregon.observe import Hand, Observation, SeatObservation
from engine.games.oregon.render_board import TERRAIN_ICONS
from engine.games.oregon.render_icons import building_icon, farmer_icon, silhouette, symbol_icon
from engine.games.oregon.render_layout import Plan, Spot
from engine.games.oregon.terms import BUILDING_CODES, BUILDING_NAMES
from engine.panel import Block, pointer, short_names
from engine.panel import card as ground
from engine.picks import NO_CHOICES, Choices
from engine.svg import INK, SOFT
from engine.wording import amount, name_of


def panel_blocks(observation: Observation, names: Sequence[str], plan: Plan, choices: Choices) -> Iterator[Block]:
    """The parts of the panel from top to bottom."""
    yield _head(observation, names, plan)
    offers = list(offered(observation))
    if offers:
        yield _offers(offers, plan)
    own = observation.seats[observation.viewer] if observation.viewer is not None else None
    if own is not None and own.hand is not None and observation.outcome is None:
        yield _own(own, own.hand, plan, choices)
    for seat in by_rank(observation):
        yield _seat(seat, observation, names, plan, choices if seat == observation.viewer else NO_CHOICES)


def _head(observation: Observation, names: Sequence[str], plan: Plan) -> Block:
    width = plan.side[2] - 20
    corner = "The end" if observation.outcome is not None else f"Round {observation.round}" if observation.round else ""
    short = short_names(len(observation.seats), names)
    told = [
        *svg.lines(awaited(observation, short), width, plan.text, 4),
        *svg.lines(ending(observation), width, plan.text, 6),
    ]
    top = plan.title * 1.1
    drawn = svg.group(
        svg.label("Oregon", 10, top, plan.title, font_weight="bold", fill=INK),
        svg.label(corner, plan.side[2] - 10, top, plan.text + 1, text_anchor="end", fill=SOFT) if corner else "",
        *(svg.label(line, 10, top + plan.line * (row + 1.3), plan.text, fill=INK) for row, line in enumerate(told)),
    )
    return Block(top + plan.line * (len(told) + 0.9), drawn)


def _offers(offers: Sequence[tuple[str, str]], plan: Plan) -> Block:
    width, size = plan.side[2] - 8, plan.small
    height = plan.line * (len(offers) + 1) + 12
    marked = [_box(width, height, plan, due=True)]
    marked.append(svg.label("You may type now", 12, plan.line + 1, size, fill=SOFT))
    for row, (typed, meaning) in enumerate(offers):
        y = plan.line * (row + 2) + 1
        x = 12 + svg.text_width(typed, size, bold=True) + 7
        marked.append(svg.label(typed, 12, y, size, font_weight="bold", fill=INK))
        marked.append(svg.label(svg.fitted(meaning, width - x - 8, size), x, y, size, fill=INK))
    return Block(height + 8, svg.group(*marked, transform=svg.to(4, 0)))


def _box(width: float, height: float, plan: Plan, *, due: bool) -> str:
    inks = plan.inks
    return ground(width, height, 8, due, inks.idle, inks.bright, inks.border, inks.accent, 2.6)


def _seat(seat: int, observation: Observation, names: Sequence[str], plan: Plan, choices: Choices) -> Block:
    place, outcome, width = plan.seats, observation.outcome, plan.side[2] - 8
    facts = observation.seats[seat]
    due = seat in observation.to_act or (outcome is not None and seat in outcome.winners)
    name = name_of(seat, names) if outcome is None else f"{outcome.ranks[seat]}. {name_of(seat, names)}"
    score = str(facts.score if outcome is None else outcome.scores[seat])
    room = width - place.name[0] - svg.text_width(score, place.score[1], bold=True) - 28
    x, y, size = place.name
    drawn = [
        _box(width, place.height, plan, due=due),
        pointer(-7, 12, 8, 7, plan.inks.accent) if seat in observation.to_act else "",
        svg.use(farmer_icon(seat), *place.farmer),
        svg.label(svg.fitted(name, room, size, bold=True), x, y, size, font_weight="bold", fill=INK),
        svg.label(score, width - 10, place.score[0], place.score[1], font_weight="bold", text_anchor="end", fill=INK),
    ]
    if outcome is None:
        drawn += _stock(seat, facts, plan)
        drawn.append(svg.pick(choices, "Joker token", _token_outline(place.joker), {"joker": True}))
        drawn.append(svg.pick(choices, "Extra turn token", _token_outline(place.extra), {"type": "extra"}))
    else:
        x, y, size = place.sheet
        drawn.append(svg.label(svg.fitted(sheet(seat, facts, observation), width - x - 8, size), x, y, size, fill=INK))
    return Block(place.height + 6, svg.group(*drawn, transform=svg.to(4, 0)))


def _stock(seat: int, facts: SeatObservation, plan: Plan) -> Iterator[str]:
    """Farmers left, cards in hand by kind, coal and gold, the two tokens, the start tile."""
    place = plan.seats
    counts = (
        (silhouette(seat), 0.48, facts.farmers_left, place.farmers_left),
        ("oregon-landscape-back", 1, facts.landscape_cards, place.landscape),
        ("oregon-building-back", 1, facts.building_cards, place.building),
        ("oregon-coal", 1.05, facts.coal_tokens, place.coal),
        ("oregon-gold", 1.05, facts.gold_tokens, place.gold),
    )
    for icon, scale, count, (x, y, size) in counts:
        yield svg.use(icon, x, y, scale * size / 16)
        yield svg.label(str(count), x + size * 0.85, y + size * 0.36, size, fill=INK)
    yield token("Joker", place.joker, plan, active=facts.joker_active)
    yield token("Extra", place.extra, plan, active=facts.extra_turn_active)
    if facts.start_tile is not None:
        yield svg.use(building_icon(facts.start_tile), *place.tile)


def token(name: str, spot: Spot, plan: Plan, *, active: bool) -> str:
    """A token, by its upper left corner: filled when it is active, with a broken line when used."""
    x, y, size = spot
    width, height, inks = token_width(size), size * 1.6, plan.inks
    fill, line, ink = (inks.active, inks.active_line, inks.active_ink) if active else ("none", SOFT, SOFT)
    thick, dashes, weight = (1.8, None, "bold") if active else (1.1, "3 3", None)
    at, low = x + width / 2, y + height / 2 + size * 0.36
    return svg.group(
        svg.plate(x, y, width, height, height / 2, fill, line, thick, stroke_dasharray=dashes),
        svg.label(name, at, low, size, text_anchor="middle", fill=ink, font_weight=weight),
    )


def _token_outline(spot: Spot) -> str:
    return svg.oblong(spot[0], spot[1], token_width(spot[2]), spot[2] * 1.6)


def token_width(size: float) -> float:
    """The width of a token with text of this size."""
    return size * 4.1


def _own(facts: SeatObservation, hand: Hand, plan: Plan, choices: Choices) -> Block:
    width, height = plan.card
    size = plan.small + 0.5
    drawn = [svg.label("Your hand", 10, size, size, font_weight="bold", fill=INK)]
    room = plan.side[2] - 26 - svg.text_width("Your hand", size, bold=True)
    known = _known(facts, room, plan.small)
    if known:
        drawn.append(svg.label(known, plan.side[2] - 10, size, plan.small, text_anchor="end", fill=INK))
    cards: tuple[Symbol | Building, ...] = (*hand.symbols, *hand.buildings)
    step = min(width + 6, (plan.side[2] - 20 - width) / max(1, len(cards) - 1))
    for index, card in enumerate(cards):
        card_drawn = _card(card, svg.ordinal(cards, index), plan, choices)
        drawn.append(svg.group(*card_drawn, transform=f"translate({10 + index * step:g} {size + 8:g})"))
    return Block(size + height + 18, svg.group(*drawn))


def _known(facts: SeatObservation, room: float, size: float) -> str:
    """The values of the viewer's tokens, or their sums where there is no room for them."""
    held = [(word, values) for word, values in (("coal", facts.coal), ("gold", facts.gold)) if values]
    values = ", ".join(f"{word} {'+'.join(map(str, values))}" for word, values in held).capitalize()
    if svg.text_width(values, size) <= room:
        return values
    return ", ".join(f"{word} worth {sum(values)}" for word, values in held).capitalize()


def _card(card: Symbol | Building, which: str, plan: Plan, choices: Choices) -> Iterator[str]:
    width, height = plan.card
    name = card_name(card).capitalize()
    fill = plan.inks.cards[isinstance(card, Building)]
    yield svg.rect(0, 0, width, height, rx=6, fill=fill, stroke=INK, stroke_width=1.5, **{"class": "panel"})
    if isinstance(card, Building):
        yield svg.use(building_icon(card), width / 2, height * 0.4, height / 80)
    else:
        yield svg.use(symbol_icon(card), width / 2, height * 0.4, height / 72, fill=INK, stroke=INK)
    size = min(plan.small, (width - 6) / svg.text_width(name, 1))
    yield svg.label(name, width / 2, height - 8, size, text_anchor="middle", fill=INK)
    fields = ("building", "buildings") if isinstance(card, Building) else ("cards", "symbols")
    outline = svg.oblong(0, 0, width, height)
    yield svg.pick(choices, f"{name} card{which}", outline, *({field: card.value} for field in fields))


def legend_blocks(observation: Observation, plan: Plan, choices: Choices) -> Iterator[Block]:
    """The parts of the legend from top to bottom."""
    yield _worths(observation, plan)
    yield _supplies(observation, plan, choices)
    yield _marks(plan, over=observation.outcome is not None)


def _worths(observation: Observation, plan: Plan) -> Block:
    """Every building with its code, its worth and the tiles left; the bonus for a group."""
    place, width, size = plan.worth, plan.below[2], plan.small
    notes = [(WORTH, "bold", INK), (CHURCH_NOTE, None, SOFT)]
    x, y = 2.0, size
    drawn = []
    for words, weight, fill in notes:
        if x + svg.text_width(words, size, bold=weight == "bold") > width:
            x, y = 2.0, y + plan.line
        drawn.append(svg.label(words, x, y, size, font_weight=weight, fill=fill))
        x += svg.text_width(words, size, bold=weight == "bold") + 12
    cells = [_building(building, observation, plan) for building in Building]
    cells.append(_group_bonus(plan))
    across = width / place.across
    for index, cell in enumerate(cells):
        left, top = index % place.across * across, y + 7 + index // place.across * place.height
        drawn.append(svg.group(cell, transform=svg.to(left, top)))
    return Block(y + 11 + -(-len(cells) // place.across) * place.height, svg.group(*drawn))


def _building(building: Building, observation: Observation, plan: Plan) -> str:
    left = observation.stacks.get(building, 0)
    right = plan.below[2] / plan.worth.across - 16
    x, y, size = plan.worth.name
    low = plan.worth.worth
    return svg.group(
        svg.use(building_icon(building), *plan.worth.icon, opacity=None if left else 0.45),
        svg.label(BUILDING_NAMES[building].capitalize(), x, y, size, font_weight="bold"),
        svg.label(BUILDING_CODES[building], right, y, size, text_anchor="end", font_weight="bold"),
        svg.label(worth(building, observation), *low),
        svg.label(f"{left} left", right, low[1], low[2], text_anchor="end"),
        fill=INK,
    )


def _group_bonus(plan: Plan) -> str:
    x, y, scale = plan.worth.icon
    return svg.group(
        *(svg.use(silhouette(0), x + step * 13 * scale, y, scale * 0.5) for step in (-1, 0, 1)),
        svg.label("Group of three", *plan.worth.name, font_weight="bold"),
        svg.label(f"{GROUP_NOTE}, side by side", *plan.worth.worth),
        fill=INK,
    )


def _supplies(observation: Observation, plan: Plan, choices: Choices) -> Block:
    """The decks and what is typed to draw, discards, coal and gold, the cards set aside."""
    place = plan.supplies
    decks: tuple[tuple[Deck, int, Mapping[Symbol, int] | Mapping[Building, int]], ...] = (
        (Deck.LANDSCAPE, observation.landscape_deck, observation.landscape_discards),
        (Deck.BUILDING, observation.building_deck, observation.building_discards),
    )
    y, drawn = 0.0, []
    for deck, left, discards in decks:
        typed = deck_words(deck) if observation.outcome is None else ""
        outline = svg.oblong(0, 0, plan.below[2] if place.lower else place.cards - 10, place.height)
        mark = svg.pick(choices, f"{deck.value.capitalize()} deck", outline, {"deck": deck.value})
        parts = (*_deck(deck, left, typed, plan), *_cards("Discards", discards, plan), mark)
        drawn.append(svg.group(*parts, transform=svg.to(0, y)))
        y += place.height + place.lower
    aside = {building: observation.set_aside.count(building) for building in observation.set_aside}
    drawn.append(svg.group(*_tokens(observation, plan), *_cards("Set aside", aside, plan), transform=svg.to(0, y)))
    return Block(y + place.height + place.lower + 4, svg.group(*drawn, fill=INK))


def _deck(deck: Deck, left: int, typed: str, plan: Plan) -> Iterator[str]:
    place = plan.supplies
    middle = place.height / 2
    low = middle + place.size * 0.36
    yield svg.use(f"oregon-{deck}-back", 12, middle, place.size / 15)
    yield svg.label(f"{deck.value.capitalize()} deck", place.name, low, place.size, font_weight="bold")
    yield svg.label(amount(left, "card"), place.count, low, place.size)
    if typed:
        yield svg.label(typed, place.typed, low, place.size, text_anchor=place.anchor, font_weight="bold")


def _cards(word: str, counts: Mapping[Symbol, int] | Mapping[Building, int], plan: Plan) -> Iterator[str]:
    """A word, then each kind of card above 0 with its number."""
    place = plan.supplies
    middle = place.height / 2 + place.lower
    low = middle + place.size * 0.36
    yield svg.label(word, place.cards, low, place.size, fill=SOFT)
    shown = [(card, count) for card, count in counts.items() if count]
    if not shown:
        yield svg.label("none", place.first, low, place.size, fill=SOFT)
    for index, (card, count) in enumerate(shown):
        x = place.first + index * place.step
        yield _small(card, x + 22 * place.scale, middle, place.scale)
        yield svg.label(str(count), x + 50 * place.scale, low, place.size)


def _small(card: Symbol | Building, x: float, y: float, scale: float) -> str:
    if isinstance(card, Building):
        return svg.use(building_icon(card), x, y, scale)
    return svg.use(symbol_icon(card), x, y, scale, fill=INK, stroke=INK)


def _tokens(observation: Observation, plan: Plan) -> Iterator[str]:
    place = plan.supplies
    middle = place.height / 2
    low = middle + place.size * 0.36
    for word, left, x in (("coal", observation.coal_supply, 0.0), ("gold", observation.gold_supply, place.gold)):
        yield svg.use(f"oregon-{word}", x + 12, middle, place.size / 14)
        yield svg.label(word.capitalize(), x + place.name, low, place.size, font_weight="bold")
        yield svg.label(amount(left, "token"), x + place.name + place.size * 3.4, low, place.size)


@lru_cache(maxsize=8)
def _marks(plan: Plan, *, over: bool) -> Block:
    """The terrain, the mark of the latest turn, and, until the end, the marks of the seats."""
    items: list[tuple[float, str]] = [
        _mark(plan, plan.swatch, _swatch(kind, icon, plan), TERRAIN_NAMES[kind].capitalize())
        for kind, icon in TERRAIN_ICONS.items()
    ]
    bracket = svg.group(
        svg.use("oregon-latest", 0, 0, plan.swatch / max(plan.board.cell)),
        transform=f"translate({plan.swatch / 2:g} 0)",
    )
    items.append(_mark(plan, plan.swatch, bracket, "Latest"))
    if not over:
        items += _seat_marks(plan)
    x, y, placed = 1.0, plan.swatch / 2 + 2, []
    for width, drawn in items:
        if x > 1 and x + width > plan.below[2]:
            x, y = 1.0, y + plan.swatch + 8
        placed.append(svg.group(drawn, transform=svg.to(x, y)))
        x += width + 14
    return Block(y + plan.swatch / 2 + 4, svg.group(*placed))


def _seat_marks(plan: Plan) -> Iterator[tuple[float, str]]:
    """What the cards of the seats show: farmers left, the two sides of a token."""
    size = plan.small
    yield _mark(plan, size, svg.use(silhouette(0), size / 2, 0, size / 33), "Farmers left")
    width, active = _mark(plan, token_width(size), token("Joker", (0, -size * 0.8, size), plan, active=True), "active")
    more, used = _mark(plan, token_width(size), token("Extra", (0, -size * 0.8, size), plan, active=False), "used")
    yield width + 14 + more, svg.group(active, svg.group(used, transform=f"translate({svg.number(width + 14)} 0)"))


def _mark(plan: Plan, width: float, drawn: str, meaning: str) -> tuple[float, str]:
    """A drawing of this width around the x axis with its meaning; first the width of both."""
    size = plan.small
    words = svg.label(meaning, width + 7, size * 0.36, size, fill=INK)
    return width + 7 + svg.text_width(meaning, size), drawn + words


def _swatch(kind: str, icon: str, plan: Plan) -> str:
    side = plan.swatch
    return svg.plate(0, -side / 2, side, side, 3, plan.inks.ground[kind][0], INK, 1) + svg.use(
        icon, side / 2, 0, side / 50
    )
