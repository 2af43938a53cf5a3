"""The table of the corpus, docs/mail-corpus.md: each mail, and what it does.

python -m tests.service.inbox.corpus.table    writes the page
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from engine.play import legal_actions
from service.inbox.mime import Opened, open_message
from service.inbox.moves import Option
from service.inbox.quoted_text import typed_lines
from service.inbox.readings import Ambiguous, Empty, Orders, Play, Unread, Words, read_orders
from service.inbox.words import Word
from tests.service.inbox.corpus import apple, gmail, introductions, others, outlook, shapes, special
from tests.service.inbox.corpus.cases import Case
from tests.service.inbox.sent_mails import Sent, turn_mail

PAGE = Path(__file__).parents[4] / "docs" / "mail-corpus.md"
CASES: tuple[Case, ...] = tuple(
    case for module in (gmail, apple, outlook, others, special, shapes, introductions) for case in module.CASES
)
_HEAD = """\
# Replies that are tested

Every kind of reply in `tests/service/inbox/corpus/`: the mail program, what is particular about the
mail, and what it does. They answer real mails of the service, of which the fourth and the fifth
legal move are typed. Made by `python -m tests.service.inbox.corpus.table`.

{count} mails.

| program | mail | what it does |
|---|---|---|
"""


def what_it_does(case: Case) -> str:
    """What the mail of a case does, in words."""
    sent = turn_mail(case.game)
    opened = open_message(case.build(sent))
    if opened.beyond:
        return "is too large to be read"
    automatic = [
        word
        for word, applies in (
            ("automatic", opened.auto_submitted),
            ("list", opened.is_list),
            ("report", opened.is_report),
        )
        if applies
    ]
    if automatic:
        return f"is not answered ({', '.join(automatic)})"
    lines = typed_lines(opened, sent.texts)
    return _with_notes(_said(sent, read_orders(sent.game, sent.state, sent.seat, lines)), opened)


def page() -> str:
    """The page, as it should be."""
    rows = [f"| {case.group} | {case.shape} | {what_it_does(case)} |" for case in CASES]
    return _HEAD.format(count=len(CASES)) + "\n".join((*rows, ""))


def _said(sent: Sent, orders: Orders) -> str:
    match orders:
        case Play(actions, words):
            said = "".join(f", {_word(word)}" for word in words)
            return f"plays {_numbers(sent, actions)}{said}"
        case Words(words):
            return ", ".join(map(_word, words))
        case Ambiguous(options):
            return f"offers {', '.join(map(_option, options))}"
        case Unread(_, _, nearest):
            return f"offers {', '.join(map(_option, nearest))}" if nearest else "cannot be read"
        case Empty():
            return "asks for nothing"


def _numbers(sent: Sent, actions: tuple[Any, ...]) -> str:
    legal = legal_actions(sent.game, sent.state, sent.seat)
    first = legal.index(actions[0]) + 1 if actions[0] in legal else sent.game.format(actions[0])
    return f"{first} and more" if len(actions) > 1 else str(first)


def _option(option: Option) -> str:
    return option.line if option.number is None else str(option.number)


def _word(word: Word) -> str:
    return f"says: {word.rest}" if word.name == "say" else f"says {word.name} {word.rest}".strip()


def _with_notes(said: str, opened: Opened) -> str:
    notes = sorted(opened.notes - {"html"})
    return f"{said} ({', '.join(notes)})" if notes else said


if __name__ == "__main__":
    PAGE.write_text(page())
