"""A loop of a test or a tool leaves nothing behind when it is closed."""

from __future__ import annotations

import asyncio
import gc
import socket
from pathlib import Path

import pytest
from aiosmtpd.smtp import SMTP

from tests.service.notices.postbox import certificate
from tools.loops import LoopThread
from tools.waiting import until

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


def test_what_waits_is_no_garbage() -> None:
    """A client that waits is held by its own stream alone, and that by the client."""
    thread, waiting, ended = LoopThread("waiting"), list[str](), list[str]()

    async def wait(address: tuple[str, int]) -> None:
        source, sink = await asyncio.open_connection(*address)
        try:
            waiting.append("a client")
            await source.readline()
            ended.append("by the server")
        finally:
            ended.append("at its end")
            sink.close()

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread.begin(wait(server.getsockname()))
        until(lambda: waiting, "a client waits")
        gc.collect()
        assert ended == []
        thread.close()
    assert ended == ["at its end"]


def test_what_goes_wrong_in_the_loop_is_raised_at_its_end() -> None:
    thread, begun = LoopThread("fails"), list[str]()

    async def fail() -> None:
        begun.append("it")
        raise LookupError("as it may")

    thread.begin(fail())
    until(lambda: begun, "it has begun")
    with pytest.raises(LookupError, match="as it may"):
        thread.close()


def test_loops_in_threads_are_made_in_one_place() -> None:
    words = ("new_event_loop", "run_forever", "run_coroutine_threadsafe")
    made = {
        str(file.relative_to(ROOT))
        for folder in ("engine", "service", "tests", "tools", "workers")
        for file in (ROOT / folder).rglob("*.py")
        if any(word in file.read_text() for word in words)
    }
    assert made == {"tools/loops.py", "tests/tools/test_loops.py"}
