"""Oregon with a mishap: whoever plays an action of a seat, shows a board or draws a picture of it
dies, hangs, or gets a picture that takes minutes to draw, as the file ``mishap`` beside this one
says. Without that file it is a game like any other.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.games.oregon import GAME as OREGON
from engine.games.oregon.actions import Action
from engine.games.oregon.observe import Observation
from engine.games.oregon.state import State
from engine.types import CHANCE, Seat

FILE = Path(__file__).with_name("mishap")
LAYERS = 200


def mishap() -> str:
    """What is to happen."""
    return FILE.read_text() if FILE.exists() else ""


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def compute_for_hours() -> None:
    """Stays in C, where no signal handler runs."""
    pow(3, 10**10)


def apply(state: State, seat: Seat, action: Action) -> State:
    if seat != CHANCE:
        match mishap():
            case "playing dies":
                die()
            case "playing hangs":
                compute_for_hours()
    return OREGON.apply(state, seat, action)


def text(observation: Observation, names: Sequence[str]) -> str:
    if mishap() == "text dies":
        die()
    while mishap() == "text hangs":
        time.sleep(0.1)
    return OREGON.text(observation, names)


def svg(observation: Observation, names: Sequence[str]) -> str:
    return endless() if mishap() == "picture hangs" else OREGON.svg(observation, names)


def endless() -> str:
    """A picture of ``LAYERS`` layers of noise, each of which takes seconds."""
    noise = '<filter id="noise"><feTurbulence baseFrequency="0.5" numOctaves="200"/></filter>'
    layers = '<rect width="100" height="100" filter="url(#noise)"/>' * LAYERS
    about = "<title>Mishap</title><desc>A board.</desc>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{about}{noise}{layers}</svg>'


GAME = replace(OREGON, info=replace(OREGON.info, name="mishap", title="Mishap"), apply=apply, text=text, svg=svg)
