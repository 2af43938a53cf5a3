"""What the providers of mailboxes write proves the sender, and nothing that a sender brings along
does.
"""

from __future__ import annotations

import pytest

from service.inbox.authenticate import is_written_by, proposed_relay, sender_proof
from tests.service.inbox.corpus.providers import FASTMAIL, GMAIL, GMX, ICLOUD, OUTLOOK, PROTON, PROVIDERS, Provider

TO = "overland@mailbox.example"
TRUSTED = [provider for provider in PROVIDERS if provider.relay]
PASSES = "dkim=pass header.d=players.example; spf=pass smtp.mailfrom=players.example; dmarc=pass header.from="


def forged(host: str, domain: str = "players.example") -> str:
    return f"Authentication-Results: {host}; {PASSES}{domain}"


def hosts_of(provider: Provider) -> tuple[str, ...]:
    """Names that the provider's setting trusts."""
    bare = provider.relay.removeprefix("*.")
    return (bare, f"mx6.{bare}") if provider.relay.startswith("*.") else (bare,)


def named(provider: Provider) -> str:
    return provider.name


@pytest.mark.parametrize("provider", TRUSTED, ids=named)
def test_a_mail_that_passed_proves_its_sender(provider: Provider) -> None:
    assert sender_proof(provider.header(TO), provider.relay) == "aligned"


@pytest.mark.parametrize("provider", TRUSTED, ids=named)
def test_a_mail_of_which_nothing_was_found_out_proves_nobody(provider: Provider) -> None:
    assert sender_proof(provider.header(TO, False), provider.relay) == "none"


@pytest.mark.parametrize("provider", [each for each in TRUSTED if "dmarc=pass" in each.fields], ids=named)
def test_a_mail_that_failed_is_told_apart(provider: Provider) -> None:
    failed = provider.header(TO).replace(b"dmarc=pass", b"dmarc=fail")
    assert sender_proof(failed, provider.relay) == "failed"
    assert sender_proof(failed + forged(hosts_of(provider)[0]).encode(), provider.relay) == "failed"


@pytest.mark.parametrize("provider", TRUSTED, ids=named)
def test_what_the_sender_brought_along_in_its_name_proves_nothing(provider: Provider) -> None:
    for host in hosts_of(provider):
        for brought in ([forged(host)], [f"Received: from a by {host}; now", forged(host)], [forged(host)] * 3):
            header = provider.header(TO, False, *brought)
            assert sender_proof(header, provider.relay) == "none", brought


@pytest.mark.parametrize("provider", TRUSTED, ids=named)
def test_nor_does_a_field_of_its_own_that_cannot_be_read_let_one_below_count(provider: Provider) -> None:
    broken = provider.header(TO, False, forged(hosts_of(provider)[0])).replace(b"=none", b"=", 1)
    assert sender_proof(broken, provider.relay) == "none"


@pytest.mark.parametrize("host", ["icloud.com.evil.example", "evilicloud.com", "com", "spf", "icloud.com..", ""])
def test_a_name_below_is_one_of_that_domain(host: str) -> None:
    assert sender_proof(forged(host).encode() + b"\nFrom: ada@players.example\n\n", ICLOUD.relay) == "none"


@pytest.mark.parametrize("host", ["dmarc.icloud.com", "DMARC.iCloud.com", "a.b.icloud.com", "icloud.com"])
def test_so_is_the_domain_itself(host: str) -> None:
    assert sender_proof(forged(host).encode() + b"\nFrom: ada@players.example\n\n", ICLOUD.relay) == "aligned"


def test_the_topmost_field_that_states_dmarc_is_read_alone() -> None:
    dmarc = "Authentication-Results: dmarc.icloud.com; dmarc={}\r\n"
    dkim = "Authentication-Results: dkim-verifier.icloud.com; dkim=pass header.d=players.example\r\n"
    for first in ("none header.from=players.example", "pass header.from=evil.example"):
        header = f"{dmarc.format(first)}{dkim}{forged('icloud.com')}\r\nFrom: ada@players.example\r\n\r\n"
        assert sender_proof(header.encode(), ICLOUD.relay) == "none"


def test_a_field_in_the_name_of_arc_is_none() -> None:
    sealed = f"ARC-Authentication-Results: i=1; mx.google.com; {PASSES}players.example"
    assert sender_proof(GMAIL.header(TO, False, sealed), GMAIL.relay) == "none"


def test_a_mail_that_stays_within_fastmail_is_not_looked_at_below_the_field_of_its_server() -> None:
    """Of such a mail no DMARC is stated, so nothing stands above what its sender brings along."""
    inside = "Authentication-Results: phl-mx-08.messagingengine.com; x-csa=none; x-me-sender=pass"
    submitted = "Received: by mailuser.phl.internal (Postfix); now"
    header = "\r\n".join((inside, submitted, forged("mx6.messagingengine.com"), "From: ada@players.example", "", ""))
    assert sender_proof(header.encode(), FASTMAIL.relay) == "none"


def test_microsoft_writes_in_no_name_that_could_be_trusted() -> None:
    for name in ("spf", "outlook.com", "mx.microsoft.com", "*.outlook.com", ""):
        assert sender_proof(OUTLOOK.header(TO), name) == "none"
        assert not is_written_by(OUTLOOK.header(TO), name)


@pytest.mark.parametrize("provider", PROVIDERS, ids=named)
def test_a_mail_tells_whom_to_trust(provider: Provider) -> None:
    wanted = {PROTON.name: "*.mail.protonmail.ch"}.get(provider.name, provider.relay)
    assert (proposed_relay(provider.header(TO)) or "") == wanted
    if wanted:
        assert is_written_by(provider.header(TO), wanted)
        assert sender_proof(provider.header(TO), wanted) == "aligned"


def test_what_the_sender_brought_along_is_not_proposed_beside_it() -> None:
    brought = ("Authentication-Results: mx.evil.example; dkim=none", forged("mx.google.com"))
    assert proposed_relay(GMAIL.header(TO, True, *brought)) == GMAIL.relay
    assert proposed_relay(GMX.header(TO, True, *brought)) == GMX.relay


@pytest.mark.parametrize("header", [b"From: ada@players.example\n\n", b"no header", b"", b"A: \0\n\n"])
def test_without_a_field_nobody_is_proposed(header: bytes) -> None:
    assert proposed_relay(header) is None
    assert not is_written_by(header, "mx.google.com")
