"""The game of the package ``base``, with mishaps: whoever plays an action of a seat, shows a board
or draws a picture of it dies, hangs, or gets a picture that takes minutes to draw, as the file
``mishap`` beside this one says. Without that file it is a game like any other.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from engine.game import AnyGame
from engine.picks import NO_CHOICES, Choices
from engine.types import CHANCE, Layout, Seat
from tools.deadly import compute_for_hours, die

FILE: Final = Path(__file__).with_name("mishap")
BASE: Final[AnyGame] = import_module(FILE.with_name("base").read_text()).GAME
LAYERS = 200


def mishap() -> str:
    """What is to happen."""
    return FILE.read_text() if FILE.exists() else ""


def apply(state: Any, seat: Seat, action: Any) -> Any:
    if seat != CHANCE:
        match mishap():
            case "playing dies":
                die()
            case "playing hangs":
                compute_for_hours()
    return BASE.apply(state, seat, action)


def text(observation: Any, names: Sequence[str]) -> str:
    if mishap() == "text dies":
        die()
    while mishap() == "text hangs":
        time.sleep(0.1)
    return BASE.text(observation, names)


def svg(observation: Any, names: Sequence[str], layout: Layout, choices: Choices = NO_CHOICES) -> str:
    return endless() if mishap() == "picture hangs" else BASE.svg(observation, names, layout, choices)


def endless() -> str:
    """A picture of ``LAYERS`` layers of noise, each of which takes seconds."""
    noise = '<filter id="noise"><feTurbulence baseFrequency="0.5" numOctaves="200"/></filter>'
    layers = '<rect width="100" height="100" filter="url(#noise)"/>' * LAYERS
    about = "<title>Mishap</title><desc>A board.</desc>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{about}{noise}{layers}</svg>'


GAME = replace(BASE, info=replace(BASE.info, name="mishap", title="Mishap"), apply=apply, text=text, svg=svg)
