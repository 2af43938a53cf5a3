"""The score sheet in the last mail of a match."""

from __future__ import annotations

from engine.types import ToldOutcome, ToldScoreLine, ToldStatement
from service.notices.mail.ends import score_sheet, sheet_text, won_words

NAMES = ("Ada", "Bela", "Cleo")
ENDED = ToldStatement("empty_bag", {}, "The bag is empty.")
OUTCOME = ToldOutcome(
    (7, 12, 7),
    (2, 1, 2),
    ENDED,
    (
        (ToldScoreLine("farmers", "farmers", 3), ToldScoreLine("coal", "coal", 4)),
        (ToldScoreLine("farmers", "farmers", 12),),
        (ToldScoreLine("coal", "coal", 5), ToldScoreLine("coal", "coal", 2)),
    ),
)


def test_a_row_has_rank_points_under_every_label_and_says_whose_it_is() -> None:
    found = score_sheet(OUTCOME, NAMES, mine=2)
    assert found.labels == ("farmers", "coal")
    assert [(row.rank, row.name, row.you, row.points, row.score) for row in found.rows] == [
        (1, "Bela", False, (12, 0), 12),
        (2, "Ada", False, (3, 4), 7),
        (2, "Cleo", True, (0, 7), 7),
    ]


def test_the_text_has_a_line_for_every_label_and_a_column_for_every_player() -> None:
    lines = [line.split() for line in sheet_text(score_sheet(OUTCOME, NAMES, mine=None)).splitlines()]
    assert lines == [
        ["1.", "Bela", "2.", "Ada", "2.", "Cleo"],
        ["farmers", "12", "3", "0"],
        ["coal", "0", "4", "7"],
        ["Points", "12", "7", "7"],
    ]


def test_the_headline_names_one_winner_several_or_everyone() -> None:
    def with_ranks(*ranks: int) -> ToldOutcome:
        return ToldOutcome((1, 1, 1), ranks, ENDED, ())

    assert won_words(with_ranks(2, 1, 3), NAMES, "Pearls") == "Pearls is over: Bela has won."
    assert won_words(with_ranks(1, 3, 1), NAMES, "Pearls") == "Pearls is over: Ada and Cleo share the victory."
    assert won_words(with_ranks(1, 1, 1), NAMES, "Pearls") == "Pearls is over: everyone shares the victory."


def test_alone_nobody_wins_and_the_points_are_said() -> None:
    assert (
        won_words(ToldOutcome((-204,), (1,), ENDED, ()), ("Ada",), "Ozeanien")
        == "Ozeanien is over: Ada has -204 points."
    )
    assert won_words(ToldOutcome((-1,), (1,), ENDED, ()), ("Ada",), "Ozeanien") == "Ozeanien is over: Ada has -1 point."
