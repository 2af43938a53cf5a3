"""Renders the templates of mails: a folder for each kind contains its subject, text and HTML.

Values are escaped in the HTML; styles are inlined, as mail programs drop style sheets.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from textwrap import fill
from typing import Any, Final

import css_inline
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from service.notices.mail.message import one_line

TEMPLATES: Final = Path(__file__).with_name("templates")
TEXT_COLUMNS: Final = 78


@dataclass(frozen=True, slots=True)
class Rendered:
    """The rendered subject and bodies of a mail."""

    subject: str
    text: str
    html: str


def render(kind: str, context: Mapping[str, Any]) -> Rendered:
    """Renders a mail of that kind.

    Every value that a template uses must be in ``context``; a missing one raises
    ``jinja2.UndefinedError``.
    """
    templates = _text_templates()
    subject = templates.get_template(f"{kind}/subject.txt").render(context)
    text = templates.get_template(f"{kind}/text.txt").render(context)
    html = _html_templates().get_template(f"{kind}/html.html").render(context)
    return Rendered(one_line(subject), re.sub(r"\n{3,}", "\n\n", text).strip() + "\n", _inliner().inline(html))


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
    return css_inline.CSSInliner(keep_style_tags=False, keep_at_rules=True, load_remote_stylesheets=False)


def _environment(autoescape: bool) -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=autoescape,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["wrapped"] = wrapped
    environment.filters["shell"] = shlex.quote
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
