"""`overland check`, and what a service says of installed games that it cannot offer."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from structlog.testing import capture_logs

from service.app import create_app
from service.cli import main
from service.context import Context
from tools.installed import at_hand, declare


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder in which a package is installed whose game cannot be imported."""
    site = tmp_path / "site"
    declare(site, "shells-by-mail", {"shells": "nothing_of_this_name"})
    return site


def test_a_broken_package_is_a_problem_of_the_check(tmp_path: Path, broken: Path) -> None:
    environ = {"OVERLAND_DATA_DIR": str(tmp_path)}
    with at_hand(broken):
        result = CliRunner().invoke(main, ["check"], env=environ)
    assert result.exit_code == 1
    assert result.stderr == (
        "The game shells of the package shells-by-mail 1.0 is not offered."
        " ModuleNotFoundError: No module named 'nothing_of_this_name'\n"
    )
    assert CliRunner().invoke(main, ["check"], env=environ).exit_code == 0


def test_a_broken_package_is_told_at_the_start_and_everything_else_is_served(context: Context, broken: Path) -> None:
    with at_hand(broken), capture_logs() as logs:
        client = create_app(context).test_client()
        assert "oregon" in [game["name"] for game in client.get("/v1/games").get_json()["items"]]
        assert client.get("/v1/games/shells").status_code == 404
    (told,) = [each for each in logs if each["event"] == "game.refused"]
    assert (told["log_level"], told["game"], told["package"]) == ("error", "shells", "shells-by-mail 1.0")
    assert told["reason"] == "ModuleNotFoundError: No module named 'nothing_of_this_name'"
