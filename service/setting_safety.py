"""Combinations of settings that would show the players' mails to other people, or send none.

Development mode shows every mail, and with it every sign-in token, at `/dev/mail`. It is therefore
refused wherever another machine could reach the service: on an address that is not loopback, behind
a reverse proxy, and with a public address.
"""

import socket
from collections.abc import Iterator, Mapping
from ipaddress import IPv6Address, ip_address
from typing import Any
from urllib.parse import urlsplit


def unsafe(known: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The unsafe settings among all, ``known`` by field, as (field, sentence)."""
    if known["mode"] == "production":
        if known["mail_url"] == "folder:":
            yield (
                "mail_url",
                "OVERLAND_MAIL_URL must name the mail server in production, such as"
                " smtp+starttls://user:password@mail.example:587. To keep the mails in a folder instead of sending"
                " them, name it: folder:/srv/overland/mail.",
            )
        return
    shown = "and development mode shows everybody's mails, with the tokens in them, at /dev/mail."
    if not is_loopback(known["host"]):
        yield (
            "host",
            f"OVERLAND_HOST is {known['host']}, which other machines may reach, {shown} Set OVERLAND_MODE=production,"
            " or OVERLAND_HOST=127.0.0.1.",
        )
    if known["trusted_proxies"]:
        yield (
            "trusted_proxies",
            f"OVERLAND_TRUSTED_PROXIES is {known['trusted_proxies']}, so others reach the service through a proxy,"
            f" {shown} Set OVERLAND_MODE=production, or OVERLAND_TRUSTED_PROXIES=0.",
        )
    if not is_loopback(urlsplit(known["base_url"]).hostname or "") and is_loopback(known["host"]):
        yield (
            "base_url",
            f"OVERLAND_BASE_URL is {known['base_url']}, so others reach the service at that address, {shown} Set"
            " OVERLAND_MODE=production, or unset OVERLAND_BASE_URL.",
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches ``host``, a name or an address.

    A name counts if it resolves, and to loopback addresses only.
    """
    if f".{host.lower().rstrip('.')}".endswith(".localhost"):
        return True  # RFC 6761, section 6.3; resolvers differ in whether they know these names
    try:
        found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        return False
    return all(is_loopback_address(str(address[0])) for *_, address in found)


def is_loopback_address(text: str) -> bool:
    """Whether ``text`` is an address of IPv4 or IPv6 that only this machine reaches."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return False
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped.is_loopback  # before Python 3.13 the mapped form was never loopback
    return address.is_loopback
