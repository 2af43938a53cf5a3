"""The registry: finding games, their versions and their data files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

import engine.games
from engine import registry
from engine.errors import UnknownGame, UnknownVersion
from tests.engine.toy import GAME
from tools.installed import at_hand, declare, forget_games

MATCH = """
class Match(TOY.observation):
    \"""What is known of two pearls of a value.\"""

GAME = replace(GAME, observation=Match)
"""
"""A type of the game that is called as a part of the description of the API."""
FAILS = "lambda given: 1 // 0"
DEFAULT = """
from dataclasses import dataclass
from typing import Literal

@dataclass(frozen=True, slots=True)
class Options:
    \"""What can be agreed on.\"""

    pace: Literal["slow", "quick"] = "no such pace"

GAME = replace(GAME, options=Options)
"""
"""A default that is no value of its option."""


@pytest.fixture
def pearls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder called pearls beside the games that are there, with a game in it."""
    folder = tmp_path / "pearls"
    folder.mkdir()
    (folder / "__init__.py").write_text("from tests.engine.toy import GAME\n")
    (folder / "RULES.md").write_text("# Pearls\n")
    (folder / "standard.json").write_text('{"ones": 4, "twos": 4, "threes": 4}')
    (folder / "deep-sea.json").write_text('{"ones": 1, "twos": 1, "threes": 8}')
    monkeypatch.setattr(engine.games, "__path__", [str(tmp_path)])
    forget_games()
    yield folder
    for name in [name for name in sys.modules if name.startswith("engine.games.pearls")]:
        del sys.modules[name]
    forget_games()


@pytest.mark.usefixtures("pearls")
def test_a_folder_that_defines_a_game_is_registered() -> None:
    assert dict(registry.games()) == {"pearls": GAME}
    assert registry.game("pearls") is GAME


def test_a_folder_without_a_game_is_ignored(pearls: Path) -> None:
    (pearls / "__init__.py").write_text("")
    assert dict(registry.games()) == {}


def test_a_game_has_the_name_of_its_folder(pearls: Path) -> None:
    pearls.rename(pearls.parent / "shells")
    with pytest.raises(ValueError, match="the game in engine/games/shells calls itself 'pearls'"):
        registry.games()
    del sys.modules["engine.games.shells"]


@pytest.mark.usefixtures("pearls")
def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    for asked in (
        registry.game,
        registry.rules_text,
        registry.component_sets,
        registry.component_document,
        registry.components,
    ):
        with pytest.raises(UnknownGame, match="There is no game 'chess'; known: pearls"):
            asked("chess")


@pytest.mark.usefixtures("pearls")
def test_every_json_file_of_a_game_is_a_component_set_standard_first() -> None:
    assert registry.component_sets("pearls") == ("standard", "deep-sea")
    assert registry.components("pearls").threes == 4
    assert registry.components("pearls", "deep-sea").threes == 8


@pytest.mark.usefixtures("pearls")
def test_an_unknown_component_set_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownGame, match=r"no component set '../secret'; known: standard, deep-sea"):
        registry.component_document("pearls", "../secret")


@pytest.mark.usefixtures("pearls")
def test_a_component_document_is_a_fresh_copy() -> None:
    registry.component_document("pearls")["ones"] = 99
    assert registry.component_document("pearls")["ones"] == 4


@pytest.mark.usefixtures("pearls")
def test_the_rules_of_a_game_are_read_from_its_folder() -> None:
    assert registry.rules_text("pearls") == "# Pearls\n"


def test_the_catalogue_cannot_be_changed() -> None:
    assert isinstance(registry.games(), types.MappingProxyType)


def version(folder: Path, called: str, rules_version: int) -> None:
    """A package in that folder with the toy game, by that version of its rules."""
    (folder / called).mkdir(exist_ok=True)
    (folder / called / "__init__.py").write_text(
        "from dataclasses import replace\nfrom tests.engine.toy import GAME as TOY\n"
        f"GAME = replace(TOY, info=replace(TOY.info, rules_version={rules_version}))\n"
    )


def test_earlier_versions_are_packages_in_the_folder_of_the_newest(pearls: Path) -> None:
    version(pearls.parent, "pearls", 10)
    version(pearls, "v2", 2)
    version(pearls, "v9", 9)
    assert list(registry.versions("pearls")) == [10, 9, 2]
    assert registry.game("pearls").info.rules_version == 10
    assert registry.game("pearls", 9) is registry.versions("pearls")[9]
    assert list(registry.games()) == ["pearls"]


@pytest.mark.usefixtures("pearls")
def test_a_version_that_is_not_installed_is_refused_with_the_installed_ones() -> None:
    with pytest.raises(UnknownVersion, match="no rules_version 7 of pearls; known: 1"):
        registry.game("pearls", 7)
    with pytest.raises(UnknownGame, match="no game 'chess'"):
        registry.game("chess", 1)


@pytest.mark.parametrize(
    ("called", "says", "refusal"),
    [("v1", 2, "engine/games/pearls/v1 says that it is version 2 of pearls"), ("v1", 1, "is not earlier than 1")],
)
def test_a_version_has_the_number_of_its_folder_and_is_earlier_than_the_game(
    pearls: Path, called: str, says: int, refusal: str
) -> None:
    version(pearls, called, says)
    with pytest.raises(ValueError, match=refusal):
        registry.versions("pearls")


def test_other_packages_in_the_folder_of_a_game_are_not_versions(pearls: Path) -> None:
    version(pearls, "variants", 1)
    assert list(registry.versions("pearls")) == [1]


def test_the_commands_of_the_manual_that_raise_a_version_work_for_a_real_game(tmp_path: Path) -> None:
    root = Path(registry.__file__).parent.parent
    manual = (root / "docs" / "adding-a-game.md").read_text()
    recipe = re.search(r"```sh\n(cd engine/games/GAME.*?)```", manual, re.DOTALL)
    assert recipe is not None
    shutil.copytree(root / "engine", tmp_path / "engine", ignore=shutil.ignore_patterns("__pycache__"))
    subprocess.run(["sh", "-e", "-c", recipe[1].replace("GAME", "montana")], cwd=tmp_path, check=True)
    said = subprocess.run([sys.executable, "-c", RAISED], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (said.stderr, said.stdout) == ("", "[2, 1]\nengine.games.montana.v1.state engine.games.montana.state\n")


RAISED = """
from engine import play, registry
from engine.types import Setup

print(list(registry.versions("montana")))
states = []
for version in (1, 2):
    game = registry.game("montana", version)
    setup = Setup(2, game.options(), game.load_components(registry.component_document("montana")))
    states.append(play.begin(game, setup, lambda ply, total: 0)[0])
print(*(type(state).__module__ for state in states))
"""


# Games of installed packages


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder to install packages into."""
    folder = tmp_path / "site"
    folder.mkdir()
    return folder


def shells(site: Path, code: str = "", module: str = "shells", **files: str) -> None:
    """A package with the toy game under another name; ``code`` is added to its module, ``files``
    replace its data files, "" leaves one out.
    """
    folder = site / module
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from dataclasses import replace\nfrom tests.engine.toy import GAME as TOY\n"
        f"GAME = replace(TOY, info=replace(TOY.info, name='shells', rules_version=2))\n{code}\n"
    )
    for name, text in {
        "RULES.md": "# Shells\n",
        "standard.json": '{"ones": 4, "twos": 4, "threes": 5}',
        **files,
    }.items():
        if text:
            (folder / name).write_text(text)


def reasons() -> dict[str, str]:
    """Why what is installed is refused, by distribution."""
    return {each.origin: each.reason for each in registry.refused()}


def test_an_installed_package_with_an_entry_point_is_registered(site: Path) -> None:
    before = list(registry.games())
    shells(site)
    version(site / "shells", "v1", 1)
    (site / "shells" / "v1" / "__init__.py").write_text(
        (site / "shells" / "v1" / "__init__.py").read_text().replace("(TOY.info, ", "(TOY.info, name='shells', ")
    )
    declare(site, "games-of-the-sea", {"shells": "shells"}, "3.1")
    with at_hand(site):
        assert list(registry.games()) == sorted([*before, "shells"])
        assert registry.package("shells").origin == "games-of-the-sea 3.1"
        assert registry.rules_text("shells") == "# Shells\n"
        assert registry.components("shells").threes == 5
        assert list(registry.versions("shells")) == [2, 1]
        assert registry.refused() == ()
    assert list(registry.games()) == before


@pytest.mark.parametrize(
    ("code", "files", "reason"),
    [
        ("import nothing_of_this_name", {}, "ModuleNotFoundError: No module named 'nothing_of_this_name'"),
        ("def", {}, "SyntaxError: "),
        ("GAME = 3", {}, "shells defines no GAME that is an engine.game.Game"),
        ("del GAME", {}, "shells defines no GAME that is an engine.game.Game"),
        ("GAME = TOY", {}, "the game in shells calls itself 'pearls', not 'shells'"),
        ("", {"RULES.md": ""}, "FileNotFoundError: .*RULES.md"),
        ("", {"standard.json": ""}, "FileNotFoundError: .*standard.json"),
        ("", {"standard.json": "{"}, "JSONDecodeError: "),
        ("", {"standard.json": "{}"}, "DocumentError: "),
        ("GAME = replace(GAME, actions=(*GAME.actions, set))", {}, "TypeError: <class 'set'> has no schema"),
        ("GAME = replace(GAME, info=replace(GAME.info, seats=()))", {}, "it has no numbers of seats"),
        (MATCH, {}, "two types are called Match: give one of them another name"),
        (f"GAME = replace(GAME, setup={FAILS})", {}, "ZeroDivisionError: "),
        (f"GAME = replace(GAME, longest={FAILS})", {}, "ZeroDivisionError: "),
        (DEFAULT, {}, 'DocumentError: /pace: "no such pace" is not one of "slow", "quick"'),
    ],
)
def test_a_broken_package_is_refused_with_the_reason_and_the_others_can_be_played(
    site: Path, code: str, files: dict[str, str], reason: str
) -> None:
    before = list(registry.games())
    shells(site, code, **files)
    declare(site, "shells-by-mail", {"shells": "shells"})
    with at_hand(site):
        assert list(registry.games()) == before
        assert re.search(reason, reasons()["shells-by-mail 1.0"])
        with pytest.raises(UnknownGame):
            registry.game("shells")


def test_a_package_with_an_invalid_earlier_version_is_refused(site: Path) -> None:
    shells(site)
    version(site / "shells", "v1", 1)
    declare(site, "shells-by-mail", {"shells": "shells"})
    with at_hand(site):
        assert "shells/v1 says that it is version 1 of pearls" in reasons()["shells-by-mail 1.0"]


def test_a_built_in_game_is_never_replaced(site: Path) -> None:
    built_in = registry.game("oregon")
    shells(site)
    declare(site, "better-oregon", {"oregon": "shells"})
    with at_hand(site):
        assert registry.game("oregon") is built_in
        assert reasons() == {
            "better-oregon 1.0": "oregon is a game that comes with Overland, and no package can replace it."
        }


def test_two_packages_that_claim_one_name_are_both_refused(site: Path) -> None:
    """Else a match that runs would go on by the rules of whoever comes first."""
    shells(site)
    declare(site, "one", {"shells": "shells"})
    declare(site, "other", {"shells": "shells"})
    with at_hand(site):
        assert "shells" not in registry.games()
        assert reasons() == {
            "one 1.0": "other 1.0 has a game called shells too; uninstall all but one.",
            "other 1.0": "one 1.0 has a game called shells too; uninstall all but one.",
        }


def test_a_name_that_cannot_be_part_of_an_address_is_refused(site: Path) -> None:
    shells(site)
    declare(site, "strange", {"Shells & more": "shells"})
    with at_hand(site):
        assert "'Shells & more' is not the name of a game" in reasons()["strange 1.0"]
