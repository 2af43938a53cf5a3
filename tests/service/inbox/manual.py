"""The tables of words and settings in docs/play-by-email.md, from those that the service reads by.

python -m tests.service.inbox.manual    writes them
"""

from __future__ import annotations

import re
from pathlib import Path

from service.mail_words import WORDS
from service.players import settings
from service.players.preferences import Preferences

READER = Preferences(quiet_zone="your time zone")
PAGE = Path(__file__).parents[3] / "docs" / "play-by-email.md"


def _table(head: str, rows: list[tuple[str, str]]) -> str:
    return "\n".join((f"| {head} | what it does |", "|---|---|", *(f"| {said} | {does} |" for said, does in rows)))


def _words(anywhere: bool) -> str:
    return _table(
        "word",
        [(", ".join(f"`{line}`" for line in word.written), word.does()) for word in WORDS if word.anywhere == anywhere],
    )


def tables() -> dict[str, str]:
    """The tables by their names."""
    return {
        "words of a match": _words(anywhere=False),
        "words of all mails": _words(anywhere=True),
        "settings": _table("line", [(f"`{line}`", settings.meaning_of(line, READER)) for line in settings.EXAMPLES]),
    }


def page(text: str) -> str:
    """The text of the page with its tables as they should be."""
    for name, table in tables().items():
        found = re.compile(rf"(<!-- {name} -->\n).*?(\n<!-- end -->)", re.DOTALL)
        text = found.sub(lambda match, table=table: f"{match[1]}\n{table}\n{match[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
