"""With how many players a test asks of games: quickly with the fewest and the most."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import pytest

from engine import registry
from tests.engine.matches import subject


def tables_of(names: Iterable[str]) -> pytest.MarkDecorator:
    """Gives a test ``name`` and ``seats``: each of these games, with each number of players."""
    found = []
    for name in names:
        numbers = subject(name).game.info.seats
        for seats in numbers:
            marks = [pytest.mark.deep] * (seats not in (min(numbers), max(numbers)))
            found.append(pytest.param(name, seats, id=f"{name}-{seats}", marks=marks))
    return pytest.mark.parametrize(("name", "seats"), found)


each_table: Final = tables_of(registry.games())
