"""What is left of a mail when all that was quoted is left out."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest

from service.inbox.quoted_text import MOST_UNMARKED, typed_in

OURS = (Path(__file__).parent.parent / "notices/golden/your_turn.txt").read_text().split("\n\n", 1)[1]
MIDDLE = OURS.index("\n\n", len(OURS) // 2)
MARKED = "\n".join(f"> {line}" for line in OURS.splitlines())
GMAIL = "On Sat, Nov 21, 2026 at 10:30 AM Overland <\noverland@games.example> wrote:"
OUTLOOK = "From: Overland <overland@games.example>\nSent: Saturday\nTo: Anna\nSubject: Re: [Pearls #m7k2xqp4]\n"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        (f"2\n\n{GMAIL}\n\n{MARKED}", ("2",)),
        (f"{GMAIL}\n\n{MARKED}\n\noffer 3\n-- \nAnna", ("offer 3",)),
        (f"dive\n\n{OUTLOOK}\n{OURS}", ("dive",)),
        (f"2\n\n{OURS}", ("2",)),
        (f"{OURS}\n\noffer 3", ("offer 3",)),
        (f"{OUTLOOK}\n{OURS[:MIDDLE]}\n\noffer 3\n{OURS[MIDDLE:]}", ("offer 3",)),
        (textwrap.fill(OURS, 50), ()),
        ("2\n\nSent from my iPhone", ("2",)),
    ],
    ids=["marked", "bottom", "Outlook", "bare", "below", "interleaved", "wrapped", "phone"],
)
def test_what_was_typed_is_left(text: str, typed: tuple[str, ...]) -> None:
    assert typed_in(text, [OURS]) == typed


@pytest.mark.parametrize(
    ("line", "is_drawn"),
    [
        ("Anna | wheat | stone | 12", True),
        ("Anna | wheat | stone", False),
        ("+-------+", True),
        ("a-----b--", True),
        ("/~~a", False),
        ("/~~\\a", True),
        ("a/b/c/d/e/f", False),
        ("...", True),
        ("...?", False),
        ("?", False),
        ("🚢", False),
        ("🚢 ----", False),
    ],
)
def test_a_line_of_a_board_is_not_typed_and_one_of_words_or_signs_is(line: str, is_drawn: bool) -> None:
    assert typed_in(f"dive\n\n{line}", []) == (("dive",) if is_drawn else ("dive", "", line))


FIRST = "It is your turn, Anna: dive, or offer a pearl to Ben.\nYou have until Friday at noon."
SECOND = "Since your last turn Ben has dived twice,\nand drawn a pearl of the value four."
THIRD = "The bag has ten pearls, of which two are black,\nand nobody has seen them yet."
LAST = "Rules and board are on the page of the match,\nwhere you can play, too.\nWell played, Anna"
WHOLE = (FIRST, SECOND, THIRD, LAST)


@pytest.mark.parametrize(
    ("parts", "typed"),
    [
        ((FIRST, "dive", SECOND, THIRD, LAST), ("dive",)),
        ((FIRST, "dive", THIRD, LAST), ()),
        ((*WHOLE, "dive", FIRST, SECOND, "offer 3"), ("dive",)),
        ((FIRST, SECOND, "Well played, Anna", "dive"), ("dive",)),
    ],
    ids=["between", "where something was cut", "below the end, above another quotation", "below a short last line"],
)
def test_what_was_typed_into_a_quotation_without_marks_has_ours_on_both_sides(
    parts: tuple[str, ...], typed: tuple[str, ...]
) -> None:
    """What stands between parts that do not follow each other may be ours, changed on its way."""
    assert typed_in("\n\n".join((OUTLOOK, *parts)), ["\n\n".join(WHOLE)]) == typed


def test_a_turn_that_we_gave_as_an_example_over_two_lines_is_typed() -> None:
    turn = "harvest mine 1 wheat pumpkin; again stone wheat; end"
    ours = f"Hello, this is how:\n\n{turn[:30]}\n{turn[30:]}\n\nThat was all that you can do.\n"
    assert typed_in(f"{turn}\n\n{GMAIL}\n\n> Hello", [ours]) == (turn,)


def test_without_our_mail_nothing_below_an_introduction_without_marks_is_read() -> None:
    assert typed_in(f"dive\n\n{OUTLOOK}\n{OURS}", []) == ("dive",)


def test_of_many_lines_without_marks_only_the_first_are_read() -> None:
    assert typed_in("\n".join(["4", *["chat"] * MOST_UNMARKED, "5"]), []) == ("4", *["chat"] * (MOST_UNMARKED - 1))
    assert typed_in("\n".join([*["> 1"] * (2 * MOST_UNMARKED), "", "5"]), []) == ("5",)
