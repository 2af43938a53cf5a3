"""The picture of Oregon's table: board, panel and legend for each layout."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine.games.oregon.facts import description
from engine.games.oregon.observe import Observation
from engine.games.oregon.render_board import board, ground_definitions
from engine.games.oregon.render_icons import definitions
from engine.games.oregon.render_layout import PLANS, Plan
from engine.games.oregon.render_panel import Block, legend_blocks, panel_blocks
from engine.svg import frame, group, number, picture, rect
from engine.types import Layout


def svg(observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP) -> str:
    """A standalone picture with everything observed and a description for screen readers."""
    plan = PLANS[layout]
    panel, legend = list(panel_blocks(observation, names, plan)), list(legend_blocks(observation, plan))
    drawn: list[str] = []
    if layout is Layout.BOARD:
        height = plan.side[1]
    elif plan.height is None:
        height = plan.side[1] + _height(panel) + _height(legend) + 8
        drawn = [_column((*panel, *legend), plan.side)]
    else:
        height = plan.height
        drawn = [group(_paper(plan), _column(panel, plan.side)), _column(legend, plan.below)]
    return picture(
        plan.width,
        height,
        "Oregon",
        description(observation, names),
        _definitions(len(observation.seats), plan),
        rect(0, 0, plan.width, height, fill=plan.inks.page),
        board(observation, plan),
        *drawn,
        prefix="oregon",
    )


@lru_cache(maxsize=16)
def _definitions(seats: int, plan: Plan) -> str:
    return ground_definitions(plan.inks) + definitions(seats, plan)


def _paper(plan: Plan) -> str:
    """The sheet behind the panel."""
    x, y, width = plan.side
    assert plan.height is not None
    return frame(
        x,
        y,
        width,
        plan.height - 2 * y,
        rx=12,
        fill=plan.inks.panel,
        stroke=plan.inks.border,
        stroke_width=1.5,
    )


def _height(blocks: Iterable[Block]) -> float:
    return sum(height for height, _ in blocks)


def _column(blocks: Iterable[Block], place: tuple[float, float, float]) -> str:
    """The blocks one below the other."""
    x, y, _ = place
    drawn = []
    for height, block in blocks:
        drawn.append(group(block, transform=f"translate({number(x)} {number(y)})"))
        y += height
    return "".join(drawn)
