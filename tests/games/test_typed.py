"""Lines that people type, in positions of matches, each with what must come of it.

typed.json has the positions, as logs in notation from the setup with the standard components and
the default options; typed.txt has the lines.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine import registry
from engine.errors import NotationError
from engine.game import AnyGame
from engine.play import legal_actions, preview
from engine.types import Setup
from tests.engine.matches import asked

HERE = Path(__file__).parent
POSITIONS: dict[str, dict[str, Any]] = json.loads((HERE / "typed.json").read_text())
REFUSED = "refuse"


def cases() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The name of the position, the line, and what it may come to."""
    for row in (HERE / "typed.txt").read_text().splitlines():
        if not row.startswith("#"):
            at, rest = row.split(": ", 1)
            line, expected = rest.rsplit(" => ", 1)
            yield at, line, tuple(expected.split(" | "))


@cache
def position(name: str) -> tuple[AnyGame, Any]:
    """The game and the state; every entry of the log is read, also those of chance."""
    game = registry.game(POSITIONS[name]["game"])
    components = registry.components(game.info.name)
    state = game.setup(Setup(POSITIONS[name]["seats"], game.options(), components))
    for line in POSITIONS[name]["log"].split("; "):
        (action,) = game.parse(line)
        (seat,) = game.to_act(state)
        state = game.apply(state, seat, action)
    return game, state


def came_to(name: str, line: str) -> tuple[str, bool]:
    """The actions that a line is read as, in canonical notation, and whether they may be played;
    "refuse" if it cannot be read.
    """
    game, state = position(name)
    try:
        actions = game.parse(line)
    except NotationError:
        return REFUSED, False
    (seat,) = game.to_act(state)
    return "; ".join(map(game.format, actions)), preview(game, state, seat, actions).violation is None


@pytest.mark.parametrize("name", POSITIONS)
def test_the_positions_ask_what_they_say(name: str) -> None:
    game, state = position(name)
    (seat,) = game.to_act(state)
    assert asked(game, state, seat) == POSITIONS[name]["prompt"]
    assert legal_actions(game, state, seat)


@pytest.mark.parametrize(("name", "line", "expected"), list(cases()))
def test_a_line_comes_to_what_it_says(name: str, line: str, expected: tuple[str, ...]) -> None:
    read, is_playable = came_to(name, line)
    assert read in expected or (REFUSED in expected and not is_playable), f"{line!r} is read as {read!r}"


@pytest.mark.parametrize(("name", "line"), [(name, line) for name, line, said in cases() if said == (REFUSED,)])
def test_what_is_refused_says_what_would_work(name: str, line: str) -> None:
    if came_to(name, line)[0] == REFUSED:
        with pytest.raises(NotationError) as refused:
            position(name)[0].parse(line)
        assert refused.value.expected or refused.value.similar


@pytest.mark.parametrize("digit", ["²", "⓹", "①", "٣", "\uff13", "½", "五"])
@pytest.mark.parametrize("name", POSITIONS)
def test_digits_of_other_scripts_are_read_or_refused(name: str, digit: str) -> None:
    """Python's ``int`` takes some of those that ``str.isdigit`` knows, and raises at others."""
    game, state = position(name)
    (seat,) = game.to_act(state)
    for action in legal_actions(game, state, seat):
        for apart in ("", " "):
            came_to(name, re.sub(r"(?<!\d)\d+", apart + digit, game.format(action)))
