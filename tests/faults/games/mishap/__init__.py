"""Pearls, the toy of the engine's tests, with a mishap: whoever shows a board of it dies, hangs, or
gets a picture that takes minutes to draw, or whoever plays an action of it dies, as the file
``mishap`` beside this one says. Without that file it is a game like any other.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from engine.types import CHANCE, Seat
from tests.engine import toy

FILE = Path(__file__).with_name("mishap")
LAYERS = 200


def mishap() -> str:
    """What is to happen."""
    return FILE.read_text() if FILE.exists() else ""


def apply(state: toy.State, seat: Seat, action: toy.Action) -> toy.State:
    if mishap() == "suggested" and seat != CHANCE:
        os.kill(os.getpid(), signal.SIGKILL)
    return toy.apply(state, seat, action)


def text(observation: toy.Observation, names: Sequence[str]) -> str:
    if mishap() == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    while mishap() == "hangs":
        time.sleep(0.1)
    return toy.text(observation, names)


def svg(observation: toy.Observation, names: Sequence[str]) -> str:
    return endless() if mishap() == "picture" else toy.svg(observation, names)


def endless() -> str:
    """A picture of ``LAYERS`` layers of noise, each of which takes seconds."""
    noise = '<filter id="noise"><feTurbulence baseFrequency="0.5" numOctaves="200"/></filter>'
    layers = '<rect width="100" height="100" filter="url(#noise)"/>' * LAYERS
    about = "<title>Pearls</title><desc>A board.</desc>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">{about}{noise}{layers}</svg>'


GAME = replace(toy.GAME, info=replace(toy.GAME.info, name="mishap", title="Mishap"), apply=apply, text=text, svg=svg)
