"""Mails that kill, or hold up, the process that composes them, or whose picture does so: each
concerns itself alone, and the others go on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from sqlalchemy import select

from service.loop import TERMS, Loop
from service.store.tables import outbox
from tests.faults.trial import Trial
from tools.client import start_match
from tools.launch import overland
from tools.mishap import Mishap
from tools.waiting import until

pytestmark = pytest.mark.deep

MOST_CRASHES = TERMS[Loop.NOTICES].most_crashes
DEAD, MAILED = outbox.c.status == "dead", outbox.c.status == "sent"


def undergo(trial: Trial, fault: str, broken: AbstractContextManager[object]) -> None:
    """Some turns are played while a mail fails, and another's mail comes; checks the ledger.

    The players pause for most of it, as each of their mails takes its time.
    """
    before = trial.players.journal.turns
    with broken:
        trial.players.resume()
        trial.more_turns(2)
        trial.players.pause()
        began = time.monotonic()
        trial.players.sign_up(1)  # whose mail is waited for
        seconds = time.monotonic() - began
    trial.check(fault, before, seconds)


def attempts(trial: Trial, match_id: str) -> list[tuple[str, int, int, str]]:
    """Status, attempts, crashes and error of each notice of a match."""
    wanted = select(outbox.c.status, outbox.c.attempts, outbox.c.crashes, outbox.c.last_error)
    with trial.database.read() as connection:
        return [tuple(row) for row in connection.execute(wanted.where(outbox.c.match_id == match_id))]


def test_mails_that_kill_whoever_composes_them_are_given_up_and_all_others_go_out(trial: Trial, mishap: Mishap) -> None:
    players = trial.players.sign_up(2)
    workers = {part.pid for part in trial.service.parts("workers")}

    @contextmanager
    def deadly() -> Iterator[None]:
        with mishap.happening("text dies"):
            match_id = start_match(trial.players.client(), "mishap", players, "A mishap")
            yield
            until(lambda: trial.count(outbox, DEAD) == 2, "both mails of the match are given up")
            assert {part.pid for part in trial.service.parts("workers")} == workers, "no worker has died"
            given_up = [row for row in attempts(trial, match_id) if row[0] == "dead"]
            assert [row[1:3] for row in given_up] == [(MOST_CRASHES, MOST_CRASHES)] * 2
            assert all("The process that was at it ended: killed by SIGKILL." in row[3] for row in given_up)
            assert trial.count(outbox, outbox.c.match_id != match_id, outbox.c.crashes > 1) == 0, "nobody else"
            listed = overland("outbox", "list", environ=trial.service.environ).stdout
            assert listed.count("killed by SIGKILL") == 2
        trial.retry_dead()

    undergo(trial, "a mail kills the process that composes it", deadly())


def test_a_mail_whose_example_kills_whoever_composes_it_goes_without_them(trial: Trial, mishap: Mishap) -> None:
    players = trial.players.sign_up(2)

    @contextmanager
    def listed() -> Iterator[None]:
        with mishap.happening("playing dies"):
            match_id = start_match(trial.players.client(), "mishap", players, "A mishap")
            until(lambda: trial.count(outbox, MAILED, outbox.c.match_id == match_id) == 3, "all its mails are sent")
            # An invitation, two mails of the start, of which one tells the first turn.
            assert sorted(row[:2] for row in attempts(trial, match_id)) == [
                ("covered", 0),
                ("sent", 1),
                ("sent", 1),
                ("sent", 2),
            ]
            mails = [mail for player in players for mail in trial.mail.texts(player.email)]
            # The first draws say whose turn it is.
            assert any("The list of your moves could not be made" in mail for mail in mails)
        yield

    undergo(trial, "an example of a turn kills the process that composes its mail", listed())


def test_a_mail_that_is_composed_for_ever_is_stopped_from_outside(trial: Trial, mishap: Mishap) -> None:
    players = trial.players.sign_up(2)

    @contextmanager
    def endless() -> Iterator[None]:
        with mishap.happening("text hangs"):
            match_id = start_match(trial.players.client(), "mishap", players, "A mishap")
            yield
            until(lambda: any(row[3] for row in attempts(trial, match_id)), "one of them is stopped")
            assert any("took longer than" in (row[3] or "") for row in attempts(trial, match_id))
        trial.retry_dead()

    undergo(trial, "a mail takes for ever to compose", endless())


def test_a_mail_whose_picture_kills_the_process_that_draws_it_goes_without_it(trial: Trial, mishap: Mishap) -> None:
    players = trial.players.sign_up(2)

    @contextmanager
    def undrawable() -> Iterator[None]:
        with mishap.happening("picture hangs"):
            match_id = start_match(trial.players.client(), "mishap", players, "A mishap")

            def all_sent() -> bool:
                for part in trial.service.parts("pictures"):
                    part.kill()
                return all(row[0] in {"sent", "covered"} for row in attempts(trial, match_id))

            until(all_sent, "the mails of the match are sent")
            assert "notice.without_picture" in trial.service.output()
            mails = trial.mail.texts(players[0].email)
            assert any("Mishap" in mail for mail in mails)
        yield

    undergo(trial, "the process that draws is killed", undrawable())
