"""What the page of a finished match shows besides the result: the points over time as a chart, and
the draws checked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import RecordError
from engine.record import verify
from engine.svg import circle, element, fitted, group, label, number, path, picture, polygon, rect
from engine.types import ToldOutcome
from service.context import Context
from service.errors import Conflict
from service.matches import replays
from service.store.matches import StoredMatch
from service.store.players import Player
from service.texts import gettext as _
from service.texts import ngettext
from service.views.record import match_record

_WIDTH, _HEIGHT = 360.0, 220.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 34.0, 250.0, 14.0, 190.0
"""Where the lines are; the names are to the right of them."""
_LETTERS: Final = 13.0
_MOST_POINTS: Final = 60
_DASHES: Final = (None, "8 4", "2 3", "10 3 2 3")
"""By seat: lines are told apart by these and by their marks, not by colours."""
_INK: Final = "currentColor"


@dataclass(frozen=True, slots=True)
class DrawsChecked:
    """The result of checking a record again: a sentence, and whether all is as it should be."""

    is_sound: bool
    sentence: str


def draws_checked(context: Context, player: Player | None, match_id: str) -> DrawsChecked:
    """Plays a finished match again from its record, with every draw computed anew. Raises
    ``NotFound``, or ``Conflict`` where it is not over.
    """
    record = match_record(context, player, match_id)
    if record.secret is None:
        raise Conflict(_("The draws can be checked once the match is over."))
    try:
        found = verify(record)
    except RecordError as error:
        return DrawsChecked(False, _("The check failed: {reason}").format(reason=error))
    sentence = ngettext(
        "Checked just now: the number is the one that was sealed before anybody sat down, the {draws} draw follows from"
        " it, all {steps} entries of the log are legal, and they lead to this result.",
        "Checked just now: the number is the one that was sealed before anybody sat down, all {draws} draws follow"
        " from it, all {steps} entries of the log are legal, and they lead to this result.",
        found.draws,
    )
    return DrawsChecked(True, sentence.format(draws=found.draws, steps=found.plies))


def score_chart(context: Context, match: StoredMatch, outcome: ToldOutcome) -> str:
    """The points of every seat over a finished match, as SVG in the colour of the text."""
    shown = "chart", match.id, match.ply, match.names
    return context.pictures.svg(shown, lambda: _drawn(_standings(context, match), match.names, outcome))


def _standings(context: Context, match: StoredMatch) -> list[tuple[int, Sequence[int]]]:
    """The points at some plies, the first and the last among them."""
    game, every = replays.game_of(match), max(1, match.ply // _MOST_POINTS)
    with context.database.read() as connection:
        steps = replays.walk(connection, context, match, 0)
        return [
            (step.ply + 1, game.standing(step.after))
            for step in steps
            if step.ply % every == 0 or step.ply + 1 == match.ply
        ]


def _drawn(found: Sequence[tuple[int, Sequence[int]]], names: Sequence[str], outcome: ToldOutcome) -> str:
    last = max(1, found[-1][0])
    points = [each for _, standing in found for each in standing] + [*outcome.scores, 0]
    low, high = min(points), max(max(points), min(points) + 1)

    def x(ply: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * ply / last

    def y(score: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * (score - low) / (high - low)

    lines = [[(x(ply), y(standing[seat])) for ply, standing in found] for seat in range(len(names))]
    ends = _spread([y(score) for score in outcome.scores])
    said = [
        ngettext("{name} ends with {points} point.", "{name} ends with {points} points.", abs(score)).format(
            name=name, points=score
        )
        for name, score in zip(names, outcome.scores, strict=True)
    ]
    return picture(
        _WIDTH,
        _HEIGHT,
        _("The points after each move"),
        " ".join(said),
        group(
            *(_grid(score, y(score)) for score in _ticks(low, high)),
            label(_("Moves and draws"), _LEFT, _HEIGHT - 8, _LETTERS),
            label(str(last), _RIGHT, _HEIGHT - 8, _LETTERS, text_anchor="end"),
            *(_line(seat, line) for seat, line in enumerate(lines)),
            *(_name(seat, f"{outcome.scores[seat]} {name}", ends[seat]) for seat, name in enumerate(names)),
            fill=_INK,
        ),
        prefix="scores",
    )


def _ticks(low: float, high: float) -> list[int]:
    """Round numbers in that span, at most five or so."""
    step = next(each for each in (1, 2, 5, 10, 20, 25, 50, 100, 250, 500, 10**9) if (high - low) / each <= 5)
    return [each * step for each in range(-(-int(low) // step), int(high) // step + 1)]


def _spread(places: Sequence[float]) -> list[float]:
    """The places, moved apart downwards so far that no two names lie on each other."""
    found, free = [0.0] * len(places), _TOP
    for index in sorted(range(len(places)), key=lambda each: places[each]):
        found[index] = max(places[index], free)
        free = found[index] + _LETTERS + 3
    return found


def _grid(score: int, y: float) -> str:
    line = path(f"M{number(_LEFT)} {number(y)}H{number(_RIGHT)}", stroke=_INK, stroke_opacity=0.2, fill="none")
    return line + label(str(score), _LEFT - 5, y + 4.5, _LETTERS, text_anchor="end")


def _line(seat: int, points: Sequence[tuple[float, float]]) -> str:
    drawn = "M" + "L".join(f"{number(x)} {number(y)}" for x, y in points)
    line = path(drawn, stroke=_INK, fill="none", stroke_width=2, stroke_dasharray=_DASHES[seat % len(_DASHES)])
    every = max(1, len(points) // 6)
    return line + "".join(_mark(seat, x, y) for x, y in points[every // 2 :: every])


def _name(seat: int, words: str, y: float) -> str:
    return _mark(seat, _RIGHT + 12, y) + label(
        fitted(words, _WIDTH - _RIGHT - 22, _LETTERS), _RIGHT + 21, y + 4.5, _LETTERS
    )


def _mark(seat: int, x: float, y: float) -> str:
    """What tells the line of a seat from others."""
    more: dict[str, Any] = {"stroke": _INK, "stroke_width": 1.5}
    match seat % 4:
        case 0:
            return circle(x, y, 4, fill=_INK)
        case 1:
            return rect(x - 4, y - 4, 8, 8, fill="none", **more)
        case 2:
            return polygon(((x, y - 5), (x + 5, y + 4), (x - 5, y + 4)), fill=_INK)
        case _:
            return element("path", d=f"M{number(x - 4)} {number(y - 4)}l8 8m0 -8l-8 8", fill="none", **more)
