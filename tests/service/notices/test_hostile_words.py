"""Names and titles chosen to break out of the text or HTML of a mail: every kind keeps its own
markup and links, and shows them as words.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any, Final, Literal, TypeAlias

import pytest

from service.kinds import NoticeKind
from service.notices.mail.render import Rendered
from service.notices.material import JudgedTurn, Recipient
from service.turns.types import Refusal, Verdict
from tests.service.notices.shown import TOKEN, made
from tests.service.notices.tables_of_pearls import LOG, finished, table

HOSTILE = (
    '<a href="https://evil.example">You have won</a>',
    "</td></tr></table><script>alert(1)</script>",
    "<!--[if mso]><b>",
    "{{ 7 * 7 }}{% include 'x' %}",
    "%(name)s %s %% 100%",
    "{name} {0} {}",
    "&lt;b&gt; &amp;",
    "\" onload=alert(1) x='",
    "-- ",
    "]]> */ } body { display: none }",
)
Shown: TypeAlias = NoticeKind | Literal["refused"]
KINDS: Final[tuple[Shown, ...]] = (
    "confirm_address",
    "sign_in",
    "invitation",
    "match_started",
    "your_turn",
    "verdict",
    "refused",
    "match_over",
)


class Skeleton(HTMLParser):
    """The tags of a page with their attributes, without the words."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[tuple[str, str | None], ...]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(attrs)))


def skeleton(page: str) -> list[tuple[str, tuple[tuple[str, str | None], ...]]]:
    parser = Skeleton()
    parser.feed(page)
    return parser.tags


def mail(kind: Shown, name: str) -> Rendered:
    """A mail of that kind between players and about a match of that name."""
    reader = Recipient("p-anna", name, "anna@players.example")
    if kind in ("confirm_address", "sign_in"):
        return made(kind, reader, None, None, **TOKEN).rendered
    called: dict[str, Any] = {"names": (name, name), "title": name, "creator": name}
    if kind == "match_over":
        return made(kind, reader, finished(**called)).rendered
    if kind == "refused":
        refusal = Refusal("x", "P4", f"There is no {name}.", 0)
        turn = JudgedTurn(1, Verdict("rejected", 0, 4, 4, (), refusal), name)
        return made("verdict", reader, table(LOG, 2, **called), turn).rendered
    accepted = JudgedTurn(1, Verdict("accepted", 1, 2, 4)) if kind == "verdict" else None
    return made(kind, reader, table(LOG, 2, **called), accepted).rendered


@pytest.mark.parametrize("kind", KINDS)
def test_names_and_titles_stay_words_in_every_kind_of_mail(kind: Shown) -> None:
    for name in HOSTILE:
        shown, plain = mail(kind, name), mail(kind, "Annabella"[: len(name)])
        assert skeleton(shown.html) == skeleton(plain.html), name
        assert html.escape(" ".join(name.split()), quote=False) in " ".join(unquoted(shown.html).split()), name
        assert " ".join(name.split()) in " ".join(shown.text.split()), name


def unquoted(page: str) -> str:
    """The page without escapes of quotes, which are as good as the quotes."""
    return re.sub("&#34;|&quot;", '"', page).replace("&#39;", "'").replace("\\xa0", " ")


@pytest.mark.parametrize("kind", KINDS)
def test_no_name_ends_the_text_above_the_foot(kind: Shown) -> None:
    assert mail(kind, "-- ").text.count("\n-- \n") == mail(kind, "Anna").text.count("\n-- \n") == 1


def test_a_hostile_name_is_no_template() -> None:
    assert "49" not in mail("your_turn", "{{ 7 * 7 }}").html.replace("{{ 7 * 7 }}", "")
    assert replace(table(), title="{{ 7 * 7 }}").title in mail("your_turn", "{{ 7 * 7 }}").text
