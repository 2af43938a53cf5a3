"""docs/mailboxes.md: its settings can be used as they stand, and say of each provider what the
headers of the corpus need.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from service.config import Settings, load
from service.inbox.authenticate import sender_proof
from service.inbox.recipients import recipient_of
from service.links import ReplyTo, reply_address, service_address
from service.setting_values import is_mailbox, mailbox_place
from service.signing import Keys
from service.store.tokens import SigningKey
from tests.service.fakes import Clock
from tests.service.inbox.corpus.providers import OUTLOOK, PROVIDERS, Provider

PAGE = (Path(__file__).parents[3] / "docs" / "mailboxes.md").read_text(encoding="utf-8")
SUPPORTED = [provider for provider in PROVIDERS if provider is not OUTLOOK]
KEY = SigningKey(0, b"k" * 32, Clock()())
KEYS = Keys((KEY,), KEY)


def section(name: str) -> str:
    (found,) = re.findall(rf"^### {name}\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def settings_of(name: str, folder: Path) -> Settings:
    (block,) = re.findall(r"```\n(.*?)```", section(name), re.DOTALL)
    given = dict(line.split("=", 1) for line in block.splitlines())
    production = {"OVERLAND_MODE": "production", "OVERLAND_BASE_URL": "https://overland.example"}
    return load(production | given | {"OVERLAND_DATA_DIR": str(folder)})


@pytest.mark.parametrize("provider", SUPPORTED, ids=lambda provider: provider.name)
def test_the_settings_of_a_provider_can_be_used_and_trust_its_headers(provider: Provider, tmp_path: Path) -> None:
    settings = settings_of(provider.name, tmp_path)
    assert is_mailbox(settings.mail_in)
    place = mailbox_place(settings.mail_in)
    service = service_address(settings.mail_from, settings.mail_addresses)
    assert (place.user, place.folder) == (str(service), "INBOX")
    assert settings.trusted_relay == provider.relay
    assert sender_proof(provider.header(str(service)), settings.trusted_relay) == "aligned"


@pytest.mark.parametrize("provider", SUPPORTED, ids=lambda provider: provider.name)
def test_a_reply_that_lies_in_such_a_mailbox_is_for_us(provider: Provider, tmp_path: Path) -> None:
    settings = settings_of(provider.name, tmp_path)
    own, to = service_address(settings.mail_from), ReplyTo("q7n2c4abcd", 1, 412)
    signed = reply_address(KEYS, own, to)
    if settings.mail_addresses == "plus":
        assert recipient_of(provider.header(signed), KEYS, own) == signed
    tag = signed.partition("+")[2].partition("@")[0]
    answer = provider.header(str(own), True, f"In-Reply-To: <{tag}.b-x@{own.domain}>")
    assert recipient_of(answer, KEYS, own) == signed
    assert recipient_of(provider.header(str(own)), KEYS, own) is None


def test_the_table_says_the_same_as_the_settings(tmp_path: Path) -> None:
    rows = {found[1]: found[0] for found in re.findall(r"^(\| \[(\w+)\]\(#\w+\) .*)$", PAGE, re.MULTILINE)}
    assert sorted(rows) == sorted(provider.name for provider in PROVIDERS)
    for provider in SUPPORTED:
        cells = [cell.strip() for cell in rows[provider.name].strip("|").split("|")]
        assert cells[3] == f"`{provider.relay}`"
        assert (cells[2] == "no") == (settings_of(provider.name, tmp_path).mail_addresses == "bare")


def test_a_provider_that_takes_no_passwords_is_named_as_not_supported() -> None:
    assert "```" not in section("Outlook")
    assert "**not supported**: OAuth alone" in PAGE
