"""The score sheet of a finished match, as rows and as a table in plain text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.types import Outcome, Seat
from engine.wording import listed
from service.texts import gettext as _
from service.texts import ngettext


@dataclass(frozen=True, slots=True)
class Row:
    """The row of a seat: ``points`` in the order of the sheet's labels."""

    rank: int
    name: str
    you: bool
    points: tuple[int, ...]
    score: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A score sheet, best rank first."""

    labels: tuple[str, ...]
    rows: tuple[Row, ...]


def sheet(outcome: Outcome, names: Sequence[str], mine: Seat | None) -> Sheet:
    """The score sheet: a column for every label of the details, then the score."""
    details = outcome.details or ((),) * len(names)
    labels = tuple(dict.fromkeys(label for lines in details for label, points in lines))
    rows = (
        Row(
            outcome.ranks[seat],
            name,
            seat == mine,
            tuple(sum(points for found, points in details[seat] if found == label) for label in labels),
            outcome.scores[seat],
        )
        for seat, name in enumerate(names)
    )
    return Sheet(labels, tuple(sorted(rows, key=lambda row: row.rank)))


def as_text(sheet: Sheet) -> str:
    """The sheet transposed, to be narrow enough for plain text: a column per player, a line per
    label.
    """
    heads = [f"{row.rank}. {row.name}"[:14] for row in sheet.rows]
    edge = max(map(len, (*sheet.labels, _("Points"))))
    lines = [" " * edge + "".join(f"  {head:>14}" for head in heads)]
    lines += [
        f"{label:<{edge}}" + "".join(f"  {row.points[index]:>14}" for row in sheet.rows)
        for index, label in enumerate(sheet.labels)
    ]
    lines.append(f"{_('Points'):<{edge}}" + "".join(f"  {row.score:>14}" for row in sheet.rows))
    return "\n".join(lines)


def headline(outcome: Outcome, names: Sequence[str], title: str) -> str:
    """The sentence that says who won; alone, nobody wins, and the points are said."""
    if len(names) == 1:
        points = outcome.scores[0]
        said = ngettext(
            "{title} is over: {name} has {points} point.", "{title} is over: {name} has {points} points.", abs(points)
        )
        return said.format(title=title, name=names[0], points=points)
    winners = [names[seat] for seat in outcome.winners]
    if len(winners) == len(names):
        return _("{title} is over: everyone shares the victory.").format(title=title)
    if len(winners) > 1:
        return _("{title} is over: {players} share the victory.").format(title=title, players=listed(winners))
    return _("{title} is over: {name} has won.").format(title=title, name=winners[0])
