"""Spaces, cells and neighbours of rectangular boards."""

from __future__ import annotations

import pytest

from engine.grid import cells, column_letter, format_space, neighbours4, neighbours8, parse_space


def test_a_space_is_named_by_its_column_letter_and_row_number() -> None:
    assert format_space((2, 6)) == "C7"
    assert parse_space("C7") == (2, 6)
    assert format_space((14, 9)) == "O10"


def test_every_cell_is_found_again_by_its_name() -> None:
    for cell in cells(15, 10):
        assert parse_space(format_space(cell)) == cell


@pytest.mark.parametrize("name", ["", "C", "7", "C0", "C07", "c7", "CC7", "C7 ", "C-1", "C\u0667", "C1000", "Ä1"])
def test_what_is_not_a_space_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="is not a space"):
        parse_space(name)


@pytest.mark.parametrize("cell", [(26, 0), (-1, 0), (0, -1)])
def test_a_cell_without_a_name_is_refused(cell: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="no cell"):
        format_space(cell)


def test_cells_come_in_reading_order() -> None:
    assert list(cells(2, 2)) == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert column_letter(14) == "O"


def test_four_cells_share_a_side_in_the_middle_and_two_in_a_corner() -> None:
    assert neighbours4((2, 2), 5, 5) == ((2, 1), (1, 2), (3, 2), (2, 3))
    assert neighbours4((0, 0), 5, 5) == ((1, 0), (0, 1))


def test_eight_cells_touch_in_the_middle_five_at_an_edge_and_three_in_a_corner() -> None:
    assert neighbours8((2, 2), 5, 5) == ((1, 1), (2, 1), (3, 1), (1, 2), (3, 2), (1, 3), (2, 3), (3, 3))
    assert len(neighbours8((0, 2), 5, 5)) == 5
    assert neighbours8((4, 4), 5, 5) == ((3, 3), (4, 3), (3, 4))
