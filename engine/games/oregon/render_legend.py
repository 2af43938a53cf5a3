"""The legend of Oregon's picture: what buildings are worth, the decks with their discards, the
supplies, the marks. Its parts are blocks, which a layout puts one below the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from engine.games.oregon.components import Building, Deck, Symbol
from engine.games.oregon.facts import CHURCH_NOTE, GROUP_NOTE, TERRAIN_NAMES, WORTH, deck_words, worth
from engine.games.oregon.observe import Observation
from engine.games.oregon.render_ground import TERRAIN_ICONS
from engine.games.oregon.render_icons import building_icon, silhouette, symbol_icon
from engine.games.oregon.render_layout import Plan
from engine.games.oregon.render_panel import Block, token, token_width
from engine.games.oregon.vocabulary import BUILDING_CODES, BUILDING_NAMES
from engine.svg import INK, SOFT, group, label, number, rect, text_width, use
from engine.wording import amount


def legend_blocks(observation: Observation, plan: Plan) -> Iterator[Block]:
    """The parts of the legend from top to bottom."""
    yield _worths(observation, plan)
    yield _supplies(observation, plan)
    yield _marks(plan, over=observation.outcome is not None)


def _worths(observation: Observation, plan: Plan) -> Block:
    """Every kind of building with its code, what it is worth and the tiles left; the bonus for a
    group.
    """
    place, width, size = plan.worth, plan.below[2], plan.small
    notes = [(WORTH, "bold", INK), (CHURCH_NOTE, None, SOFT)]
    x, y = 2.0, size
    drawn = []
    for words, weight, fill in notes:
        if x + text_width(words, size, bold=weight == "bold") > width:
            x, y = 2.0, y + plan.line
        drawn.append(label(words, x, y, size, font_weight=weight, fill=fill))
        x += text_width(words, size, bold=weight == "bold") + 12
    cells = [_building(building, observation, plan) for building in Building]
    cells.append(_group_bonus(plan))
    across = width / place.across
    for index, cell in enumerate(cells):
        left, top = index % place.across * across, y + 7 + index // place.across * place.height
        drawn.append(group(cell, transform=f"translate({number(left)} {number(top)})"))
    return y + 11 + -(-len(cells) // place.across) * place.height, group(*drawn)


def _building(building: Building, observation: Observation, plan: Plan) -> str:
    left = observation.stacks.get(building, 0)
    right = plan.below[2] / plan.worth.across - 16
    x, y, size = plan.worth.name
    low = plan.worth.worth
    return group(
        use(building_icon(building), *plan.worth.icon, opacity=None if left else 0.45),
        label(BUILDING_NAMES[building].capitalize(), x, y, size, font_weight="bold"),
        label(BUILDING_CODES[building], right, y, size, text_anchor="end", font_weight="bold"),
        label(worth(building, observation), *low),
        label(f"{left} left", right, low[1], low[2], text_anchor="end"),
        fill=INK,
    )


def _group_bonus(plan: Plan) -> str:
    x, y, scale = plan.worth.icon
    return group(
        *(use(silhouette(0), x + step * 13 * scale, y, scale * 0.5) for step in (-1, 0, 1)),
        label("Group of three", *plan.worth.name, font_weight="bold"),
        label(f"{GROUP_NOTE}, side by side", *plan.worth.worth),
        fill=INK,
    )


def _supplies(observation: Observation, plan: Plan) -> Block:
    """The decks with what is typed to draw from them, their discards, coal and gold, the cards set
    aside.
    """
    place = plan.supplies
    decks: tuple[tuple[Deck, int, Mapping[Symbol, int] | Mapping[Building, int]], ...] = (
        (Deck.LANDSCAPE, observation.landscape_deck, observation.landscape_discards),
        (Deck.BUILDING, observation.building_deck, observation.building_discards),
    )
    y, drawn = 0.0, []
    for deck, left, discards in decks:
        typed = deck_words(deck) if observation.outcome is None else ""
        drawn.append(group(*_deck(deck, left, typed, plan), *_cards("Discards", discards, plan), **_at(y)))
        y += place.height + place.lower
    aside = {building: observation.set_aside.count(building) for building in observation.set_aside}
    drawn.append(group(*_tokens(observation, plan), *_cards("Set aside", aside, plan), **_at(y)))
    return y + place.height + place.lower + 4, group(*drawn, fill=INK)


def _at(y: float) -> dict[str, str]:
    return {"transform": f"translate(0 {number(y)})"}


def _deck(deck: Deck, left: int, typed: str, plan: Plan) -> Iterator[str]:
    place = plan.supplies
    middle = place.height / 2
    low = middle + place.size * 0.36
    yield use(f"{deck}-back", 12, middle, place.size / 15)
    yield label(f"{deck.value.capitalize()} deck", place.name, low, place.size, font_weight="bold")
    yield label(amount(left, "card"), place.count, low, place.size)
    if typed:
        yield label(typed, place.typed, low, place.size, text_anchor=place.anchor, font_weight="bold")


def _cards(word: str, counts: Mapping[Symbol, int] | Mapping[Building, int], plan: Plan) -> Iterator[str]:
    """A word, then each kind of card above 0 with its number."""
    place = plan.supplies
    middle = place.height / 2 + place.lower
    low = middle + place.size * 0.36
    yield label(word, place.cards, low, place.size, fill=SOFT)
    shown = [(card, count) for card, count in counts.items() if count]
    if not shown:
        yield label("none", place.first, low, place.size, fill=SOFT)
    for index, (card, count) in enumerate(shown):
        x = place.first + index * place.step
        yield _small(card, x + 22 * place.scale, middle, place.scale)
        yield label(str(count), x + 50 * place.scale, low, place.size)


def _small(card: Symbol | Building, x: float, y: float, scale: float) -> str:
    if isinstance(card, Building):
        return use(building_icon(card), x, y, scale)
    return use(symbol_icon(card), x, y, scale, fill=INK, stroke=INK)


def _tokens(observation: Observation, plan: Plan) -> Iterator[str]:
    """The tokens of coal and gold that are left."""
    place = plan.supplies
    middle = place.height / 2
    low = middle + place.size * 0.36
    for word, left, x in (("coal", observation.coal_supply, 0.0), ("gold", observation.gold_supply, place.gold)):
        yield use(word, x + 12, middle, place.size / 14)
        yield label(word.capitalize(), x + place.name, low, place.size, font_weight="bold")
        yield label(amount(left, "token"), x + place.name + place.size * 3.4, low, place.size)


@lru_cache(maxsize=8)
def _marks(plan: Plan, *, over: bool) -> Block:
    """The terrain, the mark of the latest turn, and, until the end, the marks of the seats."""
    items: list[tuple[float, str]] = [
        _mark(plan, plan.swatch, _swatch(kind, icon, plan), TERRAIN_NAMES[kind].capitalize())
        for kind, icon in TERRAIN_ICONS.items()
    ]
    bracket = group(
        use("latest", 0, 0, plan.swatch / max(plan.board.cell)), transform=f"translate({plan.swatch / 2:g} 0)"
    )
    items.append(_mark(plan, plan.swatch, bracket, "Latest"))
    if not over:
        items += _seat_marks(plan)
    x, y, placed = 1.0, plan.swatch / 2 + 2, []
    for width, drawn in items:
        if x > 1 and x + width > plan.below[2]:
            x, y = 1.0, y + plan.swatch + 8
        placed.append(group(drawn, transform=f"translate({number(x)} {number(y)})"))
        x += width + 14
    return y + plan.swatch / 2 + 4, group(*placed)


def _seat_marks(plan: Plan) -> Iterator[tuple[float, str]]:
    """What the cards of the seats show: farmers left, the two sides of a token."""
    size = plan.small
    yield _mark(plan, size, use(silhouette(0), size / 2, 0, size / 33), "Farmers left")
    width, active = _mark(plan, token_width(size), token("Joker", (0, -size * 0.8, size), plan, active=True), "active")
    more, used = _mark(plan, token_width(size), token("Extra", (0, -size * 0.8, size), plan, active=False), "used")
    yield width + 14 + more, group(active, group(used, transform=f"translate({number(width + 14)} 0)"))


def _mark(plan: Plan, width: float, drawn: str, meaning: str) -> tuple[float, str]:
    """A drawing of this width around the x axis with its meaning; first the width of both."""
    size = plan.small
    words = label(meaning, width + 7, size * 0.36, size, fill=INK)
    return width + 7 + text_width(meaning, size), drawn + words


def _swatch(kind: str, icon: str, plan: Plan) -> str:
    side = plan.swatch
    return rect(0, -side / 2, side, side, rx=3, fill=plan.inks.ground[kind][0], stroke=INK, stroke_width=1) + use(
        "prairie-2" if kind == "." else icon, side / 2, 0, side / 50
    )
