"""The candidates of a search: what a document describes, and random changes of it."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

from engine.documents import from_document
from tools.search.space import Candidate, Mixture, Space, made, mutated

BASE: dict[str, Any] = {"price": 2, "boards": {"a": [{"cost": 1}, {"cost": 1}, {}], "b": [{"cost": 1}, {"cost": 1}]}}
SPACE = Space(
    "standard",
    (),
    {},
    {"price": {"low": {}, "high": {"/price": 9, "/boards/a/2/new": True}}},
    {"costs": Mixture("/boards/*/*/cost", {"dear": (7, 8), "cheap": (0,)}, spared=("/boards/a/0/cost",))},
)


def costs(document: dict[str, Any]) -> list[int]:
    return [hexagon["cost"] for board in document["boards"].values() for hexagon in board if "cost" in hexagon]


def test_a_candidate_without_choices_is_the_set_to_start_from() -> None:
    assert made(SPACE, BASE, Candidate()) == BASE
    assert made(SPACE, BASE, Candidate({"price": "low"})) == BASE


def test_a_choice_puts_its_values_where_its_pointers_say() -> None:
    document = made(SPACE, BASE, Candidate({"price": "high"}))
    assert document["price"] == 9
    assert document["boards"]["a"][2] == {"new": True}
    assert BASE["price"] == 2


def test_a_mixture_deals_its_kinds_by_weight_to_all_places_that_are_not_spared() -> None:
    document = made(SPACE, BASE, Candidate(mixed={"costs": {"dear": 2.0, "cheap": 1.0}}))
    first, *dealt = costs(document)
    assert first == 1
    assert Counter(dealt) == Counter([7, 8, 0])


def test_the_same_seed_deals_the_same_and_another_otherwise() -> None:
    documents = [made(SPACE, BASE, Candidate(mixed={"costs": {"dear": 1, "cheap": 1}}, seed=seed)) for seed in range(9)]
    assert documents[0] == made(SPACE, BASE, Candidate(mixed={"costs": {"dear": 1, "cheap": 1}}, seed=0))
    assert any(document != documents[0] for document in documents)


def test_changes_stay_within_the_space_and_follow_from_the_seed() -> None:
    candidate = Candidate(mixed={"costs": {"dear": 1.0}})
    changed = [mutated(SPACE, candidate, Random(seed)) for seed in range(40)]
    assert changed == [mutated(SPACE, candidate, Random(seed)) for seed in range(40)]
    assert any(each.chosen for each in changed)
    assert any(each.mixed != candidate.mixed for each in changed)
    for each in changed:
        assert len(costs(made(SPACE, BASE, each))) == 4


def test_a_space_is_read_from_a_document() -> None:
    space: Space = from_document(
        Space,
        {
            "base": "standard",
            "criteria": [{"type": "wins", "label": "wins", "within": 0.02}],
            "begin": {"one": {"chosen": {"price": "low"}}},
            "choices": {"price": {"low": {"/price": 1}}},
        },
    )
    assert space.begin["one"] == Candidate({"price": "low"})
