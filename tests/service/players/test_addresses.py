"""Names and addresses: what is kept can stand in a header."""

from __future__ import annotations

import pytest

from service.errors import Invalid
from service.players.addresses import read_email, read_name


@pytest.mark.parametrize(
    "email",
    ["ada@example.org", "a.b+c@sub.example.org", "x@localhost", "o'neill@example.org", "a" * 64 + "@example.org"],
)
def test_an_address_of_the_usual_form_is_taken(email: str) -> None:
    assert read_email(email) == email


def test_an_address_is_kept_in_lower_case() -> None:
    assert read_email(" Ada.Lovelace@Example.ORG ") == "ada.lovelace@example.org"


@pytest.mark.parametrize(
    "email",
    [
        "",
        "ada",
        "ada@",
        "@example.org",
        "ada@@example.org",
        "ada@b@example.org",
        "ada@example.org\n",
        "ada@example.org\r\nBcc: all@example.org",
        "ada\n@example.org",
        "a da@example.org",
        "ada@exa mple.org",
        "ada@example..org",
        ".ada@example.org",
        "ada@-example.org",
        "ada@example.org,eve@example.org",
        "<ada@example.org>",
        '"ada"@example.org',
        "ada@example.org\0",
        "ada\u2028@example.org",
        "a" * 65 + "@example.org",
        "a@" + "b." * 130 + "org",
        "=?utf-8?q?a=0d=0abcc=3a?=@example.org",
    ],
)
def test_an_address_that_could_do_harm_or_go_nowhere_is_refused(email: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_email(email, "/seats/1/email")
    assert refused.value.problems[0][0] == "/seats/1/email"
    assert "ada@example.org" in refused.value.problems[0][1]


@pytest.mark.parametrize("name", ["Ada", "Zoë", "李", "Ada Lovelace", "A" * 40])
def test_a_name_has_1_to_40_characters(name: str) -> None:
    assert read_name(f" {name} ") == name


@pytest.mark.parametrize(
    "name", ["", "   ", "A" * 41, "Ada\nBcc: x", "A\rda", "Ada\x07", "Ada\u202eadA", "A\u2028B", "\ud800"]
)
def test_a_name_with_line_breaks_or_invisible_characters_is_refused(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_name(name)
    assert refused.value.problems[0][0] == "/name"


@pytest.mark.parametrize(
    "name",
    [
        "=?utf-8?q?Ada?=",
        "ada@example.org",
        "www.example",
        "https:/x",
        "mailto:ada",
        "Win at example.com",
        "example.com/prize",
        "exa\uff0ecom.example",
        "example\u3002org",
        "Dr.Who",
        "\u4f8b.\u6d4b\u8bd5",
    ],
)
def test_a_name_that_mail_programs_would_decode_or_make_a_link_of_is_refused(name: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_name(name)
    assert refused.value.problems[0][0] == "/name"


@pytest.mark.parametrize("linked", ["ada@example.org", "https://example.org/x", "www.example", "sub.example.com"])
def test_what_would_become_a_link_is_quoted_whole(linked: str) -> None:
    with pytest.raises(Invalid) as refused:
        read_name(f"Win {linked} now")
    assert f'take "{linked}" for' in refused.value.problems[0][1]


@pytest.mark.parametrize(
    "name",
    ["Dr. Who", "J. R. R. Tolkien", "J.R.R. Tolkien", "Ada & Co.", "Wait...what", "@da", "v1.5", "a = b?", "Q: x"],
)
def test_full_stops_and_signs_that_make_no_link_are_taken(name: str) -> None:
    assert read_name(name) == name


def test_a_refused_address_is_quoted_and_shortened() -> None:
    """60 characters are quoted whole; of a longer text 57 and three dots."""
    for text, shown in (("ada", "'ada'"), ("a" * 60, repr("a" * 60)), ("a" * 61, repr("a" * 57 + "..."))):
        with pytest.raises(Invalid) as refused:
            read_email(text)
        assert refused.value.problems == (("/email", f"{shown} is not a mail address such as ada@example.org."),)
