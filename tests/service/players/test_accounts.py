"""Signing up and confirming, without telling anybody who is registered."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.context import Context
from service.errors import Conflict, Invalid, NotFound, ServiceError
from service.players import accounts, tokens
from service.store import addresses, players
from tests.service.fakes import Clock, at_once, holder, later, notices, person, sent_token
from tools.memory_queue import MemoryQueue

STRANGER = "stranger@example.org"


def test_signing_up_writes_a_mail_with_a_one_time_token(context: Context) -> None:
    accounts.sign_up(context, "Ada", "Ada@Example.org")
    (notice,) = notices(context)
    assert notice.kind == "confirm_address"
    assert len(notice.payload["token"]) == 32
    assert notice.payload["expires_at"] == "2026-11-23T12:00:00+00:00"
    assert isinstance(context.queue, MemoryQueue)
    assert context.queue.notices == 1


def test_a_mail_goes_to_the_address_as_it_was_typed_latest(context: Context) -> None:
    for typed in ("ada@example.org", "Ada@example.org"):
        accounts.sign_up(context, "Ada", typed)
    with context.database.read() as connection:
        player = players.by_address(connection, "ada@example.org")
        assert player is not None
        assert addresses.primary_of(connection, player) == "Ada@example.org"
    accounts.confirm(context, sent_token(context, "ada@example.org"))
    accounts.sign_up(context, "Eve", "ADA@example.org")  # anybody could ask for this
    with context.database.read() as connection:
        assert addresses.primary_of(connection, player) == "Ada@example.org"


def test_addresses_that_differ_in_case_or_form_are_of_one_player(context: Context) -> None:
    ada, clock = person(context, "Ada", "Jürgen@bücher.example"), context.clock
    assert isinstance(clock, Clock)
    for other in ("JÜRGEN@BÜCHER.example", "ju\u0308rgen@xn--bcher-kva.example"):
        clock.advance(minutes=1)
        accounts.sign_up(context, "Eve", other)
        assert accounts.confirm(context, sent_token(context, ada.email))[0] == ada


def test_of_the_one_time_token_only_the_hash_is_kept_beside_the_unsent_mail(context: Context) -> None:
    accounts.sign_up(context, "Ada", "ada@example.org")
    token = sent_token(context, "ada@example.org")
    with context.database.write() as connection:
        assert players.find_confirmation(connection, token) is None
        assert players.find_confirmation(connection, tokens.hash_of(token), lock=True) is not None


def test_confirming_answers_the_player_and_a_token_that_signs_in(context: Context) -> None:
    accounts.sign_up(context, "Ada", "ada@example.org")
    player, secret = accounts.confirm(context, sent_token(context, "ada@example.org"))
    assert (player.name, player.email, player.confirmed_at) == ("Ada", "ada@example.org", context.clock())
    assert holder(context, secret) == player


def test_the_answer_is_the_same_for_an_address_that_is_registered(context: Context) -> None:
    known = person(context, "Ada")
    answers = {
        accounts.sign_up(context, "Eve", "ada@example.org"),
        accounts.sign_up(context, "Eve", "ada@example.org"),
    }
    fresh = accounts.sign_up(context, "Eve", "eve@example.org")
    assert answers == {replace(fresh, email="ada@example.org")}
    assert known.id not in repr(answers)


def test_a_registered_address_gets_a_mail_to_sign_in_and_keeps_its_name(context: Context) -> None:
    ada, clock = person(context, "Ada"), context.clock
    assert isinstance(clock, Clock)
    clock.advance(hours=1)
    accounts.sign_up(context, "Eve", "ada@example.org")
    assert [notice.kind for notice in notices(context)] == ["confirm_address", "sign_in"]
    again, secret = accounts.confirm(context, sent_token(context, "ada@example.org"))
    assert again == ada
    assert holder(context, secret) == ada


def test_until_an_address_is_confirmed_the_latest_name_counts(context: Context) -> None:
    accounts.sign_up(context, "Eve", "ada@example.org")
    accounts.sign_up(context, "Ada", "ada@example.org")
    player, _ = accounts.confirm(context, notices(context)[0].payload["token"])
    assert player.name == "Ada"


def test_a_one_time_token_works_once(context: Context) -> None:
    person(context, "Ada")
    with pytest.raises(Conflict) as refused:
        accounts.confirm(context, sent_token(context, "ada@example.org"))
    assert refused.value.code == "confirmation_used"


def test_a_one_time_token_works_for_two_days(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    accounts.sign_up(context, "Ada", "ada@example.org")
    clock.advance(days=2)
    with pytest.raises(Conflict) as refused:
        accounts.confirm(context, sent_token(context, "ada@example.org"))
    assert refused.value.code == "confirmation_expired"


def test_a_token_nobody_was_sent_is_not_found(context: Context) -> None:
    with pytest.raises(NotFound, match="not known"):
        accounts.confirm(context, "guessed")


def test_of_many_who_use_a_one_time_token_at_once_one_gets_in(context: Context) -> None:
    accounts.sign_up(context, "Ada", "ada@example.org")
    token = sent_token(context, "ada@example.org")
    got = at_once(*[lambda: accounts.confirm(context, token)] * 6)
    assert [answer.code for answer in got if isinstance(answer, ServiceError)] == ["confirmation_used"] * 5


def test_two_who_sign_up_with_one_address_at_once_both_get_a_mail(context: Context) -> None:
    signed_up = at_once(*[lambda: accounts.sign_up(context, "Ada", "ada@example.org")] * 2)
    assert not any(isinstance(answer, ServiceError) for answer in signed_up)
    assert [notice.kind for notice in notices(context)] == ["confirm_address", "confirm_address"]


@pytest.mark.parametrize(
    ("name", "email", "pointer"),
    [("", "ada@example.org", "/name"), ("Ada", "ada", "/email"), ("Ada", "ada@example.org\nBcc: x@y", "/email")],
)
def test_a_bad_name_or_address_is_refused_and_nothing_is_written(
    context: Context, name: str, email: str, pointer: str
) -> None:
    with pytest.raises(Invalid) as refused:
        accounts.sign_up(context, name, email)
    assert refused.value.problems[0][0] == pointer
    assert notices(context) == []


def test_a_refused_token_says_what_to_do(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    said = []
    accounts.sign_up(context, "Ada", "ada@example.org")
    for token, pause in ((sent_token(context, "ada@example.org"), 2), ("nonsense", 0)):
        clock.advance(days=pause)
        with pytest.raises((Conflict, NotFound)) as refused:
            accounts.confirm(context, token)
        said.append(str(refused.value))
    person(context, "Bela")
    with pytest.raises(Conflict) as used:
        accounts.confirm(context, sent_token(context, "bela@example.org"))
    assert [*said, str(used.value)] == [
        "This token is too old. Sign up again with the same address to get another.",
        "This token is not known. Copy all of it from the mail, or sign up again.",
        "This token has been used. Sign up again with the same address to get another.",
    ]


def test_three_mails_a_day_to_sign_up_and_the_same_answer_ever_after(context: Context) -> None:
    answers = {accounts.sign_up(context, "Stranger", STRANGER).email for _ in range(25)}
    assert answers == {STRANGER}
    assert len(notices(context, "confirm_address")) == 3
    later(context, days=1)
    accounts.sign_up(context, "Stranger", STRANGER)
    assert len(notices(context, "confirm_address")) == 4


def test_twenty_mails_a_day_to_sign_in(context: Context) -> None:
    ada = person(context, "Ada")
    for _ in range(25):
        accounts.sign_up(context, "Ada", ada.email)
    assert len(notices(context, "sign_in")) == 20


def test_who_wants_no_mail_gets_none_to_sign_up_and_who_is_a_player_can_sign_in(context: Context) -> None:
    ada = person(context, "Ada")
    with context.database.write() as connection:
        for address in (STRANGER, ada.email):
            players.forbid_mail(connection, address, context.clock())
    accounts.sign_up(context, "Stranger", STRANGER)
    accounts.sign_up(context, "Ada", ada.email)
    assert sorted(notice.kind for notice in notices(context)) == ["confirm_address", "sign_in"], "hers alone"
