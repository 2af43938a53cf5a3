"""The criteria of a search, measured in matches made up for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tools.search.criteria import Balanced, Figure, Share, Wins, measured, standard_error
from tools.simulate.play import Played


def match(
    occurred: Mapping[str, int] | None = None, winners: Sequence[int] = (0,), turns: float = 15, *, over: bool = True
) -> Played:
    scores = (1, 2) if over else ()
    figures = (("turns", turns),)
    return Played(
        "seed", 9, (1, 1), scores, tuple(winners), None, (), (), 0.0, ("greedy", "greedy"), {}, figures, occurred or {}
    )


def test_the_least_frequent_is_compared_with_the_mean_of_the_others() -> None:
    found = measured(Balanced("rows", ("a", "b", "c"), 0.5), [match({"a": 4, "b": 2}), match({"b": 2, "c": 1})])
    assert found.value == pytest.approx(0.25)
    assert not found.met
    assert found.fitness == pytest.approx(0.5)
    assert found.shown == "1.00 1.00 0.25"


def test_what_never_occurs_fails_unless_nothing_else_does() -> None:
    assert measured(Balanced("rows", ("a", "b"), 0.5), [match({"a": 4})]).value == 0
    assert measured(Share("contested", "a", "b", 0.5), [match()]).value == 0


def test_a_share_is_met_at_its_limit() -> None:
    found = measured(Share("contested", "a", "b", 0.5), [match({"a": 1, "b": 2})])
    assert found.met
    assert found.fitness == 1


@pytest.mark.parametrize(("turns", "met"), [(12, True), (25, True), (26, False), (11, False)])
def test_the_mean_of_a_figure_lies_between_its_limits(turns: float, met: bool) -> None:
    found = measured(Figure("turns", "turns", 12, 25), [match(turns=turns), match(turns=turns)])
    assert found.met is met
    assert (found.fitness == 1) is met


def test_wins_are_compared_with_the_fair_share_and_shared_ones_count_in_parts() -> None:
    fair = measured(Wins("wins", 0.02), [match(winners=(0,)), match(winners=(1,)), match(winners=(0, 1))])
    assert fair.met
    unfair = measured(Wins("wins", 0.02), [match(winners=(0,))] * 100)
    assert unfair.value == pytest.approx(0.5)
    assert not unfair.met
    assert unfair.fitness < 1


def test_matches_that_did_not_end_are_left_out() -> None:
    found = measured(Share("contested", "a", "b", 0.5), [match({"a": 1, "b": 1}), match({"b": 9}, over=False)])
    assert found.value == 1


def test_the_standard_error_falls_with_the_number_of_matches() -> None:
    assert standard_error(2, 100) == pytest.approx(0.05)
    assert standard_error(4, 10_000) == pytest.approx(0.00433, abs=1e-5)
