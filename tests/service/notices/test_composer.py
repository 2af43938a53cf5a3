"""Mails composed by another process: what its death, its silence and its answers mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from sqlalchemy import update

from service.children import ChildDied, ChildTimedOut, Failed, ForkServerDied
from service.context import Context
from service.matches.replays import MatchUnreadable
from service.notices.composer import COMPOSING_SECONDS, ChildComposer, Write, composing
from service.notices.mail.compose import compose
from service.notices.mail.errors import CannotCompose, ComposerCrashed, ComposerFailed, NoticeError
from service.store import matches
from service.store.tables import entries
from tests.service.notices.fakes import dealt, notice, notify, store_match


@dataclass
class Answering:
    """A child whose function is called here, or that fails."""

    answer: Any
    failure: Exception | None = None
    asked: list[Sequence[Any]] = field(default_factory=list)

    def ask(self, requests: Sequence[Any], seconds: float) -> Sequence[Any]:
        self.asked.append(requests)
        if self.failure is not None:
            raise self.failure
        return [self.answer(request) for request in requests]

    def close(self) -> None: ...


def composer(answer: Any, failure: Exception | None = None) -> ChildComposer:
    return ChildComposer(Answering(answer, failure))


@pytest.mark.parametrize("pictured", [True, False])
def test_the_child_composes_what_would_be_composed_here(service: Context, pictured: bool) -> None:
    store_match(service, dealt())
    row = notice(service, notify(service, "your_turn", seat=0, ply=len(dealt())))
    draft = composer(composing(service)).compose(row, pictured)
    assert draft == compose(service, row, pictured)
    assert bool(draft.svg) == pictured == ("cid:board" in draft.letter.html)


def test_what_cannot_be_composed_is_said_by_the_child(service: Context) -> None:
    unknown = notice(service, notify(service, "../your_turn", match_id=None))
    without_token = notice(service, notify(service, "sign_in", match_id=None))
    child = composer(composing(service))
    for row, said in ((unknown, "no mail of the kind"), (without_token, "no one-time token")):
        with pytest.raises(CannotCompose, match=said):
            child.compose(row, True)


def test_nothing_of_an_earlier_notice_is_left_for_one_that_cannot_be_read(service: Context) -> None:
    answer = composing(service)
    good = notice(service, notify(service, "sign_in", match_id=None, token="t0ken"))
    answer(good)
    assert isinstance(answer(notice(service, notify(service, "../your_turn", match_id=None))), CannotCompose)
    assert answer(Write(True)) is None


@pytest.mark.parametrize(
    ("failure", "kind", "said"),
    [
        (ChildDied(1, "killed by SIGKILL"), ComposerCrashed, "The process that composed it died: killed by SIGKILL."),
        (ChildDied(0, "killed by SIGSEGV"), ComposerCrashed, "The process that composed it died: killed by SIGSEGV."),
        (
            ChildTimedOut(1, "It took longer than 10 s."),
            ComposerCrashed,
            f"Composing it took longer than {COMPOSING_SECONDS:g} s.",
        ),
        (
            ChildTimedOut(0, "It took longer than 10 s."),
            ComposerFailed,
            f"The database did not answer within {COMPOSING_SECONDS:g} s.",
        ),
        (ForkServerDied("gone"), ComposerFailed, "No process could be started to compose it."),
    ],
)
def test_a_notice_is_charged_for_a_death_and_an_endless_loop_but_not_for_a_slow_database(
    service: Context, failure: Exception, kind: type[NoticeError], said: str
) -> None:
    row = notice(service, notify(service, "sign_in", match_id=None, token="t0ken"))
    with pytest.raises(kind) as raised:
        composer(None, failure).compose(row, True)
    assert str(raised.value) == said


def test_an_exception_of_the_child_concerns_the_notice_and_is_quoted(service: Context) -> None:
    row = notice(service, notify(service, "sign_in", match_id=None, token="t0ken"))
    with pytest.raises(ComposerFailed, match=r"^ZeroDivisionError: by nothing$"):
        composer(lambda request: Failed("ZeroDivisionError: by nothing", "Traceback")).compose(row, True)


def test_a_mail_about_a_match_that_cannot_be_read_marks_it(service: Context) -> None:
    store_match(service, dealt())
    row = notice(service, notify(service, "your_turn", seat=0, ply=len(dealt())))
    with service.database.write() as connection:
        connection.execute(update(entries).where(entries.c.ply == 0).values(action={"type": "fly"}))
    with pytest.raises(MatchUnreadable):
        composing(service)(row)
    with service.database.read() as connection:
        assert [match.id for match in matches.unreadable(connection, 9)] == ["m-oregon"]
