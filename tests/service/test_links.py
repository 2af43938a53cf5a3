"""Links in mails: to pages, and signed for one purpose and one person."""

from __future__ import annotations

from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from service.links import (
    SIGN_IN_LASTS,
    Unsubscribe,
    match_page,
    never_again_link,
    of_everything,
    of_kind,
    of_match,
    read_never_again,
    read_sign_in,
    read_unsubscribe,
    rules_page,
    sign_in_link,
    unsubscribe_link,
)
from service.signing import Keys
from service.store.tokens import SigningKey
from tests.service.fakes import Clock

_NOW = Clock()()
_KEY = SigningKey(1, b"k" * 32, _NOW)
_KEYS = Keys((_KEY,), _KEY)
_BASE = "https://overland.example/"


def _fields(link: str) -> dict[str, str]:
    return {name: values[0] for name, values in parse_qs(urlsplit(link).query).items()}


def test_links_lead_to_pages_under_the_public_address() -> None:
    assert match_page(_BASE, "q7n2c4abcd") == "https://overland.example/matches/q7n2c4abcd"
    assert rules_page(_BASE, "oregon") == "https://overland.example/games/oregon#rules"


def test_a_link_signs_one_player_in_for_one_page() -> None:
    fields = _fields(sign_in_link(_KEYS, _BASE, "ada", "/matches/m?x=1&y", _NOW))
    assert fields["to"] == "/matches/m?x=1&y"
    signed = (fields["player"], fields["to"], fields["until"], fields["signature"])
    assert read_sign_in(_KEYS, *signed, now=_NOW) == (_NOW, True)
    for altered in (
        ("bela", *signed[1:]),
        (signed[0], "/matches/n", *signed[2:]),
        (*signed[:2], str(int(signed[2]) + 1), signed[3]),
        (*signed[:2], "x", signed[3]),
        (*signed[:3], signed[3][::-1]),
    ):
        assert read_sign_in(_KEYS, *altered, now=_NOW) is None


def test_a_link_that_signs_in_expires() -> None:
    fields = _fields(sign_in_link(_KEYS, _BASE, "ada", "/matches/m", _NOW))
    signed = (fields["player"], fields["to"], fields["until"], fields["signature"])
    assert read_sign_in(_KEYS, *signed, now=_NOW + SIGN_IN_LASTS) == (_NOW, True)
    late = _NOW + SIGN_IN_LASTS + timedelta(seconds=1)
    assert read_sign_in(_KEYS, *signed, now=late) == (_NOW, False)


@pytest.mark.parametrize("wanted", [of_match("ada", "m2"), of_kind("ada", "match_over"), of_everything("ada")])
def test_a_link_stops_mails_about_one_thing_for_one_player(wanted: Unsubscribe) -> None:
    link = unsubscribe_link(_KEYS, _BASE, wanted)
    assert link.startswith("https://overland.example/unsubscribe?")
    fields = _fields(link)
    assert read_unsubscribe(_KEYS, fields["player"], fields["what"], fields["signature"]) == wanted
    assert read_unsubscribe(_KEYS, "bela", fields["what"], fields["signature"]) is None
    assert read_unsubscribe(_KEYS, fields["player"], "m.other", fields["signature"]) is None
    assert read_unsubscribe(_KEYS, fields["player"], "anything", fields["signature"]) is None


def test_what_is_meant_is_a_match_a_kind_or_everything() -> None:
    assert (of_match("ada", "m2").match_id, of_match("ada", "m2").kind) == ("m2", None)
    assert (of_kind("ada", "match_over").match_id, of_kind("ada", "match_over").kind) == (None, "match_over")
    assert (of_everything("ada").match_id, of_everything("ada").kind) == (None, None)


def test_a_link_never_again_is_for_one_address_whatever_its_characters() -> None:
    fields = _fields(never_again_link(_KEYS, _BASE, "jürgen+a&b=c@example.org"))
    assert fields["address"] == "jürgen+a&b=c@example.org"
    assert read_never_again(_KEYS, fields["address"], fields["signature"])
    assert not read_never_again(_KEYS, "ada@example.org", fields["signature"])


def test_a_signature_for_one_thing_is_none_for_another() -> None:
    stop = _fields(unsubscribe_link(_KEYS, _BASE, of_everything("ada")))["signature"]
    assert not read_never_again(_KEYS, "ada all", stop)
