"""A verdict that was written as the answer to a request needs no mail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from sqlalchemy import update

from service.api.turns import WRITTEN
from service.app import create_app
from service.context import Context
from service.ledger.check import check_ledger
from service.store.covering import ByAnswer, Reason
from service.store.tables import turns
from service.waits import Tasks
from tests.service.api.conftest import Person
from tests.service.api.test_turns_api import WAIT, first_legal, illegal_start
from tests.service.fakes import judge_one, notices
from tests.service.test_waits import in_loop
from tools.memory_queue import MemoryQueue

Written = list[Callable[[Tasks], None]]


def write(context: Context, written: Written) -> None:
    """What the server does once the answer is written, and what happens a second later."""

    async def act(tasks: Tasks) -> None:
        for note in written:
            note(tasks)
        context.batched.answers.record(context.database, context.clock)

    in_loop(act)


def mails(context: Context) -> list[tuple[str, Reason | None]]:
    return [(notice.status, notice.covered_by) for notice in notices(context, "verdict")]


def post(person: Person, match: str, written: Written, body: dict[str, Any], wait: bool = True) -> Any:
    headers = WAIT if wait else {}
    path = f"/v1/matches/{match}/turns"
    return person.post(path, body, headers=headers, environ_overrides={WRITTEN: written})


def test_the_mail_is_covered_once_the_answer_is_written(ada: Person, match: str, context: Context) -> None:
    ply, action = first_legal(ada, match)
    written: Written = []
    answer = post(ada, match, written, {"ply": ply, "notation": action["notation"]})
    assert mails(context) == [("pending", None)], "the answer may get lost yet"
    write(context, written)
    assert mails(context) == [("covered", ByAnswer(answer.get_json()["id"]))]
    assert check_ledger(context.database).breaches == []


def test_a_refusal_that_is_written_is_covered_too(ada: Person, match: str, context: Context) -> None:
    written: Written = []
    ply = first_legal(ada, match)[0]
    answer = post(ada, match, written, {"ply": ply, "notation": illegal_start(ada, match)})
    assert answer.status_code == 422
    write(context, written)
    assert mails(context) == [("covered", ByAnswer(answer.get_json()["turn"]["id"]))]


def test_a_queued_turn_is_covered_when_its_verdict_is_looked_up(ada: Person, match: str, context: Context) -> None:
    asleep = create_app(replace(context, queue=MemoryQueue())).test_client()
    ply, action = first_legal(ada, match)
    written: Written = []
    waiting = Person(asleep, ada.name, ada.email, ada.token)
    answer = post(waiting, match, written, {"ply": ply, "actions": [action["action"]]}, wait=False)
    assert (answer.status_code, written) == (202, [])
    judge_one(context, answer.get_json()["id"])
    ada.get(answer.headers["Location"], environ_overrides={WRITTEN: written})
    write(context, written)
    assert mails(context) == [("covered", ByAnswer(answer.get_json()["id"]))]


def test_another_server_notes_nothing_and_the_verdict_is_mailed(ada: Person, match: str, context: Context) -> None:
    ply, action = first_legal(ada, match)
    ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": action["notation"]}, headers=WAIT)
    context.batched.answers.record(context.database, context.clock)
    assert mails(context) == [("pending", None)]


def test_looking_up_an_old_verdict_writes_nothing(ada: Person, match: str, context: Context) -> None:
    ply, action = first_legal(ada, match)
    answer = ada.post(f"/v1/matches/{match}/turns", {"ply": ply, "notation": action["notation"]}, headers=WAIT)
    with context.database.write() as connection:
        connection.execute(update(turns).values(judged_at=context.clock() - timedelta(hours=2)))
    written: Written = []
    ada.get(answer.headers["Location"], environ_overrides={WRITTEN: written})
    assert written == []
