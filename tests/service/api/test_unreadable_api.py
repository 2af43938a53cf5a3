"""A match whose log cannot be replayed, found by a view: it is marked at once, says so everywhere,
and goes on when its log is mended.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlalchemy import Connection, event, select, update
from structlog.testing import capture_logs

from service.api.requests import KEY
from service.cli import main
from service.context import Context
from service.errors import Overloaded
from service.matches import mending
from service.matches.replays import MatchUnreadable
from service.store import maintenance
from service.store.database import Database
from service.store.maintenance import Maintenance
from service.store.tables import entries
from tests.service.api.conftest import Person
from tests.service.api.test_edges import problem
from tests.service.fakes import restarted

FIRST = entries.c.ply == 0


def set_entry(context: Context, action: Any) -> Any:
    """Changes the first entry of the only log. Returns what it was."""
    with context.database.write() as connection:
        before = connection.execute(select(entries.c.action).where(FIRST)).scalar_one()
        connection.execute(update(entries).where(FIRST).values(action=action))
    return before


@pytest.fixture
def whole(context: Context, app: Flask, match: str) -> Any:
    """What the first entry was: the log is damaged, and the API has remembered nothing."""
    app.extensions[KEY] = restarted(context)
    return set_entry(context, {"type": "fly"})


def checked(context: Context, match: str) -> tuple[int, str]:
    environ = {"OVERLAND_DATA_DIR": str(context.settings.data_dir)}
    result = CliRunner().invoke(main, ["matches", "check", match], env=environ)
    return result.exit_code, result.stdout


def marked(ada: Person, match: str) -> bool:
    return ada.get(f"/v1/matches/{match}").get_json().get("unreadable_at") is not None


VIEWS = ("observation", "legal-actions", "board.txt", "log", "record")


@pytest.mark.parametrize("view", VIEWS)
def test_the_view_that_finds_it_marks_the_match_until_it_is_mended(
    context: Context, ada: Person, match: str, whole: Any, view: str
) -> None:
    with capture_logs() as logs:
        for _ in range(2):
            refused = problem(ada.get(f"/v1/matches/{match}/{view}"), 503, "match_unreadable")
    assert refused["retry_after"] > 0
    assert [entry["match"] for entry in logs if entry["event"] == "match.unreadable"] == [match]
    assert "fly" in next(entry["error"] for entry in logs if entry["event"] == "match.unreadable")
    assert marked(ada, match)
    assert "overland_matches_unreadable 1.0" in ada.client.get("/metrics").text
    turn = {"ply": 0, "actions": [{"type": "any"}]}
    problem(ada.post(f"/v1/matches/{match}/turns", turn), 503, "match_unreadable")
    status, said = checked(context, match)
    assert (status, "The service cannot read it" in said) == (1, True)
    set_entry(context, whole)
    status, said = checked(context, match)
    assert (status, "goes on" in said) == (0, True)
    assert not marked(ada, match)
    assert ada.get(f"/v1/matches/{match}/{view}").status_code == 200


def test_the_match_itself_is_still_shown_and_marked_by_that(ada: Person, match: str, whole: Any) -> None:
    assert ada.get(f"/v1/matches/{match}").status_code == 200
    assert marked(ada, match)


def test_a_submission_that_is_read_against_the_log_marks_it(ada: Person, match: str, whole: Any) -> None:
    turn = {"ply": 0, "notation": "pass"}
    problem(ada.post(f"/v1/matches/{match}/turns", turn), 503, "match_unreadable")
    assert marked(ada, match)


def test_nothing_is_marked_in_a_maintenance(context: Context, ada: Person, match: str, whole: Any) -> None:
    with context.database.write() as connection:
        maintenance.begin(connection, Maintenance(context.clock(), None, "Back at noon."))
    problem(ada.get(f"/v1/matches/{match}/observation"), 503, "match_unreadable")
    assert not marked(ada, match)
    with context.database.write() as connection:
        maintenance.end(connection)
    problem(ada.get(f"/v1/matches/{match}/observation"), 503, "match_unreadable")
    assert marked(ada, match)


def test_a_database_that_takes_no_writes_is_no_other_answer(
    context: Context, app: Flask, ada: Person, match: str, whole: Any
) -> None:
    def refuse(connection: Connection) -> None:
        if connection.get_execution_options().get("overland_write"):
            connection.exec_driver_sql("INSERT INTO nowhere DEFAULT VALUES")

    database = Database(str(context.database.url))
    event.listen(database.engine, "begin", refuse)
    app.extensions[KEY] = replace(restarted(context), database=database)
    with capture_logs() as logs:
        problem(ada.get(f"/v1/matches/{match}/observation"), 503, "match_unreadable")
    assert [entry["match"] for entry in logs if entry["event"] == "match.not_marked"] == [match]
    assert not marked(ada, match)
    database.dispose()


def test_where_no_thread_is_free_to_mark_it_the_match_stays_as_it_is(
    context: Context, match: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def overloaded(work: Callable[[], object]) -> None:
        raise Overloaded(1)

    monkeypatch.setattr(mending, "apart", overloaded)
    error = MatchUnreadable(match, "ValueError: It is damaged.")
    with capture_logs() as logs:
        mending.report(context, error)
    assert [entry["event"] for entry in logs] == ["match.not_marked"]
