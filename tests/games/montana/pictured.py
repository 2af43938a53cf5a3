"""Reads pictures of Montana for tests: the definitions they use, their words and sizes."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import pytest

from engine.games.montana.observe import Awaited, Observation
from engine.games.montana.render_svg import svg
from engine.types import Layout, Statement
from tests.games.montana.observations import NAMES, busy, early, finished, laying, start, town, unusual

SVG = "{http://www.w3.org/2000/svg}"
OBSERVATIONS = pytest.mark.parametrize(
    "observation",
    [laying(), start(), early(), town(), busy(), finished(), unusual()],
    ids=["laying", "start", "early", "town", "busy", "finished", "unusual"],
)
LAYOUTS = pytest.mark.parametrize("layout", [each for each in Layout if each is not Layout.BOARD])
"""Those with panels."""


def parsed(
    observation: Observation, names: Sequence[str] = NAMES, layout: Layout = Layout.DESKTOP
) -> ElementTree.Element:
    return ElementTree.fromstring(svg(observation, names, layout))


def recruited() -> Observation:
    """Seat 0, which has 2 wheat, may move the arrow."""
    return replace(early(), phase="recruited", awaited=(Awaited(0, Statement("recruited")),))


def used(root: ElementTree.Element) -> Counter[str]:
    return Counter(found.attrib["href"].removeprefix("#") for found in root.iter(f"{SVG}use"))


def difference(one: Observation, other: Observation) -> Counter[str]:
    """What the picture of the one has more of."""
    return used(parsed(one)) - used(parsed(other))


def words(root: ElementTree.Element) -> list[str]:
    return ["".join(found.itertext()) for found in root.iter(f"{SVG}text")]


def described(observation: Observation) -> str:
    return parsed(observation).findtext(f"{SVG}desc") or ""


def sizes(
    element: ElementTree.Element, definitions: Mapping[str, ElementTree.Element], scale: float = 1, size: float = 0
) -> Iterator[tuple[float, str]]:
    """The size of every text as it is drawn, with the text."""
    for part in element:
        if part.tag == f"{SVG}defs":
            continue
        own = scale
        for factor in re.findall(r"scale\(([\d.]+)\)", part.attrib.get("transform", "")):
            own *= float(factor)
        if part.tag == f"{SVG}text":
            yield float(part.attrib.get("font-size", size)) * own, "".join(part.itertext())
        elif part.tag == f"{SVG}use":
            yield from sizes(definitions[part.attrib["href"].removeprefix("#")], definitions, own, size)
        else:
            yield from sizes(part, definitions, own, size)
