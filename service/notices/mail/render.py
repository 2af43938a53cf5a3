"""Renders the templates of mails: a folder for each kind contains its subject, text and HTML.

Values are escaped in the HTML. Styles are inlined, as some mail programs drop style sheets; only
those for dark mode and for phones stay in one. Sentences go through gettext.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from engine.listing import Cell
from service.notices.mail.message import one_line
from service.texts import translate

TEMPLATES: Final = Path(__file__).with_name("templates")
TEXT_COLUMNS: Final = 78
INDENT: Final = "    "
GAP: Final = "   "


@dataclass(frozen=True, slots=True)
class Rendered:
    """The rendered subject and bodies of a mail."""

    subject: str
    text: str
    html: str


def render(kind: str, context: Mapping[str, Any], text_only: bool = False) -> Rendered:
    """Renders a mail of that kind, without HTML where it is to be ``text_only``.

    Every value that a template uses must be in ``context``; a missing one raises
    ``jinja2.UndefinedError``.
    """
    templates = _text_templates()
    subject = templates.get_template(f"{kind}/subject.txt").render(context)
    text = templates.get_template(f"{kind}/text.txt").render(context)
    html = "" if text_only else _html_templates().get_template(f"{kind}/html.html").render(context)
    return Rendered(
        one_line(subject),
        re.sub(r"\n{3,}", "\n\n", text).strip() + "\n",
        _inliner().inline(re.sub(r"\n\s*\n", "\n", html)) if html else "",
    )


def kinds() -> tuple[str, ...]:
    """All kinds of mail."""
    return tuple(sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir()))


@lru_cache(maxsize=1)
def _text_templates() -> Environment:
    return _environment(autoescape=False)


@lru_cache(maxsize=1)
def _html_templates() -> Environment:
    return _environment(autoescape=True)


@lru_cache(maxsize=1)
def _inliner() -> css_inline.CSSInliner:
    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=False, load_remote_stylesheets=False)


def _environment(autoescape: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    translate(environment)
    environment.filters["wrapped"] = wrapped
    environment.filters["columns"] = columns
    environment.filters["lines"] = lines
    return environment


def wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """The text wrapped to ``TEXT_COLUMNS``, each paragraph on its own; ``first`` begins the first
    line, ``rest`` the others.
    """
    indent = " " * len(first) if rest is None else rest
    lines = []
    for index, paragraph in enumerate(text.splitlines() or [""]):
        lines.append(
            fill(
                paragraph,
                TEXT_COLUMNS,
                initial_indent=indent if index else first,
                subsequent_indent=indent,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
    return "\n".join(lines)


def columns(cells: Sequence[Cell]) -> str:
    """The cells in columns of equal width, at most ``TEXT_COLUMNS`` wide with their indent; a cell
    is never broken, and goes on its own line where it is wider than that.
    """
    number = max(len(cell.number) for cell in cells)
    texts = [f"{cell.number:>{number}} {cell.words}" for cell in cells]
    width = max(map(len, texts)) + len(GAP)
    across = max(1, (TEXT_COLUMNS - len(INDENT) + len(GAP)) // width)
    rows = (texts[start : start + across] for start in range(0, len(texts), across))
    return "\n".join((INDENT + "".join(f"{text:<{width}}" for text in row)).rstrip() for row in rows)


def lines(cells: Sequence[Cell], indent: str = INDENT) -> str:
    """The cells, a line each."""
    number = max(len(cell.number) for cell in cells)
    return "\n".join(f"{indent}{cell.number:>{number}} {cell.words}" for cell in cells)
