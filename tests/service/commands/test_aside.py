"""``overland aside``: what an operator sees of what failed and has no list of its own."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.commands.check import set_aside
from service.context import Context
from service.loop import Loop
from service.store import leasing as rows
from service.store.leasing import Aside


def aside(context: Context, *arguments: str) -> Result:
    place = {
        "OVERLAND_DATA_DIR": str(context.settings.data_dir),
        "OVERLAND_DATABASE_URL": context.database.url.render_as_string(hide_password=False),
    }
    return CliRunner().invoke(main, ["aside", *arguments], env=place)


@pytest.fixture
def failed(context: Context) -> tuple[Aside, Aside]:
    """A clock that is kept, and a bot that is tried again; a third item is at work for the first
    time.
    """
    soon = context.clock() + timedelta(minutes=5)
    clock = Aside(Loop.CLOCKS, "m1", 9, 0, soon, "ValueError: The clock is broken.", kept=True)
    bot = Aside(Loop.BOTS, "m2 0 4", 2, 2, soon, "", kept=False)
    with context.database.write() as connection:
        rows.set_aside(connection, clock)
        rows.set_aside(connection, bot)
        rows.charge_items(connection, Loop.CLOCKS, ["m3"], soon)
    return bot, clock


def test_without_a_failure_it_says_so(context: Context) -> None:
    assert aside(context).output == "Nothing is set aside.\n"
    assert aside(context, "list", "--json").output == ""


def test_what_failed_is_listed_with_the_error_and_not_what_is_at_work(
    context: Context, failed: tuple[Aside, Aside]
) -> None:
    bot, clock = failed
    assert aside(context).output == (
        f"bots m2 0 4: again at {bot.not_before:%Y-%m-%d %H:%M:%S} UTC, attempts 2\n"
        "  The process ended meanwhile.\n"
        "clocks m1: kept, attempts 9\n"
        "  ValueError: The clock is broken.\n"
    )
    documents = [json.loads(line) for line in aside(context, "list", "--json").output.splitlines()]
    assert [(each["loop"], each["item"], each["kept"]) for each in documents] == [
        (bot.loop, bot.item, False),
        (clock.loop, clock.item, True),
    ]


def test_one_that_is_kept_is_tried_again(context: Context, failed: tuple[Aside, Aside]) -> None:
    _, clock = failed
    assert aside(context, "retry", clock.loop, clock.item).exit_code == 0
    with context.database.read() as connection:
        (again,) = [each for each in rows.items_set_aside(connection) if each.loop == clock.loop]
    assert (again.item, again.attempts, again.crashes, again.kept) == (clock.item, 0, 0, False)
    assert again.error == clock.error, "it is known until it is done"


def test_one_that_is_not_there_is_an_error(context: Context) -> None:
    missing = aside(context, "retry", "clocks", "m9")
    assert missing.exit_code != 0
    assert "m9 of clocks is not set aside." in missing.output


def test_a_check_of_the_installation_counts_them(context: Context, failed: tuple[Aside, Aside]) -> None:
    said = "Caution: 2 items are set aside, 1 of them are kept: overland aside"
    assert list(set_aside(context.settings)) == [said]
