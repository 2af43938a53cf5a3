"""The words of mails: which of them may change something."""

from __future__ import annotations

from typing import get_args

from service.mail_words import ACTING, Name

SHOWING = {
    *("board", "clock", "help", "list", "moves", "preview", "rules", "score"),
    *("end", "pass", "repeat", "undo"),
}
"""The words whose answer is only owed to whoever has not had too many answers."""


def test_all_words_may_change_something_but_those_that_show_or_do_nothing() -> None:
    assert set(get_args(Name)) - SHOWING == ACTING
