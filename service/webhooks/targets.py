"""Which addresses may be called, and how: a name is resolved once, every address that it has is
checked, and exactly a checked one is called, with the name for `Host`, SNI and certificate. So no
answer of a name server, at whatever time, leads into the network of the service.
"""

from __future__ import annotations

import ipaddress
import re
import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias
from urllib.parse import SplitResult, urlsplit

import idna

from service.errors import Invalid
from service.texts import gettext as _

LONGEST_URL: Final = 500
PORTS: Final = {"https": (443, 8443), "http": (80, 8080)}
"""By scheme; the first is the usual one."""
METADATA: Final = frozenset(map(ipaddress.ip_address, ("168.63.129.16", "100.100.100.200", "192.0.0.192")))
"""Addresses of hosts' own services that are not, or were not always, among the special ones."""
_GLOBAL_V6: Final = ipaddress.ip_network("2000::/3")
_EMBEDDING: Final = tuple(map(ipaddress.ip_network, ("2001::/23", "2002::/16")))
"""Addresses of IPv6 that stand for other ones, as those of Teredo and 6to4 do."""

IpAddress: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address


class Unreachable(Exception):
    """The target cannot be called; the message is a sentence for its player."""


@dataclass(frozen=True, slots=True)
class WebhookTarget:
    """Where a webhook is called; ``url`` is the same however it was written."""

    url: str
    scheme: str
    host: str
    port: int
    path: str

    @property
    def place(self) -> str:
        """The target without what may be a secret."""
        return "/".join(self.url.split("/")[:3])


Resolve: TypeAlias = Callable[[str, int], Sequence[str]]
Connect: TypeAlias = Callable[[tuple[str, int], float], socket.socket]


def resolve(host: str, port: int) -> Sequence[str]:
    """The addresses of a host, without repeats. Raises ``OSError``."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(each[4][0]) for each in found))


@dataclass(frozen=True, slots=True)
class WebhookNetwork:
    """How names are resolved and addresses connected to, and which certificates are trusted."""

    resolve: Resolve = resolve
    connect: Connect = socket.create_connection
    tls: ssl.SSLContext = field(default_factory=ssl.create_default_context)


def read_target(url: str, pointer: str = "/url") -> WebhookTarget:
    """The target that a player has entered. Raises ``Invalid``."""
    try:
        return _read(url.strip())
    except ValueError as error:
        sentence = _("{url} cannot be called: {reason} Enter an address such as https://example.org/overland.")
        shown = url if len(url) <= 60 else f"{url[:57]}..."
        raise Invalid(((pointer, sentence.format(url=shown, reason=error)),)) from None


def _read(url: str) -> WebhookTarget:
    """Raises ``ValueError`` with a sentence."""
    if len(url) > LONGEST_URL:
        raise ValueError(_("it has more than {most} characters.").format(most=LONGEST_URL))
    if re.search(r"[\x00-\x20\x7f\\]", url):
        raise ValueError(_("it contains blanks, backslashes or control characters."))
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ValueError(_("its host cannot be read.")) from None
    if parts.scheme not in PORTS:
        raise ValueError(_("it begins neither with https:// nor with http://."))
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise ValueError(_("it contains a user or a password."))
    if parts.fragment:
        raise ValueError(_("it contains a fragment (#)."))
    port = _port(parts)
    if port not in PORTS[parts.scheme]:
        known = ", ".join(map(str, PORTS[parts.scheme]))
        raise ValueError(_("its port is {port}; ports: {known}.").format(port=port, known=known))
    host = _host((parts.hostname or "").rstrip("."))
    shown = f"[{host}]" if ":" in host else host
    usual = port == PORTS[parts.scheme][0]
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if not path.isascii():
        raise ValueError(_("its path contains characters beyond ASCII; write them percent-encoded."))
    return WebhookTarget(f"{parts.scheme}://{shown}{'' if usual else f':{port}'}{path}", parts.scheme, host, port, path)


def _port(parts: SplitResult) -> int:
    try:
        return PORTS[parts.scheme][0] if parts.port is None else parts.port
    except ValueError:
        raise ValueError(_("its port is no number from 1 to 65535.")) from None


def _host(host: str) -> str:
    """The host in lower case, in ASCII. Raises ``ValueError`` with a sentence."""
    literal = _literal(host)
    if literal is not None:
        if not is_public(literal):
            raise ValueError(_("{host} is no address of the public internet.").format(host=host))
        return str(literal)
    try:
        name = host if host.isascii() else idna.encode(host, uts46=True).decode()
    except idna.IDNAError:
        name = ""
    label = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
    if not re.fullmatch(rf"(?:{label}\.)+[a-z](?:[a-z0-9-]*[a-z0-9])?", name) or len(name) > 253:
        raise ValueError(_("it names no host of the public internet."))
    return name


def _literal(host: str) -> IpAddress | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_public(address: IpAddress) -> bool:
    """Whether an address is one of the public internet, and stands for no other one."""
    if address in METADATA or address.is_multicast or address.is_reserved or not address.is_global:
        return False
    if isinstance(address, ipaddress.IPv4Address):
        return True
    return address in _GLOBAL_V6 and not any(address in network for network in _EMBEDDING)


def addresses_of(network: WebhookNetwork, target: WebhookTarget) -> tuple[str, ...]:
    """The addresses of a target, resolved once. Raises ``Unreachable``, also where only some of
    them are public: then somebody means to be resolved differently each time.
    """
    try:
        found = [target.host] if _literal(target.host) is not None else network.resolve(target.host, target.port)
    except (OSError, UnicodeError) as error:
        raise Unreachable(f"{target.host} could not be resolved: {error}.") from error
    for each in found:
        literal = _literal(each)
        if literal is None or not is_public(literal):
            raise Unreachable(f"{target.host} has an address that is none of the public internet.")
    if not found:
        raise Unreachable(f"{target.host} has no address.")
    return tuple(found)
