"""Mails composed by another process: what its outcomes mean."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from service.context import Context
from service.matches.replays import MatchUnreadable
from service.notices.mail.compose import Lacking, compose, composing
from service.store import match_lists
from service.store.tables import entries
from tests.service.notices.fakes import dealt, notice, notify, store_match


@pytest.mark.parametrize("pictured", [True, False])
def test_the_child_composes_what_would_be_composed_here(service: Context, pictured: bool) -> None:
    store_match(service, dealt())
    row = notice(service, notify(service, "your_turn", seat=0, ply=len(dealt())))
    draft = composing(service)((row, pictured))
    assert draft == compose(service, row, pictured)
    assert not isinstance(draft, Lacking)
    assert bool(draft.svg) == pictured == ("cid:board" in draft.letter.html)


def test_what_cannot_be_composed_is_said_by_the_child(service: Context) -> None:
    unknown = notice(service, notify(service, "../your_turn", match_id=None))
    without_token = notice(service, notify(service, "sign_in", match_id=None))
    child = composing(service)
    for row, said in ((unknown, "no mail of the kind"), (without_token, "no one-time token")):
        assert said in str(child((row, True)))


def test_a_mail_about_a_match_that_cannot_be_read_marks_it(service: Context) -> None:
    store_match(service, dealt())
    row = notice(service, notify(service, "your_turn", seat=0, ply=len(dealt())))
    with service.database.write() as connection:
        connection.execute(update(entries).where(entries.c.ply == 0).values(action={"type": "fly"}))
    with pytest.raises(MatchUnreadable):
        composing(service)((row, True))
    with service.database.read() as connection:
        assert [match.id for match in match_lists.unreadable(connection, 9)] == ["m-oregon"]
