"""The board in Oregon's picture: terrain, lines, symbols and names at the edges, pieces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final

from engine.games.oregon.components import Symbol
from engine.games.oregon.facts import TERRAIN_NAMES
from engine.games.oregon.observe import Observation
from engine.games.oregon.render_icons import farmer_icon, symbol_icon, tile_icon
from engine.games.oregon.render_layout import Inks, Plan
from engine.grid import Cell, cells, column_letter, format_space, neighbours8, parse_space
from engine.picks import NO_CHOICES, Choices
from engine.svg import INK, define, element, frame, group, label, number, oblong, path, pick, rect, stroke, to, use

_BAND_COLUMNS, _BAND_ROWS = 3, 2


def board(observation: Observation, plan: Plan, choices: Choices) -> str:
    """The board at its place in the picture."""
    place = plan.board
    return group(
        _scaled_ground(observation.terrain, plan.inks, place.cell),
        _edges(observation.column_symbols, observation.row_symbols, plan),
        *_pieces(observation, plan),
        *(() if choices is NO_CHOICES else _spaces(observation.terrain, plan, choices)),
        transform=to(place.left, place.top),
    )


def _spaces(terrain: tuple[str, ...], plan: Plan, choices: Choices) -> Iterator[str]:
    """The marks of the spaces that may be chosen."""
    width, height = plan.board.cell
    for column, row in cells(len(terrain[0]), len(terrain)):
        space = format_space((column, row))
        outline = oblong(column * width, row * height, width, height)
        yield pick(choices, f"{space}, {TERRAIN_NAMES[terrain[row][column]]}", outline, {"space": space})


@lru_cache(maxsize=16)
def _scaled_ground(terrain: tuple[str, ...], inks: Inks, cell: tuple[float, float]) -> str:
    """Remembered, because it takes longer than all the rest of a picture."""
    across, down = cell[0] / CELL, cell[1] / CELL
    if across == down == 1:
        return ground(terrain, inks)
    return group(ground(terrain, inks), transform=f"scale({across:.4f} {down:.4f})")


@lru_cache(maxsize=16)
def _edges(columns: tuple[Symbol, ...], rows: tuple[Symbol, ...], plan: Plan) -> str:
    """The symbols at the edges of the board, the letters of columns, the numbers of rows."""
    width, height = plan.board.cell
    letter = plan.board.letter
    across, down = range(len(columns) * _BAND_COLUMNS), range(len(rows) * _BAND_ROWS)
    letters = (label(column_letter(column), (column + 0.5) * width, *letter) for column in across)
    x, size = plan.board.number
    numbers = (label(str(row + 1), x, (row + 0.5) * height + size * 0.36, size) for row in down)
    return group(
        *(_column_plate(symbol, index * _BAND_COLUMNS * width, plan) for index, symbol in enumerate(columns)),
        *(_row_plate(symbol, index * _BAND_ROWS * height, plan) for index, symbol in enumerate(rows)),
        group(*letters, *numbers, text_anchor="middle", font_weight="bold", fill=INK),
    )


def _column_plate(symbol: Symbol, x: float, plan: Plan) -> str:
    place, ink = plan.board, plan.inks.plate_ink
    icon, name = place.plate_icon, place.plate_name
    width = _BAND_COLUMNS * place.cell[0] - 2 * place.gap
    return group(
        _plate(width, place.plate_height, plan),
        use(symbol_icon(symbol), icon[0], icon[1], icon[2], fill=ink, stroke=ink),
        label(symbol.value.capitalize(), *name, font_weight="bold", text_anchor=place.plate_anchor, fill=ink),
        transform=to(x + place.gap, place.plate_top),
    )


def _row_plate(symbol: Symbol, y: float, plan: Plan) -> str:
    place, ink = plan.board, plan.inks.plate_ink
    icon, name = place.row_icon, place.row_name
    height = _BAND_ROWS * place.cell[1] - 2 * place.gap
    return group(
        _plate(place.row_plate_width, height, plan),
        use(symbol_icon(symbol), icon[0], icon[1], icon[2], fill=ink, stroke=ink),
        label(symbol.value[0].upper(), *name, font_weight="bold", text_anchor="middle", fill=ink),
        transform=to(place.row_plate_left, y + place.gap),
    )


def _plate(width: float, height: float, plan: Plan) -> str:
    inks = plan.inks
    return frame(0, 0, width, height, min(width, height) / 5, inks.plate, inks.plate_line, 1)


def _pieces(observation: Observation, plan: Plan) -> Iterator[str]:
    for building in observation.buildings:
        yield use(tile_icon(building.building), *_middle(parse_space(building.space), plan))
    for farmer in observation.farmers:
        yield use(farmer_icon(farmer.seat), *_middle(parse_space(farmer.space), plan), plan.board.farmer)
    for space in observation.last:
        yield use("oregon-latest", *_middle(parse_space(space), plan))


def _middle(cell: Cell, plan: Plan) -> tuple[float, float]:
    width, height = plan.board.cell
    return (cell[0] + 0.5) * width, (cell[1] + 0.5) * height


CELL: Final = 54
_HALF: Final = CELL / 2
_ROUND: Final = 17
_STUB: Final = _HALF - 5
TERRAIN_ICONS: Final = {".": "oregon-prairie-2", "~": "oregon-water", "^": "oregon-mountain", "=": "oregon-railway"}
_RIDGE: Final[Mapping[str, str | float]] = {"stroke": "#5a5148", "stroke_width": 1.6, "stroke_linejoin": "round"}
_RIPPLES = "M-19 -8q4.75 -6 9.5 0t9.5 0t9.5 0t9.5 0M-19 9q4.75 -6 9.5 0t9.5 0t9.5 0t9.5 0"
_GRASS = "M-3 3C-3 0 -4 -3 -6 -5M-1 3C-1 -1 -1 -4 0 -7M1 3C2 0 3 -2 6 -4"


def ground_definitions(inks: Inks) -> str:
    """The drawings of the terrain, the middle of a space at the origin."""
    tufts = (((-11, -8), (10, 6)), ((9, -10), (-9, 9)), ((-2, -2), (14, 13), (-14, 14)))
    blades = [[path(_GRASS, transform=f"translate({x} {y})") for x, y in places] for places in tufts]
    colour = inks.ground["."][1]
    line: dict[str, str | float] = {"stroke": colour, "stroke_width": 1.6, "stroke_linecap": "round"}
    return element(
        "defs",
        *(define(f"oregon-prairie-{variant}", *drawn, fill="none", **line) for variant, drawn in enumerate(blades)),
        define("oregon-water", stroke(_RIPPLES, inks.ground["~"][1], 2.4)),
        define(
            "oregon-mountain",
            path("M1 16L12 -5L23 16Z", fill=inks.rocks[1], **_RIDGE),
            path("M-22 17L-6 -17L11 17Z", fill=inks.rocks[0], **_RIDGE),
            path("M-6 -17L-11.5 -5L-8 -7.5L-5.5 -3.5L-2.5 -7.5L.3 -4.5Z", fill="#ffffff"),
            path("M12 -5L8.8 1.2L11.5 0L13.5 2.5L15.3 1.4Z", fill="#ffffff"),
        ),
        define("oregon-railway", _track("M-20 0H20", inks)),
    )


def ground(terrain: tuple[str, ...], inks: Inks) -> str:
    """The board without pieces, from its upper left corner; a space is ``CELL`` wide and high."""
    columns, rows = len(terrain[0]), len(terrain)
    width, height = columns * CELL, rows * CELL
    at = {(column, row): terrain[row][column] for column, row in cells(columns, rows)}
    blobs, shores = (
        [(kind, "".join(drawn(cell, at) for cell in at if at[cell] == kind)) for kind in "^=~"]
        for drawn in (_blob, _shore)
    )
    return group(
        rect(0, 0, width, height, fill=inks.ground["."][0]),
        *(path(d, fill=inks.ground[kind][0]) for kind, d in blobs),
        *(path(d, fill="none", stroke=inks.ground[kind][1], stroke_width=2) for kind, d in shores),
        *_scenery(at),
        _track(_rails(at, columns, rows), inks),
        path(_grid(columns, rows, 1, 1), stroke=INK, stroke_opacity=0.22, stroke_width=1),
        path(_grid(columns, rows, 3, 2), stroke="#4a3421", stroke_opacity=0.85, stroke_width=2.6),
        rect(0, 0, width, height, fill="none", stroke="#4a3421", stroke_width=4),
    )


def middle(cell: Cell) -> tuple[float, float]:
    """The middle of a space of this ground."""
    return cell[0] * CELL + _HALF, cell[1] * CELL + _HALF


def _scenery(at: dict[Cell, str]) -> Iterator[str]:
    for cell, kind in at.items():
        x, y = middle(cell)
        if kind == ".":
            yield use(f"oregon-prairie-{(cell[0] * 5 + cell[1] * 7) % 3}", x, y)
        elif kind in "~^":
            yield use(TERRAIN_ICONS[kind], x, y)


def _corners(cell: Cell, at: dict[Cell, str]) -> tuple[bool, ...]:
    """Whether each corner, clockwise from the upper left, has no neighbour of the same kind."""
    column, row = cell
    same = {(dx, dy): at.get((column + dx, row + dy), at[cell]) == at[cell] for dx in (-1, 0, 1) for dy in (-1, 0, 1)}
    return tuple(not (same[dx, 0] or same[0, dy] or same[dx, dy]) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1)))


def _blob(cell: Cell, at: dict[Cell, str]) -> str:
    """The outline of a space, round at its outer corners."""
    x, y = cell[0] * CELL, cell[1] * CELL
    a, b, c, d = (_ROUND if outer else 0 for outer in _corners(cell, at))
    return (
        f"M{x + a} {y}H{x + CELL - b}{_arc(b, b, b)}V{y + CELL - c}{_arc(c, -c, c)}"
        f"H{x + d}{_arc(d, -d, -d)}V{y + a}{_arc(a, a, -a)}Z"
    )


def _arc(radius: int, dx: int, dy: int) -> str:
    return f"a{radius} {radius} 0 0 1 {dx} {dy}" if radius else ""


def _shore(cell: Cell, at: dict[Cell, str]) -> str:
    """The sides of a space next to another terrain, and the arcs at its outer corners."""
    (column, row), kind = cell, at[cell]
    x, y = column * CELL, row * CELL
    a, b, c, d = (_ROUND if outer else 0 for outer in _corners(cell, at))
    parts = (
        ((0, -1), f"M{x + a} {y}H{x + CELL - b}{_arc(b, b, b)}"),
        ((1, 0), f"M{x + CELL} {y + b}V{y + CELL - c}{_arc(c, -c, c)}"),
        ((0, 1), f"M{x + CELL - c} {y + CELL}H{x + d}{_arc(d, -d, -d)}"),
        ((-1, 0), f"M{x} {y + CELL - d}V{y + a}{_arc(a, a, -a)}"),
    )
    return "".join(part for (dx, dy), part in parts if at.get((column + dx, row + dy), kind) != kind)


def _rails(at: dict[Cell, str], columns: int, rows: int) -> str:
    """The lines between adjacent railway spaces; diagonal ones only where no other way is."""
    found: list[str] = []
    for cell, kind in at.items():
        if kind != "=":
            continue
        near = [other for other in neighbours8(cell, columns, rows) if at[other] == "="]
        x, y = middle(cell)
        if not near:
            found.append(f"M{number(x - 20)} {number(y)}h40")
        for other in near:
            diagonal = other[0] != cell[0] and other[1] != cell[1]
            if other < cell or (diagonal and "=" in (at[cell[0], other[1]], at[other[0], cell[1]])):
                continue
            found.append(f"M{number(x)} {number(y)}L{number(middle(other)[0])} {number(middle(other)[1])}")
        found.extend(_off_board(cell, near, columns, rows))
    return "".join(found)


def _off_board(cell: Cell, near: list[Cell], columns: int, rows: int) -> Iterator[str]:
    """The path from the middle of a railway space at the end of a line to the edge of the board."""
    x, y = middle(cell)
    if len(near) != 1:
        return
    for edge, d in (
        (cell[0] == 0, f"h{-_STUB}"),
        (cell[0] == columns - 1, f"h{_STUB}"),
        (cell[1] == 0, f"v{-_STUB}"),
        (cell[1] == rows - 1, f"v{_STUB}"),
    ):
        if edge:
            yield f"M{number(x)} {number(y)}{d}"


def _track(d: str, inks: Inks) -> str:
    rail, sleeper, bed = inks.rails
    return group(
        path(d, stroke=sleeper, stroke_width=17, stroke_dasharray="3.6 5.4", stroke_dashoffset=-2.7),
        path(d, stroke=rail, stroke_width=10.5, stroke_linecap="round"),
        path(d, stroke=bed, stroke_width=6.5, stroke_linecap="round"),
        path(d, stroke=sleeper, stroke_width=6.5, stroke_dasharray="3.6 5.4", stroke_dashoffset=-2.7),
        fill="none",
    )


def _grid(columns: int, rows: int, across: int, down: int) -> str:
    """Lines every ``across`` columns and ``down`` rows, without the border, as path data."""
    upright = "".join(f"M{column * CELL} 0V{rows * CELL}" for column in range(across, columns, across))
    return upright + "".join(f"M0 {row * CELL}H{columns * CELL}" for row in range(down, rows, down))
