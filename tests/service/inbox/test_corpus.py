"""Every mail of the corpus does what it must."""

from __future__ import annotations

import pytest

from tests.service.inbox.corpus.cases import Case, alternative, mail, nested, part, parts
from tests.service.inbox.corpus.table import CASES, PAGE, page, what_it_does


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.group}: {case.shape}")
def test_a_mail_of_the_corpus_does_what_it_must(case: Case) -> None:
    assert what_it_does(case) == case.does


def test_the_corpus_has_every_shape_once() -> None:
    assert len({(case.group, case.shape) for case in CASES}) == len(CASES) >= 60


def test_the_page_about_the_corpus_is_current() -> None:
    assert PAGE.read_text() == page(), "run: python -m tests.service.inbox.corpus.table"


WORD = (
    "<ol style='margin-top:0cm' start=4 type=1><li class=MsoListParagraph "
    "style='margin-left:0cm;mso-list:l0 level1 lfo1'>{}<o:p></o:p></li></ol>"
)


@pytest.mark.parametrize("said", ["", "<br>", "<br/>&nbsp;", "please", "<p>thanks!</p>", "bitte"])
@pytest.mark.parametrize(
    "shape",
    [
        '<div><ol start="4"><li>{}</li></ol></div>',
        "<OL START='4.'><LI>{}",
        '<ol style="list-style-type: decimal" start=" 4"><li>{}</li></ol>',
        '<ol><li value="4">{}</li></ol>',
        '<ol start="9"><li value=4 type="1">{}</li></ol>',
        WORD,
    ],
)
def test_the_number_of_an_item_is_the_one_that_was_typed(shape: str, said: str) -> None:
    """Mail programs make a list of a line such as "4. please"."""
    build = mail(shape.format(said), "text/html; charset=utf-8")
    assert what_it_does(Case("", "", "", lambda _: build)) == "plays 4"


@pytest.mark.parametrize(
    "shape",
    [
        '<ol type="a"><li>{}</li></ol>',
        '<ol type="i" start="4"><li>{}</li></ol>',
        '<ol style="margin: 0; list-style-type: lower-alpha"><li>{}</li></ol>',
        '<ol><li type="A">{}</li></ol>',
        '<ol><li style="list-style:upper-roman">{}</li></ol>',
        "<ol reversed><li>{}</li><li>x</li></ol>",
        '<ol start="4" reversed="reversed"><li>{}</li></ol>',
        '<ol start="4"><ul><li>{}</li></ul></ol>',
        '<li value="4">{}</li>',
    ],
)
@pytest.mark.parametrize("said", ["", "please"])
def test_an_item_without_a_number_plays_nothing(shape: str, said: str) -> None:
    build = mail(shape.format(said), "text/html; charset=utf-8")
    assert what_it_does(Case("", "", "", lambda _: build)) == "asks for nothing"


def test_items_are_counted_from_the_one_before() -> None:
    build = mail('<ol start="3"><li value="x">hello<li><p>please<li type="a">thanks</ol>', "text/html; charset=utf-8")
    assert what_it_does(Case("", "", "", lambda _: build)) == "offers 4, 3"


@pytest.mark.parametrize(
    "struck",
    [
        "<s>{}</s>",
        "<del>{}</del>",
        "<strike>{}</strike>",
        '<span style="text-decoration: line-through">{}</span>',
        '<span style="display: none">{}</span>',
        '<div style="VISIBILITY: hidden">{}</div>',
        '<div style="mso-hide:all">{}</div>',
        '<div style="opacity: 0; height: 0">{}</div>',
    ],
)
def test_what_was_struck_out_or_is_hidden_is_not_meant(struck: str) -> None:
    for written, done in (("", "asks for nothing"), (" 4", "plays 4"), ("<br>4", "plays 4")):
        typed = f"<div>{struck.format(3)}{written}</div>"
        note = "" if "display" in struck or "mso" in struck or "opacity" in struck or "VIS" in struck else " (struck)"
        build = mail(typed, "text/html; charset=utf-8")
        assert what_it_does(Case("", "", "", lambda _, build=build: build)) == done + note  # type: ignore[misc]


@pytest.mark.parametrize(
    "struck",
    [
        "<s>{}</s>",
        "<DEL class=x>{}</DEL>",
        "<strike>{}</strike>",
        '<span style="text-decoration-line:line-through">{}</span>',
    ],
)
@pytest.mark.parametrize(("beside", "done"), [("", "asks for nothing"), ("<br>4", "plays 4")])
def test_a_text_is_not_read_where_the_html_beside_it_strikes_something_out(struck: str, beside: str, done: str) -> None:
    """A plain text has no way to show it: programs write it like any other."""
    html = f"<div>{struck.format(3)}{beside}</div>"
    text = "3\n" + beside.removeprefix("<br>")
    shapes = (
        alternative(text, html),
        parts(
            "multipart/alternative",
            part(text, "text/plain; charset=UTF-8"),
            nested("multipart/related", "=_r", part(html, "text/html; charset=UTF-8")),
        ),
        parts(
            "multipart/mixed",
            nested(
                "multipart/alternative",
                "=_a",
                part(html, "text/html; charset=UTF-16", "base64", "utf-16"),
                part(text, "text/plain"),
            ),
        ),
    )
    for build in shapes:
        assert what_it_does(Case("", "", "", lambda _, build=build: build)) == f"{done} (struck)"  # type: ignore[misc]


def test_a_text_is_read_where_a_file_beside_it_strikes_something_out() -> None:
    file = part("<s>3</s>", "text/html", extra='Content-Disposition: attachment; filename="a.html"\n')
    build = parts("multipart/alternative", part("4", "text/plain"), file)
    assert what_it_does(Case("", "", "", lambda _: build)).startswith("plays 4")


def test_what_can_be_seen_through_is_meant() -> None:
    build = mail('<div style="opacity: 0.9">4</div>', "text/html; charset=utf-8")
    assert what_it_does(Case("", "", "", lambda _: build)) == "plays 4"
