"""The panel beside a board."""

from __future__ import annotations

from engine.panel import below_status, panel_head, pointer, seat_card, short_names
from engine.svg import BORDER, text_width


def test_the_head_shows_the_title_and_the_prompt() -> None:
    drawn = "".join(panel_head("Oregon", "Round 7", ("Ada (R) is to", "play two cards."), 268, 400))
    places = [drawn.index(f">{words}</text>") for words in ("Oregon", "Round 7", "Ada (R) is to", "play two cards.")]
    assert places == sorted(places)
    assert below_status(("one", "two")) == below_status(()) + 40


def test_the_corner_is_empty_before_the_first_round() -> None:
    assert "".join(panel_head("Oregon", "", (), 268, 400)).count("<text") == 1


def test_who_is_awaited_is_marked_by_more_than_a_colour() -> None:
    due, resting = ("".join(seat_card(250, 80, due)) for due in (True, False))
    assert pointer() in due
    assert pointer() not in resting
    assert f'stroke="{BORDER}"' in resting


def test_names_are_cut_to_fit_a_line_with_another() -> None:
    ada, long = short_names(2, ("Ada", "Wilhelmina of the very long and endless name"))
    assert ada == "Ada"
    assert text_width(long, 16) <= 150
    assert long.endswith("\u2026")
    assert short_names(1, ()) == ["Seat 0"]
