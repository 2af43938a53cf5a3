"""The page of a match that is over: the result, the points over time, and how its draws are
checked.
"""

from __future__ import annotations

import random
import re
from html import unescape
from xml.etree import ElementTree

import pytest
from sqlalchemy import update

from service.context import Context
from service.matches import lobby
from service.store.tables import seats
from service.web import match_over
from tests.service.fakes import Round, played, played_on, started
from tests.service.web.conftest import SignedIn


@pytest.fixture
def over(context: Context) -> Round:
    table = started(context, "oregon")
    played_on(context, table, random.Random(5))
    return table


def test_the_result_is_a_sentence_a_sheet_and_a_chart_that_needs_no_colour(
    context: Context, signed_in: SignedIn, over: Round
) -> None:
    page = signed_in(over.players[0]).get(f"/matches/{over.match.id}").text
    outcome = lobby.find(context, None, over.match.id).outcome
    assert outcome is not None
    assert "is over: " in page
    assert outcome.ended.sentence in unescape(page)
    (chart,) = re.findall(r'<figure class="chart">.*?(<svg.*?</svg>)</figure>', page, re.DOTALL)
    drawn = ElementTree.fromstring(chart)
    words = ["".join(each.itertext()) for each in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert {f"{score} {name}" for score, name in zip(outcome.scores, ("Ada", "Bela"), strict=True)} <= set(words)
    colours = {each.get("stroke") for each in drawn.iter()} | {each.get("fill") for each in drawn.iter()}
    assert colours <= {None, "none", "currentColor"}
    dashes = [each.get("stroke-dasharray") for each in drawn.iter() if each.get("stroke-width") == "2"]
    assert len(dashes) == len(set(dashes)) == 2
    description = drawn.find("{http://www.w3.org/2000/svg}desc")
    assert description is not None
    assert f"Ada ends with {outcome.scores[0]} point" in (description.text or "")


@pytest.mark.parametrize(
    ("low", "high", "lines"),
    [
        (0, 1, [0, 1]),
        (0, 5, [0, 1, 2, 3, 4, 5]),
        (-3, 6, [-2, 0, 2, 4, 6]),
        (0, 25, [0, 5, 10, 15, 20, 25]),
        (4, 51, [10, 20, 30, 40, 50]),
        (0, 100, [0, 20, 40, 60, 80, 100]),
        (0, 101, [0, 25, 50, 75, 100]),
        (0, 250, [0, 50, 100, 150, 200, 250]),
        (0, 500, [0, 100, 200, 300, 400, 500]),
        (-1000, 250, [-1000, -750, -500, -250, 0, 250]),
        (0, 2400, [0, 500, 1000, 1500, 2000]),
    ],
)
def test_the_chart_has_lines_at_a_few_round_numbers(low: int, high: int, lines: list[int]) -> None:
    assert match_over._ticks(low, high) == lines


def test_all_draws_are_checked_when_it_is_asked(context: Context, signed_in: SignedIn, over: Round) -> None:
    path, browser = f"/matches/{over.match.id}", signed_in(None)
    page = browser.get(path).text
    assert "Were the draws fair?" in page
    assert f"overland verify oregon-{over.match.id}.json" in page
    assert "Checked just now" not in page
    checked = browser.get(f"{path}/draws").text
    plies = lobby.find(context, None, over.match.id).ply
    assert f"all {plies} entries of the log are legal" in checked


def test_a_record_that_was_changed_is_found_out(context: Context, signed_in: SignedIn, over: Round) -> None:
    with context.database.write() as connection:
        connection.execute(
            update(seats).where(seats.c.match_id == over.match.id, seats.c.seat == 0).values(nonce="x" * 9)
        )
    checked = signed_in(None).get(f"/matches/{over.match.id}/draws").text
    assert "The check failed" in checked
    assert "Checked just now" not in checked


def test_nothing_of_that_is_shown_while_a_match_runs(context: Context, signed_in: SignedIn) -> None:
    table = started(context, "oregon")
    played(context, table.players[0], table.match.id, "1")
    browser, path = signed_in(table.players[0]), f"/matches/{table.match.id}"
    page, checked = browser.get(path).text, browser.get(f"{path}/draws")
    assert checked.status_code == 409
    for words in ("Were the draws fair?", 'class="chart"', "Play once more"):
        assert words not in page
