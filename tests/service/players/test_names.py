"""Names: what they may consist of, that nobody has that of another, and names for players who gave
none.
"""

from __future__ import annotations

import pytest

from service.context import Context
from service.errors import Conflict, Invalid, TooMany
from service.names import FORMER, LONGEST_NAME, name_from, name_key, read_name
from service.players import accounts
from tests.service.fakes import Clock, person, sent_token


@pytest.mark.parametrize(
    ("display_name", "address", "name"),
    [
        ("Béla Bartók", "b@example.org", "Béla Bartók"),
        ('"Bela"', "b@example.org", "Bela"),
        ("  Bela \t K. ", "b@example.org", "Bela K."),
        ("", "bela.kovacs@example.org", "Bela Kovacs"),
        ("", "bela+games@example.org", "Bela"),
        ("Win at www.evil.example", "bela@example.org", "Bela"),
        ("=?utf-8?q?x?=", "bela@example.org", "Bela"),
        ("bela@example.org", "bela@example.org", "Bela"),
        ("\u202eAda\u200b", "x@example.org", "Ada"),
        ("", "@", "Player"),
        ("Ad\u0430", "x@example.org", "X"),
        ("A\u3164da", "x@example.org", "Ada"),
    ],
)
def test_a_name_is_made_of_what_the_mail_says_or_of_the_address(display_name: str, address: str, name: str) -> None:
    assert name_from(display_name, address) == name


def test_a_long_name_is_cut() -> None:
    made = name_from("x" * 300, "a@example.org")
    assert read_name(made) == made == "x" * 40


@pytest.mark.parametrize(
    "name",
    [
        *("Ada", "B\u00e9la", "O'Brien", "Ada 2", "Jos\u00e9-Mar\u00eda", "Ka\u02bboi", "\U0001f996"),
        *("\u0410\u0434\u0430", "\u0395\u03bb\u03ad\u03bd\u03b7", "\u05d3\u05e0\u05d4", "\u092e\u094b\u0939\u0928"),
        *("\u7530\u4e2dTaro", "\u3072\u3089\u30ab\u30ca\u30fc", "\uae40 Kim", "\u3105\u6f22"),
    ],
)
def test_a_name_has_letters_of_one_script(name: str) -> None:
    assert read_name(f"  {name} ") == name


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("Ad\u0430", "one script; this one has letters of Cyrillic and Latin"),
        ("\u7530\u0434", "letters of Cyrillic and East Asia"),
        ("\u03bcs", "Greek and Latin"),
        *((f"Ada{each}B", "invisible") for each in "\u034f\u115f\u17b4\u180b\u2800\u3164\ufe0f\uffa0\U000e0100"),
        *((f"Ada{each}B", "control characters") for each in "\u00ad\u200b\u200d\u202e\u2060\ufeff"),
        *((f"Ada{each}B", "no other blanks") for each in ("\u00a0", "\u3000", "\u2003", "  ")),
        ("...", "a letter, a digit or a sign"),
        ("\u3164", "invisible"),
        ("\uff25asy bot", "is a bot of this service"),
        (FORMER.upper(), "who have left"),
    ],
)
def test_a_name_that_could_be_taken_for_another_is_refused(name: str, reason: str) -> None:
    with pytest.raises(Invalid, match=reason):
        read_name(name)


@pytest.mark.parametrize("other", ["ADA", "ada", "\uff21da", "ad\uff21"])
def test_names_in_another_case_or_width_are_the_same(other: str) -> None:
    assert name_key(other) == name_key("Ada")


def test_whoever_comes_later_has_a_number_after_the_name(context: Context) -> None:
    names = [person(context, name, f"{number}@example.org").name for number, name in enumerate(("Ada", "ada", "ADA"))]
    assert names == ["Ada", "ada 2", "ADA 3"]
    long = "x" * LONGEST_NAME
    assert person(context, long, "4@example.org").name == long
    assert person(context, long, "5@example.org").name == "x" * (LONGEST_NAME - 2) + " 2"


def test_any_number_of_players_may_want_a_name(context: Context) -> None:
    names = [person(context, "Ada", f"{number}@example.org").name for number in range(12)]
    assert len(set(names)) == 12
    assert all(name.startswith("Ada") and read_name(name) == name for name in names)


def test_nobody_has_a_name_before_the_address_is_confirmed(context: Context) -> None:
    accounts.sign_up(context, "Ada", "first@example.org")
    assert person(context, "Ada", "second@example.org").name == "Ada"
    assert accounts.confirm(context, sent_token(context, "first@example.org"))[0].name == "Ada 2"


def test_a_mail_that_signs_up_gives_a_name_of_ones_own_too(context: Context) -> None:
    person(context, "Ada")
    assert accounts.sign_up_proven(context, "Ada", "other@example.org").name == "Ada 2"
    accounts.sign_up(context, "Cleo", "cleo@example.org")
    assert accounts.sign_up_proven(context, "ada", "cleo@example.org").name == "ada 3"
    assert accounts.sign_up_proven(context, "Bela", "cleo@example.org").name == "ada 3"


def test_a_player_takes_another_name_and_frees_the_one_before(context: Context) -> None:
    ada = person(context, "Ada")
    renamed = accounts.rename(context, ada, "Ada Lovelace")
    assert renamed.name == "Ada Lovelace"
    assert person(context, "Ada", "other@example.org").name == "Ada"
    with pytest.raises(Conflict) as taken:
        accounts.rename(context, renamed, "ADA")
    assert taken.value.code == "name_taken"
    assert str(taken.value) == "Another player is called ADA, or nearly so: choose another name."
    assert accounts.rename(context, renamed, "ada lovelace").name == "ada lovelace"
    with pytest.raises(Invalid):
        accounts.rename(context, renamed, "\u3164")


def test_a_name_changes_a_few_times_a_day(context: Context) -> None:
    clock = context.clock
    assert isinstance(clock, Clock)
    ada = person(context, "Ada")
    for name in ("Ada B", "Ada C", "Ada D"):
        ada = accounts.rename(context, ada, name)
    assert accounts.rename(context, ada, "Ada D") == ada
    with pytest.raises(TooMany):
        accounts.rename(context, ada, "Ada E")
    clock.advance(days=1)
    assert accounts.rename(context, ada, "Ada E").name == "Ada E"
