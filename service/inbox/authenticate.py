"""Whether the sender of a mail is who the mail says, by what the trusted relay has found out.

The relay in front checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489), and writes what it
found into a header field above all others (RFC 8601). A sender can bring such fields along. Only
the topmost one that names the trusted host counts, and of that host no other.

Aligned means here: the domain that SPF or DKIM has proved is that of the From address, or a domain
above it with at least two labels, which has power over it. A domain below proves nothing unless
DMARC passed: who may hold one is known only to the list of public suffixes, which the relay has
(``docs/decisions/0028-which-mails-are-authenticated.md``).
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from service.inbox.authentication_results import MethodResult, UnreadableResults, authserv_id, parse_results
from service.inbox.domains import folded_domain
from service.inbox.header import UnclearHeader, fields_of

Proof: TypeAlias = Literal["aligned", "none", "failed"]
"""``failed``: the domain's owner says by DMARC that this is not from there."""
FIELD: Final = "authentication-results"
_ADDRESS: Final = r"[^\s<>@\"(),;:\\]+@[^\s<>@\"(),;:\\]+"
_MAILBOX: Final = re.compile(
    rf'(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:()\\]+)*+<({_ADDRESS})>[ \t]*|({_ADDRESS})[ \t]*(?:\([^()<>@\\]*\))?[ \t]*'
)
"""One address, with a name before it in quotes or of plain words (RFC 5322, section 3.4). Any other
form may be read in several ways.
"""


def sender_proof(raw: bytes, trusted_host: str, from_address: str | None = None) -> Proof:
    """Whether the From address of a mail is proved.

    ``trusted_host`` is the name (authserv-id) under which the relay writes, empty where there is no
    relay. With ``from_address``, the address that another reader found in From, the answer is
    ``none`` unless it has the domain that was checked.
    """
    try:
        fields = fields_of(raw)
    except UnclearHeader:
        return "none"
    results = _trusted(fields, trusted_host)
    if any(each.method == "dmarc" and each.result == "fail" for each in results):
        return "failed"
    domain = _from_domain(fields)
    if not domain or (from_address is not None and folded_domain(from_address.rpartition("@")[2]) != domain):
        return "none"
    for method in ("spf", "dmarc"):
        if sum(each.method == method for each in results) > 1:
            return "none"  # there is one sender, so a second result is somebody else's text
    return "aligned" if any(_proves(each, domain) for each in results) else "none"


def is_aligned(proved: str, domain: str) -> bool:
    """Whether a proved domain is the domain of the From address, or above it."""
    return bool(proved) and (proved == domain or ("." in proved and domain.endswith(f".{proved}")))


def _trusted(fields: tuple[tuple[str, str], ...], trusted_host: str) -> tuple[MethodResult, ...]:
    """The results in the topmost field of the trusted host; none where it cannot be read."""
    wanted = trusted_host.strip().lower()
    for name, value in fields:
        if name == FIELD and wanted and authserv_id(value) == wanted:
            try:
                return parse_results(value)
            except UnreadableResults:
                return ()
    return ()


def _proves(result: MethodResult, domain: str) -> bool:
    if result.result != "pass":
        return False
    match result.method:
        case "dmarc":
            return folded_domain(result.properties.get("header.from", "")) == domain
        case "dkim":
            signer = result.properties.get("header.d") or result.properties.get("header.i", "").rpartition("@")[2]
            return is_aligned(folded_domain(signer), domain)
        case "spf":
            return is_aligned(folded_domain(result.properties.get("smtp.mailfrom", "").rpartition("@")[2]), domain)
        case _:
            return False


def _from_domain(fields: tuple[tuple[str, str], ...]) -> str:
    """The domain of the only address in the only From field; empty where that is not clear."""
    values = [value for name, value in fields if name == "from"]
    found = _MAILBOX.fullmatch(values[0]) if len(values) == 1 else None
    return "" if found is None else folded_domain((found[1] or found[2]).rpartition("@")[2])
