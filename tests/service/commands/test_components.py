"""``overland components``: a file is either fit to be played with, or everything wrong with it is
said.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import registry
from engine.documents import to_document
from engine.draws import digest
from service.cli import main

OREGON = registry.component_document("oregon")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["components", *map(str, arguments)])


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return tmp_path / "my-box.json"


def written(file: Path, **changes: Any) -> Path:
    file.write_text(json.dumps(OREGON | changes))
    return file


@pytest.mark.parametrize("name", list(registry.games()))
def test_what_is_shown_is_a_set_to_start_from(name: str, box: Path) -> None:
    shown = run("show", name)
    assert shown.exit_code == 0
    assert json.loads(shown.stdout) == registry.component_document(name)
    box.write_text(shown.stdout)
    checked = run("check", box)
    assert checked.exit_code == 0, checked.stderr
    assert f"is a component set of {registry.game(name).info.title}." in checked.stdout
    assert "it is the standard set" in checked.stdout


def test_a_set_of_ones_own_is_told_apart_from_the_standard_one(box: Path) -> None:
    rows = {
        "value": ["campfire", "eagle", "settler", "bison", "wagon"],
        "provenance": "rulebook",
        "note": "Read off our box.",
    }
    farmers = OREGON["farmers"] | {"note": "Counted again."}
    result = run("check", written(box, name="our box", rows=rows, farmers=farmers))
    assert result.exit_code == 0
    assert "differs in  /rows\n" in result.stdout
    assert "8 rulebook" in result.stdout
    document = to_document(
        registry.game("oregon").load_components(OREGON | {"name": "our box", "rows": rows, "farmers": farmers})
    )
    assert digest(document) in result.stdout


def test_everything_wrong_is_said_by_pointer(box: Path) -> None:
    terrain = OREGON["terrain"] | {"value": [*OREGON["terrain"]["value"][:9], "...?"]}
    result = run("check", written(box, terrain=terrain, farmers={"value": 14, "provenance": "guess"}))
    assert result.exit_code == 1
    assert "is not a component set of Oregon. 1 thing is wrong:" in result.stderr
    assert '  /farmers/provenance: "guess" is not one of "rulebook", "reported", "reconstructed".' in result.stderr
    result = run("check", written(box, terrain=terrain))
    assert result.exit_code == 1
    assert "  /terrain/value/9: This row has 4 spaces, not 15." in result.stderr
    assert "  /terrain/value/9: '?' is not a terrain;" in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b'{"name": "x"', "is not JSON: Expecting ',' delimiter at line 1, column 13."),
        (b"", "is not JSON: Expecting value at line 1, column 1."),
        (b'{"name": "\xff"}', "is not text in UTF-8: byte 10 cannot be read."),
        (b'{"name": "x", "name": "y"}', 'is not JSON: "name" occurs twice in the same object.'),
        (b'{"name": NaN}', "is not JSON: NaN is not a JSON number."),
        (b"[" * 100_000, "is nested too deeply."),
        (b" " * 200_000, "has 200000 bytes; the maximum is 131072."),
        (b'{"name": "x"}', "does not say which game it is for: name it with --game montana or --game oregon"),
        (b'["name"]', "does not say which game it is for"),
    ],
)
def test_what_cannot_be_read_is_said(box: Path, content: bytes, words: str) -> None:
    box.write_bytes(content)
    result = run("check", box)
    assert result.exit_code == 2
    assert words in result.stderr


def test_a_game_can_be_named(box: Path) -> None:
    box.write_text('["name"]')
    result = run("check", box, "--game", "oregon")
    assert result.exit_code == 1
    assert "the document: A component set is an object" in result.stderr
    assert "There is no game 'chess'" in run("check", box, "--game", "chess").stderr


def test_a_file_with_a_byte_order_mark_is_read(box: Path) -> None:
    box.write_bytes(b"\xef\xbb\xbf" + json.dumps(OREGON).encode())
    assert run("check", box).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(("chess",), "There is no game 'chess'"), (("oregon", "golden"), "no component set 'golden'")],
)
def test_an_unknown_component_set_cannot_be_shown(arguments: tuple[str, ...], words: str) -> None:
    result = run("show", *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
