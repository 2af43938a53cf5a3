"""API tokens: issued, recognised, revoked."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from service.context import Context
from service.errors import Conflict, Forbidden, Invalid, MissingScope, NotFound
from service.players import accounts, tokens
from service.store import tables
from service.store.players import Player
from service.store.tokens import Token
from tests.service.fakes import Clock, holder, later, person, person_with_token, proof


def own(context: Context, player: Player) -> Token:
    """The token that the player got by signing in."""
    return next(token for token in tokens.of_player(context, player) if token.label == tokens.FIRST_LABEL)


def test_a_token_signs_in_until_it_is_revoked(context: Context) -> None:
    ada = person(context, "Ada")
    token, secret = tokens.issue(context, ada, own(context, ada), "my bot", ["play"])
    assert tokens.recognise_at(context, secret, None)[0] == (ada, token)
    tokens.revoke(context, ada, token.id)
    assert tokens.recognise_at(context, secret, None)[0] is None
    tokens.revoke(context, ada, token.id)


def test_a_secret_is_32_random_bytes_and_is_not_kept(context: Context) -> None:
    _, secret = person_with_token(context, "Ada")
    assert secret.startswith("ovl_")
    assert len(secret) == 4 + 43
    with context.database.read() as connection:
        kept = connection.execute(select(tables.tokens)).one()
    assert secret not in repr(kept)
    assert kept.token_hash == tokens.hash_of(secret)


def test_a_player_lists_their_own_tokens_and_nobody_elses(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    tokens.issue(context, ada, own(context, ada), "my bot", ("play", "read"))
    assert sorted((token.label, token.scopes) for token in tokens.of_player(context, ada)) == [
        ("my bot", ("play", "read")),
        ("signed in by mail", ("play", "read", "account")),
    ]
    assert [token.label for token in tokens.of_player(context, bela)] == ["signed in by mail"]


def test_nobody_revokes_the_token_of_another(context: Context) -> None:
    ada, bela = person(context, "Ada"), person(context, "Bela")
    token, secret = tokens.issue(context, ada, own(context, ada), "my bot", ("play",))
    with pytest.raises(NotFound):
        tokens.revoke(context, bela, token.id)
    assert holder(context, secret) == ada


@pytest.mark.parametrize("secret", ["", "ovl_", "ovl_guessed", "Bearer ovl_x", "ovl_" + "x" * 10_000])
def test_a_secret_that_was_never_issued_signs_nobody_in(context: Context, secret: str) -> None:
    assert tokens.recognise_at(context, secret, None)[0] is None


def test_a_player_whose_address_is_not_confirmed_cannot_be_signed_in(context: Context) -> None:
    accounts.sign_up(context, "Ada", "ada@example.org")
    with context.database.write() as connection:
        from service.store import players

        ada = players.by_email(connection, "ada@example.org")
        assert ada is not None
        _, secret = tokens.add(connection, context, ada, "early", ("read",))
    assert tokens.recognise_at(context, secret, None)[0] is None


@pytest.mark.parametrize(
    ("label", "scopes", "pointer"),
    [("", ("read",), "/label"), ("a\nb", ("read",), "/label"), ("bot", (), "/scopes"), ("bot", ("admin",), "/scopes")],
)
def test_a_label_is_one_line_and_scopes_are_known(
    context: Context, label: str, scopes: tuple[str, ...], pointer: str
) -> None:
    ada = person(context, "Ada")
    with pytest.raises(Invalid) as refused:
        tokens.issue(context, ada, own(context, ada), label, scopes)
    assert [where for where, _ in refused.value.problems] == [pointer]


def test_a_token_that_is_not_ones_own_is_named(context: Context) -> None:
    with pytest.raises(NotFound, match=r"^You have no token t1\.$"):
        tokens.revoke(context, person(context, "Ada"), "t1")


def test_unknown_and_missing_scopes_are_named_with_the_known_ones(context: Context) -> None:
    ada = person(context, "Ada")
    for scopes, said in (((), "An empty list"), (("play", "fly", "sing"), "fly, sing")):
        with pytest.raises(Invalid) as refused:
            tokens.issue(context, ada, own(context, ada), "my bot", scopes)
        assert refused.value.problems == (
            ("/scopes", f"{said} is not among the scopes; they are play, read, account."),
        )


def test_a_token_issues_none_with_a_scope_that_it_lacks(context: Context) -> None:
    ada = person(context, "Ada")
    clerk, _ = tokens.issue(context, ada, own(context, ada), "clerk", ("account", "read"))
    with pytest.raises(MissingScope) as refused:
        tokens.issue(context, ada, clerk, "bot", ("read", "play"))
    assert refused.value.members() == {"scope": "play"}
    assert {token.label for token in tokens.of_player(context, ada)} == {"signed in by mail", "clerk"}
    reader, _ = tokens.issue(context, ada, clerk, "reader", ("read",))
    assert reader.scopes == ("read",)


def test_a_token_without_a_word_on_scopes_has_those_of_the_one_that_issued_it(context: Context) -> None:
    ada = person(context, "Ada")
    clerk, _ = tokens.issue(context, ada, own(context, ada), "clerk", ("account", "read"))
    assert tokens.issue(context, ada, replace(clerk, proven_at=context.clock()), "another")[0].scopes == (
        "account",
        "read",
    )


def test_a_token_for_the_account_needs_a_mail_that_was_read_within_fifteen_minutes(context: Context) -> None:
    ada = person(context, "Ada")
    clerk, _ = tokens.issue(context, ada, own(context, ada), "clerk")
    with pytest.raises(Forbidden) as refused:
        tokens.issue(context, ada, clerk, "another clerk", ("account",))
    assert refused.value.code == "proof_needed"
    assert "that you read your mail, at most 15 minutes old: sign in by mail again" in str(refused.value)
    later(context, minutes=15)
    tokens.issue(context, ada, own(context, ada), "in time", ("account",))
    later(context, seconds=1)
    with pytest.raises(Forbidden):
        tokens.issue(context, ada, own(context, ada), "late", ("account",))
    tokens.issue(context, ada, own(context, ada), "a bot", ("play", "read"))
    tokens.revoke(context, ada, clerk.id)


def test_a_player_with_very_many_tokens_issues_no_more_and_can_sign_in(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MOST_TOKENS", 3)
    ada = person(context, "Ada")
    made = [tokens.issue(context, ada, own(context, ada), "bot", ("read",))[0] for _ in range(2)]
    with pytest.raises(Conflict) as refused:
        tokens.issue(context, ada, own(context, ada), "bot", ("read",))
    assert refused.value.code == "too_many_tokens"
    assert str(refused.value) == "You have 3 tokens, which is the maximum. Revoke one first."
    later(context, minutes=1)
    assert person(context, "Ada") == ada
    tokens.revoke(context, ada, made[0].id)
    tokens.revoke(context, ada, made[1].id)
    tokens.issue(context, ada, own(context, ada), "bot", ("read",))


def test_the_manual_says_how_many_tokens_a_player_has() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
    assert f"A player has {tokens.MOST_TOKENS} tokens at most." in manual


def test_a_token_that_has_expired_is_known_no_more_and_counts_no_more(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "MOST_TOKENS", 2)
    clock, ada = context.clock, person(context, "Ada")
    assert isinstance(clock, Clock)
    secret = tokens.issue(context, ada, proof(context, ada), "short", ["read"], 1)[1]
    assert tokens.recognise_at(context, secret, None)[0] is not None
    clock.advance(hours=24)
    assert tokens.recognise_at(context, secret, None)[0] is None
    assert tokens.issue(context, ada, proof(context, ada), "next", ["read"])[0].expires_at is None


def test_the_use_of_a_token_is_noted_once_an_hour(context: Context) -> None:
    clock, ada = context.clock, person(context, "Ada")
    assert isinstance(clock, Clock)
    secret = tokens.issue(context, ada, proof(context, ada), "mine", ["read"])[1]
    used = []
    for _ in range(3):
        tokens.recognise_at(context, secret, None)
        used.append(tokens.of_player(context, ada)[-1].used_at)
        clock.advance(minutes=30)
    assert used == [used[0], used[0], clock.now - timedelta(minutes=30)]
