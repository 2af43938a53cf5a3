"""A mail folder: one .eml file per message."""

from __future__ import annotations

import os
import re
import secrets
from contextlib import suppress
from datetime import UTC
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from pathlib import Path

from service.notices.mail.errors import TransportDown
from service.notices.mail.wire import to_wire


class FolderTransport:
    """Writes messages into a folder.

    A file exists completely or not at all, and a message sent twice is one file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def send(self, message: EmailMessage) -> None:
        """Writes the file, and renames it once it is on disk.

        Raises ``TransportDown`` where the folder cannot be written, ``CannotCompose`` for a message
        that cannot be serialised.
        """
        content = to_wire(message)
        path = self.folder / file_name(message)
        unfinished = self.folder / f".{path.name}.{secrets.token_hex(4)}"
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with unfinished.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            unfinished.replace(path)
        except OSError as error:
            with suppress(OSError):
                unfinished.unlink()
            raise TransportDown(
                f"The mail folder {self.folder} cannot be written: {error.strerror or error}."
            ) from error

    def check(self) -> None:
        """Raises ``TransportDown`` where the folder cannot be written."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise TransportDown(f"The mail folder {self.folder} cannot be made: {error.strerror or error}.") from error
        if not os.access(self.folder, os.W_OK):
            raise TransportDown(f"The mail folder {self.folder} cannot be written.")


def file_name(message: EmailMessage) -> str:
    """Date and Message-ID as a file name, so that names sort by time and a repeated message has the
    same name.
    """
    date = parsedate_to_datetime(str(message["Date"])).astimezone(UTC)
    local = str(message["Message-ID"]).strip("<> ").partition("@")[0]
    return f"{date:%Y%m%dT%H%M%SZ}-{re.sub(r'[^A-Za-z0-9_-]+', '-', local)}.eml"
