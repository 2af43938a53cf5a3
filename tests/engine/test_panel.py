"""What the panels beside boards share."""

from __future__ import annotations

from engine.panel import short_names
from engine.svg import text_width


def test_names_are_cut_to_fit_a_line_with_another() -> None:
    ada, long = short_names(2, ("Ada", "Wilhelmina of the very long and endless name"))
    assert ada == "Ada"
    assert text_width(long, 16) <= 150
    assert long.endswith("\u2026")
    assert short_names(1, ()) == ["Seat 0"]
