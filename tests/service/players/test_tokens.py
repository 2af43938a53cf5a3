"""API tokens: issued, recognised, revoked."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from service.errors import Invalid, NotFound
from service.players import accounts, tokens
from service.store import tables
from service.wiring import Overland
from tests.service.fakes import person, person_with_token


def test_a_token_signs_in_until_it_is_revoked(overland: Overland) -> None:
    ada = person(overland, "Ada")
    token, secret = tokens.issue(overland, ada, "my bot", ["play"])
    assert tokens.recognise(overland, secret) == (ada, token)
    tokens.revoke(overland, ada, token.id)
    assert tokens.authenticate(overland, secret) is None
    tokens.revoke(overland, ada, token.id)


def test_a_secret_is_32_random_bytes_and_is_not_kept(overland: Overland) -> None:
    _, secret = person_with_token(overland, "Ada")
    assert secret.startswith("ovl_")
    assert len(secret) == 4 + 43
    with overland.database.read() as connection:
        kept = connection.execute(select(tables.tokens)).one()
    assert secret not in repr(kept)
    assert kept.token_hash == tokens.hash_of(secret)


def test_a_player_lists_their_own_tokens_and_nobody_elses(overland: Overland) -> None:
    ada, bela = person(overland, "Ada"), person(overland, "Bela")
    tokens.issue(overland, ada, "my bot", ("play", "read"))
    assert sorted((token.label, token.scopes) for token in tokens.list(overland, ada)) == [
        ("my bot", ("play", "read")),
        ("signed in by mail", ("play", "read", "account")),
    ]
    assert [token.label for token in tokens.list(overland, bela)] == ["signed in by mail"]


def test_nobody_revokes_the_token_of_another(overland: Overland) -> None:
    ada, bela = person(overland, "Ada"), person(overland, "Bela")
    token, secret = tokens.issue(overland, ada, "my bot", ("play",))
    with pytest.raises(NotFound):
        tokens.revoke(overland, bela, token.id)
    assert tokens.authenticate(overland, secret) == ada


@pytest.mark.parametrize("secret", ["", "ovl_", "ovl_guessed", "Bearer ovl_x", "ovl_" + "x" * 10_000])
def test_a_secret_nobody_was_given_is_nobody(overland: Overland, secret: str) -> None:
    assert tokens.authenticate(overland, secret) is None


def test_a_player_whose_address_is_not_confirmed_cannot_be_signed_in(overland: Overland) -> None:
    accounts.sign_up(overland, "Ada", "ada@example.org")
    with overland.database.write() as connection:
        from service.store import players

        ada = players.by_email(connection, "ada@example.org")
        assert ada is not None
        _, secret = tokens.add(connection, overland, ada, "early", ("read",))
    assert tokens.authenticate(overland, secret) is None


@pytest.mark.parametrize(
    ("label", "scopes", "pointer"),
    [("", ("read",), "/label"), ("a\nb", ("read",), "/label"), ("bot", (), "/scopes"), ("bot", ("admin",), "/scopes")],
)
def test_a_label_is_one_line_and_scopes_are_known(
    overland: Overland, label: str, scopes: tuple[str, ...], pointer: str
) -> None:
    ada = person(overland, "Ada")
    with pytest.raises(Invalid) as refused:
        tokens.issue(overland, ada, label, scopes)
    assert [where for where, _ in refused.value.problems] == [pointer]
