"""Every kind of mail, word for word, for the toy game.

``golden/`` holds the texts; read them as a player would before changing one.

``python -m tests.service.notices.test_pages`` writes them anew.
"""

from __future__ import annotations

import html
import re
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from service.notices.mail.render import TEMPLATES, Rendered, kinds, wrapped
from service.notices.material import JudgedTurn
from service.turns.types import LegalAction, Refusal, Verdict
from tests.service.notices.pearls import GAME
from tests.service.notices.tables_of_pearls import BEN, LOG, Killed, deadly, finished, shown, table

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
TOKEN = {"token": "ovc_k2v7", "expires_at": "2026-11-23T10:30:00+00:00"}


def mails() -> dict[str, Rendered]:
    """One mail of every kind, and of every verdict."""
    return {
        "confirm_address": shown("confirm_address", payload=TOKEN),
        "sign_in": shown("sign_in", payload=TOKEN),
        "invitation": shown("invitation", BEN, table(())),
        "match_started": shown("match_started", BEN, table(())),
        "your_turn": shown("your_turn", of=table(since=2)),
        "verdict-accepted": shown("verdict", BEN, table(LOG[:2]), turn=JudgedTurn(1, Verdict("accepted", 1, 0, 2))),
        "verdict-partly_accepted": shown(
            "verdict", of=table(since=2), turn=JudgedTurn(2, Verdict("partly_accepted", 1, 2, 4, (), REFUSAL))
        ),
        "verdict-rejected": shown(
            "verdict", of=table(since=4), turn=JudgedTurn(1, Verdict("rejected", 0, 4, 4, (), REFUSAL))
        ),
        "match_over": shown("match_over", of=finished()),
    }


def as_golden(mail: Rendered) -> str:
    return f"Subject: {mail.subject}\n\n{mail.text}"


@pytest.mark.parametrize("name", mails())
def test_a_mail_reads_as_it_was_last_read_by_a_person(name: str) -> None:
    assert as_golden(mails()[name]) == (GOLDEN / f"{name}.txt").read_text()


def test_every_kind_is_among_the_golden_texts() -> None:
    assert {name.partition("-")[0] for name in mails()} == set(kinds())


@pytest.mark.parametrize("kind", kinds())
def test_a_kind_is_a_folder_of_three_templates(kind: str) -> None:
    assert sorted(path.name for path in (TEMPLATES / kind).iterdir()) == ["html.html", "subject.txt", "text.txt"]


@pytest.mark.parametrize("name", mails())
def test_the_html_says_what_the_text_says_and_needs_nothing_from_elsewhere(name: str) -> None:
    mail = mails()[name]
    assert "<style" not in mail.html
    assert not re.search(r"""(src|href)=["'](?!cid:|https://play\.example)""", mail.html)
    for command in (line for line in mail.text.splitlines() if line.startswith("curl ")):
        assert command in html.unescape(mail.html)


@pytest.mark.parametrize("name", mails())
def test_lines_fit_a_narrow_window_unless_they_are_to_be_pasted(name: str) -> None:
    long = [line for line in mails()[name].text.splitlines() if len(line) > 78]
    assert all(line.startswith(("curl ", "Pearls #")) for line in long)


def test_subjects_stay_short_and_the_same_in_a_thread() -> None:
    subjects = {
        mail.subject.removeprefix("Re: ")
        for name, mail in mails().items()
        if name not in ("confirm_address", "sign_in")
    }
    assert subjects == {"[Pearls #m7k2xqp4] Sunday dive"}


def test_a_match_is_known_by_the_first_eight_characters_of_its_id() -> None:
    assert shown("your_turn", of=table(match_id="m7k2xqp4zz")).subject == "Re: [Pearls #m7k2xqp4] Sunday dive"


def test_a_match_without_a_title_is_named_by_who_plays() -> None:
    assert shown("your_turn", of=table(title="")).subject == "Re: [Pearls #m7k2xqp4] Anna and Ben"


def test_each_of_several_who_are_awaited_is_named_with_what_they_are_asked() -> None:
    of_two = replace(GAME, to_act=lambda state: (0, 1), prompt=lambda state, seat: ("dive", "answer")[seat])
    said = shown("match_started", of=table(game=of_two)).text
    assert "The match waits for Anna, who is asked: dive; and for Ben, who is asked: answer." in " ".join(said.split())


@pytest.mark.parametrize("kind", ["your_turn", "verdict"])
def test_an_action_that_raises_when_it_is_played_is_not_suggested(kind: str) -> None:
    with capture_logs() as logs:
        mail = shown(kind, of=deadly(MemoryError), turn=JudgedTurn(1, Verdict("accepted", 1, 2, 4)))
    assert [(entry["event"], entry["game"]) for entry in logs] == [("notice.without_suggestions", "pearls")]
    assert "It lists your legal moves" in mail.text
    assert "/v1/matches/m7k2xqp4/legal-actions" in mail.text
    assert "dive\n" not in mail.text.partition("HOW TO MOVE")[2].partition("NOTATION")[0]
    assert mail.text.partition("HOW TO MOVE")[2].count("curl ") == 1
    assert html.unescape(mail.html).count("/legal-actions") == 1


def test_the_mail_about_a_turn_that_could_not_be_judged_plays_no_action() -> None:
    refusal = Refusal("judge_failed", "", "An error in the service.", 0)
    turn = JudgedTurn(1, Verdict("rejected", 0, 4, 4, (), refusal))
    mail = shown("verdict", of=deadly(Killed), turn=turn)
    assert "An error in the service." in mail.text
    assert "It lists your legal moves" in mail.text


def test_the_mail_about_the_start_plays_no_action() -> None:
    assert "Anna" in shown("match_started", of=deadly(Killed)).text


def test_wrapping_keeps_paragraphs_and_indents() -> None:
    assert wrapped("one two\n  three", "- ") == "- one two\n    three"
    assert all(len(line) <= 78 for line in wrapped("word " * 60, "- ").splitlines())


if __name__ == "__main__":
    for written, mail in mails().items():
        (GOLDEN / f"{written}.txt").write_text(as_golden(mail))
