"""Checks of the marks in pictures, by which people pick actions (``engine.svg.pick``)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree

from engine.conformance.subject import PlayedMatch
from engine.documents import to_document
from engine.picks import Choices, Pair, bag, choices
from engine.play import legal_actions
from engine.types import Layout, Seat

SPACE = "{http://www.w3.org/2000/svg}"
DECISIONS = 12
"""About how many decisions of a match are drawn."""


def no_two_legal_actions_have_the_same_bag_of_values(match: PlayedMatch) -> Iterator[str]:
    """Whoever picks the values of an action, each as often as it is there, picks no other one."""
    for ply, state, seat in match.decisions():
        found: dict[frozenset[tuple[Pair, int]], Any] = {}
        for action in legal_actions(match.game, state, seat):
            same = found.setdefault(frozenset(bag(to_document(action)).items()), action)
            if same is not action:
                yield f"ply {ply}: {same} and {action} have the same values"


def pictures_mark_what_the_viewer_may_choose_and_nothing_else(match: PlayedMatch) -> Iterator[str]:
    """A mark has alternatives that are in legal actions, and a name that no other mark has."""
    for ply, state, seat in _sample(match):
        allowed = choices(map(to_document, legal_actions(match.game, state, seat)))
        for layout in Layout:
            observation = match.game.observe(state, seat)
            if "data-pick" in match.game.svg(observation, match.names, layout):
                yield f"ply {ply}: the {layout} picture without choices has marks"
            root = ElementTree.fromstring(match.game.svg(observation, match.names, layout, allowed))
            yield from (f"ply {ply}, seat {seat}, {layout}: {fault}" for fault in _of_marks(root, allowed))


def ids_in_pictures_begin_with_the_name_of_the_game(match: PlayedMatch) -> Iterator[str]:
    """Ids are prefixed, for pages with several pictures, unique, and no reference lacks one."""
    for _, state, seat in _sample(match):
        for layout in Layout:
            picture = match.game.svg(match.game.observe(state, seat), match.names, layout)
            ids = [each.attrib["id"] for each in ElementTree.fromstring(picture).iter() if "id" in each.attrib]
            yield from (f"the id {each} is there twice" for each in sorted(set(ids)) if ids.count(each) > 1)
            for each in ids:
                if not each.startswith(f"{match.game.info.name}-"):
                    yield f"the id {each} does not begin with the name of the game"
            for wanted in set(re.findall(r'href="#([^"]*)"', picture)) - set(ids):
                yield f"the picture refers to {wanted}, which is not in it"


def _sample(match: PlayedMatch) -> list[tuple[int, Any, Seat]]:
    decisions = list(match.decisions())
    return decisions[:: max(1, len(decisions) // DECISIONS)]


def _of_marks(root: ElementTree.Element, allowed: Choices) -> Iterator[str]:
    names: dict[str, str] = {}
    marks = [element for element in root.iter() if "data-pick" in element.attrib]
    if marks and root.get("role") != "group":
        yield "the picture has marks and is no group"
    for mark in marks:
        picked = mark.attrib["data-pick"]
        title = next(iter(mark), mark)
        name = (title.text or "").strip() if title.tag == f"{SPACE}title" else ""
        if not name:
            yield f"the mark {picked} has no name"
        if name in names:
            yield f"the marks {names[name]} and {picked} are both called {name!r}"
        names[name] = picked
        for words in (element.text or "" for element in mark.iter(f"{SPACE}text")):
            if words.casefold() not in name.casefold():
                yield f"the mark {name!r} shows {words!r}, which is not in its name"
        for alternative in picked.split("|"):
            if not allowed.allow(alternative.split(" ")):
                yield f"the mark {name!r} picks {alternative}, which is in no legal action"
