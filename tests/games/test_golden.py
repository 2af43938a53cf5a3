"""The golden files agree with the matches, narration and refusals of the code."""

from __future__ import annotations

import pytest

from engine import registry
from tests.games.golden import FOLDER, files


@pytest.mark.parametrize("name", list(registry.games()))
def test_the_golden_files_agree_with_the_code(name: str) -> None:
    for file, text in files(registry.game(name)).items():
        assert text == (FOLDER / name / file).read_text(encoding="utf-8"), (
            f"make golden writes tests/games/{name}/{file} again; read the difference before you commit it"
        )
