"""Words that are close to a word of a line."""

from __future__ import annotations

import pytest

from engine.pieces import close_words, distance, nearest_lines


@pytest.mark.parametrize(
    ("one", "other", "slips"),
    [("stone", "stone", 0), ("stne", "stone", 1), ("sotne", "stone", 1), ("", "abc", 3), ("harbour", "harbor", 1)],
)
def test_a_slip_is_a_letter_too_many_too_few_replaced_or_exchanged_with_its_neighbour(
    one: str, other: str, slips: int
) -> None:
    assert distance(one, other) == distance(other, one) == slips


@pytest.mark.parametrize(
    ("typed", "known"), [("charbon", "harbor"), ("rotated", "droite"), ("mettre", "settler"), ("ent", "end")]
)
def test_words_that_only_look_alike_are_not_offered(typed: str, known: str) -> None:
    assert close_words(typed, [known]) == ()


def test_the_closest_words_come_first_and_at_most_three() -> None:
    assert close_words("buildin", ["building", "build", "builders", "bidding", "ruin"]) == ("building", "build")
    assert len(close_words("wagon", ["wagom", "wagin", "wagan", "wagen"])) == 3


def test_the_nearest_lines_share_the_most_words_and_then_have_the_fewest_slips() -> None:
    known = ("farmer bison wagon C7", "farmer bison wagon A1", "farmer bison joker C9", "done", "farmer eagle eagle C1")
    assert nearest_lines("farmer bison wagon C9", known, 3) == (
        "farmer bison wagon C7",
        "farmer bison wagon A1",
        "farmer bison joker C9",
    )


def test_a_line_without_a_word_in_common_is_not_near() -> None:
    assert nearest_lines("farmer bison wagon C9", ("done", "draw landscape"), 3) == ()
