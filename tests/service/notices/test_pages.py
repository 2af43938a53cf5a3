"""Every kind of mail, word for word, for the toy game; ``test_shown.py`` compares those of the
others.

``golden/`` holds the texts; read them as a player would before changing one.

``python -m tests.service.notices.test_pages`` writes them anew.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args

import pytest
from structlog.testing import capture_logs

from engine.listing import ListingCell
from engine.types import Statement
from service.clocks.rule import PRESETS
from service.clocks.sentences import rule_sentences
from service.kinds import MAILINGS, NoticeKind
from service.links import ServiceAddress
from service.notices.mail.pages import MailLinks, Material, Page, digest_page, page
from service.notices.mail.render import Rendered, columns, render, wrapped
from service.notices.material import Added, JudgedTurn
from service.payloads import AboutSeat, AtPly, Gathered
from service.statuses import HostAct
from service.store.chat import Line
from service.turns.types import LegalAction, Refusal, Verdict
from tests.service.inside_words import inside_words
from tests.service.notices import words_told
from tests.service.notices.pearls import GAME
from tests.service.notices.shown import ALONE, golden
from tests.service.notices.tables_of_pearls import (
    ANNA,
    BASE_URL,
    BEN,
    LOG,
    Killed,
    deadly,
    finished,
    links_to,
    page_of,
    shown,
    table,
)

GOLDEN = Path(__file__).with_name("golden")
REFUSAL = Refusal(
    "not_in_hand",
    "P4",
    "You have no pearl of 2; your hand is 3.",
    1,
    (),
    (LegalAction({"type": "dive"}, "dive"), LegalAction({"type": "offer"}, "offer 3")),
    2,
)
SAID = (
    Line(
        3,
        1,
        "p-ben",
        "Ben",
        datetime(2026, 11, 21, 10, tzinfo=UTC),
        "Deep water today. <Mind> the eels & hold your breath!",
    ),
    Line(4, 1, "p-ben", "Ben", datetime(2026, 11, 21, 10, tzinfo=UTC), "Back at nine."),
)
ADDED = Added(SAID, note="Dive first.\nThen offer.")
PARTLY = Verdict("partly_accepted", 1, 2, 4, (), REFUSAL)
TOKEN = {"token": "ovc_k2v7", "expires_at": "2026-11-23T10:30:00+00:00"}

STALE = {
    "headline": "Nothing was played: the match has moved on since the mail that you answered.",
    "says": ["Reply to this mail instead."],
    "shows": ["moves", "board"],
    "since": 2,
    "ply": 4,
}
AMBIGUOUS = {
    "headline": "Nothing was played.",
    "says": ["Your mail can be read in more than one way. Reply with one of these, and nothing else:"],
    "lines": ["1 or dive", "2 or offer 3"],
    "shows": ["moves"],
    "ply": 4,
}
TIME = (
    "You have until Thursday, 26 November, 18:30 (Europe/Berlin).",
    "After that your reserve of 2 days runs, until Saturday, 28 November, 18:30 (Europe/Berlin).",
)
TIME_UP = {"step": "time_up_bot_turn", "since": 0, "ply": 4, "due_at": 1795771800}
OFF = {"since": 4, "ply": 4, "due_at": 1795771800, "until": 1795944600, "left": 5}
OFFER = {"since": 4, "ply": 4, "offer": "pause", "days": 7, "for_seat": None, "by": 1}
OFFERED = OFFER | {"question": 3, "asked": [0], "away": [], "lapses_at": 1796376600, "warned": False}
AGREED = OFFER | {"by": None, "result": "accepted", "until": 1796376600, "maker": "Ben", "accepted": [0], "passed": []}
SOON = {"since": 4, "ply": 4, "step": "soon", "by": None, "until": 1796376600}
RULE = rule_sentences(PRESETS["brisk"])
REMIND = {"ply": 4, "also": [{"match": "m2", "title": "Monday", "until": 1795944600}]}
HOST = {"about": "You play like an eel.", "reason": "We do not talk to each other like that here."}
UNPROVEN = {"order": "k2v7", "what": "turn", "lines": ["dive", "offer 3"], "seat": 0, "ply": 4}


def mails() -> dict[str, Rendered]:
    """One mail of every kind, and of every verdict."""
    return {
        "confirm_address": shown("confirm_address", payload=TOKEN),
        "sign_in": shown("sign_in", payload=TOKEN),
        "confirm_another_address": shown("confirm_another_address", payload=TOKEN),
        "address_changed": shown(
            "address_changed", payload={"change": "added", "changed": "Ada@home.example", "token": "ovc_k2v7"}
        ),
        "webhook": shown(
            "webhook",
            payload={"webhook": "k2v7", "place": "https://example.org", "error": "https://example.org answered 410."},
        ),
        **{f"from_host-{act}": shown("from_host", payload={**HOST, "act": act}) for act in get_args(HostAct)},
        "invitation": shown("invitation", BEN, table(())),
        "invitation-own_components": shown("invitation", BEN, table((), components="custom", time=RULE)),
        "match_started": shown("match_started", BEN, table(())),
        "your_turn": shown("your_turn", of=table(since=2)),
        "verdict-accepted": shown("verdict", BEN, table(LOG[:2]), turn=JudgedTurn(1, Verdict("accepted", 1, 0, 2))),
        "verdict-partly_accepted": shown("verdict", of=table(since=2), turn=JudgedTurn(2, PARTLY, "offer 2")),
        "verdict-rejected": shown(
            "verdict", of=table(since=4), turn=JudgedTurn(1, Verdict("rejected", 0, 4, 4, (), REFUSAL), "offer 2")
        ),
        "match_over": shown("match_over", of=finished()),
        "match_over-called_off": shown(
            "match_over", of=replace(finished(), outcome=None, without_result="Anna and Ben agreed to call it off.")
        ),
        "match_over-late": shown("match_over", of=finished(timed_out=(0, 2))),
        "your_turn-with_additions": render(
            "your_turn", added_to(Material("your_turn", AtPly(0, 0), ANNA, table(since=2), added=ADDED)).context
        ),
        "chat": render("chat", added_to(Material("chat", AboutSeat(0), ANNA, table(), added=Added(SAID))).context),
        "time_up-bot_turn": shown("time_up", of=table(since=0, time=TIME), payload=TIME_UP),
        "time_up-bot_hold": shown("time_up", of=table(), payload=TIME_UP | {"step": "time_up_bot_hold"}),
        "reminder": shown(
            "reminder", of=table(since=4, time=TIME, rule=rule_sentences(PRESETS["brisk"])), payload=REMIND
        ),
        "days_off_began": shown("days_off_began", of=table(since=4, time=TIME), payload=OFF),
        "offer_made": shown("offer_made", of=table(since=4, time=TIME), payload=OFFERED),
        "offer_settled": shown("offer_settled", of=table(since=4, time=TIME), payload=AGREED),
        "archive-soon": shown("archive", of=table(since=4), payload=SOON),
        "archive-archived": shown("archive", BEN, table(since=4), payload=SOON | {"step": "archived"}),
        "archive-reopened": shown("archive", BEN, table(since=4), payload=SOON | {"step": "reopened", "by": 0}),
        "seat_offered": shown(
            "seat_offered", BEN, table(), payload={"seat": 0, "question": 3, "lapses_at": 1796376600}
        ),
        "seat_handed": shown("seat_handed", BEN, table(), payload={"seat": 0, "to": "Cleo"}),
        "seat_freed": shown("seat_freed", ANNA, table(()), payload={"freed": 1}),
        "called_off": shown("called_off", ANNA, table(()), payload={"free": 1}),
        "called_off-by_host": shown("called_off", BEN, table(()), payload={"free": 1, "maker": "Anna"}),
        "your_turn-with_a_clock": shown("your_turn", of=table(since=2, time=TIME)),
        "digest": render("digest", daily().context),
        "answer-stale": shown("answer", of=table(since=2), payload=STALE),
        "answer-ambiguous": shown("answer", of=table(since=2), payload=AMBIGUOUS),
        "answer-help": shown("answer", payload={"headline": "This is what you can write.", "shows": ["help"]}),
        "unproven_turn": shown("unproven_turn", of=table(), payload=UNPROVEN),
    }


def added_to(material: Material) -> Page:
    """A mail that tells something besides."""
    return page(material, BASE_URL, links_to(material.match))


def daily(has_plus: bool = True) -> Page:
    """A digest of two matches, of which one waits for the reader, and something was said."""
    materials = [table(LOG[:2], since=0, match_id="m3ab2xqp", title="Monday"), table(since=2)]
    service = ServiceAddress("overland", "play.example", has_plus)
    reply_tags = {"m7k2xqp4": "r-m7k2xqp4-0-4-k1cq7x2m4nwd5t3vb"}
    told = Material("digest", Gathered(()), ANNA, matches=materials, added=Added(said_in={"m3ab2xqp": SAID}))
    return digest_page(told, service, reply_tags, BASE_URL, MailLinks())


def test_without_plus_addresses_a_digest_names_the_subject_by_which_an_answer_is_known() -> None:
    mail, tag = render("digest", daily(has_plus=False).context), "r-m7k2xqp4-0-4-k1cq7x2m4nwd5t3vb"
    assert f"Answer to: overland@play.example\nwith the subject: {tag}\n" in mail.text
    assert f'href="mailto:overland@play.example?subject={tag}"' in mail.html
    assert "overland+" not in mail.text + mail.html


@pytest.mark.parametrize("name", mails())
def test_text_and_html_tell_the_same(name: str) -> None:
    mail = mails()[name]
    assert words_told.of_text(mail) == words_told.of_html(mail)


@pytest.mark.parametrize("name", mails())
def test_no_mail_speaks_of_the_inside(name: str) -> None:
    assert inside_words(as_golden(mails()[name])) == set()


def as_golden(mail: Rendered) -> str:
    return f"Subject: {mail.subject}\n\n{mail.text}"


@pytest.mark.parametrize("name", mails())
def test_a_mail_reads_as_it_was_last_read_by_a_person(name: str) -> None:
    assert as_golden(mails()[name]) == (GOLDEN / f"{name}.txt").read_text()


def test_every_kind_is_among_the_golden_texts() -> None:
    assert {name.partition("-")[0] for name in mails()} == set(MAILINGS)


@pytest.mark.parametrize("name", mails())
def test_the_html_says_what_the_text_says_and_needs_nothing_from_elsewhere(name: str) -> None:
    mail = mails()[name]
    assert not re.search(
        r"""(src|href)=["'](?!cid:|https://play\.example|mailto:overland\+)|@import|url\(""", mail.html
    )
    for command in (line for line in mail.text.splitlines() if line.startswith("curl ")):
        assert command in html.unescape(mail.html)


@pytest.mark.parametrize("name", mails())
def test_the_sheet_that_is_left_has_only_what_cannot_be_inlined(name: str) -> None:
    sheets = re.findall(r"<style[^>]*>(.*?)</style>", mails()[name].html, re.DOTALL)
    assert sum(map(len, sheets)) < 4000
    for sheet in sheets:
        rules = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*\s*\}", "", sheet)
        assert all(rule.lstrip().startswith((":root", "[data-ogs")) for rule in re.findall(r"[^{}]+\{", rules))


@pytest.mark.parametrize("name", mails())
def test_lines_fit_a_narrow_window_unless_they_are_addresses_or_to_be_pasted(name: str) -> None:
    long = [line for line in mails()[name].text.splitlines() if len(line) > 78]
    assert all(line.startswith(("curl ", "Pearls #")) or "https://" in line for line in long)


def test_a_mail_of_text_alone_has_no_html() -> None:
    values = page_of("your_turn", of=table(since=2)).context
    assert render("your_turn", values, text_only=True).html == ""
    assert render("your_turn", values, text_only=True).text == render("your_turn", values).text


def test_subjects_stay_short_and_the_same_in_a_thread() -> None:
    subjects = {
        mail.subject.removeprefix("Re: ")
        for name, mail in mails().items()
        if name.partition("-")[0] not in (*ALONE, "digest") and name != "answer-help"
    }
    assert subjects == {"[Pearls #m7k2xqp4] Sunday dive"}


def test_a_match_is_known_by_the_first_eight_characters_of_its_id() -> None:
    assert shown("your_turn", of=table(match_id="m7k2xqp4zz")).subject == "Re: [Pearls #m7k2xqp4] Sunday dive"


def test_a_match_without_a_title_is_named_by_who_plays() -> None:
    assert shown("your_turn", of=table(title="")).subject == "Re: [Pearls #m7k2xqp4] Anna and Ben"


def test_each_of_several_who_are_awaited_is_named_with_what_they_are_asked() -> None:
    of_two = replace(
        GAME,
        to_act=lambda state: (0, 1),
        prompt=lambda state, seat: Statement("dive") if seat == 0 else Statement("answer", {"offered": 2}),
    )
    said = shown("match_started", of=table(game=of_two)).text
    told = 'It is your turn. Dive, or offer a pearl. The match waits for Ben, who is asked: "Take or leave the pearl'
    assert f'{told} of 2."' in " ".join(said.split())


@pytest.mark.parametrize("kind", ["your_turn", "verdict"])
def test_where_an_action_raises_when_it_is_played_the_moves_go_without_an_example(kind: NoticeKind) -> None:
    with capture_logs() as logs:
        mail = shown(kind, of=deadly(MemoryError), turn=JudgedTurn(1, Verdict("accepted", 1, 2, 4)))
    assert [(entry["event"], entry["match"]) for entry in logs] == [("notice.without_example", "m7k2xqp4")]
    assert "Reply with a number or a line.\n" in mail.text
    assert "YOUR 2 MOVES\n\n    1 dive\n    2 offer 3\n" in mail.text


def test_where_the_game_fails_at_drawing_the_board_the_mail_goes_without_a_picture() -> None:
    faults: tuple[Any, ...] = (lambda *given: 1 // 0, lambda *given: None)
    for svg in faults:
        with capture_logs() as logs:
            mail = shown("your_turn", of=table(game=replace(GAME, svg=svg)))
        assert [(entry["event"], entry["match"]) for entry in logs] == [("notice.without_board", "m7k2xqp4")]
        assert "THE BOARD" in mail.text
        assert "<img" not in mail.html


def test_the_mail_about_a_turn_that_could_not_be_judged_plays_no_action() -> None:
    refusal = Refusal("judge_failed", "", "An error in the service.", 0)
    turn = JudgedTurn(1, Verdict("rejected", 0, 4, 4, (), refusal))
    mail = shown("verdict", of=deadly(Killed), turn=turn)
    assert "An error in the service." in mail.text
    assert "The list of your moves could not be made this time." in mail.text
    assert "The list of your moves could not be made this time." in mail.html


def test_a_refused_turn_is_answered_without_a_board() -> None:
    turn = JudgedTurn(1, Verdict("rejected", 0, 4, 4, (), REFUSAL))
    page = page_of("verdict", of=table(since=4), turn=turn)
    assert page.svg == ""
    assert "THE BOARD" not in render("verdict", page.context).text


def test_the_mail_about_the_start_plays_no_action_for_whoever_waits() -> None:
    assert "Anna" in shown("match_started", BEN, of=deadly(Killed)).text


def test_short_cells_stand_in_columns_and_none_is_broken() -> None:
    cells = [ListingCell(number, number, f"C{number}") for number in (9, 10, 11)]
    assert columns(cells) == "     9 C9    10 C10   11 C11"
    assert columns([ListingCell(1, 1, "word " * 30 + "end"), ListingCell(2, 2, "b")]).splitlines()[1] == "    2 b"


def test_wrapping_keeps_paragraphs_and_indents() -> None:
    assert wrapped("one two\n  three", "- ") == "- one two\n    three"
    assert all(len(line) <= 78 for line in wrapped("word " * 60, "- ").splitlines())


if __name__ == "__main__":
    for written, mail in mails().items():
        (GOLDEN / f"{written}.txt").write_text(as_golden(mail))
    for file, content in golden().items():
        (GOLDEN / file).write_text(content)
