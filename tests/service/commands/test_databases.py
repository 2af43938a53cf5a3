"""What a command says where the database fails it."""

from __future__ import annotations

import pytest
from sqlalchemy.exc import OperationalError, SQLAlchemyError

from service.commands.databases import explained
from service.store.files import FileLost


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (
            OperationalError("INSERT", {}, Exception("database or disk is full\nand more")),
            "The disk of the database is full (database or disk is full). Nothing was changed: make room, then repeat"
            " this.",
        ),
        (
            OperationalError("INSERT", {}, Exception("the server is starting up")),
            "The database cannot be used: the server is starting up",
        ),
        (FileLost("the file is missing", "It is missing."), "It is missing."),
    ],
)
def test_an_error_is_said_in_one_sentence_with_what_to_do(error: SQLAlchemyError, sentence: str) -> None:
    assert explained(error) == sentence
