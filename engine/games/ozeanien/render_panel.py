"""The panels of Ozeanien's picture: title, what may be done, seats, tiles left, islands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.games.ozeanien.facts import (
    SEAT_MARKS,
    awaited,
    earned_said,
    hint,
    islands_to_land_on,
    numbers_of,
    others_said,
    ranked_islands,
    reuse_example,
    score_sheet,
)
from engine.games.ozeanien.observe import Observation, SeatObservation
from engine.games.ozeanien.render_board import pick_way
from engine.games.ozeanien.render_icons import badge, badge_size, explorer, no_explorer, small_tile
from engine.games.ozeanien.render_layout import BoardPlan, Palette, PanelPlan
from engine.games.ozeanien.render_sea import cloud, hatching
from engine.games.ozeanien.score import Island
from engine.games.ozeanien.sentences import ENDINGS
from engine.games.ozeanien.tiles import KIND_INDEX, KIND_NAMES, LAND_NAMES, WAYS_ROUND, Kind
from engine.panel import Block, Item, flow, joined, moved, pointer, short_names, stacked, words_item
from engine.panel import card as ground
from engine.picks import NO_CHOICES, Choices
from engine.sentences import filled_in
from engine.svg import fitted, label, lines, oblong, pick, rect, text_width
from engine.types import Seat
from engine.wording import amount, name_of


def head(observation: Observation, names: Sequence[str], plan: PanelPlan, palette: Palette) -> Block:
    """The title, the turn, and who is awaited, or how the match ended."""
    words = awaited(observation, short_names(len(observation.seats), names))
    status = lines(words, plan.inner, plan.status, 4)
    if observation.outcome is not None:
        status = (*status, *lines(filled_in(ENDINGS, observation.outcome.ended), plan.inner, plan.status, 2))
    y, turn = plan.title * 0.8, f"Turn {observation.turn}"
    drawn = [
        label("Ozeanien", 0, y, plan.title, font_weight="bold", fill=palette.ink),
        label(turn, plan.inner, y, plan.corner, text_anchor="end", fill=palette.soft),
    ]
    for line in status:
        y += plan.status * 1.3
        drawn.append(label(line, 0, y + plan.status * 0.2, plan.status, fill=palette.ink))
    return Block(y + plan.status * 0.5, "".join(drawn))


def to_do(observation: Observation, board: BoardPlan, plan: PanelPlan, palette: Palette, choices: Choices) -> Block:
    """What may be done now: the tile at hand and its ways, explorers, discarded tiles to take."""
    blocks = []
    if observation.tile is not None:
        blocks.append(_at_hand(observation, observation.tile, board, plan, palette, choices))
    if observation.stands:
        blocks.append(_stands(observation, plan, palette, choices))
        blocks += [_lines(words, plan.small, 2, plan, palette.ink) for words in islands_to_land_on(observation)]
    words = hint(observation)
    if words:
        blocks.append(_lines(words, plan.small, 2, plan, palette.soft))
    if observation.reuses:
        blocks.append(_reuses(observation, plan, palette, choices))
    return stacked(blocks, 5)


def _at_hand(
    observation: Observation, tile: Kind, board: BoardPlan, plan: PanelPlan, palette: Palette, choices: Choices
) -> Block:
    side, ways = plan.row * 2.4, len(observation.placements)
    said = f"It fits in {ways} way{'' if ways == 1 else 's'}:"
    name, size = KIND_NAMES[tile].capitalize(), plan.body * 1.25
    drawn = (
        small_tile(a_way_round(tile), 0, 0, side)
        + label(name, side + 12, side * 0.42, size, font_weight="bold", fill=palette.ink)
        + label(said, side + 12, side * 0.42 + plan.body * 1.5, plan.body, fill=palette.ink)
    )
    items = []
    for each in observation.placements:
        number = _badge(str(each.number), plan, palette)
        words = words_item(f"{each.space} {each.land}".rstrip(), plan.small, palette.ink)
        if board.drawn:
            items.append(joined((number, words)))
        else:
            item = joined((number, _tile(each.land, plan.row * 1.3), words))
            items.append(Item(item.width, item.drawn + pick_way(choices, each, _around(item, plan.row * 1.5))))
    grid = flow(items, plan.inner, plan.row * (1.05 if board.drawn else 1.5), 6, even=True)
    return stacked((Block(side, drawn), grid), 5)


def _stands(observation: Observation, plan: PanelPlan, palette: Palette, choices: Choices) -> Block:
    seat, high = observation.to_act[0], plan.row * 1.5
    items = []
    for each in observation.stands:
        words = words_item(each.part or "", plan.body, palette.ink)
        item = joined((_badge(str(each.number), plan, palette), _piece(seat, each.value, plan), words))
        name = f"Explorer {each.value} {each.part or ''}".rstrip()
        mark = pick(choices, name, _around(item, high), {"value": each.value, "part": each.part})
        items.append(Item(item.width, item.drawn + mark))
    skip = joined((_badge(str(len(items) + 1), plan, palette), words_item("skip", plan.body, palette.ink)))
    mark = pick(choices, "Skip", _around(skip, high), {"type": "skip"})
    return flow([*items, Item(skip.width, skip.drawn + mark)], plan.inner, high, 10, even=True)


def _around(item: Item, height: float) -> str:
    return oblong(-3, 1 - height / 2, item.width + 6, height - 2)


def _reuses(observation: Observation, plan: PanelPlan, palette: Palette, choices: Choices) -> Block:
    """R3.4: the discarded tiles that may be taken, with the numbers of the starting points."""
    numbers = {each.start: each.number for each in observation.starts}
    blocks = [_lines("Or a discarded tile, for an explorer:", plan.small, 2, plan, palette.ink)]
    indent = plan.row + 8
    for each in observation.reuses:
        found = numbers_of([numbers[start] for start in each.starts], len(numbers))
        words = lines(f"{KIND_NAMES[each.tile]} from {found}", plan.inner - indent, plan.small, 4)
        written = "".join(
            label(line, indent, plan.small * (1 + 1.25 * index), plan.small, fill=palette.ink)
            for index, line in enumerate(words)
        )
        height = max(plan.row, plan.small * 1.25 * len(words) + 2)
        name = f"{KIND_NAMES[each.tile]}, discarded".capitalize()
        mark = pick(choices, name, oblong(-2, -1, plan.inner + 4, height + 2), {"tile": each.tile})
        blocks.append(Block(height, small_tile(a_way_round(each.tile), 0, 0, plan.row) + written + mark))
    example = _lines(f"Type: {reuse_example(observation)}", plan.small, 2, plan, palette.soft)
    return stacked((*blocks, example), 4)


def card(
    seat: Seat,
    observation: Observation,
    names: Sequence[str],
    plan: PanelPlan,
    palette: Palette,
    width: float,
    choices: Choices,
) -> Block:
    """A seat: its name and points, how they come about, its explorers, its discarded tiles."""
    choices = choices if seat == observation.viewer else NO_CHOICES
    facts, outcome, alone = observation.seats[seat], observation.outcome, len(observation.seats) == 1
    pad, due = 10.0, seat in observation.to_act
    inner, score, size = width - 2 * pad, str(facts.score), plan.body * 1.1
    rank = "" if outcome is None or alone else f"{outcome.ranks[seat]}. "
    mark = "" if alone else f" ({SEAT_MARKS[seat]})"
    room = inner - 8 - text_width(score, plan.score, True) - text_width(mark + rank, size, True)
    named = rank + fitted(name_of(seat, names), room, size, True) + mark
    top = Block(
        plan.score,
        label(named, 0, plan.score * 0.7, size, font_weight="bold", fill=palette.ink)
        + label(score, inner, plan.score * 0.8, plan.score, font_weight="bold", text_anchor="end", fill=palette.ink),
    )
    sheet = ", ".join(f"{words} {number}" for words, number in score_sheet(seat, observation))
    blocks = [top, Block(plan.small * 1.3, label(sheet, 0, plan.small, plan.small, fill=palette.ink))]
    if not alone:
        blocks.append(flow(list(_explorers(seat, facts, plan, palette, choices)), inner, plan.row * 1.5))
        gone = [f"{count} of value {value}" for value, count in facts.given_up.items() if count]
        if gone:
            items = [words_item(words, plan.small, palette.soft) for words in ("given up", *gone)]
            blocks.append(flow(items, inner, plan.small * 1.35, 9))
    blocks.append(flow(list(_discarded(facts.discarded, plan, palette)), inner, plan.row * 1.1, 9))
    inside = stacked(blocks, 3)
    height = inside.height + 2 * pad - 4
    box = ground(width, height, 9, due, palette.card, palette.bright, palette.border, palette.highlight)
    mark = pointer(-9, 14, 12, 9, palette.highlight) if due else ""
    return Block(height, box + mark + moved(inside.drawn, pad, pad - 2))


def _explorers(
    seat: Seat, facts: SeatObservation, plan: PanelPlan, palette: Palette, choices: Choices
) -> Iterator[Item]:
    scale = plan.row / 27
    for value, count in facts.explorers.items():
        piece = (explorer if count else no_explorer)(seat, int(value), 18 * scale, 0, scale)
        words = words_item(f"\u00d7{count}", plan.body, palette.ink if count else palette.soft)
        item = joined((Item(36 * scale, piece), words))
        mark = pick(choices, f"Give up explorer {value}", _around(item, plan.row * 1.5), {"explorer": value})
        yield Item(item.width, item.drawn + mark)


def _discarded(counts: Mapping[Kind, int], plan: PanelPlan, palette: Palette) -> Iterator[Item]:
    if any(counts.values()):
        yield words_item("discarded", plan.small, palette.soft)
    for kind, count in counts.items():
        if count:
            words = words_item(f"\u00d7{count}", plan.small, palette.ink)
            yield joined((_tile(a_way_round(kind), plan.row * 0.9), words), 3)


def supplies(observation: Observation, plan: PanelPlan, palette: Palette) -> Block:
    """The tiles left to draw, the unexplored spaces, and what the marks of tiles mean."""
    left = "to draw" if observation.outcome is None else "left"
    words = f"{amount(observation.draws, 'tile')} {left}, {observation.unexplored} unexplored"
    items = []
    if any(tile.source != "sea" for tile in observation.tiles):
        items.append(joined((Item(20, cloud(10, 2)), words_item("from the reserve", plan.small, palette.soft))))
    if any(tile.source == "imagined" for tile in observation.tiles):
        mark = moved(hatching(0, 36, palette), 0, -12)
        items.append(joined((Item(30, mark), words_item("the reserve had none", plan.small, palette.soft))))
    key = flow(items, plan.inner, plan.row * 0.95)
    return stacked((_lines(words, plan.body, 2, plan, palette.ink), key), 2)


def legend(observation: Observation, width: float, plan: PanelPlan, palette: Palette) -> Block:
    """Every kind of tile with the numbers unseen and in the reserve."""
    side = plan.small * 3.1
    items = [
        Item(
            side + 5 + text_width("99 reserve", plan.small),
            small_tile(a_way_round(kind), 0, -side / 2, side)
            + _line(KIND_NAMES[kind].capitalize(), side, -1.1, plan, palette, bold=True)
            + _line(f"{observation.unseen[kind]} unseen", side, 0.05, plan, palette)
            + _line(f"{observation.reserve[kind]} reserve", side, 1.2, plan, palette),
        )
        for kind in Kind
    ]
    return flow(items, width, side + 9, 2, even=True)


def _line(words: str, side: float, down: float, plan: PanelPlan, palette: Palette, bold: bool = False) -> str:
    y = plan.small * (down + 0.36)
    return label(words, side + 5, y, plan.small, font_weight="bold" if bold else None, fill=palette.ink)


def a_way_round(kind: Kind) -> str:
    """The land in which a tile of a kind is drawn on its own."""
    return LAND_NAMES[WAYS_ROUND[KIND_INDEX[kind]][0]]


def _lines(words: str, size: float, most: int, plan: PanelPlan, fill: str) -> Block:
    found = lines(words, plan.inner, size, most)
    drawn = (label(line, 0, size * (0.95 + 1.25 * index), size, fill=fill) for index, line in enumerate(found))
    return Block(size * 1.25 * len(found), "".join(drawn))


def _badge(words: str, plan: PanelPlan, palette: Palette) -> Item:
    size = plan.body * 0.93
    across, _ = badge_size(words, size)
    return Item(2 * across, badge(words, across, 0, size, palette))


def _piece(seat: Seat, value: int, plan: PanelPlan) -> Item:
    scale = plan.row / 27
    return Item(38 * scale, explorer(seat, value, 19 * scale, 0, scale))


def _tile(land: str, size: float) -> Item:
    return Item(size, small_tile(land, 0, -size / 2, size))


_TILES, _FIRST_SEAT, _SEAT, _OPEN = 0.42, 0.53, 0.1, 0.79
"""Where the columns end, as parts of the width."""


def island_rows(observation: Observation) -> int:
    """The number of rows of the whole table, its heading and note included."""
    return len(observation.islands) + 2 if observation.islands else 0


def islands(observation: Observation, most: int, plan: PanelPlan, palette: Palette) -> Block:
    """The table in at most ``most`` rows, at least 4."""
    rows = ranked_islands(observation)
    if not rows:
        return Block(0, "")
    note = any(not island.complete and island.worth for island in rows) and observation.outcome is None
    room = most - 1 - note
    shown = rows if len(rows) <= room else rows[: room - 1]
    drawn = [*_heading(observation, plan, palette)]
    for index, island in enumerate(shown):
        drawn += _row(island, observation, (index + 1.68) * plan.row, plan, palette)
    lines = len(shown) + 1
    if len(shown) < len(rows):
        words = others_said(rows[len(shown) :], observation)
        drawn.append(label(words, 0, (lines + 0.68) * plan.row, plan.small, fill=palette.ink))
        lines += 1
    if note:
        words = "in brackets: if complete as it is"
        drawn.append(label(words, 0, (lines + 0.6) * plan.row, plan.small * 0.92, fill=palette.soft))
        lines += 1
    return Block(lines * plan.row, "".join(drawn))


def _heading(observation: Observation, plan: PanelPlan, palette: Palette) -> Iterator[str]:
    y, width = 0.68 * plan.row, plan.inner
    bold = {"font_weight": "bold", "fill": palette.ink}
    yield label("Island", 0, y, plan.small, **bold)
    heads = [("tiles", _TILES), ("open", _OPEN), ("points", 1.0)]
    if len(observation.seats) > 1:
        heads += [(mark, _FIRST_SEAT + _SEAT * seat) for seat, mark in enumerate(SEAT_MARKS)]
    for words, x in heads:
        yield label(words, x * width, y, plan.small, text_anchor="end", **bold)


def _row(island: Island, observation: Observation, y: float, plan: PanelPlan, palette: Palette) -> Iterator[str]:
    width, size = plan.inner, plan.small * 1.08
    two = len(observation.seats) > 1
    fill = palette.ink if island.complete else palette.soft
    weight = "bold" if island.points else None
    tint = palette.lands[0 if island.leader is None or not two else island.leader + 1]
    side = size * 0.72
    yield rect(0, y - side, side, side, fill=tint, stroke=palette.shore, stroke_width=1)
    yield label(island.name, side + 5, y, size, fill=fill, font_weight=weight)
    cells = [(str(len(island.spaces)), _TILES, weight), (str(island.gaps or "\u2013"), _OPEN, None)]
    if two:
        for seat, strength in enumerate(island.strengths):
            leads = "bold" if island.leader == seat else None
            cells.append((str(strength or "\u2013"), _FIRST_SEAT + _SEAT * seat, leads))
    cells.append((earned_said(island, observation).replace("-", "\u2013"), 1.0, weight))
    for words, x, heavy in cells:
        yield label(words, x * width, y, size, text_anchor="end", fill=fill, font_weight=heavy)
