"""A player who reads mails and writes replies, as people do: a number or a line on top of the
quoted mail.
"""

from __future__ import annotations

import random
import re
import smtplib
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.utils import formataddr, formatdate, make_msgid
from typing import Final

from tools.by_mail.mailboxes import Received

DOMAIN: Final = "example.org"
LINE_IN: Final = 4
"""One in so many replies is the example line instead of a number."""
_TOTAL: Final = re.compile(r"^YOUR (?:ONLY MOVE|(\d+) MOVES)$", re.MULTILINE)
_EXAMPLE: Final = re.compile(r'for\s+example\s+"(\d+)"\s+or\s+"([^"]+)"')


@dataclass(slots=True)
class MailPlayer:
    """Somebody with a mailbox; ``written`` counts the mails they sent, ``answered`` is what they
    have replied to (``asked_in``).
    """

    name: str
    port: int
    luck: random.Random
    written: int = 0
    answered: set[str] = field(default_factory=set)

    @property
    def address(self) -> str:
        """Their mail address."""
        return f"{self.name.lower()}@{DOMAIN}"

    def write(self, to: str, text: str, about: Received | None = None, subject: str = "") -> None:
        """Sends a mail; ``about`` is the one that it replies to and quotes. Without a subject its
        first line is one.
        """
        message = EmailMessage()
        message["From"] = formataddr((self.name, self.address))
        message["To"] = to
        message["Date"] = formatdate()
        message["Message-ID"] = make_msgid(domain=DOMAIN)
        message["Subject"] = subject or text.splitlines()[0]
        if about is not None:
            message.replace_header("Subject", f"Re: {about.message['Subject']}")
            message["In-Reply-To"] = str(about.message["Message-ID"])
            message["References"] = str(about.message["Message-ID"])
            text = f"{text}\n\n{self._quoted(about)}"
        message.set_content(text, cte="quoted-printable")
        with smtplib.SMTP("127.0.0.1", self.port, timeout=60) as connection:
            connection.sendmail(self.address, [to], message.as_bytes())
        self.written += 1

    def move(self, mail: Received) -> str | None:
        """What the player replies to a mail that shows moves: one of them; ``None`` to others."""
        found = _TOTAL.search(mail.text)
        if found is None:
            return None
        example = _EXAMPLE.search(mail.text)
        if example is not None and self.luck.randrange(LINE_IN) == 0:
            return " ".join(example[2].split())
        return str(self.luck.randint(1, int(found[1] or 1)))

    def _quoted(self, mail: Received) -> str:
        """The mail as a mail program quotes it."""
        lines = "\n".join(f"> {line}".rstrip() for line in mail.text.splitlines())
        return f"On {mail.message['Date']}, Overland wrote:\n{lines}\n"


def reply_address(mail: Received) -> str:
    """Where replies to a mail go."""
    header = mail.message["Reply-To"] or mail.message["From"]
    return str(header.addresses[0].addr_spec)


def asked_in(mail: Received) -> str:
    """What a mail asks, the same in several: its Message-ID without the tag of its bounces."""
    return str(mail.message["Message-ID"]).partition(".b-")[0]
