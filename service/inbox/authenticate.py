"""Whether the sender of a mail is who the mail says, by what the trusted relay has found out.

The relay in front checks SPF (RFC 7208), DKIM (RFC 6376) and DMARC (RFC 7489), and writes what it
found into a header field above all others (RFC 8601). A sender can bring such fields along. Only
the topmost one that names the trusted host counts, and of that host no other. A provider may write
several, under names of several hosts: of these, named by ``*.`` and a domain, the topmost one that
states DMARC counts.

Aligned means here: the domain that SPF or DKIM has proved is that of the From address, or a domain
above it with at least two labels, which has power over it. A domain below proves nothing unless
DMARC passed: who may hold one is known only to the list of public suffixes, which the relay has
(``docs/decisions/0028-which-mails-are-authenticated.md``).

All is read from the bytes as they came in, by a parser of its own: it has to be safe from whoever
wrote the mail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import Final, Literal, TypeAlias

from service.inbox.headers import PLAIN_NAME, folded_domain

Fields: TypeAlias = tuple[tuple[str, str], ...]
"""The fields of a header in order, as (name in lower case, unfolded value)."""
Proof: TypeAlias = Literal["aligned", "none", "failed"]
"""``failed``: the domain's owner says by DMARC that this is not from there."""
FIELD: Final = "authentication-results"
VERSION: Final = "1"
SEVERAL: Final = "*."
"""Begins the name of a relay that writes several fields: what follows is its domain, or one above.
"""
MOST_FIELDS: Final = 1000
MOST_NESTED: Final = 20
"""Comments within comments."""
_ADDRESS: Final = r"[^\s<>@\"(),;:\\]+@[^\s<>@\"(),;:\\]+"
_MAILBOX: Final = re.compile(
    rf'(?:{PLAIN_NAME}(?=<)|(?:"(?:[^"\\]|\\.)*"|[^"<>@,;:()\\]|\([^"()<>@\\]*\))*)<(?P<named>{_ADDRESS})>[ \t]*'
    rf"|(?P<bare>{_ADDRESS})[ \t]*(?:\([^()<>@\\]*\)|<(?P=bare)>)?[ \t]*"
)
"""One address, with a name before it in quotes or of plain words and comments (RFC 5322, section
3.4), with commas if of plain words alone, or itself for a name. Any other form may be read in
several ways.
"""
_FIELD: Final = re.compile(r"([\x21-\x39\x3b-\x7e]+)[ \t]*:(.*)", re.DOTALL)
_TOKEN: Final = re.compile(
    r'\s+|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<word>[^\s;="()]+)|(?P<end>;)|(?P<equals>=)', re.DOTALL
)


class UnreadableResults(Exception):
    """A field that does not follow the grammar. The message is a sentence."""


@dataclass(frozen=True, slots=True)
class MethodResult:
    """A method, such as ``dkim``, and its result, both in lower case, and the properties by name,
    such as ``header.d``, with the values as they were written.
    """

    method: str
    result: str
    properties: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Token:
    """A word, a quoted string (``text`` is its content), ``;`` (``end``) or ``=`` (``equals``).
    ``joined``: nothing stands between it and the token before.
    """

    text: str
    kind: str
    joined: bool


def sender_proof(raw: bytes, trusted_host: str, from_address: str | None = None) -> Proof:
    """Whether the From address of a mail is proved.

    ``trusted_host`` is the name (authserv-id) under which the relay writes, or ``*.`` and a domain,
    empty where there is no relay. ``from_address`` is what another reader found in From: ``none``
    if it has another domain than was checked.
    """
    fields = _fields(raw)
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


def is_written_by(raw: bytes, trusted_host: str) -> bool:
    """Whether a mail has a field in the name of the trusted host."""
    return next(_written(_fields(raw), trusted_host), None) is not None


def proposed_relay(raw: bytes) -> str | None:
    """The name of the relay to trust, by a mail that came from another provider: whoever wrote the
    topmost field. Somebody has to confirm it: the sender may have brought that field along.
    """
    hosts: list[list[str]] = []
    for name, value in _fields(raw):
        if name == "received" and hosts:
            break
        if name != FIELD:
            continue
        try:
            parse_results(value)
        except UnreadableResults:
            break
        labels = authserv_id(value).split(".")
        if hosts and labels[-2:] != hosts[0][-2:]:
            break
        hosts.append(labels)
    if not hosts or not hosts[0][0]:
        return None
    if len(hosts) == 1:
        return ".".join(hosts[0])
    levels = zip(*map(reversed, hosts), strict=False)
    shared = [labels[0] for labels in takewhile(lambda labels: len(set(labels)) == 1, levels)]
    if len(shared) > 2 and any(character.isdecimal() for character in shared[-1]):
        shared.pop()  # a number of one host among many, such as mx6
    return SEVERAL + ".".join(reversed(shared))


def is_aligned(proved: str, domain: str) -> bool:
    """Whether a proved domain is the domain of the From address, or above it."""
    return bool(proved) and (proved == domain or ("." in proved and domain.endswith(f".{proved}")))


def authserv_id(value: str) -> str:
    """The id of the host that wrote the field, in lower case; empty where there is none."""
    try:
        first, *after = islice(_tokens(value), 2)
    except (UnreadableResults, ValueError):
        return ""
    is_result = any(token.kind == "equals" for token in after)
    return first.text.lower() if first.kind in ("word", "quoted") and not is_result else ""


def parse_results(value: str) -> tuple[MethodResult, ...]:
    """The results in the value of a field Authentication-Results (RFC 8601, section 2.2), none for
    ``none``. Raises ``UnreadableResults``, also for a version other than 1.
    """
    sections: list[list[_Token]] = [[]]
    for token in _tokens(value):
        if token.kind == "end":
            sections.append([])
        else:
            sections[-1].append(token)
    head, *rest = sections
    if len(head) == 2 and head[1].text != VERSION:
        raise UnreadableResults(f"Version {head[1].text!r} of the field is not known.")
    if not 1 <= len(head) <= 2 or any(token.kind == "equals" for token in head):
        raise UnreadableResults("The field does not begin with the name of a host.")
    stated = [section for section in rest if section]
    if [token.text.lower() for section in stated for token in section] == ["none"]:
        return ()
    return tuple(_result(section) for section in stated)


def _fields(raw: bytes) -> Fields:
    """The header fields of a mail with lines that end in CRLF or LF (RFC 5322, section 2.2).

    Empty where programs may read the header in different ways: it has too many fields, a carriage
    return of its own, a NUL, or a line that is no field, at which some stop and others read on.
    """
    head = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0].removesuffix(b"\n")
    text = re.sub(r"\n(?=[ \t])", "", head.decode("utf-8", "surrogateescape"))
    lines = text.split("\n") if text else []
    if len(lines) > MOST_FIELDS or b"\r" in head or b"\0" in head:
        return ()
    found = [field for line in lines if (field := _FIELD.fullmatch(line)) is not None]
    if len(found) < len(lines):
        return ()
    return tuple((field[1].lower(), field[2].strip(" \t")) for field in found)


def _trusted(fields: Fields, trusted_host: str) -> tuple[MethodResult, ...]:
    """The results in the trusted host's field that counts; none if it, or one above, is garbled."""
    for value in _written(fields, trusted_host):
        try:
            results = parse_results(value)
        except UnreadableResults:
            return ()
        if not trusted_host.startswith(SEVERAL) or any(each.method == "dmarc" for each in results):
            return results
    return ()


def _written(fields: Fields, trusted_host: str) -> Iterator[str]:
    """The values of the fields in the name of the trusted host, from the topmost one to where the
    sender's own begin for certain: at the next field that a mail server has written.
    """
    found = False
    for name, value in fields:
        if name == "received" and found:
            return
        if name == FIELD and _is_named(authserv_id(value), trusted_host.strip().lower()):
            found = True
            yield value


def _is_named(host: str, trusted: str) -> bool:
    if trusted.startswith(SEVERAL):
        return f".{host}".endswith(trusted[1:])
    return bool(host) and host == trusted


def _proves(result: MethodResult, domain: str) -> bool:
    if result.result != "pass":
        return False
    said = result.properties
    match result.method:
        case "dmarc":
            return folded_domain(said.get("header.from", "")) == domain
        case "dkim":
            signer = said.get("header.d") or said.get("header.i", "").rpartition("@")[2]
            return is_aligned(folded_domain(signer), domain)
        case "spf":
            return is_aligned(folded_domain(said.get("smtp.mailfrom", "").rpartition("@")[2]), domain)
        case _:
            return False


def _from_domain(fields: Fields) -> str:
    """The domain of the only address in the only From field; empty where that is not clear."""
    values = [value for name, value in fields if name == "from"]
    found = _MAILBOX.fullmatch(values[0]) if len(values) == 1 else None
    return "" if found is None else folded_domain((found["named"] or found["bare"]).rpartition("@")[2])


def _result(section: list[_Token]) -> MethodResult:
    (method, result), *properties = _pairs(section)
    name, _, version = method.lower().partition("/")
    if version not in ("", VERSION):
        raise UnreadableResults(f"Version {version!r} of the method {name!r} is not known.")
    found: dict[str, str] = {}
    for key, text in properties:
        if key.lower() in found:
            raise UnreadableResults(f"The property {key!r} is stated twice.")
        found[key.lower()] = text
    return MethodResult(name, result.lower(), found)


def _pairs(section: list[_Token]) -> Iterator[tuple[str, str]]:
    """The names and values of a section. Blanks may stand around ``=``, ``.`` and ``/``."""
    at = 0
    while at < len(section):
        name = ""
        while at < len(section) and section[at].kind == "word":
            name, at = name + section[at].text, at + 1
        if not name or [token.kind == "equals" for token in section[at : at + 2]] != [True, False]:
            raise UnreadableResults("A result or property is not of the form name=value.")
        value, at = section[at + 1].text, at + 2
        while at < len(section) and section[at].joined:  # "local part"@domain, or the padding of base64
            value, at = value + section[at].text, at + 1
        yield name, value


def _tokens(value: str) -> Iterator[_Token]:
    at, joined = 0, False
    while at < len(value):
        if value[at] == "(":
            at, joined = _after_comment(value, at), False
            continue
        found = _TOKEN.match(value, at)
        if found is None:
            raise UnreadableResults("A quoted string does not end, or a comment ends that has not begun.")
        if kind := found.lastgroup:
            text = found[kind]
            yield _Token(re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL) if kind == "quoted" else text, kind, joined)
        at, joined = found.end(), kind not in (None, "end")


def _after_comment(value: str, at: int) -> int:
    """The index after the comment that begins at ``at``; they nest (RFC 5322, section 3.2.2)."""
    depth = 0
    while at < len(value):
        character = value[at]
        if character == "\\":
            at += 1
        elif character == "(":
            depth += 1
            if depth > MOST_NESTED:
                raise UnreadableResults("Comments are nested too deeply.")
        elif character == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    raise UnreadableResults("A comment does not end.")
