"""The picture of Montana's table: draws the parts and puts them where the sheet has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.games.montana.facts import description
from engine.games.montana.observe import Observation
from engine.games.montana.render_board import ground_definitions, land, least_height
from engine.games.montana.render_icons import definitions
from engine.games.montana.render_layout import Column, Drawer, Part, Scene, sheet
from engine.games.montana.render_panel import head, key, seats, supply
from engine.games.montana.render_work import town, wheel, work
from engine.panel import Block
from engine.picks import NO_CHOICES, Choices
from engine.svg import frame, group, picture, rect, to
from engine.types import Layout

_DRAWERS: Final[dict[Part, Drawer]] = {
    Part.HEAD: head,
    Part.SEATS: seats,
    Part.WORK: work,
    Part.TOWN: town,
    Part.WHEEL: wheel,
    Part.SUPPLY: supply,
    Part.KEY: key,
}


def svg(
    observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP, choices: Choices = NO_CHOICES
) -> str:
    """A standalone picture with everything observed and a description for screen readers."""
    page = sheet(layout, len(observation.seats))
    scene = Scene(observation, names, page, choices)
    columns = [_drawn(scene, column) for column in page.columns]
    tall = page.height or max(_height(rows, page.gap) for rows in columns) + 2 * page.margin
    return picture(
        page.width,
        tall,
        "Montana",
        description(observation, names, layout),
        ground_definitions(page.look),
        definitions(len(observation.seats)),
        rect(0, 0, page.width, tall, fill=page.look.table),
        *(
            placed
            for column, rows in zip(page.columns, columns, strict=True)
            for placed in _placed(scene, column, rows, tall)
        ),
        prefix="montana",
        choices=choices,
    )


def _drawn(scene: Scene, column: Column) -> list[list[Block]]:
    """The parts of a column by rows; the landscape takes the room that the others leave."""
    return [
        [
            Block(least_height(scene, width), "") if part is Part.LAND else _DRAWERS[part](scene, width)
            for part, width in row
        ]
        for row in column.rows
    ]


def _height(rows: Sequence[Sequence[Block]], gap: float) -> float:
    return sum(max(drawn.height for drawn in row) for row in rows) + gap * (len(rows) - 1)


def _placed(scene: Scene, column: Column, rows: Sequence[Sequence[Block]], tall: float) -> Iterator[str]:
    """The rows of a column, the last at the bottom; the parts of a row are equally high."""
    page = scene.sheet
    y, spare = page.margin, tall - 2 * page.margin - _height(rows, page.gap)
    for place, (parts, row) in enumerate(zip(column.rows, rows, strict=True)):
        x, high = column.x, max(drawn.height for drawn in row)
        if place == len(rows) - 1:
            y = tall - page.margin - high
        for (part, width), drawn in zip(parts, row, strict=True):
            if part is Part.LAND:
                high += spare
                drawn = land(scene, width, high)
            plate = frame(0, 0, width, high, 12, page.look.paper, page.look.border, 1.5)
            inner = group(drawn.drawn, transform=to(0, (high - drawn.height) / 2))
            yield group(plate if drawn.plate else "", inner, transform=to(x, y))
            x += width + page.gap
        y += high + page.gap
