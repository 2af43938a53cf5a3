"""What the panels beside boards share."""

from __future__ import annotations

from engine.panel import Block, card, flow, moved, short_names, stacked, words_item
from engine.svg import ACCENT, frame, text_width


def test_names_are_cut_to_fit_a_line_with_another() -> None:
    ada, long = short_names(2, ("Ada", "Wilhelmina of the very long and endless name"))
    assert ada == "Ada"
    assert text_width(long, 16) <= 150
    assert long.endswith("\u2026")
    assert short_names(1, ()) == ["Seat 0"]


def test_blocks_lie_below_each_other_and_empty_ones_leave_no_gap() -> None:
    found = stacked((Block(10, "a"), Block(0, "b"), Block(5, "c")), 2)
    assert found == Block(17, "a" + moved("c", 0, 12))


def test_the_card_of_a_seat_that_is_to_do_something_stands_out() -> None:
    idle, due = (card(100, 50, 9, each, "white", "yellow", "grey", "red") for each in (False, True))
    assert idle == frame(0, 0, 100, 50, 9, "white", "grey", 1.2)
    assert due == frame(0, 0, 100, 50, 9, "yellow", "red", 3)
    assert card(100, 50, 9, True, "white", "yellow", "grey") == due.replace("red", ACCENT)


def test_items_go_on_in_the_next_line_where_there_is_no_room() -> None:
    items = [words_item(words, 10, "black") for words in ("one", "two", "three")]
    assert flow(items, 1000, 20).height == 20
    assert flow(items, items[0].width + items[1].width, 20, 12).height == 60
