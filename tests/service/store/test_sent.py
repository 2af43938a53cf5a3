"""The texts of mails that were sent: the newest of each match and recipient."""

from __future__ import annotations

from datetime import timedelta

from service.context import Context
from service.store import mails


def test_the_newest_texts_of_a_match_and_a_player_are_given_first(context: Context) -> None:
    now = context.clock()
    with context.database.write() as connection:
        for number in range(3):
            said = (f"plain {number} │ wörtlich", f"html {number}")
            mails.keep_texts(connection, f"n{number}", "m1", "ada", said, now + timedelta(minutes=number))
        mails.keep_texts(connection, "n3", "m2", "ada", ("another match",), now)
        mails.keep_texts(connection, "n4", None, "ada", ("no match",), now)
        mails.keep_texts(connection, "n5", "m1", "bela@example.org", ("an invitation",), now)
        assert mails.texts_of(connection, "m1", "ada", 2) == (
            "plain 2 │ wörtlich",
            "html 2",
            "plain 1 │ wörtlich",
            "html 1",
        )
        assert mails.texts_of(connection, None, "ada", 9) == ("no match",)
        assert mails.texts_of(connection, "m1", "bela@example.org", 9) == ("an invitation",)


def test_a_mail_that_was_sent_twice_is_kept_once(context: Context) -> None:
    with context.database.write() as connection:
        for _ in range(2):
            mails.keep_texts(connection, "n1", "m1", "ada", ("text",), context.clock())
        assert mails.texts_of(connection, "m1", "ada", 9) == ("text",)


def test_of_each_match_and_recipient_only_the_newest_are_kept(context: Context) -> None:
    now = context.clock()
    with context.database.write() as connection:
        mails.keep_texts(connection, "other", "m2", "ada", ("other",), now)
        for number in range(mails.KEPT_TEXTS + 2):
            mails.keep_texts(connection, f"n{number:03}", "m1", "ada", (f"{number}",), now + timedelta(minutes=number))
        kept = mails.texts_of(connection, "m1", "ada", 999)
        assert kept == tuple(f"{number}" for number in range(mails.KEPT_TEXTS + 1, 1, -1))
        assert mails.texts_of(connection, "m2", "ada", 9) == ("other",)


def test_old_texts_are_forgotten_some_at_a_time(context: Context) -> None:
    now = context.clock()
    with context.database.write() as connection:
        for number in range(4):
            mails.keep_texts(connection, f"n{number}", "m1", "ada", (f"{number}",), now + timedelta(days=number))
        assert mails.OLD_TEXTS.delete(connection, now + timedelta(days=3), 2) == 2
        assert mails.OLD_TEXTS.delete(connection, now + timedelta(days=3), 2) == 1
        assert mails.texts_of(connection, "m1", "ada", 9) == ("3",)
