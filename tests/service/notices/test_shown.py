"""The mails of every game as a person sees them: what stands where, that every legal move is in
them with its number, and that nothing leads to JSON.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from engine import registry
from engine.listing import TO, listing
from engine.play import legal_actions
from service.kinds import MAILINGS
from service.names import LONGEST_NAME
from service.notices.mail.compose import PICTURE_WIDTH
from service.notices.mail.render import Rendered
from service.pictures.picture import png
from tests.browser import launched, width_of
from tests.service.inside_words import inside_words
from tests.service.notices import shown as making
from tests.service.notices import words_told
from tests.service.notices.shown import RULE, TIME, Shown, all_mails, golden, made, mails_of, material, reader

GAMES = tuple(registry.games())
GOLDEN = Path(__file__).with_name("golden")
MOST_PICTURE_BYTES = {"montana": 130_000}
CLIPPED = 102_000
"""Bytes from which on Gmail cuts the HTML of a mail off."""


@cache
def shown() -> dict[str, Shown]:
    return all_mails()


NAMES = tuple(shown())


def visible(mail: Rendered) -> str:
    """The words of the HTML as they are seen, and the picture as ``[board]``."""
    body = re.sub(r"(?s)<head>.*?</head>|<div class=\"preview\".*?</div>|<!--.*?-->", "", mail.html)
    body = re.sub(r"<img[^>]*>", "[board]", body)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", body)).split())


def preview(mail: Rendered) -> str:
    found = re.search(r'<div class="preview"[^>]*>(.*?)</div>', mail.html, re.DOTALL)
    return html.unescape(found[1]) if found else visible(mail)


def numbered(text: str) -> Iterator[tuple[int, str]]:
    """The moves of the text part by number, as a reader makes them of rows, cells and ranges."""
    block = re.search(r"\nYOUR (?:\d+ MOVES|ONLY MOVE)\n(.*?)\n(?:A whole turn|THE BOARD|-- )", text, re.DOTALL)
    assert block is not None
    title = ""
    for line in block[1].splitlines():
        if line.endswith(" ...") and not line.startswith(" "):
            title = line.removesuffix(" ...") + " "
        elif line:
            title = title if line.startswith("    ") else ""
            for cell in re.split(r" {3,}(?=\d)", line.strip()):
                number, words = cell.split(" ", 1)
                yield from spelled_out(number, title + words)


def spelled_out(number: str, line: str) -> Iterator[tuple[int, str]]:
    first, _, last = number.partition(TO)
    if not last:
        yield int(first), line
        return
    found = re.search(rf"(\S*?)([A-Z]|[0-9]+)(\S*){TO}\1(?:[A-Z]|[0-9]+)\3(?=\s|$)", line)
    assert found is not None
    for step in range(int(last) - int(first) + 1):
        piece = str(int(found[2]) + step) if found[2].isdigit() else chr(ord(found[2]) + step)
        yield int(first) + step, line.replace(found[0], f"{found[1]}{piece}{found[3]}")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", [5, 6, 7])
def test_the_numbers_in_a_mail_are_those_of_the_legal_actions_at_its_ply(name: str, seed: int) -> None:
    of = material(name, seed=seed)
    (seat,) = of.game.to_act(of.state)
    lines = [of.game.format(action) for action in legal_actions(of.game, of.state, seat)]
    text = made("your_turn", reader(seat), of).rendered.text
    listed = [(number, line) for number, line in numbered(re.sub(r"(?s)\nThe moves of a row begin.*?\n\n", "\n", text))]
    assert sorted(listed) == list(enumerate(lines, 1))
    number, line = re.findall(r'for\sexample\s"(\d+)"\sor\s"([^"]+)"', text)[0]
    assert lines[int(number) - 1] == " ".join(line.split())


@pytest.mark.parametrize("name", GAMES)
def test_the_html_lists_the_same_moves_as_the_text(name: str) -> None:
    of = material(name)
    (seat,) = of.game.to_act(of.state)
    table = made("your_turn", reader(seat), of).rendered.html.partition('class="moves"')[2].partition("</table>")[0]
    cells = re.findall(r"<b>([\d\N{EN DASH}]+)</b>\s*([^<]*)", html.unescape(table).replace("\xa0", " "))
    expected = [cell for row in listing(of.game, of.state, seat).rows for cell in row.cells]
    assert [(number, words.strip()) for number, words in cells] == [(cell.number, cell.words) for cell in expected]


@pytest.mark.parametrize("name", NAMES)
def test_text_and_html_tell_the_same(name: str) -> None:
    mail = shown()[name].rendered
    assert words_told.of_text(mail) == words_told.of_html(mail)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "answer-rules"])
def test_no_mail_speaks_of_the_inside(name: str) -> None:
    mail, game = shown()[name].rendered, name.partition("-")[0]
    assert inside_words(f"{mail.subject}\n{mail.text}\n{visible(mail)}", game) == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_mail_that_has_time_to_tell_tells_it(name: str) -> None:
    of_seats = {"seat_offered", "seat_handed", "seat_freed", "called_off"}
    untimed = of_seats | {"unproven_turn", "chat", "digest", "match_over", "answer-stale"}
    for kind, mail in mails_of(name).items():
        if kind not in untimed:
            told = RULE if kind == "invitation" else TIME
            assert all(sentence in " ".join(mail.rendered.text.split()) for sentence in told), kind


@pytest.mark.parametrize("name", GAMES)
def test_a_turn_mail_says_how_to_reply_what_happened_what_is_asked_the_moves_and_then_the_board(name: str) -> None:
    mail = mails_of(name)["your_turn"].rendered
    for text, order in (
        (
            mail.text,
            ("Reply with", "SINCE YOUR LAST TURN", "It is your turn, ", "YOUR ", "THE BOARD", "-- \n", "https://"),
        ),
        (visible(mail), ("Reply with", "Since your last turn", "It is your turn, ", "Your ", "[board]", "The page of")),
    ):
        places = [text.index(order[0])]
        for words in order[1:]:
            places.append(text.index(words, places[-1] + 1))
        assert places[0] == 0


@pytest.mark.parametrize("name", NAMES)
def test_no_mail_leads_to_json_or_is_played_by_commands(name: str) -> None:
    mail = shown()[name].rendered
    assert all("/v1/" not in link for link in re.findall(r'href="([^"]*)"', mail.html))
    pasted = [line for line in mail.text.splitlines() if "/v1/" in line or "curl" in line]
    assert all(re.match(r"curl -sS \S+/record -o \S+ && overland verify ", line) for line in pasted)
    assert bool(pasted) == (shown()[name].kind in ("match_started", "match_over"))


@pytest.mark.parametrize("name", NAMES)
def test_the_preview_says_what_is_asked_and_never_that_something_was_accepted(name: str) -> None:
    mail = shown()[name]
    assert "accepted" not in preview(mail.rendered).lower()
    if mail.kind == "your_turn" or "goes-on" in name:
        assert preview(mail.rendered).startswith((f"It is your turn, {mail.reader.name}. ", "It is your turn. "))


@pytest.mark.parametrize("name", [name for name in NAMES if "rejected" not in name and shown()[name].svg])
def test_the_text_board_is_in_the_text_alone_and_the_html_says_all_that_is_seen(name: str) -> None:
    mail = shown()[name].rendered
    assert "THE BOARD\n\n" in mail.text
    assert "+--" in mail.text
    assert "+--" not in mail.html
    assert 'class="fact"' in mail.html


@pytest.mark.parametrize("name", GAMES)
def test_a_refused_turn_has_no_picture(name: str) -> None:
    assert mails_of(name)["verdict-rejected"].svg == ""
    assert "cid:" not in mails_of(name)["verdict-rejected"].rendered.html


@pytest.mark.parametrize("name", GAMES)
def test_the_longest_mail_is_not_cut_off(name: str) -> None:
    seats = max(registry.game(name).info.seats)
    for seed in (1, 2, 3):
        of = material(name, seats, seed)
        (seat,) = of.game.to_act(of.state)
        assert len(made("your_turn", reader(seat), of).rendered.html.encode()) < CLIPPED / 2


@pytest.mark.parametrize("name", GAMES)
def test_the_picture_of_the_largest_match_is_small(name: str) -> None:
    of = material(name, max(registry.game(name).info.seats), seed=2, over=True)
    picture = png(made("match_over", reader(0), of).svg, PICTURE_WIDTH)
    assert len(picture) <= MOST_PICTURE_BYTES.get(name, 75_000)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_relies_on_what_mail_programs_ignore(name: str) -> None:
    page = shown()[name].rendered.html
    styles = re.findall(r'style="([^"]*)"', page)
    assert not any("overflow:" in style.replace(" ", "") or "color-scheme: only" in style for style in styles)
    assert "<!--[if mso]><table" in page
    assert all("max-width" not in style for style in styles if 'width="' not in page)
    assert "prefers-color-scheme: dark" in page
    assert "[data-ogsc]" in page


@pytest.mark.parametrize("name", GAMES)
def test_a_mail_reads_as_it_was_last_read_by_a_person(name: str) -> None:
    for file, content in golden().items():
        if file.startswith(name):
            assert content == (GOLDEN / file).read_text(), f"{file}; see test_pages.py for how to write it anew"


def test_every_kind_is_shown() -> None:
    assert {mail.kind for mail in shown().values()} == set(MAILINGS)


def test_names_of_one_long_word_make_no_mail_wider_than_a_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "NAMES", tuple(letter * LONGEST_NAME for letter in "WM\u0416\u957f"))
    with launched() as browser:
        page = browser.new_page(viewport={"width": 320, "height": 800})
        for name in ("oregon", "montana"):
            for kind, mail in mails_of(name, 4).items():
                page.set_content(mail.rendered.html)
                assert (kind, width_of(page)) == (kind, 320)


def test_short_names_above_scores_are_not_broken_on_a_phone() -> None:
    with launched() as browser:
        page = browser.new_page(viewport={"width": 320, "height": 800})
        page.set_content(mails_of("montana", 4)["match_over"].rendered.html)
        names = page.locator("table.scores th")
        lines = names.evaluate_all(
            "all => all.map(each => { const range = document.createRange(); range.selectNodeContents(each);"
            " return new Set([...range.getClientRects()].map(line => line.top)).size })"
        )
        assert len(lines) == 4
        assert all(count <= len(name.split()) for count, name in zip(lines, names.all_inner_texts(), strict=True))
