"""The picture of Oregon's table: board, panel and legend for each layout."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.games.oregon.facts import description
from engine.games.oregon.observe import Observation
from engine.games.oregon.render_board import board, ground_definitions
from engine.games.oregon.render_icons import definitions
from engine.games.oregon.render_layout import PLANS, Plan
from engine.games.oregon.render_panel import legend_blocks, panel_blocks
from engine.panel import column
from engine.picks import NO_CHOICES, Choices
from engine.svg import frame, group, picture, rect
from engine.types import Layout


def svg(
    observation: Observation, names: Sequence[str], layout: Layout = Layout.DESKTOP, choices: Choices = NO_CHOICES
) -> str:
    """A standalone picture with everything observed and a description for screen readers."""
    plan = PLANS[layout]
    height, drawn = plan.side[1], ""
    if layout is not Layout.BOARD:
        panel = list(panel_blocks(observation, names, plan, choices))
        legend = list(legend_blocks(observation, plan, choices))
        if plan.height is None:
            height += sum(block.height for block in (*panel, *legend)) + 8
            drawn = column((*panel, *legend), *plan.side[:2])
        else:
            height = plan.height
            drawn = group(_paper(plan, height), column(panel, *plan.side[:2])) + column(legend, *plan.below[:2])
    return picture(
        plan.width,
        height,
        "Oregon",
        description(observation, names, layout),
        _definitions(len(observation.seats), plan),
        rect(0, 0, plan.width, height, fill=plan.inks.page),
        board(observation, plan, choices),
        drawn,
        prefix="oregon",
        choices=choices,
    )


@lru_cache(maxsize=16)
def _definitions(seats: int, plan: Plan) -> str:
    return ground_definitions(plan.inks) + definitions(seats, plan)


def _paper(plan: Plan, height: float) -> str:
    x, y, width = plan.side
    return frame(x, y, width, height - 2 * y, 12, plan.inks.panel, plan.inks.border, 1.5)
