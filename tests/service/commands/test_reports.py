"""``overland reports``: what an operator sees of reports, and does about them."""

from __future__ import annotations

import json

import pytest

from service.context import Context
from service.matches import chat, reporting
from service.matches.reporting import ReportedLine, ReportedName
from service.metrics import exposition
from tests.service.commands.test_players import done, run
from tests.service.fakes import Round, notices, started

pytestmark = pytest.mark.usefixtures("pearls")
WHY = ("--reason", "We do not talk like that.")


@pytest.fixture
def reported(context: Context) -> tuple[Round, str]:
    """A match, and the report of a line of its chat."""
    table = started(context, "pearls")
    chat.say(context, table.players[1], table.match.id, "You play like an eel.")
    return table, reporting.report(context, table.players[0], ReportedLine(table.match.id, 1), "Rude.").id


def test_what_is_open_is_listed_shown_and_counted(context: Context, reported: tuple[Round, str]) -> None:
    table, report = reported
    ada, bela = table.players
    assert done(context, "reports") == done(context, "reports", "list")
    assert "chat: “You play like an eel.”, open" in done(context, "reports")
    assert json.loads(done(context, "reports", "list", "--json"))["words"] == "Rude."
    shown = done(context, "reports", "show", report)
    assert f"of Bela ({bela.id})\nby Ada ({ada.id}): Rude.\nin the match {table.match.id}, line 1" in shown
    assert b"overland_reports_open 1.0" in exposition(context)
    assert "reports 1 (oldest " in run(context, "status").output
    assert "was reported for chat" in done(context, "players", "show", "Bela")


def test_a_removal_is_told_and_leaves_the_list(context: Context, reported: tuple[Round, str]) -> None:
    table, report = reported
    done(context, "reports", "remove", report, *WHY)
    assert (
        chat.heard(context, table.players[0], table.match.id, 0, 1)[0].text == "(removed by the host of this service)"
    )
    assert "No report is open." in done(context, "reports")
    assert report in done(context, "reports", "list", "--status", "removed")
    assert len(notices(context, "from_host")) == 2
    assert f"line_removed {table.players[1].id} You play like an eel.: We do not talk" in done(context, "audit")
    again = run(context, "reports", "remove", report, *WHY)
    assert (again.exit_code, again.stderr) == (2, f"The report {report} is removed already.\n")


def test_an_answer_and_a_dismissal_are_in_the_audit_log(context: Context, reported: tuple[Round, str]) -> None:
    table, report = reported
    name = reporting.report(context, table.players[0], ReportedName(table.players[1].id), "").id
    blank = run(context, "reports", "answer", report, " ")
    assert (blank.exit_code, blank.stderr) == (2, "Say what is mailed: WORDS is empty.\n")
    done(context, "reports", "answer", report, "That is how eels play.")
    done(context, "reports", "dismiss", name, "--reason", "A fine name.")
    (mail,) = notices(context, "from_host")
    assert (mail.player_id, mail.payload["reason"]) == (table.players[0].id, "That is how eels play.")
    log = done(context, "audit")
    assert "report_answered" in log
    assert f"report_dismissed {table.players[0].id} {name}: A fine name." in log
    assert run(context, "reports", "show", "nobody").stderr == "There is no report nobody.\n"
