"""Chooses the transport of mails by a URL: a folder, or a mail server by SMTP or LMTP.

``folder:`` or ``folder:/path``, ``smtp://user:password@host:port``, ``smtps://...`` (TLS from the
start), ``smtp+starttls://...`` (STARTTLS required), ``lmtp://host:port`` or
``lmtp:///path/to/socket``. Special characters in user and password are percent-encoded.
"""

from __future__ import annotations

from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

from service.context import Transport
from service.notices.mail.folder import FolderTransport
from service.notices.mail.smtp import MODES, Credentials, SmtpTransport


class MailUrlError(ValueError):
    """A mail URL without a transport; the message is a sentence for the operator."""


def transport_of(mail_url: str, default_folder: Path) -> Transport:
    """The transport for the URL. Connects only when it sends. Raises ``MailUrlError``."""
    scheme, _, rest = mail_url.partition(":")
    if scheme == "folder":
        return FolderTransport(Path(rest).expanduser() if rest else default_folder)
    if scheme not in MODES:
        raise MailUrlError(
            f'"{_shown(mail_url)}" is not a mail URL: it starts with folder:,'
            f" {', '.join(f'{mode}://' for mode in MODES)}."
        )
    try:
        parts = urlsplit(mail_url)
        port = parts.port
    except ValueError as error:
        raise MailUrlError(f"The mail URL cannot be read: {error}.") from None
    if scheme == "lmtp" and not parts.hostname and parts.path:
        return SmtpTransport("lmtp", unquote(parts.path), 0, None)
    if not parts.hostname:
        raise MailUrlError(f"The mail URL names no host: {scheme}://host:port.")
    if parts.path not in ("", "/") or parts.query or parts.fragment:
        raise MailUrlError(
            "The mail URL ends after the port; special characters in user and password are percent-encoded."
        )
    return SmtpTransport(scheme, parts.hostname, port or MODES[scheme], _credentials(parts))


def _credentials(parts: SplitResult) -> Credentials | None:
    if parts.username is None:
        return None
    return Credentials(unquote(parts.username), unquote(parts.password or ""))


def _shown(mail_url: str) -> str:
    """The URL without what may be a password."""
    head, at, tail = mail_url.rpartition("@")
    return f"{head.partition(':')[0]}://...@{tail}" if at else mail_url
