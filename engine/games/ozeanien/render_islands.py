"""The table of islands in Ozeanien's picture: what each earns, or would earn, and for whom.

Islands that earn most come first; those for which there is no room are added up in the last line,
so that the points of every seat can be found in the picture.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.games.ozeanien.facts import SEAT_MARKS, earned_said, others_said, ranked_islands
from engine.games.ozeanien.observe import Observation
from engine.games.ozeanien.render_flow import Block
from engine.games.ozeanien.render_layout import PanelPlan
from engine.games.ozeanien.render_palette import Palette
from engine.games.ozeanien.score import Island
from engine.svg import label, rect

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
