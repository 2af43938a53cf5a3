"""A service whose mails go where a test wants them, and a real mail server on the loopback
interface.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from service.context import Context, Transport
from tests.service.notices.fakes import Hand, Mailbag, context, seat_players
from tests.service.notices.postbox import Postbox, certificate
from tools.loops import LoopThread


@pytest.fixture
def clock() -> Hand:
    return Hand()


@pytest.fixture
def mailbag() -> Mailbag:
    return Mailbag()


@pytest.fixture
def transport(mailbag: Mailbag) -> Transport:
    """Where the mails of ``service`` go; a module may say otherwise."""
    return mailbag


@pytest.fixture
def service(tmp_path: Path, database_url: str, transport: Transport, clock: Hand) -> Iterator[Context]:
    """With Anna and Ben."""
    made = context(tmp_path, transport, clock, database_url)
    seat_players(made)
    yield made
    made.close()


@pytest.fixture
def mail_server() -> Iterator[Callable[..., Postbox]]:
    """Starts servers: ``mail_server("smtp" | "smtps" | "smtp+starttls" | "lmtp", path=None,
    **answers)``; they stop with the test.
    """
    thread = LoopThread("mail server")
    loop = thread.loop

    def start(mode: str = "smtp", path: Path | None = None, **answers: str | bool) -> Postbox:
        postbox = Postbox(**answers)  # type: ignore[arg-type]

        def session() -> SMTP:
            if mode == "lmtp":
                return LMTP(postbox, hostname="localhost", enable_SMTPUTF8=postbox.smtputf8, loop=loop)
            starttls = mode == "smtp+starttls"
            return SMTP(
                postbox,
                hostname="localhost",
                loop=loop,
                authenticator=postbox.authenticate,
                auth_require_tls=False,
                tls_context=certificate() if starttls else None,
                require_starttls=starttls,
                enable_SMTPUTF8=postbox.smtputf8,
            )

        async def listen() -> asyncio.Server:
            if path is not None:
                return await loop.create_unix_server(session, str(path))
            return await loop.create_server(session, "127.0.0.1", 0, ssl=certificate() if mode == "smtps" else None)

        server = thread.serve(listen())
        if path is None:
            postbox.port = server.sockets[0].getsockname()[1]
        return postbox

    yield start
    thread.close()
