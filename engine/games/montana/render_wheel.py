"""The recruitment wheel of Montana's picture: its segments with their numbers, the arrow, and the
wheat that moves it.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from engine.games.montana.components import Good, Hiring
from engine.games.montana.facts import wheat_needed
from engine.games.montana.render_icons import good_icon, worker_icon
from engine.games.montana.render_part import Drawn, Scene, to
from engine.games.montana.render_sheet import Look
from engine.svg import ACCENT, INK, SOFT, circle, group, label, number, path, rect, use

_HEADING: Final = 30
_LARGEST: Final = 118.0
_RIM: Final = 19.0
_EDGE: Final = "#5a3f29"
_ARROW: Final = "M-4.5 14V-22H-11L0 -44L11 -22H4.5V14Z"


def wheel(scene: Scene, width: float) -> Drawn:
    """The wheel below its heading."""
    wheel, look = scene.observation.wheel, scene.sheet.look
    radius = min(width / 2 - 14, _LARGEST)
    count, arrow = len(wheel.segments), wheel.arrow
    drawn = [
        circle(0, 0, radius, fill=look.rim, stroke=_EDGE, stroke_width=1.5),
        *(_segment(place, count, halves, radius, arrow, look) for place, halves in enumerate(wheel.segments)),
    ]
    if arrow is not None:
        fill = ACCENT if "wheel" in scene.observation.last else INK
        shaft = path(_ARROW, stroke="#ffffff", stroke_width=5, fill="none", stroke_linejoin="round")
        turned = f"rotate({number((arrow - 0.5) * 360 / count)}) scale({number(radius / _LARGEST)})"
        drawn.append(group(shaft, path(_ARROW, fill=fill), transform=turned))
    drawn += [circle(0, 0, 9, fill="#f0c33c", stroke="#5f4300", stroke_width=2), *_wheat(scene, radius)]
    said = "not spun yet" if arrow is None else f"arrow at segment {arrow}"
    heading = (
        label("Wheel", 14, 24, 16, font_weight="bold", fill=INK),
        label(said, width - 14, 24, 13, text_anchor="end", fill=INK),
    )
    whole = group(*drawn, transform=to(width / 2, _HEADING + radius + 8))
    return Drawn("".join((*heading, whole)), _HEADING + 2 * radius + 20, plate=True)


def _segment(place: int, count: int, halves: tuple[Hiring, ...], radius: float, arrow: int | None, look: Look) -> str:
    inner, shown = radius - _RIM, arrow is not None and place == arrow - 1
    start, end = (place * 2 * pi / count - pi / 2, (place + 1) * 2 * pi / count - pi / 2)
    between = (start + end) / 2
    (ax, ay), (bx, by) = ((inner * cos(angle), inner * sin(angle)) for angle in (start, end))
    d = f"M0 0L{number(ax)} {number(ay)}A{number(inner)} {number(inner)} 0 0 1 {number(bx)} {number(by)}Z"
    drawn = [path(d, fill=look.shown if shown else look.segments[place % 2], stroke=_EDGE, stroke_width=1.4)]
    away, scale = inner * 0.7, min(0.92, 7 / count)
    for half, hired in enumerate(halves):
        side = half - (len(halves) - 1) / 2
        x = away * cos(between) - 24 * scale * side * sin(between)
        y = away * sin(between) + 32 * scale * side * cos(between)
        drawn.append(use(worker_icon(hired), x, y, scale))
    at = radius - _RIM / 2
    x, y = at * cos(between), at * sin(between)
    if shown:
        drawn.append(circle(x, y, 9, fill="#ffffff", stroke=ACCENT, stroke_width=2))
    drawn.append(
        label(
            str(place + 1),
            x,
            y + 4.4,
            12.5,
            font_weight="bold",
            text_anchor="middle",
            fill=INK if shown else look.rim_text,
        )
    )
    return "".join(drawn)


def _wheat(scene: Scene, radius: float) -> list[str]:
    """R4.3: the wheat that moves the arrow to each segment, framed where the seat can pay it."""
    needed = wheat_needed(scene.observation)
    held = scene.observation.seats[scene.observation.turn].goods[Good.WHEAT]
    drawn = []
    for place, wheat in enumerate(needed):
        if wheat:
            angle = (place + 0.5) * 2 * pi / len(needed) - pi / 2
            x, y = 0.33 * radius * cos(angle), 0.33 * radius * sin(angle)
            enough = wheat <= held
            drawn += [
                rect(
                    x - 12,
                    y - 8,
                    24,
                    16,
                    rx=7,
                    fill="#ffffff",
                    stroke=INK if enough else SOFT,
                    stroke_width=1.8 if enough else 0.8,
                    stroke_dasharray=None if enough else "2 2",
                ),
                label(str(wheat), x - 9, y + 4, 11, font_weight="bold" if enough else None, fill=INK),
                use(good_icon(Good.WHEAT), x + 5, y, 0.55),
            ]
    return drawn
