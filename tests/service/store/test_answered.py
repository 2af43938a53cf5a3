"""Which mails were dealt with."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from service.context import Context
from service.store import messages

ADA = "ada@example.org"


def test_a_mail_is_dealt_with_once(context: Context) -> None:
    now = context.clock()
    with context.database.write() as connection:
        assert not messages.is_known(connection, "k1")
        messages.add_answered(connection, "k1", ADA, "help", "n1", now)
        assert messages.is_known(connection, "k1")
    with pytest.raises(IntegrityError), context.database.write() as connection:
        messages.add_answered(connection, "k1", ADA, "help", "n2", now)


def test_only_answers_of_that_time_to_that_sender_are_counted(context: Context) -> None:
    now = context.clock()
    with context.database.write() as connection:
        messages.add_answered(connection, "k1", ADA, "help", "n1", now - timedelta(hours=2))
        messages.add_answered(connection, "k2", ADA, "help", "n2", now)
        messages.add_answered(connection, "k3", ADA, "turn", None, now)
        messages.add_answered(connection, "k4", "bela@example.org", "help", "n4", now)
        assert messages.answers_since(connection, ADA, now - timedelta(hours=1)) == 1
