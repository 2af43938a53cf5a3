"""Builds the context of a process: settings, store, queue, clock, entropy, remembered states and
mail.
"""

from __future__ import annotations

import base64
import secrets
from datetime import UTC, datetime
from time import monotonic, sleep

from service.config import Settings
from service.context import Context
from service.notices.mail.transport import transport_of
from service.queue import RqQueue
from service.states import States
from service.store.database import Database
from service.vitals import RedisVitals

REMEMBERED_MATCHES = 500


class SystemEntropy:
    """Random numbers of the operating system."""

    def token(self, length: int) -> str:
        return base64.b32encode(secrets.token_bytes(length * 5 // 8 + 1)).decode().lower()[:length]

    def random_bytes(self, length: int) -> bytes:
        return secrets.token_bytes(length)


def wire(settings: Settings) -> Context:
    """Builds the context for these settings. Connections are made on first use, after any fork."""
    return Context(
        settings=settings,
        database=Database(settings.database_url, monotonic, sleep),
        queue=RqQueue(settings.redis_url),
        clock=utc_now,
        entropy=SystemEntropy(),
        states=States(REMEMBERED_MATCHES),
        transport=transport_of(settings.mail_url, settings.data_dir / "mail"),
        timer=monotonic,
        vitals=RedisVitals(settings.redis_url, utc_now),
    )


def utc_now() -> datetime:
    """The time of the machine, in UTC."""
    return datetime.now(UTC)
