"""Which mail addresses are the service's own.

They are the address of OVERLAND_MAIL_FROM, ``join`` at its domain, and the plus-addresses that the
service has signed (``service.reply_addresses``). Anything else is refused while the mail server in
front still waits, so that whoever wrote learns it from their own server.
"""

from __future__ import annotations

import threading
from typing import Final, Literal, TypeAlias

from service.context import Context, Timer
from service.inbox.headers import folded_domain
from service.reply_addresses import ServiceAddress, read_bounce_address, read_reply_address, read_unsubscribe_address
from service.signing import Keys, keys_of

Purpose: TypeAlias = Literal["service", "join", "reply", "bounce", "unsubscribe"]
"""What a mail to an address is about."""
JOIN: Final = "join"
SIGNED: Final = ("r-", "b-", "u-")
"""How the tags begin that the service signs."""
KEYS_SECONDS: Final = 20.0
"""How long keys are remembered: shorter than a new one waits before it signs
(``service.signing.GRACE``).
"""


def purpose_of(keys: Keys, service: ServiceAddress, address: str) -> Purpose | None:
    """What a mail to that address is about; ``None`` where the address is not the service's."""
    local, _, domain = address.strip().rpartition("@")
    if not local or folded_domain(domain) != folded_domain(service.domain):
        return None
    name = local.casefold()
    if name == JOIN:
        return "join"
    name, plus, tag = name.partition("+")
    if name != service.local.casefold():
        return None
    if not plus:
        return "service"
    if tag == JOIN:
        return "join"
    if read_reply_address(keys, local) is not None:
        return "reply"
    if read_bounce_address(keys, local) is not None:
        return "bounce"
    return "unsubscribe" if read_unsubscribe_address(keys, local) is not None else None


def refusal(keys: Keys, service: ServiceAddress, address: str) -> str | None:
    """The sentence with which a mail to that address is refused; ``None`` where it is taken."""
    if purpose_of(keys, service, address) is not None:
        return None
    name, _, tag = address.rpartition("@")[0].casefold().partition("+")
    if name == service.local.casefold() and tag.startswith(SIGNED):
        return (
            "This address is not one that this service wrote: a character is missing or wrong."
            " Reply to its mail, or copy the address as a whole."
        )
    return f"There is no such address here. Reply to a mail of a match, or write to {service}."


class KnownKeys:
    """The keys of the service, as they were at most ``KEYS_SECONDS`` ago."""

    def __init__(self, context: Context, timer: Timer) -> None:
        self._context, self._timer = context, timer
        self._lock = threading.Lock()
        self._read_at = 0.0
        self._keys: Keys | None = None

    def present(self) -> Keys:
        """The keys. Raises SQLAlchemy's errors where they have to be read and cannot be."""
        with self._lock:
            if self._keys is None or self._timer() - self._read_at >= KEYS_SECONDS:
                self._read_at = self._timer()
                self._keys = keys_of(self._context)
            return self._keys
