"""Names and addresses: what is kept can stand in a header."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from service.addresses import folded, mailable, read_email
from service.errors import Invalid
from service.names import read_name


@pytest.mark.parametrize(
    "email",
    [
        "ada@example.org",
        "a.b+c@sub.example.org",
        "x@localhost",
        "o'neill@example.org",
        "a" * 64 + "@example.org",
        "jürgen@example.org",
        "阿达@例子.广告",
        "ada@bücher.example",
        "ü" * 32 + "@example.org",
    ],
)
def test_an_address_of_the_usual_form_is_taken(email: str) -> None:
    assert read_email(email) == email


def test_a_local_part_is_kept_as_it_was_typed_and_a_domain_in_lower_case() -> None:
    assert read_email(" Ada.Lovelace@Example.ORG ") == "Ada.Lovelace@example.org"
    assert read_email("Jürgen@Bücher.Example") == "Jürgen@bücher.example"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada@Example.org", "ada@example.org"),
        ("JÜRGEN@example.org", "jürgen@example.org"),
        ("ju\u0308rgen@example.org", "j\u00fcrgen@example.org"),
        ("ada@bücher.example", "Ada@BÜCHER.example"),
        ("ada@xn--bcher-kva.example", "ada@bücher.example"),
        ("ada@XN--BCHER-KVA.example", "ada@bücher.example"),
        ("ada@example\u3002org", "ada@example.org"),
        ("ada@\uff45xample.org", "ada@example.org"),
        ("ΣΟΦΟΣ@example.org", "σοφοσ@example.org"),
    ],
)
def test_two_forms_of_one_address_are_the_same_folded(one: str, other: str) -> None:
    assert folded(read_email(one)) == folded(read_email(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [("strasse@example.org", "straße@example.org"), ("ada@strasse.example", "ada@straße.example"), ("a@b.c", "a.@b.c")],
)
def test_different_addresses_stay_different(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@given(some.text(max_size=20), some.sampled_from(["example.org", "bücher.example", "例子.广告"]))
def test_what_is_read_can_be_folded_mailed_and_read_again(local: str, domain: str) -> None:
    try:
        address = read_email(f"{local}@{domain}")
    except Invalid:
        return
    assert read_email(address) == address
    assert folded(folded(address)) == folded(address) == folded(mailable(address))
    assert mailable(address).rpartition("@")[2].isascii()


def test_mails_go_to_the_local_part_as_typed_at_the_domain_in_ascii() -> None:
    assert mailable(read_email("Ada@bücher.example")) == "Ada@xn--bcher-kva.example"
    assert mailable("Jürgen@example.org") == "Jürgen@example.org"


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
        "=?ü?@example.org",
        "\uff41da@example.org",
        "\u2168@example.org",
        "a\u202eda@example.org",
        "a\u200dda@example.org",
        "a\u00a0da@example.org",
        "\U0001f600@example.org",
        "ü" * 33 + "@example.org",
        "ada@xn--zz--.example",
        "ada@b_cher.ü",
        "ada@\u200d.example",
        "ada@ü" + "." * 300,
        "\ud800@example.org",
        "ada@\ud800.org",
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
