"""What a mail says, as replies may quote it: its plain text, and the words of its HTML in order."""

from __future__ import annotations

import html
import re
from email.message import EmailMessage
from typing import Final

_UNSEEN: Final = re.compile(r"<(style|head|title)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_BREAK: Final = re.compile(r"</(?:p|div|tr|li|h[1-6]|pre|table|ul|ol)\s*>|<br\b[^>]*>", re.IGNORECASE)
_CELL: Final = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^>]*>")


def said_in(message: EmailMessage) -> tuple[str, ...]:
    """The plain text of a mail of ours, and the text of its HTML where it has some."""
    parts = (message.get_body((kind,)) for kind in ("plain", "html"))
    plain, markup = ("" if part is None else str(part.get_content()) for part in parts)
    return (plain, words_of(markup)) if markup else (plain,)


def words_of(markup: str) -> str:
    """The words of HTML that we wrote, a block or a row of a table on each line."""
    lines = _BREAK.sub("\n", _UNSEEN.sub("", markup.replace("\r\n", "\n")))
    text = html.unescape(_TAG.sub("", _CELL.sub(" ", lines)))
    return "\n".join(" ".join(line.split()) for line in text.split("\n") if line.strip())
