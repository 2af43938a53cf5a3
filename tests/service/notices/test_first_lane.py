"""With thousands of notices waiting, whoever signs in gets the next mail."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlalchemy import insert

from service.context import Context
from service.notices import delivery
from service.store.tables import outbox
from tests.service.notices.fakes import Mailbag, context, notify, seat_players
from tests.service.notices.fakes import notice as row

WAITING = 5000


class Arriving(Mailbag):
    """A transport during whose third mail somebody wants to sign in."""

    service: Context
    arrived: str = ""

    def check(self) -> str:
        return "250 Mails could be sent"

    def send(self, message: EmailMessage) -> str:
        answered = super().send(message)
        if len(self.messages) == 3:
            self.arrived = notify(self.service, "sign_in", match_id=None, token="t" * 32, expires_at="2026-11-23")
        return answered


@pytest.fixture
def crowded(tmp_path: Path) -> Context:
    """A service with thousands of notices that wait."""
    made = context(tmp_path, Arriving())
    assert isinstance(made.transport, Arriving)
    made.transport.service = made
    seat_players(made)
    with made.database.write() as connection:
        now = made.clock()
        same = {"kind": "sign_in", "player_id": "p-ben", "created_at": now, "status": "pending", "attempts": 0}
        payload = {"token": "t", "expires_at": "2026-11-23"}
        rows = [
            {"id": f"n{number:05}", "payload": payload, "next_attempt_at": now, "lane": 2, **same}
            for number in range(WAITING)
        ]
        connection.execute(insert(outbox), rows)
    return made


def test_a_sign_in_mail_is_the_next_though_a_batch_is_under_way(
    crowded: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(delivery, "LONGEST_SECONDS", 1.0)
    service, bag = crowded, crowded.transport
    assert isinstance(bag, Arriving)
    sent: list[str] = []
    monkeypatch.setattr(delivery, "mail_of", lambda context, notice: _noted(sent, notice.id))
    service.timer.step = 0.02  # type: ignore[attr-defined]
    delivery.deliver_due(service)
    assert len(sent) > 5
    assert sent.index(bag.arrived) == 3
    assert row(service, bag.arrived).status == "sent"
    assert sorted(sent) == sorted(set(sent)), "what was set aside for it is sent once"


def _noted(sent: list[str], notice_id: str) -> EmailMessage:
    sent.append(notice_id)
    mail = EmailMessage()
    mail.set_content("Hello")
    return mail
