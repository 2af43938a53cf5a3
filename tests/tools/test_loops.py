"""A loop of a test or a tool leaves nothing behind when it is closed."""

from __future__ import annotations

import gc
import socket
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP

from tests.service.notices.postbox import certificate
from tools.loops import LoopThread

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("halfway", [b"", b"EHLO x\r\nSTARTTLS\r\n"])
def test_a_conversation_is_over_with_the_loop_of_its_server(halfway: bytes, caplog: pytest.LogCaptureFixture) -> None:
    gc.collect()
    caplog.clear()
    thread = LoopThread("conversations")
    listen = thread.loop.create_server(
        lambda: SMTP(object(), hostname="h", loop=thread.loop, tls_context=certificate()), "127.0.0.1", 0
    )
    with socket.create_connection(thread.serve(listen).sockets[0].getsockname()) as client:
        answers = client.makefile("rb")
        client.sendall(halfway)
        while not answers.readline().startswith(b"220 Ready" if halfway else b"220 "):
            pass
        thread.close()
    gc.collect()
    assert thread.loop.is_closed()
    assert [each for each in caplog.records if each.name == "asyncio" and each.levelname == "ERROR"] == []


def test_loops_in_threads_are_made_in_one_place() -> None:
    words = ("new_event_loop", "run_forever")
    made = {
        str(file.relative_to(ROOT))
        for folder in ("engine", "service", "tests", "tools", "workers")
        for file in (ROOT / folder).rglob("*.py")
        if any(word in file.read_text() for word in words)
    }
    assert made == {"tools/loops.py", "tests/tools/test_loops.py"}
