"""Opens a mail that came in: who wrote it, which mail it answers, and the texts in it
(RFC 5322, RFC 2045 to 2047, RFC 6532).

Attachments and mails in the mail are never read as text. What cannot be read is noted, so that the
answer can say it. Nothing but ``Beyond`` and ``Malformed`` is raised, whatever the bytes are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email.message import Message
from email.parser import BytesParser
from email.policy import compat32
from typing import Final, Literal, TypeAlias

from service.inbox import headers
from service.inbox.bounds import BOUNDS, Beyond, MailBounds, check, check_body, check_header, plain_lines
from service.inbox.plain_text import decoded, lines_of, unflowed, without_armour
from service.texts import gettext as _

MimeNote: TypeAlias = Literal[
    "attachment", "charset", "damaged", "encrypted", "html", "opaque", "reaction", "signed", "struck", "tnef"
]
"""What is to be known about a mail besides its text: it has attachments; a charset is unknown or
does not fit; an encoding or the structure is damaged; it is encrypted; only its HTML was read; it
is signed in a form that hides its text; it is a reaction of Gmail, an emoji; it is signed; in the
HTML that was read something is struck out; it has a winmail.dat.
"""


class Malformed(Exception):
    """The structure of a mail cannot be read; ``str(error)`` is a sentence."""


@dataclass(frozen=True, slots=True)
class Opened:
    """A mail that came in.

    ``message_id`` and ``references``, which the mail that it answers is one of, are without angle
    brackets. ``from_address`` is ``None`` unless there is exactly one author. ``auto_submitted``
    says that a program wrote the mail (RFC 3834), ``is_list`` that a mailing list sent it,
    ``is_report`` that it reports on another (RFC 6522). ``texts`` are to be read in that order;
    their lines end in ``\\n``. ``beyond`` is a sentence where the rest is beyond a bound.
    """

    message_id: str | None
    from_address: str | None
    subject: str
    references: tuple[str, ...]
    auto_submitted: bool
    is_list: bool
    is_report: bool
    texts: tuple[str, ...]
    notes: frozenset[MimeNote]
    beyond: str = ""


def open_message(raw: bytes, bounds: MailBounds = BOUNDS) -> Opened:
    """Opens a mail. Raises ``Beyond`` where its header is beyond a bound, and ``Malformed``."""
    plain = plain_lines(raw)
    check_header(plain, bounds)
    notes: set[MimeNote] = set()
    texts, beyond = tuple[str, ...](), ""
    try:
        check_body(plain, bounds)
        message = _parsed(plain)
        texts = _Texts(bounds, notes).of(message)
    except Beyond as error:
        message, beyond = headers.header_of(raw), str(error)
    referred = (*headers.message_ids(message, "References"), *headers.message_ids(message, "In-Reply-To"))
    return Opened(
        message_id=next(iter(headers.message_ids(message, "Message-ID")), None),
        from_address=headers.sender(message),
        subject=headers.text_value(message, "Subject"),
        references=tuple(dict.fromkeys(referred)),
        auto_submitted=headers.is_automatic(message, texts),
        is_list=headers.is_from_list(message),
        is_report=headers.is_report(message),
        texts=texts,
        notes=frozenset(notes),
        beyond=beyond,
    )


def _parsed(plain: bytes) -> Message:
    try:
        return BytesParser(policy=compat32).parsebytes(plain)
    except (RecursionError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise Malformed("The structure of the mail cannot be read.") from error


class _Texts:
    """Collects the texts of the parts of a mail, and notes what cannot be read."""

    def __init__(self, bounds: MailBounds, notes: set[MimeNote]) -> None:
        self._bounds, self._notes, self._parts = bounds, notes, 0

    def of(self, message: Message) -> tuple[str, ...]:
        """The texts of a mail that are not blank."""
        texts = tuple(text for text in self._of(message, 1) if text.strip())
        lines = sum(text.count("\n") for text in texts)
        check(lines, self._bounds.text_lines, _("Its texts have more than {most} lines."))
        return texts

    def _of(self, part: Message, depth: int) -> list[str]:
        self._parts += 1
        check(self._parts, self._bounds.parts, _("It has more than {most} parts."))
        check(depth, self._bounds.depth, _("Its parts are more than {most} deep within each other."))
        kind = part.get_content_type()
        if part.defects:
            self._notes.add("damaged")
        if kind.startswith("multipart/"):
            return self._of_parts(part, kind, depth)
        if kind in ("text/plain", "text/html") and not _is_attached(part) and (depth == 1 or not _name(part)):
            return [self._text(part, kind)]
        self._note(part, kind)
        return []

    def _of_parts(self, part: Message, kind: str, depth: int) -> list[str]:
        payload = part.get_payload()
        children = [child for child in payload if isinstance(child, Message)] if isinstance(payload, list) else []
        match kind:
            case "multipart/report" | "multipart/digest":
                return []
            case "multipart/encrypted":
                self._notes.add("encrypted")
                return []
            case "multipart/alternative":
                return self._alternative(children, depth)
            case "multipart/signed":
                self._notes.add("signed")
                children = children[:1]
            case "multipart/related":
                children = _root(children, _parameter(part, "start"))
        return [text for child in children for text in self._of(child, depth + 1)]

    def _alternative(self, children: list[Message], depth: int) -> list[str]:
        """The plain text, unless it is blank or only says that the text is in the HTML, or the HTML
        strikes something out, which a plain text cannot show.
        """
        html: list[str] = []
        is_struck = any(self._strikes_out(child, depth + 1) for child in children)
        if any(child.get_content_type() == _REACTION for child in children):
            self._notes.add("reaction")
        for child in children:
            if is_struck and child.get_content_type() == "text/plain":
                continue
            texts = self._of(child, depth + 1)
            if child.get_content_type() == "text/plain" and any(map(_says_something, texts)):
                self._notes.discard("html")
                return texts
            html = html or [text for text in texts if _says_something(text)]
        return html

    def _strikes_out(self, part: Message, depth: int) -> bool:
        """Whether there is HTML to be read in a part in which something is struck out."""
        payload = part.get_payload()
        if isinstance(payload, list) and depth <= self._bounds.depth:
            return any(self._strikes_out(child, depth + 1) for child in payload if isinstance(child, Message))
        if part.get_content_type() != "text/html" or _is_attached(part):
            return False
        content = _content(part)
        text = decoded(content, _parameter(part, "charset") or None)[0] if isinstance(content, bytes) else ""
        return _STRUCK.search(text) is not None

    def _text(self, part: Message, kind: str) -> str:
        content = _content(part)
        if not isinstance(content, bytes):
            self._notes.add("damaged")
            return ""
        if part.defects:
            self._notes.add("damaged")
        most = self._bounds.html if kind == "text/html" else self._bounds.text
        sentence = _("One of its texts has more than {most} characters.")
        if len(content) > 4 * most:
            raise Beyond(sentence.format(most=most))
        text, fits = decoded(content, _parameter(part, "charset") or None)
        if not fits:
            self._notes.add("charset")
        check(len(text), most, sentence)
        if kind == "text/html":
            from service.inbox.hypertext import text_of  # here, so that only children have lxml in memory

            self._notes |= {"html", "struck"} if _STRUCK.search(text) else {"html"}
            return text_of(text, self._bounds)
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        if _parameter(part, "format").lower() == "flowed":
            text = unflowed(text, _parameter(part, "delsp").lower() == "yes")
        text, armour = without_armour(text)
        if armour is not None:
            self._notes.add(armour)
        return text

    def _note(self, part: Message, kind: str) -> None:
        name = _name(part).lower()
        if kind == "application/ms-tnef" or name == "winmail.dat":
            self._notes.add("tnef")
        elif kind in ("application/pkcs7-mime", "application/x-pkcs7-mime") or name == "smime.p7m":
            self._notes.add("opaque" if _is_signed_data(part) else "encrypted")
        elif kind == "application/pgp-encrypted":
            self._notes.add("encrypted")
        elif kind in ("application/pkcs7-signature", "application/x-pkcs7-signature", "application/pgp-signature"):
            self._notes.add("signed")
        elif not kind.startswith("image/") or _is_attached(part):
            self._notes.add("attachment")


def _is_attached(part: Message) -> bool:
    """Whether a part is a file that came along (RFC 2183)."""
    disposition = headers.raw_value(part, "Content-Disposition").lower()
    is_picture = part.get_content_maintype() == "image"
    return disposition.startswith("attachment") or ("filename" in disposition and not is_picture)


def _root(children: list[Message], start: str) -> list[Message]:
    """The part that the others belong to (RFC 2387): the one named ``start``, else the first; a
    picture is none, which some programs put before it.
    """
    named = [child for child in children if start and headers.raw_value(child, "Content-ID").strip() == start.strip()]
    texts = [child for child in children if child.get_content_maintype() in ("multipart", "text")]
    return (named or texts or children)[:1]


def _name(part: Message) -> str:
    """The name of a part as a file; empty if it has none."""
    try:
        return part.get_filename() or ""
    except (ValueError, LookupError, TypeError, IndexError):  # damaged continuations of parameters
        return _parameter(part, "name")


def _content(part: Message) -> object:
    """What is in a part, decoded, whatever else than an encoding its field says (RFC 2045)."""
    if said := re.search(r"[\w-]+", headers.raw_value(part, "Content-Transfer-Encoding")):
        part.replace_header("Content-Transfer-Encoding", said[0])
    return part.get_payload(decode=True)


def _is_signed_data(part: Message) -> bool:
    """Whether an S/MIME part only signs what is in it (RFC 8551, section 3.2)."""
    kind = _parameter(part, "smime-type").lower()
    content = _content(part)
    return kind == "signed-data" or (not kind and isinstance(content, bytes) and _SIGNED_DATA in content[:40])


def _parameter(part: Message, name: str) -> str:
    """A parameter of the content type; empty if there is none (RFC 2231)."""
    try:
        value = part.get_param(name)
    except (ValueError, LookupError, TypeError, IndexError):  # damaged continuations of parameters
        return ""
    if isinstance(value, tuple):
        return value[2]
    return value if isinstance(value, str) else ""


_STRUCK: Final = re.compile(r"<(?:s|del|strike)[\s>]|line-through", re.IGNORECASE)
_REACTION: Final = "text/vnd.google.email-reaction+json"
_SIGNED_DATA: Final = bytes.fromhex("06092a864886f70d010702")
"""The identifier 1.2.840.113549.1.7.2 in DER (RFC 5652, section 5.1)."""
_STUB: Final = re.compile(
    r"\W*(this|your|the|ce|cet|cette|votre|questo|questa|il|diese|dies|deine|ihr)\b[^\n]{0,120}\bhtml\b[^\n]{0,120}",
    re.IGNORECASE,
)


def _says_something(text: str) -> bool:
    """Whether a text says something besides that the mail is in HTML."""
    said = "\n".join(lines_of(text)).strip()
    return bool(said) and _STUB.fullmatch(said) is None
