"""What players report, what the host does about it, and who is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from service import leaving
from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, NotFound, ServiceError, TooMany
from service.matches import chat, lobby, one_click, reporting
from service.matches.reporting import MOST_A_DAY, Reported, ReportedInvitation, ReportedLine, ReportedName
from service.matches.types import SeatRequest
from service.players import accounts, blocks, bots
from service.store import audit, players, reports
from service.store.audit import Operator
from service.store.players import Player
from tests.service.fakes import Round, later, notices, person, started

pytestmark = pytest.mark.usefixtures("pearls")
ROOT = Operator("root", "We do not talk like that.")


def now(context: Context, player: Player) -> Player:
    with context.database.read() as connection:
        found = players.find(connection, player.id)
    assert found is not None
    return found


def open_ones(context: Context) -> tuple[reports.PlayerReport, ...]:
    with context.database.read() as connection:
        return reports.listed(connection, "open", 100)


def told(context: Context) -> list[tuple[str | None, str, str]]:
    return sorted(
        (each.player_id, each.payload["act"], each.payload["about"]) for each in notices(context, "from_host")
    )


@pytest.fixture
def table(context: Context) -> Round:
    """A match in which Bela has said something to Ada."""
    table = started(context, "pearls")
    chat.say(context, table.players[1], table.match.id, "You play like an eel.")
    return table


@pytest.fixture
def ada(table: Round) -> Player:
    return table.players[0]


@pytest.fixture
def bela(table: Round) -> Player:
    return table.players[1]


def line(table: Round, number: int = 1) -> ReportedLine:
    return ReportedLine(table.match.id, number)


def test_a_line_is_kept_as_it_read_and_reported_once(context: Context, table: Round, ada: Player, bela: Player) -> None:
    first = reporting.report(context, ada, line(table), "  Rude,\nand\x1b wrong. ")
    assert (first.read, first.about_id, first.words) == ("You play like an eel.", bela.id, "Rude, and wrong.")
    assert reporting.report(context, ada, line(table), "Again!") == first
    assert open_ones(context) == (first,)
    assert notices(context, "from_host") == []


def test_a_report_can_be_looked_at_where_nothing_can_be_locked(context: Context, table: Round, ada: Player) -> None:
    made = reporting.report(context, ada, line(table), "")
    with context.database.read() as connection:
        assert reports.find(connection, made.id) == made


def test_a_removed_line_is_read_by_nobody_and_all_who_reported_it_are_told(context: Context) -> None:
    table = started(context, "pearls", seats=3)
    ada, bela, cleo = table.players
    chat.say(context, bela, table.match.id, "You play like an eel.")
    mine, other = (reporting.report(context, each, line(table), "") for each in (ada, cleo))
    reporting.remove(context, mine.id, ROOT)
    assert [each.text for each in chat.heard(context, ada, table.match.id, 0, 9)] == [
        "(removed by the host of this service)"
    ]
    expected = [(bela.id, "line_removed"), (ada.id, "report_upheld"), (cleo.id, "report_upheld")]
    assert told(context) == sorted((*each, "You play like an eel.") for each in expected)
    assert open_ones(context) == ()
    with pytest.raises(Conflict, match="removed already"):
        reporting.dismiss(context, other.id, ROOT)
    with context.database.read() as connection:
        (act,) = audit.listed(connection, bela.id, 10)
    assert (act.by, act.act, act.reason) == ("root", "line_removed", "We do not talk like that.")


def test_a_removed_name_is_replaced_and_may_be_chosen_anew(context: Context, ada: Player, bela: Player) -> None:
    found = reporting.report(context, ada, ReportedName(bela.id), "")
    reporting.remove(context, found.id, ROOT)
    assert now(context, bela).name.startswith("Player ")
    assert accounts.rename(context, now(context, bela), "Beate").name == "Beate"
    again = reporting.report(context, ada, ReportedName(bela.id), "")
    assert (again.read, again.id == found.id) == ("Beate", False)
    accounts.rename(context, now(context, bela), "Bea")
    with pytest.raises(Conflict, match="is called Bea by now"):
        reporting.remove(context, again.id, ROOT)


def test_the_name_of_a_bot_stays_a_bots_and_its_owner_is_told(context: Context, ada: Player, bela: Player) -> None:
    bot = bots.make(context, bela, "Rude")[0]
    reporting.remove(context, reporting.report(context, ada, ReportedName(bot.id), "").id, ROOT)
    assert now(context, bot).name.endswith(" bot")
    assert (bela.id, "name_replaced", "Rude bot") in told(context)


def test_a_withdrawn_invitation_frees_the_seat(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    seats = [SeatRequest("me"), SeatRequest("invite", ada.email)]
    match = lobby.create(context, bela, "pearls", None, seats, "Eels, all of you")
    found = reporting.report(context, ada, ReportedInvitation(match.id), "")
    assert (found.read, found.number) == ("Eels, all of you", 1)
    reporting.remove(context, found.id, ROOT)
    assert not lobby.find(context, bela, match.id).seats[1].invited
    assert (bela.id, "invitation_withdrawn", "Eels, all of you") in told(context)
    with pytest.raises(NotFound):
        reporting.report(context, ada, ReportedInvitation(match.id), "")


def test_all_who_are_told_that_an_invitation_is_withdrawn_are_kept_no_seat(context: Context) -> None:
    ada, bela, cleo, dora = (person(context, name) for name in ("Ada", "Bela", "Cleo", "Dora"))
    seats = [SeatRequest("me"), *(SeatRequest("invite", each.email) for each in (ada, cleo, dora))]
    match = lobby.create(context, bela, "pearls", None, seats)
    first, _second = (reporting.report(context, each, ReportedInvitation(match.id), "") for each in (ada, cleo))
    reporting.remove(context, first.id, ROOT)
    assert {who for who, act, _about in told(context) if act == "report_upheld"} == {ada.id, cleo.id}
    assert [each.invited for each in lobby.find(context, bela, match.id).seats] == [False, False, False, True]


def test_an_answer_goes_to_the_reporter_alone_and_a_dismissal_to_nobody(
    context: Context, table: Round, ada: Player, bela: Player
) -> None:
    first = reporting.report(context, ada, line(table), "")
    second = reporting.report(context, ada, ReportedName(bela.id), "")
    reporting.answer(context, first.id, Operator("root", "That is how eels play."))
    reporting.dismiss(context, second.id, ROOT)
    assert told(context) == [(ada.id, "report_answered", "You play like an eel.")]
    assert notices(context, "from_host")[0].payload["reason"] == "That is how eels play."
    assert chat.heard(context, ada, table.match.id, 0, 9)[0].text == "You play like an eel."
    with pytest.raises(NotFound):
        reporting.answer(context, "nobody", ROOT)


Wrong = Callable[[Context, Round], Reported]


UNSEEN: list[tuple[str, Wrong, type[ServiceError]]] = [
    ("Ada", lambda context, table: line(table, 2), NotFound),
    ("Bela", lambda context, table: line(table), Invalid),
    ("Carl", lambda context, table: line(table), Forbidden),
    ("Ada", lambda context, table: ReportedLine("nowhere", 1), NotFound),
    ("Ada", lambda context, table: ReportedInvitation(table.match.id), NotFound),
    ("Ada", lambda context, table: ReportedName(table.players[0].id), Invalid),
    ("Ada", lambda context, table: ReportedName("nobody"), NotFound),
    ("Ada", lambda context, table: ReportedName("bot-easy-1"), ServiceError),
]


def test_what_cannot_be_seen_is_not_reported(context: Context, table: Round) -> None:
    players = {"Carl": person(context, "Carl"), "Ada": table.players[0], "Bela": table.players[1]}
    for who, what, error in UNSEEN:
        reported = what(context, table)
        with pytest.raises(error):
            reporting.report(context, players[who], reported, "")
        assert open_ones(context) == (), (who, reported)


def test_a_blocked_player_s_line_is_not_seen_and_a_name_is(context: Context, table: Round, ada: Player) -> None:
    blocks.block(context, ada, table.match.id, 1)
    with pytest.raises(NotFound):
        reporting.report(context, ada, line(table), "")
    assert reporting.latest_line(context, ada, table.match.id) is None
    reporting.report(context, ada, ReportedName(table.players[1].id), "")


def test_nobody_floods_the_host(context: Context, ada: Player) -> None:
    for number in range(MOST_A_DAY):
        reporting.report(context, ada, ReportedName(person(context, f"Mob{chr(97 + number)}").id), "")
    last = person(context, "Last")
    with pytest.raises(TooMany):
        reporting.report(context, ada, ReportedName(last.id), "")
    later(context, days=1)
    reporting.report(context, ada, ReportedName(last.id), "")
    with pytest.raises(Invalid):
        reporting.report(context, ada, ReportedName(last.id), "x" * 501)


def test_guests_and_bots_report_nothing(context: Context, ada: Player) -> None:
    guest, _ = one_click.play_now(context, "pearls", "a" * 32, lambda: None, None)
    bot = bots.make(context, ada, "Mine")[0]
    for each, code in ((guest, "not_for_guests"), (bot, "bot_owns_nothing")):
        with pytest.raises(Forbidden) as refused:
            reporting.report(context, each, ReportedName(ada.id), "")
        assert refused.value.code == code


@pytest.mark.parametrize("leaves", [0, 1])
def test_who_leaves_takes_their_reports_and_what_was_reported_of_them(
    context: Context, table: Round, ada: Player, bela: Player, leaves: int
) -> None:
    reporting.report(context, ada, line(table), "Rude.")
    assert accounts.stored(context, ada)["reports"][0]["read"] == "You play like an eel."
    assert accounts.stored(context, bela)["reports"] == []
    leaving.leave_for_good(context, (ada, bela)[leaves])
    assert open_ones(context) == ()
