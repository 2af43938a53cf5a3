"""How many answers a sender gets, and what is told whatever their number."""

from __future__ import annotations

from typing import get_args

import pytest

from service.inbox.answers import MERGED_FOR, MOST_ANSWERS, MOST_UNREAD
from service.mail_words import ACTING, WORDS, Name
from service.notices.delivery import deliver_due
from tests.service.fakes import Clock, Postbag
from tests.service.inbox.postman import Postman

ADA, BELA = "ada@example.org", "bela@example.org"
ACTING_LINES = [
    line for word in WORDS for line in word.written if word.acts and not line.startswith(("join", "resume"))
]
QUICKLY = {line.split()[0]: line for line in ACTING_LINES}.values()
"""A line of each word."""


def told(postman: Postman) -> str:
    """All that the answers say."""
    return "\n".join(
        "\n".join((notice.payload["headline"], *notice.payload.get("says", ()))) for notice in postman.answers()
    )


def tire(postman: Postman, to: str) -> None:
    """Uses up the answers of Ada."""
    for _ in range(MOST_ANSWERS):
        postman.send(to, ADA, "moves")


@pytest.mark.parametrize(
    "line", [line if line in QUICKLY else pytest.param(line, marks=pytest.mark.deep) for line in ACTING_LINES]
)
def test_what_may_have_been_done_is_told_however_many_answers_there_were(postman: Postman, to: str, line: str) -> None:
    tire(postman, to)
    before = told(postman)
    result = postman.send(to, ADA, line)
    assert (result.status, result.detail) == ("handled", "")
    assert told(postman) != before


def test_what_only_shows_something_is_not_answered_beyond_the_limit(postman: Postman, to: str) -> None:
    tire(postman, to)
    for line in [line for word in WORDS if not word.acts for line in word.written if not line.startswith("end")]:
        if not line.startswith("repeat"):
            assert "too many answers" in postman.send(to, ADA, line).detail, line
    assert len(postman.answers()) == MOST_ANSWERS


def test_what_is_done_beyond_the_limit_is_told_by_one_answer(postman: Postman, to: str) -> None:
    context, bag, clock = postman.context, postman.context.transport, postman.context.clock
    assert isinstance(bag, Postbag)
    assert isinstance(clock, Clock)
    tire(postman, to)
    deliver_due(context)
    bag.messages.clear()
    for number in range(5):
        postman.send(to, ADA, f"say number {number}")
    assert len(postman.answers()) == MOST_ANSWERS + 1
    clock.advance(seconds=MERGED_FOR.total_seconds() + 1)
    deliver_due(context)
    (mail,) = [mail for mail in bag.messages if mail["X-Overland-Kind"] == "answer"]
    body = mail.get_body(("plain",))
    assert body is not None
    assert all(f"You have said: number {number}" in str(body.get_content()) for number in range(5))


def test_after_three_unread_mails_in_a_row_a_sender_is_not_answered_for_a_day(postman: Postman, to: str) -> None:
    clock = postman.context.clock
    assert isinstance(clock, Clock)
    for _ in range(MOST_UNREAD):
        assert postman.send(to, ADA, "Ann Berg lets you know that she is away").detail == ""
    assert postman.send(to, ADA, "Ann Berg lets you know that she is away").detail
    assert postman.send(postman.service, ADA, "Ann Berg lets you know that she is away").detail
    assert len(postman.answers()) == MOST_UNREAD
    says = [" ".join(answer.payload["says"]) for answer in postman.answers()]
    assert [f"last {MOST_UNREAD} mails could not be read" in each for each in says] == [False, False, True]
    assert postman.send(to, ADA, "moves").detail == ""
    assert "could not be read" not in " ".join(postman.answers()[-1].payload["says"])
    assert postman.send(to, ADA, "Ann Berg is away").detail == "", "they are not in a row any more"
    clock.advance(days=1)
    for _ in range(MOST_UNREAD):
        assert postman.send(to, ADA, "Ann Berg is away").detail == ""
    clock.advance(days=1)
    assert postman.send(to, ADA, "Ann Berg is away").detail == "", "a day has passed"


def test_a_turn_between_unread_mails_ends_the_row(postman: Postman, to: str) -> None:
    for _ in range(MOST_UNREAD):
        postman.send(to, ADA, "lorem ipsum")
    assert postman.send(to, ADA, "1").did == "turn"
    assert postman.send(to, ADA, "lorem ipsum").detail == ""


def test_every_word_is_in_the_table_and_acts_or_does_not() -> None:
    assert {name for word in WORDS for name in word.names} == set(get_args(Name))
    quiet = {name for word in WORDS if not word.acts for name in word.names}
    assert quiet.isdisjoint(ACTING)
