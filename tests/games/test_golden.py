"""The golden files: what the code plays, tells and refuses is what was reviewed."""

from __future__ import annotations

import pytest

from engine import registry
from tests.games.golden import FOLDER, files


@pytest.mark.parametrize("name", list(registry.games()))
def test_a_match_is_played_narrated_refused_and_scored_as_the_golden_files_say(name: str) -> None:
    for file, text in files(registry.game(name)).items():
        assert text == (FOLDER / name / file).read_text(encoding="utf-8"), (
            f"make golden writes tests/games/{name}/{file} again; read the difference before you commit it"
        )
