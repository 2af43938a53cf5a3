"""The picture of Ozeanien's table: board, kinds of tiles and panels for each layout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from engine.games.ozeanien.facts import description
from engine.games.ozeanien.observe import Observation
from engine.games.ozeanien.render_board import board
from engine.games.ozeanien.render_icons import piece_definitions
from engine.games.ozeanien.render_layout import (
    DESKTOP_PANEL,
    INKED,
    PHONE_PANEL,
    PHONE_WIDTH,
    PRINT_PANEL,
    SCREEN,
    SHEET,
    BoardPlan,
    Palette,
    PanelPlan,
    phone_board,
    sides_with_circles,
    wide_board,
)
from engine.games.ozeanien.render_panel import a_way_round, card, head, island_rows, islands, legend, supplies, to_do
from engine.games.ozeanien.render_sea import sea_definitions
from engine.games.ozeanien.tiles import Kind
from engine.panel import Block, moved, stacked
from engine.picks import NO_CHOICES, Choices
from engine.svg import frame, group, number, picture, rect
from engine.types import Layout

_EDGE: Final = 16.0
_MARGIN: Final = 30.0
_GAP: Final = 9.0
_FEWEST_ROWS: Final = 8
_MOST_ROWS_ON_A_PHONE: Final = 18
_SHORTEST: Final = 640.0
_TWO_LINES: Final = 100.0
_TWO_COLUMNS: Final = 520.0


def svg(
    observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP, choices: Choices = NO_CHOICES
) -> str:
    """A standalone picture with everything observed and a description for screen readers."""
    width, height, palette, lettered, drawn = _LAYOUTS[layout](observation, names, choices)
    lands = (*map(a_way_round, Kind), *(each.land for each in observation.placements))
    return picture(
        width,
        height,
        "Ozeanien",
        description(observation, names, layout),
        "" if palette.marked else sea_definitions(),
        piece_definitions(len(observation.seats), lands, lettered, palette),
        rect(0, 0, width, height, fill=palette.ground),
        drawn,
        prefix="ozeanien",
        choices=choices,
    )


_Drawn = tuple[float, float, Palette, bool, str]
"""The size of a picture, its colours, whether explorers bear letters, and what is on it."""


def _desktop(observation: Observation, names: Sequence[str], choices: Choices) -> _Drawn:
    """The board with the kinds of tiles below it, and a panel beside it."""
    plan, panel = wide_board(sides_with_circles(observation.circles)), DESKTOP_PANEL
    wide, tall = plan.size(observation.columns, observation.rows)
    kinds = legend(observation, wide - 2 * _EDGE, panel, SCREEN)
    upper = _upper(observation, names, plan, panel, SCREEN, choices)
    least = upper.height + _GAP + min(island_rows(observation), _FEWEST_ROWS) * panel.row + 24
    inside = max(tall + kinds.height, _SHORTEST - 2 * _EDGE, least)
    rows = int((inside - upper.height - _GAP - 24) // panel.row)
    blocks = stacked((upper, islands(observation, rows, panel, SCREEN)), _GAP)
    ground = frame(0, 0, panel.width, inside, 12, SCREEN.panel, SCREEN.border, 1.5)
    boxed = group(ground, moved(blocks.drawn, panel.pad, 12))
    drawn = (
        _board(observation, plan, SCREEN, choices)
        + moved(kinds.drawn, _EDGE, inside + _EDGE - kinds.height)
        + moved(boxed, wide + _EDGE / 2, _EDGE)
    )
    return wide + panel.width + 1.5 * _EDGE, inside + 2 * _EDGE, SCREEN, plan.lettered, drawn


def _phone(observation: Observation, names: Sequence[str], choices: Choices) -> _Drawn:
    plan, panel = phone_board(sides_with_circles(observation.circles), observation.columns), PHONE_PANEL
    _, tall = plan.size(observation.columns, observation.rows)
    blocks = stacked(
        (
            _upper(observation, names, plan, panel, SCREEN, choices),
            islands(observation, _MOST_ROWS_ON_A_PHONE, panel, SCREEN),
            legend(observation, panel.inner, panel, SCREEN),
        ),
        _GAP,
    )
    inside = blocks.height + 22
    boxed = group(frame(0, 0, PHONE_WIDTH, inside, fill=SCREEN.panel), moved(blocks.drawn, panel.pad, 10))
    drawn = _board(observation, plan, SCREEN, choices) + moved(boxed, 0, tall)
    return PHONE_WIDTH, tall + inside, SCREEN, plan.lettered, drawn


def _alone(observation: Observation, names: Sequence[str], choices: Choices) -> _Drawn:
    plan = phone_board(sides_with_circles(observation.circles), observation.columns)
    width, height = plan.size(observation.columns, observation.rows)
    return width, height, SCREEN, plan.lettered, _board(observation, plan, SCREEN, choices)


def _upper(
    observation: Observation,
    names: Sequence[str],
    plan: BoardPlan,
    panel: PanelPlan,
    palette: Palette,
    choices: Choices,
) -> Block:
    """All blocks of a panel but the islands."""
    return stacked(
        (
            head(observation, names, panel, palette),
            to_do(observation, plan, panel, palette, choices),
            *_cards(observation, names, panel, palette, choices),
            supplies(observation, panel, palette),
        ),
        _GAP,
    )


def _cards(
    observation: Observation, names: Sequence[str], panel: PanelPlan, palette: Palette, choices: Choices
) -> Iterator[Block]:
    for seat in range(len(observation.seats)):
        found = card(seat, observation, names, panel, palette, panel.inner + 12, choices)
        yield Block(found.height, moved(group(found.drawn), -6, 0))


def _print(observation: Observation, names: Sequence[str], choices: Choices) -> _Drawn:
    """A sheet of A4 paper: a wide board above two columns, any other beside one or two columns."""
    drawn = _portrait if observation.columns > observation.rows else _landscape
    return drawn(observation, names, choices)


def _portrait(observation: Observation, names: Sequence[str], choices: Choices) -> _Drawn:
    height, width = SHEET
    inside = width - 2 * _MARGIN
    panel = replace(PRINT_PANEL, width=inside / 2)
    sides = sides_with_circles(observation.circles)
    upper = _upper(observation, names, wide_board(sides), panel, INKED, choices)
    kinds = legend(observation, inside, panel, INKED)
    wide, tall = wide_board(sides).size(observation.columns, observation.rows)
    lower = max(upper.height, min(island_rows(observation), _FEWEST_ROWS) * panel.row)
    room = height - 2 * _MARGIN - kinds.height - 2 * _GAP - lower
    plan = wide_board(sides, min(inside / wide, room / tall, 1.0))
    across, down = plan.size(observation.columns, observation.rows)
    top = _MARGIN + down + kinds.height + 2 * _GAP
    table = islands(observation, int((height - _MARGIN - top) // panel.row), panel, INKED)
    drawn = (
        moved(_board(observation, plan, INKED, choices), (width - across) / 2, _MARGIN)
        + moved(kinds.drawn, _MARGIN, _MARGIN + down + _GAP)
        + _column(upper, panel, _MARGIN, top, height - _MARGIN - top)
        + _column(table, panel, _MARGIN + panel.width, top, height - _MARGIN - top)
    )
    return width, height, INKED, plan.lettered, drawn


def _landscape(observation: Observation, names: Sequence[str], choices: Choices) -> _Drawn:
    width, height = SHEET
    sides = sides_with_circles(observation.circles)
    wide, tall = wide_board(sides).size(observation.columns, observation.rows)
    room, beside = height - 2 * _MARGIN - _GAP, width - 2 * _MARGIN - 2 * _GAP
    # The kinds of tiles need two lines at most where the board is this wide.
    kinds = legend(observation, wide * min(1.0, (room - _TWO_LINES) / tall), PRINT_PANEL, INKED)
    scale = min(1.0, (room - kinds.height) / tall)
    panel, columns = replace(PRINT_PANEL, width=beside - wide * scale), 1
    upper = _upper(observation, names, wide_board(sides), panel, INKED, choices)
    if panel.width >= _TWO_COLUMNS or upper.height + _FEWEST_ROWS * panel.row > room:
        scale, columns = min(scale, (beside - _TWO_COLUMNS) / wide), 2
        panel = replace(PRINT_PANEL, width=(beside - wide * scale) / 2)
        upper = _upper(observation, names, wide_board(sides), panel, INKED, choices)
        kinds = legend(observation, wide * scale, PRINT_PANEL, INKED)
    plan = wide_board(sides, scale)
    across, down = plan.size(observation.columns, observation.rows)
    left = _MARGIN + across + 2 * _GAP
    below = 0.0 if columns == 2 else upper.height + _GAP
    table = islands(observation, int((room - below) // panel.row), panel, INKED)
    drawn = (
        moved(_board(observation, plan, INKED, choices), _MARGIN, _MARGIN)
        + moved(kinds.drawn, _MARGIN, _MARGIN + down + _GAP)
        + _column(upper, panel, left, _MARGIN, room)
        + _column(table, panel, left + (columns - 1) * panel.width, _MARGIN + below, room - below)
    )
    return width, height, INKED, plan.lettered, drawn


def _column(block: Block, panel: PanelPlan, x: float, y: float, height: float) -> str:
    """A column of the sheet, which its labels must not leave."""
    return moved(group(frame(0, 0, panel.width, height, fill="none"), moved(block.drawn, panel.pad, 0)), x, y)


def _board(observation: Observation, plan: BoardPlan, palette: Palette, choices: Choices) -> str:
    return group(
        *board(observation, plan, palette, choices),
        transform=f"scale({plan.scale:.4f}) translate({number(plan.left)} {number(plan.top)})",
    )


_LAYOUTS: Final[dict[Layout, Callable[[Observation, Sequence[str], Choices], _Drawn]]] = {
    Layout.DESKTOP: _desktop,
    Layout.PHONE: _phone,
    Layout.PRINT: _print,
    Layout.BOARD: _alone,
}
