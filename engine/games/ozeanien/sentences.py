"""The sentence for each problem, prompt and end of a match; labels of scores, words of actions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from engine.games.ozeanien.board import start_said
from engine.games.ozeanien.tiles import KIND_NAMES, SHAPES, SIDES, Kind, a
from engine.sentences import filled_in
from engine.types import Problem, Sentence
from engine.wording import listed

Values: TypeAlias = Mapping[str, Any]


def explain(problem: Problem) -> str:
    """The sentence for a problem."""
    return filled_in(SENTENCES, problem)


def _ship_first(values: Values) -> str:
    if values["wish"] == "place":
        return "There is no tile at hand yet: put the ship at a starting point first, and a tile is drawn."
    return "An explorer follows a tile you have placed in this turn; put the ship at a starting point first."


def _tile_at_hand(values: Values) -> str:
    tile = a(Kind(values["tile"]))
    if values["wish"] == "start":
        return f"The ship is at its starting point and you hold {tile}, which fits: place it."
    return f"Place {tile} first; an explorer goes on a tile that has been placed."


def _no_such_start(values: Values) -> str:
    circles = listed(values["circles"])
    return (
        f'There is no starting point "{values["start"]}"; the board has {values["columns"]} columns,'
        f" {values['rows']} rows, and circles on the {circles}."
    )


def _circle_closed(values: Values) -> str:
    return (
        f"The space before the circle {values['start']}, {values['space']}, is explored, so no route leads on from"
        f" there. {_open(values)}"
    )


def _open(values: Values) -> str:
    found = values["open"]
    return f"Open starting points: {_named({**found, 'names': [start_said(name) for name in found['names']]})}."


def _tile_not_discarded(values: Values) -> str:
    held = listed(values["held"]) or "none"
    return f"You have no discarded {values['tile']} tile; the kinds you have: {held}."


def _explorer_not_left(values: Values) -> str:
    left = listed(map(str, values["left"]))
    have = f"those left have the values {left}" if left else "you have none left"
    return f"You have no explorer of value {values['value']}; {have}."


def _tile_does_not_fit(values: Values) -> str:
    return (
        f"{a(Kind(values['tile'])).capitalize()} does not fit on {listed(values['reached'])}, which"
        f" {values['start']} reaches; a discarded tile is taken only where it fits."
    )


def _wrong_shape(values: Values) -> str:
    kind = Kind(values["tile"])
    shown = f"land on the {listed(values['edges'])}" if values["edges"] else "no land"
    return f"You hold {a(kind)}, {SHAPES[kind]}; it cannot be placed with {shown}. {_could(values)}"


def _edges_clash(values: Values) -> str:
    clashes = listed(
        f"its {each['edge']} edge has to be {'land' if each['land'] else 'sea'}, as {each['beyond'] or 'the frame'} is"
        for each in values["clashes"]
    )
    if values["turned"]:
        way = "Turned another way, it fits there"
    else:
        way = f"{a(Kind(values['tile'])).capitalize()} does not fit there"
    return f"On {values['space']} {clashes}. {way}. {_could(values)}"


def _could(values: Values) -> str:
    return f"Possible: {_named(values['possible'])}."


def _named(some: Values) -> str:
    if some["more"]:
        return f"{', '.join(some['names'])} and {some['more']} more"
    return listed(some["names"]) or "none"


SENTENCES: Final[Mapping[str, Sentence]] = {
    "ship_first": _ship_first,
    "tile_at_hand": _tile_at_hand,
    "explorer_due": "Your tile is on {space}; put an explorer on it, or skip, before the next turn begins.",
    "tile_placed": "Your tile is already on {space}, and you place only one in a turn; put an explorer on it, or skip.",
    "no_such_start": _no_such_start,
    "circle_closed": _circle_closed,
    "start_unexplored": lambda values: (
        f"{values['start']} is unexplored; the ship starts from a circle or an explored tile. {_open(values)}"
    ),
    "no_route": lambda values: f"No sea edge of {values['start']} leads to an unexplored space. {_open(values)}",
    "no_discards_alone": (
        "When you play alone, discarded tiles leave the match; put the ship at a starting point and draw."
    ),
    "tile_not_discarded": _tile_not_discarded,
    "explorer_not_left": _explorer_not_left,
    "tile_does_not_fit": _tile_does_not_fit,
    "no_such_land": '"{land}" names no edges; write those with land as letters N, E, S, W, in this order.',
    "wrong_shape": _wrong_shape,
    "no_such_space": lambda values: f'The board has no space "{values["space"]}". {_could(values)}',
    "space_explored": lambda values: f"{values['space']} is already explored. {_could(values)}",
    "out_of_reach": lambda values: (
        f"No route leads from the ship ({values['start']}) to {values['space']}. {_could(values)}"
    ),
    "edges_clash": _edges_clash,
    "no_parts": "The land on {space} is all one part; leave {part} out.",
    "part_missing": "The strait on {space} has two sides; say {sides[0]} or {sides[1]}.",
    "no_such_part": "The strait on {space} has no land on the {part}; say {sides[0]} or {sides[1]}.",
}
"""The sentences of problems by code."""

PROMPTS: Final[Mapping[str, Sentence]] = {
    "ship": "Choose a starting point for the ship.",
    "place": lambda values: f"Place {a(Kind(values['tile']))}.",
    "explorer": "Put an explorer on the tile just placed, or skip.",
}
"""The sentences of prompts by code."""

ENDINGS: Final[Mapping[str, Sentence]] = {
    "explored": "Every space of the board is explored.",
    "no_tiles": "No tile is left to draw.",
    "no_start": "No starting point is left.",
}
"""The sentences of what ended a match by code."""

SCORE_LABELS: Final[Mapping[str, str]] = {
    "islands": "islands",
    "unexplored": "unexplored spaces",
    "discarded": "discarded tiles",
}
"""What the lines of a score sheet are called."""

OPTION_WORDS: Final[Mapping[str, str]] = {"upright": "Board upright"}
"""What the options are called."""

ACTION_WORDS: Final[Mapping[str, str]] = {
    "start": "Starting point",
    "tile": "Tile",
    **{f"tile={kind}": name.capitalize() for kind, name in KIND_NAMES.items()},
    "explorer": "Explorer to give up",
    "space": "Space",
    "land": "Land edges",
    "land=": "Open sea",
    "value": "Explorer",
    "part": "Side",
    **{f"part={side}": side.capitalize() for side in SIDES},
    "type=ship": "Explore",
    "type=reuse": "Use a discarded tile",
    "type=place": "Place the tile",
    "type=explorer": "Put an explorer on it",
    "type=skip": "Put no explorer on it",
}
"""What the fields and values of actions are called."""
