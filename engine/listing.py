"""All legal actions of a seat as a short table: numbered, and grouped by the words they begin with.

    farmer settler joker   12-14 G1-I1   15-17 G2-I2   24 A5   ...
    building warehouse     80 joker A1   81 joker F1   ...
    end                    82

A row has the words that its actions begin with, a cell the number of an action and the words that
are left. Numbers count from 1 in ``legal_actions``. A cell is a range where three or more actions
in a row differ by steps of one, in one letter or number: ``12-14 G1-I1`` is ``12 G1``, ``13 H1``
and ``14 I1``. Which words make the rows follows from the notation alone: those with which the table
has the fewest characters. A few actions are one row of whole lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from engine.game import AnyGame
from engine.play import legal_actions
from engine.types import Seat

PLAIN_LIST: Final = 8
"""So many actions are one row of whole lines."""
ROW_COST: Final = 32
"""What a row costs besides its words, in characters."""
SHORTEST_RANGE: Final = 3
TO: Final = "\N{EN DASH}"
"""Between the first and the last of a range."""
_STEP: Final = re.compile(r"[0-9]+|[A-Z](?![A-Za-z])|.", re.DOTALL)
"""Numbers, single capital letters, and everything else."""


@dataclass(frozen=True, slots=True)
class ListingCell:
    """The actions from ``first`` to ``last``, usually one; ``ending`` has the words of the first
    after those of the row, ``until`` those of the last, empty unless it is a range.
    """

    first: int
    last: int
    ending: str
    until: str = ""

    @property
    def number(self) -> str:
        """``12``, or ``12-14``."""
        return str(self.first) if self.first == self.last else f"{self.first}{TO}{self.last}"

    @property
    def words(self) -> str:
        """``G1``, or ``G1-I1``: of a range the word that changes is written twice."""
        if not self.until:
            return self.ending
        first, last = self.ending.split(" "), self.until.split(" ")
        return " ".join(one if one == other else f"{one}{TO}{other}" for one, other in zip(first, last, strict=True))


@dataclass(frozen=True, slots=True)
class Row:
    """Actions that begin with the words ``title``, by number; "" for whole other actions."""

    title: str
    cells: tuple[ListingCell, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """All ``total`` legal actions, each in one cell of one row."""

    rows: tuple[Row, ...]
    total: int


def listing(game: AnyGame, state: Any, seat: Seat) -> Listing:
    """The legal actions of a seat; no rows where it is not awaited."""
    return listed([game.format(action) for action in legal_actions(game, state, seat)])


def listed(lines: Sequence[str]) -> Listing:
    """The table of those lines of notation, numbered in their order."""
    if len(lines) <= PLAIN_LIST:
        cells = tuple(ListingCell(number, number, line) for number, line in enumerate(lines, 1))
        return Listing((Row("", cells),) if cells else (), len(lines))
    root = _Node("")
    for number, line in enumerate(lines, 1):
        root.add(line.split(" "), number)
    rows: list[Row] = []
    for row in sorted(_best(root)[1], key=lambda row: row.cells[0].first):
        if rows and not row.title and not rows[-1].title:
            row = Row("", (*rows.pop().cells, *row.cells))
        rows.append(row)
    return Listing(tuple(rows), len(lines))


class Label(NamedTuple):
    """What a menu calls an action: the words of its row, "" where it has none, and those left."""

    group: str
    words: str


def labels(lines: Sequence[str]) -> tuple[Label, ...]:
    """A label for each of those lines of notation, in their order, by the rows of their table."""
    found: dict[int, Label] = {}
    for row in listed(lines).rows:
        for cell in row.cells:
            for number in range(cell.first, cell.last + 1):
                line = lines[number - 1]
                words = line.removeprefix(row.title).strip()
                found[number] = Label(row.title if words else "", words or line)
    return tuple(found.get(number, Label("", line)) for number, line in enumerate(lines, 1))  # equal ones share a cell


@dataclass(slots=True)
class _Node:
    """Lines that begin with ``prefix``: the one that ends there, nodes of one word more."""

    prefix: str
    number: int | None = None
    after: dict[str, _Node] = field(default_factory=dict)

    def add(self, words: Sequence[str], number: int) -> None:
        node = self
        for word in words:
            if word not in node.after:
                node.after[word] = _Node(f"{node.prefix} {word}".lstrip())
            node = node.after[word]
        node.number = number

    def lines(self) -> Iterator[tuple[int, str]]:
        """The numbers and whole lines from here on."""
        if self.number is not None:
            yield self.number, self.prefix
        for node in self.after.values():
            yield from node.lines()


def _best(node: _Node) -> tuple[int, list[Row]]:
    """The rows of the lines of a node with the fewest characters, and how many these are: one row
    of all, or rows for each node of one word more, those of a single line in a row together.
    """
    ways = [_split(node, single=True)]
    if node.prefix or node.number is not None:
        ways.append(_split(node, single=False))
    return min(ways, key=lambda way: way[0])


def _split(node: _Node, single: bool) -> tuple[int, list[Row]]:
    """The rows where this node has a row of its single lines or, unless ``single``, of all."""
    cost = 0
    rows: list[Row] = []
    endings: list[tuple[int, str]] = []
    for word, inner in node.after.items():
        lines = list(inner.lines())
        if word[:1].isdecimal() or (single and len(lines) > 1):  # "2 7" would be read as two numbers
            inner_cost, own = _best(inner)
            cost, rows = cost + inner_cost, [*rows, *own]
        else:
            endings += [(number, line.removeprefix(node.prefix).lstrip()) for number, line in lines]
    if node.number is not None:
        rows.append(Row("", (ListingCell(node.number, node.number, node.prefix),)))
        cost += _cost(rows[-1])
    if len(endings) == 1:
        ((number, ending),) = endings
        rows.append(Row("", (ListingCell(number, number, f"{node.prefix} {ending}".lstrip()),)))
        cost += _cost(rows[-1])
    elif endings:
        rows.append(Row(node.prefix, _cells(sorted(endings))))
        cost += _cost(rows[-1])
    return cost, rows


def _cost(row: Row) -> int:
    return ROW_COST + len(row.title) + sum(len(cell.number) + len(cell.words) + 3 for cell in row.cells)


def _cells(endings: Sequence[tuple[int, str]]) -> tuple[ListingCell, ...]:
    """The cells of these numbers and endings, with ranges."""
    cells: list[ListingCell] = []
    start = 0
    while start < len(endings):
        end = _range(endings, start)
        number, ending = endings[start]
        cells.append(ListingCell(number, endings[end][0], ending, endings[end][1] if end > start else ""))
        start = end + 1
    return tuple(cells)


def _range(endings: Sequence[tuple[int, str]], start: int) -> int:
    """The index at which the range from ``start`` ends: ``start`` where there is none."""
    end, place = start, None
    while end + 1 < len(endings) and endings[end + 1][0] == endings[end][0] + 1:
        stepped = _stepped(endings[end][1], endings[end + 1][1])
        if stepped is None or place not in (None, stepped):
            break
        end, place = end + 1, stepped
    return end if end - start + 1 >= SHORTEST_RANGE else start


def _stepped(one: str, other: str) -> int | None:
    """The only piece by which the two differ, if it is a number or letter and one step further."""
    pieces, others = _STEP.findall(one), _STEP.findall(other)
    if len(pieces) != len(others):
        return None
    changed = [index for index, piece in enumerate(pieces) if piece != others[index]]
    if len(changed) != 1:
        return None
    before, after = pieces[changed[0]], others[changed[0]]
    if before.isdecimal() and after.isdecimal():
        return changed[0] if int(after) == int(before) + 1 else None
    letters = _is_letter(before) and _is_letter(after)
    return changed[0] if letters and ord(after) == ord(before) + 1 else None


def _is_letter(piece: str) -> bool:
    return len(piece) == 1 and "A" <= piece <= "Z"
