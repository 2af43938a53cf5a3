"""Renders mails: their subjects from the table of kinds, text and HTML from a folder of templates;
and reads back what they say.

Styles are inlined, as some mail programs drop style sheets; only those for dark mode and for phones
stay in one.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.listing import ListingCell
from service.kinds import MAILINGS, NoticeKind, Values
from service.notices.mail.message import one_line
from service.texts import translate

if TYPE_CHECKING:
    import css_inline

TEMPLATES: Final = Path(__file__).with_name("templates")
TEXT_COLUMNS: Final = 78
INDENT: Final = "    "
GAP: Final = "   "
_UNSEEN: Final = re.compile(r"<(style|head|title)\b.*?</\1\s*>|<!--.*?-->", re.DOTALL | re.IGNORECASE)
_BREAK: Final = re.compile(r"</(?:p|div|tr|li|h[1-6]|pre|table|ul|ol)\s*>|<br\b[^>]*>", re.IGNORECASE)
_CELL: Final = re.compile(r"</t[dh]\s*>", re.IGNORECASE)
_TAG: Final = re.compile(r"<[^>]*>")


@dataclass(frozen=True, slots=True)
class Rendered:
    """The rendered subject and bodies of a mail."""

    subject: str
    text: str
    html: str


def subject_of(kind: NoticeKind, context: Values) -> str:
    """The subject of a mail of that kind, without its conversation."""
    return one_line(MAILINGS[kind].subject(context))


def render(kind: NoticeKind, context: Values, text_only: bool = False) -> Rendered:
    """Renders a mail of that kind, without HTML where it is to be ``text_only``. Raises
    ``jinja2.UndefinedError`` where a template uses a value that is not in ``context``.
    """
    folder = MAILINGS[kind].template or kind
    parts = (templates(html=False).get_template(name).render(context) for name in (f"{folder}/text.txt", "_foot.txt"))
    html = "" if text_only else templates(html=True).get_template(f"{folder}/html.html").render(context)
    return Rendered(
        subject_of(kind, context),
        re.sub(r"\n{3,}", "\n\n", "\n\n".join(parts)).strip() + "\n",
        _inliner().inline(re.sub(r"\n\s*\n", "\n", html)) if html else "",
    )


@cache
def _inliner() -> css_inline.CSSInliner:
    import css_inline  # here, so that only the children that compose have it in memory

    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=False, load_remote_stylesheets=False)


@cache
def templates(html: bool) -> Environment:
    """The templates of the texts or of the HTML, in which values are escaped."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    translate(environment)
    environment.filters |= {"wrapped": wrapped, "columns": columns, "lines": lines}
    return environment


def wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """The text wrapped to ``TEXT_COLUMNS``, lines begun with ``first``, then with ``rest``."""
    indent = " " * len(first) if rest is None else rest
    wrapper = TextWrapper(TEXT_COLUMNS, first, indent, break_long_words=False, break_on_hyphens=False)
    lines = []
    for paragraph in text.splitlines() or [""]:
        lines.append(wrapper.fill(paragraph))
        wrapper.initial_indent = indent
    return "\n".join(lines)


def columns(cells: Sequence[ListingCell]) -> str:
    """The cells in columns of equal width; one that is too wide goes on a line of its own."""
    number = max(len(cell.number) for cell in cells)
    texts = [f"{cell.number:>{number}} {cell.words}" for cell in cells]
    width = max(map(len, texts)) + len(GAP)
    across = max(1, (TEXT_COLUMNS - len(INDENT) + len(GAP)) // width)
    rows = (texts[start : start + across] for start in range(0, len(texts), across))
    return "\n".join((INDENT + "".join(f"{text:<{width}}" for text in row)).rstrip() for row in rows)


def lines(cells: Sequence[ListingCell], indent: str = INDENT) -> str:
    """The cells, a line each."""
    number = max(len(cell.number) for cell in cells)
    return "\n".join(f"{indent}{cell.number:>{number}} {cell.words}" for cell in cells)


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
