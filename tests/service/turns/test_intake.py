"""What is typed has to keep within the limits of the documents: whatever is stored of a turn can be
read again.
"""

from __future__ import annotations

import pytest

from engine import registry
from engine.documents import from_document
from engine.play import begin, read_action
from engine.types import Setup
from service.errors import Invalid
from service.turns.intake import take_in

OREGON = registry.game("oregon")


def test_what_is_typed_is_kept_as_documents_that_can_be_read_again() -> None:
    intake = take_in(OREGON, lambda: None, 0, None, "church bison wagon C7; draw landscape")
    assert tuple(read_action(OREGON, 0, document) for document in intake.document["actions"]) == intake.actions


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (
            "farmer bison bison wagon C7",
            '"farmer wagon bison bison C7": cards: This list has 3 items; the maximum is 2.',
        ),
        ("deal wagon to seat 0", '"deal wagon to seat 0": type: "deal_symbol" is not one of start, farmer,'),
    ],
)
def test_what_no_document_could_say_is_refused_at_the_notation(line: str, words: str) -> None:
    with pytest.raises(Invalid) as refused:
        take_in(OREGON, lambda: None, 0, None, line)
    (problem,) = refused.value.problems
    assert problem[0] == "/notation"
    assert problem[1].startswith(words)


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ("\n".join(["1"] * 65), ("/notation", "A turn has at most 64 lines, not 65.")),
        (["1"] * 65, ("/notation", "A turn has at most 64 lines, not 65.")),
        (["1", "x" * 1001], ("/notation/1", "A line has at most 1000 characters, not 1001.")),
        ("", ("/notation", "There is no action in this notation.")),
    ],
)
def test_what_is_longer_than_a_turn_or_empty_is_refused(lines: str | list[str], problem: tuple[str, str]) -> None:
    state = begin(OREGON, Setup(2, from_document(OREGON.options, {}), registry.components("oregon")), lambda *_: 0)[0]
    with pytest.raises(Invalid) as refused:
        take_in(OREGON, lambda: state, 0, None, lines)
    assert refused.value.problems == (problem,)


@pytest.mark.parametrize("space", [each for each in map(chr, range(0x110000)) if each.isspace()], ids=ascii)
def test_a_number_is_the_same_whatever_white_space_is_around_it(space: str) -> None:
    state = begin(OREGON, Setup(2, from_document(OREGON.options, {}), registry.components("oregon")), lambda *_: 0)[0]
    plain, spaced = (take_in(OREGON, lambda: state, 0, None, [line]) for line in ("1", f"{space}1{space}"))
    assert plain.actions == spaced.actions


def test_a_number_where_there_is_nothing_to_do_is_refused() -> None:
    state = begin(OREGON, Setup(2, from_document(OREGON.options, {}), registry.components("oregon")), lambda *_: 0)[0]
    (waits,) = {0, 1} - set(OREGON.to_act(state))
    with pytest.raises(Invalid) as refused:
        take_in(OREGON, lambda: state, waits, None, "1")
    ((pointer, why),) = refused.value.problems
    assert (pointer, why.partition("\n")[0]) == (
        "/notation",
        "The number 1 stands for no action: there is nothing for you to do here.",
    )
