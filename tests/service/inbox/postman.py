"""Mails that come in, made as a relay hands them over, and handled by the service of a test."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from itertools import count

from service.context import Context
from service.inbox.act import dispatch
from service.inbox.conversation import key_of
from service.inbox.mail import Result
from service.links import ReplyTo, reply_address, service_address
from service.notices.mail.compose import mail_of
from service.signing import keys_of
from service.store.messages import Message
from service.store.outbox import Notice
from service.store.players import Player
from tests.service.fakes import notices

RELAY = "mx.example.net"
PROVEN = "dkim=pass header.d={domain}"
FORGED = "dmarc=fail header.from={domain}"
ANSWERS = ("answer", "unproven_turn")


def relayed(context: Context) -> Context:
    """The same service behind a relay whose word it trusts."""
    return replace(context, settings=replace(context.settings, trusted_relay=RELAY))


@dataclass(slots=True)
class Postman:
    """Brings mails to a service."""

    context: Context
    numbers: count[int] = field(default_factory=count)

    @property
    def service(self) -> str:
        """The service's own address."""
        return str(service_address(self.context.settings.mail_from))

    def reply_address(self, match_id: str, seat: int, ply: int, question: int | None = None) -> str:
        """Where a reply of that seat to a mail of that ply, which asks a question, goes."""
        service = service_address(self.context.settings.mail_from)
        return reply_address(keys_of(self.context), service, ReplyTo(match_id, seat, ply, question))

    def reply(self, notice: Notice, sender: str, text: str, results: str | None = PROVEN) -> Result:
        """Brings a reply to the mail of a notice, as its headers say."""
        return self.send(str(mail_of(self.context, notice)["Reply-To"]), sender, text, results)

    def mail(
        self,
        to: str,
        sender: str,
        text: str,
        results: str | None = PROVEN,
        headers: Mapping[str, str] | None = None,
        envelope_from: str | None = None,
    ) -> Message:
        """A mail as it is stored; ``sender`` is an address, or a name and an address in angle
        brackets. ``results`` is what the relay found out, ``None`` for nothing.
        """
        address = sender.partition("<")[2].rstrip(">") or sender
        fields = {
            "Authentication-Results": None
            if results is None
            else f"{RELAY}; {results.format(domain=address.rpartition('@')[2])}",
            "From": sender,
            "To": to,
            "Subject": "Re: your mail",
            "Message-ID": f"<{next(self.numbers)}@{address.rpartition('@')[2]}>",
            "Content-Type": "text/plain; charset=utf-8",
        } | dict(headers or {})
        head = "".join(f"{name}: {value}\r\n" for name, value in fields.items() if value is not None)
        raw = f"{head}\r\n{text}\r\n".encode()
        return self.message(raw, to, address if envelope_from is None else envelope_from)

    def message(self, raw: bytes, to: str, envelope_from: str = "somebody@example.org") -> Message:
        """Those bytes as they are stored."""
        key, now = key_of(raw), self.context.clock()
        return Message(
            id=f"m{next(self.numbers)}",
            received_at=now,
            peer="127.0.0.1",
            envelope_from=envelope_from,
            recipient=to,
            size=len(raw),
            raw=raw,
            message_id=key.message_id,
            digest=key.digest,
            status="queued",
            reason="",
            attempts=1,
            crashes=1,
            next_attempt_at=now,
            settled_at=None,
            leased_until=None,
            leased_by=None,
        )

    def bring(self, message: Message) -> Result:
        """Has the service act on it, a second after the one before."""
        self.context.clock.advance(seconds=1)  # type: ignore[attr-defined]
        return dispatch(self.context, message)

    def send(self, to: str, sender: str, text: str, results: str | None = PROVEN, **headers: str) -> Result:
        """Brings a new mail."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.bring(self.mail(to, sender, text, results, named))

    def newest(self, kind: str, player: Player | None = None) -> Notice:
        """The newest notice of that kind, to that player if one is named."""
        found = notices(self.context, kind)
        return [each for each in found if player is None or each.player_id == player.id][-1]

    def answers(self) -> list[Notice]:
        """The answers that were written, and the questions about unproven mails."""
        return [notice for notice in notices(self.context) if notice.kind in ANSWERS]
