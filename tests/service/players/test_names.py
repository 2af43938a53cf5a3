"""Names for players who gave none."""

from __future__ import annotations

import pytest

from service.addresses import name_from, read_name


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
    ],
)
def test_a_name_is_made_of_what_the_mail_says_or_of_the_address(display_name: str, address: str, name: str) -> None:
    assert name_from(display_name, address) == name


def test_a_long_name_is_cut() -> None:
    made = name_from("x" * 300, "a@example.org")
    assert read_name(made) == made == "x" * 40
