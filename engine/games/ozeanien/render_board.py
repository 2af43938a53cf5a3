"""Ozeanien's board in a picture: spaces, circles, explorers, the ship, numbered choices.

Pieces and numbers on a tile are put where they cover each other least (``_free``).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, TypeAlias

from engine.games.ozeanien.observe import Observation, Placement
from engine.games.ozeanien.render_icons import EXPLORER, SHIP, badge, badge_size, explorer, small_tile, starting_circle
from engine.games.ozeanien.render_layout import BoardPlan, Palette
from engine.games.ozeanien.render_sea import (
    MIDDLE,
    TILE,
    Lands,
    Led,
    Point,
    anchorage,
    cloud,
    fog,
    hatching,
    sea,
    standing_place,
)
from engine.grid import Cell, cells, column_letter, format_space, parse_space
from engine.picks import Choices
from engine.svg import disc, group, label, oblong, path, pick, rect, text_width, use

_Box: TypeAlias = tuple[float, float, float, float]
"""The middle of something on a tile, and half of its width and height."""

_SHIP_SCALE: Final = 0.86

_FOUR: Final = (36.0, 12.5, ((11.0, 22.0), (53.0, 22.0), (11.0, 60.0), (53.0, 60.0)))
_WAYS: Final = {1: (64.0, 15.0, ((18.0, 26.0),)), 2: (40.0, 12.5, ((8.0, 36.0), (52.0, 36.0))), 3: _FOUR, 4: _FOUR}
"""By the ways to place a tile on a space: size of the tile, of its letters, its corners."""


def board(observation: Observation, plan: BoardPlan, palette: Palette, choices: Choices) -> Iterator[str]:
    """The board, the upper left corner of its spaces at the origin, in units of the board."""
    width, height = observation.columns * TILE, observation.rows * TILE
    lands = {parse_space(tile.space): tile.land for tile in observation.tiles}
    unknown = tuple(cell for cell in cells(observation.columns, observation.rows) if cell not in lands)
    yield sea(lands, leaders(observation), palette) + fog(unknown, palette)
    yield from _names(observation, unknown, plan, palette)
    grid = "".join(f"M{column * TILE} 0V{height}" for column in range(1, observation.columns))
    grid += "".join(f"M0 {row * TILE}H{width}" for row in range(1, observation.rows))
    yield path(grid, stroke=palette.ink, stroke_opacity=0.28, stroke_width=1.2)
    yield rect(0, 0, width, height, fill="none", stroke=palette.frame, stroke_width=5)
    yield from _headings(observation, plan, palette)
    yield from _circles(observation, plan, palette, choices)
    yield from _sources(observation, palette)
    for index, space in enumerate(observation.last):
        column, row = parse_space(space)
        yield use("ozeanien-filled" if index else "ozeanien-latest", column * TILE + 50, row * TILE + 50)
    yield from _pieces(observation, lands, plan, palette)
    yield from _placements(observation, plan, palette, choices)
    for column, row in cells(observation.columns, observation.rows):
        space, whole = format_space((column, row)), oblong(column * TILE, row * TILE, TILE, TILE)
        yield pick(choices, space, whole, {"start": space}, *(() if plan.drawn else ({"space": space},)))


def leaders(observation: Observation) -> Led:
    """The seat that leads on each part of a tile."""
    lands = {tile.space: tile.land for tile in observation.tiles}
    found = {}
    for island in observation.islands:
        if island.leader is not None and len(observation.seats) > 1:
            for space, edges in zip(island.spaces, island.edges, strict=True):
                strait = lands[space] in ("NS", "EW")
                for part in edges if strait else (edges,):
                    found[parse_space(space), part] = island.leader
    return found


def _names(observation: Observation, unknown: Sequence[Cell], plan: BoardPlan, palette: Palette) -> Iterator[str]:
    """The names of unexplored spaces; those where the tile at hand fits get them with its ways."""
    choices = {each.space for each in observation.placements}
    named = [cell for cell in unknown if format_space(cell) not in choices]
    low = 50 + plan.name * 0.36
    names = (label(format_space((x, y)), x * TILE + 50, y * TILE + low, plan.name) for x, y in named)
    yield group(*names, text_anchor="middle", fill=palette.place)


def _headings(observation: Observation, plan: BoardPlan, palette: Palette) -> Iterator[str]:
    letters = (
        label(column_letter(column), (column + 0.5) * TILE, plan.letter_at, plan.heading)
        for column in range(observation.columns)
    )
    numbers = (
        label(str(row + 1), plan.number_at, (row + 0.5) * TILE + plan.heading * 0.36, plan.heading)
        for row in range(observation.rows)
    )
    yield group(*letters, *numbers, text_anchor="middle", font_weight="bold", fill=palette.ink)


def _circles(observation: Observation, plan: BoardPlan, palette: Palette, choices: Choices) -> Iterator[str]:
    """The circles with the ship, the numbers of choices, and the names of those to be typed."""
    explored = {tile.space for tile in observation.tiles}
    numbers = {each.start: each.number for each in observation.starts}
    for name in observation.circles:
        x, y, space = _circle(name, observation, plan)
        is_open = space not in explored
        yield starting_circle(x, y, plan.circle, is_open=is_open, palette=palette)
        ship = observation.ship == name
        if ship:
            yield use("ozeanien-ship", x, y, _SHIP_SCALE)
        if name in numbers:
            words = str(numbers[name])
            across, down = badge_size(words, plan.badge)
            # Beside the ship if it is there, and on the other side of the circle than its name.
            lift = plan.circle + down * 0.1
            dx, dy = (plan.circle - across * 0.8, lift if name.startswith("north") else -lift) if ship else (0, 0)
            yield badge(words, x + dx, y + dy, plan.badge, palette)
        if ship or (is_open and observation.outcome is None):
            yield _caption(name, x, y, plan, palette)
        yield pick(choices, name, disc(x, y, max(plan.circle, 12 / plan.scale)), {"start": name})


def _caption(name: str, x: float, y: float, plan: BoardPlan, palette: Palette) -> str:
    """The name of a circle, in the north above, else below; clear of the frame and other names."""
    side, place = name.split()
    lower = 0.0
    if side in ("west", "east"):
        clear = text_width(name, plan.caption) / 2 + 4
        shift = max(0.0, clear - plan.away)
        x += -shift if side == "west" else shift
    elif text_width(name, plan.caption) > TILE * 0.9 and parse_space(f"{place}1")[0] % 2:
        lower = plan.caption
    down = -plan.circle - plan.caption * 0.3 - lower if side == "north" else plan.circle + plan.caption + lower
    return label(name, x, y + down, plan.caption, text_anchor="middle", fill=palette.ink)


def _circle(name: str, observation: Observation, plan: BoardPlan) -> tuple[float, float, str]:
    """The middle (x, y) of a circle, and the name of the space at it."""
    side, place = name.split()
    width, height = observation.columns * TILE, observation.rows * TILE
    if side in ("west", "east"):
        column = 0 if side == "west" else observation.columns - 1
        x = -plan.away if side == "west" else width + plan.away
        return x, (int(place) - 0.5) * TILE, f"{column_letter(column)}{place}"
    row = 1 if side == "north" else observation.rows
    y = -plan.away if side == "north" else height + plan.away
    return (parse_space(f"{place}1")[0] + 0.5) * TILE, y, f"{place}{row}"


def _sources(observation: Observation, palette: Palette) -> Iterator[str]:
    """The marks of tiles that came from the reserve, or that it lacked."""
    for tile in observation.tiles:
        column, row = parse_space(tile.space)
        if tile.source != "sea":
            yield cloud(column * TILE + 86, row * TILE + 89)
        if tile.source == "imagined":
            yield hatching(column * TILE, row * TILE + TILE, palette)


def _pieces(observation: Observation, lands: Lands, plan: BoardPlan, palette: Palette) -> Iterator[str]:
    """Explorers, the ship on a tile, and the numbers of starting points on tiles."""
    taken: dict[str, list[_Box]] = {}
    for each in observation.explorers:
        column, row = parse_space(each.space)
        x, y = standing_place(lands[column, row], None if each.part is None else each.part.value[0].upper())
        half = EXPLORER * plan.explorer
        taken.setdefault(each.space, []).append((x, y, half, half))
        yield explorer(each.seat, each.value, column * TILE + x, row * TILE + y, plan.explorer)
    if observation.ship is not None and " " not in observation.ship:
        column, row = parse_space(observation.ship)
        boxes = taken.setdefault(observation.ship, [])
        half = SHIP * _SHIP_SCALE
        x, y = _free(lands[column, row], boxes, half, half)
        boxes.append((x, y, half, half))
        yield use("ozeanien-ship", column * TILE + x, row * TILE + y, _SHIP_SCALE)
    for start in observation.starts:
        if " " not in start.start:
            column, row = parse_space(start.start)
            words = str(start.number)
            x, y = _free(lands[column, row], taken.get(start.start, ()), *badge_size(words, plan.badge))
            yield badge(words, column * TILE + x, row * TILE + y, plan.badge, palette)


def _free(land: str, taken: Sequence[_Box], across: float, down: float) -> Point:
    """The place on a tile for something of that half size: the first free, or the least covered."""
    at_sea = [(50 + (x - 50) * 0.58, 50 + (y - 50) * 0.58) for edge, (x, y) in MIDDLE.items() if edge not in land]
    places = [anchorage(land), *at_sea, *((x, y) for y in (50, 21, 79) for x in (50, 21, 79))]
    best, least = (50.0, 50.0), float("inf")
    for x, y in places:
        inside = min(max(x, across + 3), 97 - across), min(max(y, down + 3), 97 - down)
        covered = sum(_covered((*inside, across, down), each) for each in taken)
        if not covered:
            return inside
        if covered < least:
            best, least = inside, covered
    return best


def _covered(one: _Box, other: _Box) -> float:
    """By how much two things cover each other, taken as ellipses; 0 if they do not."""
    across = (one[0] - other[0]) / (one[2] + other[2] + 1)
    down = (one[1] - other[1]) / (one[3] + other[3] + 1)
    return max(0.0, 1 - across * across - down * down)


def _placements(observation: Observation, plan: BoardPlan, palette: Palette, choices: Choices) -> Iterator[str]:
    """The spaces where the tile at hand fits, with name and numbered ways."""
    for space in dict.fromkeys(each.space for each in observation.placements):
        column, row = parse_space(space)
        x, y = column * TILE, row * TILE
        ways = [each for each in observation.placements if each.space == space]
        yield rect(x + 3, y + 3, TILE - 6, TILE - 6, fill=palette.bright, stroke=palette.highlight, stroke_width=2.5)
        if not plan.drawn:
            first, last = ways[0].number, ways[-1].number
            words = str(first) if first == last else f"{first}\u2013{last}"
            yield _space_name(space, x + 50, y + 8 + plan.name, plan.name, palette)
            yield badge(words, x + 50, y + 97 - plan.badge, plan.badge, palette)
            continue
        size, letters, corners = _WAYS[len(ways)]
        yield _space_name(space, x + 50, y + 18, 14, palette)
        for way, (dx, dy) in zip(ways, corners, strict=False):
            yield small_tile(way.land, x + dx, y + dy, size)
            yield badge(str(way.number), x + dx + size / 2, y + dy + size / 2, letters, palette)
            yield pick_way(choices, way, oblong(x + dx, y + dy, size, size))


def pick_way(choices: Choices, way: Placement, outline: str) -> str:
    """The mark of a way to place the tile at hand."""
    values = {"space": way.space, "land": way.land}
    return pick(choices, f"{way.space} {way.land or 'open sea'}", outline, values)


def _space_name(space: str, x: float, y: float, size: float, palette: Palette) -> str:
    return label(space, x, y, size, font_weight="bold", text_anchor="middle", fill=palette.ink)
