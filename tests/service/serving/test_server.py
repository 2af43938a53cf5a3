"""The server speaks HTTP/1.1 and 1.0, answers in order, and stops in order."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from service.api import limits
from service.api.problems import KINDS
from service.api.turns import WRITTEN
from service.serving import bridge, worker
from service.waits import current, ending, signal
from tests.service.serving.server import TURNS, echo, read_all, serving, text
from tools.waiting import LIMIT_SECONDS, until

ROOT = Path(__file__).parents[3]
CLOSE = b"Connection: close\r\n"


def body_of(answer: bytes) -> bytes:
    return answer.partition(b"\r\n\r\n")[2]


def test_requests_on_one_connection_are_answered_in_order_also_if_they_come_at_once() -> None:
    with serving(echo) as server:
        first = b"POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc"
        last = b"GET /b HTTP/1.1\r\nHost: h\r\n" + CLOSE + b"\r\n"
        answer = server.says(first + first + last)
    assert answer.count(b"HTTP/1.1 200 OK\r\n") == 3
    assert [answer.index(b"POST /a [abc]"), answer.rindex(b"POST /a [abc]"), answer.index(b"GET /b []")] == sorted(
        [answer.index(b"POST /a [abc]"), answer.rindex(b"POST /a [abc]"), answer.index(b"GET /b []")]
    )
    assert answer.lower().count(b"connection: close") == 1


def test_a_client_of_http_1_0_is_answered_and_the_connection_closed() -> None:
    with serving(echo) as server:
        assert server.says(b"GET /x HTTP/1.0\r\n\r\n").endswith(b"GET /x []")


def test_a_client_of_http_1_0_that_asks_for_it_is_not_kept_waiting_for_the_end() -> None:
    with serving(echo) as server:
        answer = server.says(b"GET /x HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n")
        assert body_of(answer) == b"GET /x []"
        assert answer.lower().count(b"connection: close\r\n") == 1


def test_a_head_has_the_length_of_the_body_and_no_body() -> None:
    with serving(echo) as server:
        answer = server.answers("/x", "HEAD")
    assert b"content-length: 10\r\n" in answer.lower()
    assert body_of(answer) == b""


def test_a_chunked_body_is_put_together() -> None:
    with serving(echo) as server:
        head = b"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n" + CLOSE + b"\r\n"
        assert body_of(server.says(head + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")) == b"POST /x [abcde]"


def test_a_chunked_body_has_the_length_that_it_came_with() -> None:
    """Of one without a length Werkzeug reads as much as may be, and takes that for all."""

    def lengths(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        return text(start_response, f"{environ['CONTENT_LENGTH']} {environ.get('HTTP_TRANSFER_ENCODING')}")

    with serving(lengths) as server:
        head = b"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n" + CLOSE + b"\r\n"
        assert body_of(server.says(head + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")) == b"5 None"


def test_no_log_and_no_problem_has_the_secret_of_a_join_link(caplog: pytest.LogCaptureFixture) -> None:
    with serving(echo) as server:
        for path in (b"/v1/join/s3cret", b"/v1//join/s3cret", b"//join//s3cret/x", b"/v1/%6aoin/s3cret"):
            answer = server.says(b"GET " + path + b" HTTP/1.1\r\nHost: a b\r\n" + CLOSE + b"\r\n")
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert b"s3cret" not in answer
    assert "s3cret" not in caplog.text


def test_a_client_that_waits_for_100_continue_is_told_to_go_on() -> None:
    with serving(echo) as server, server.connect() as client:
        head = b"POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\nExpect: 100-continue\r\n" + CLOSE + b"\r\n"
        client.sendall(head)
        assert client.recv(65536) == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.sendall(b"abc")
        assert body_of(read_all(client)) == b"POST /x [abc]"


@pytest.mark.parametrize(
    ("request_line", "field", "code"),
    [
        (b"POST /x HTTP/1.1", b"Content-Length: " + b"9" * 5000, "bad_request"),
        (b"POST /x HTTP/1.1", b"Content-Length: -1", "bad_request"),
        (b"POST /x HTTP/" + b"1" * 3000, b"A: b", "bad_request"),
        (b"NO HTTP", b"A: b", "bad_request"),
        (b"GET /" + b"x" * 5000 + b" HTTP/1.1", b"A: b", "uri_too_long"),
        (b"GET /x HTTP/1.1", b"A: " + b"b" * 9_000, "header_too_large"),
        (b"GET /x HTTP/1.1", b"\r\n".join(b"A%d: b" % number for number in range(101)), "header_too_large"),
        (b"POST /x HTTP/1.1", b"Transfer-Encoding: odd", "not_implemented"),
        (b"GET /x HTTP/1.1", b"Host: other", "bad_request"),
    ],
)
def test_what_is_no_request_is_answered_with_a_problem_and_the_connection_closed(
    request_line: bytes, field: bytes, code: str, caplog: pytest.LogCaptureFixture
) -> None:
    with serving(echo) as server:
        answer = server.says(request_line + b"\r\nHost: h\r\n" + field + b"\r\n\r\n")
    assert answer.startswith(f"HTTP/1.1 {KINDS[code].status} ".encode())
    assert refusal(answer) == (KINDS[code].status, code, None)
    assert code not in ("uri_too_long", "header_too_large") or b" kB" in answer
    assert not [record for record in caplog.records if record.exc_info]


@pytest.mark.parametrize(
    ("request_line", "works"),
    [("GET /v1/games?title=ü HTTP/1.1".encode(), "percent-encoded"), (b"get /v1/games HTTP/1.1", "capital letters")],
)
def test_who_writes_a_request_by_hand_is_told_how(request_line: bytes, works: str) -> None:
    with serving(echo) as server:
        answer = server.says(request_line + b"\r\nHost: h\r\n\r\n")
    assert refusal(answer) == (400, "bad_request", None)
    assert works in json.loads(body_of(answer))["detail"]


def test_a_path_is_given_to_the_application_as_wsgi_wants_it() -> None:
    with serving(echo) as server:
        assert body_of(server.answers("/%C3%A4%2Fb?q=1")) == "GET /ä/b []".encode().decode("latin-1").encode()


@pytest.mark.parametrize(
    ("target", "path"),
    [
        ("http://elsewhere:8/path?q=1", "/path"),
        ("HTTP://elsewhere:8/path", "/path"),
        ("hTTps://elsewhere:8", "/"),
        ("http://elsewhere:8?q=1", "/"),
        ("http://elsewhere:8//http://h/", "//http://h/"),
    ],
)
def test_a_target_in_the_absolute_form_is_routed_and_its_host_counts(target: str, path: str) -> None:
    def hosted(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        return text(start_response, f"{environ['HTTP_HOST']} {environ['PATH_INFO']} {current() is not None}")

    with serving(hosted) as server:
        assert body_of(server.answers(target)) == f"elsewhere:8 {path} False".encode()
        posted = server.answers(f"HTTP://elsewhere:8{TURNS}", "POST")
        assert body_of(posted) == f"elsewhere:8 {TURNS} True".encode()


@pytest.mark.parametrize("host", [b"", b"Host: a b\r\n", b"Host: a/b\r\n", b"Host: a@b\r\n"])
def test_a_request_of_http_1_1_names_one_host(host: bytes) -> None:
    with serving(echo) as server:
        for target in (b"/v1/x", b"http://h/v1/x"):
            answer = server.says(b"GET " + target + b" HTTP/1.1\r\n" + host + CLOSE + b"\r\n")
            assert answer.startswith(b"HTTP/1.1 400 ")
            assert b"application/problem+json" in answer
            assert json.loads(body_of(answer))["code"] == "bad_request"
        assert server.says(b"GET http://a@h/ HTTP/1.1\r\nHost: h\r\n" + CLOSE + b"\r\n").startswith(b"HTTP/1.1 400 ")


def test_a_page_of_any_origin_reads_what_the_server_itself_refuses() -> None:
    with serving(echo) as server:
        for sent in (b"GET /v1/x HTTP/1.1\r\n" + CLOSE + b"\r\n", b"GET /v1/" + b"x" * 9000 + b" HTTP/1.1\r\n\r\n"):
            assert b"access-control-allow-origin: *\r\n" in server.says(sent).lower()
        assert b"access-control" not in server.says(b"GET /page HTTP/1.1\r\n" + CLOSE + b"\r\n").lower()


def test_a_post_of_a_turn_is_a_task_and_everything_else_runs_in_threads() -> None:
    def which(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        return text(start_response, f"{current() is not None} {threading.current_thread().name.split('_')[0]}")

    with serving(which) as server:
        assert body_of(server.answers(TURNS, "POST")).startswith(b"True ")
        assert body_of(server.answers(TURNS, "GET")) == b"False request"
        assert body_of(server.answers("/readyz")) == b"False health"


@pytest.mark.parametrize("path", ["/v1/events", "/v1/matches/m/events", "/v1/matches/m/events/"])
def test_who_waits_for_events_waits_as_a_task(path: str) -> None:
    def which(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        return text(start_response, str(current() is not None))

    with serving(which) as server:
        assert body_of(server.answers(path)) == b"True"
        assert b"content-length: 4\r\n" in server.answers(path, "HEAD").lower()
        assert body_of(server.answers(path, "POST")) == b"False"
        assert body_of(server.answers(f"{path}x")) == b"False"


class Parts:
    """An application with a stream; each part is made when ``gate`` opens, and ``closed`` is set at
    its end.
    """

    def __init__(self, *parts: bytes) -> None:
        self.parts, self.gate, self.closed = parts, list[Any](), threading.Event()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        start_response("200 OK", [("Content-Type", "text/event-stream; charset=utf-8")])
        return self

    def __iter__(self) -> Any:
        assert current() is not None, "it goes on as a task"
        for part in self.parts:
            self.gate.append(signal())
            self.gate[-1].wait(LIMIT_SECONDS)
            if ending():
                return
            yield part

    def close(self) -> None:
        self.closed.set()


def test_the_parts_of_a_stream_are_sent_as_they_are_made() -> None:
    stream = Parts(b"one", b"two")
    with serving(stream) as server, server.connect() as client:
        client.sendall(b"GET /s HTTP/1.1\r\nHost: h\r\n" + CLOSE + b"\r\n")
        read = b""
        for number, part in enumerate(stream.parts):
            until(lambda n=number: len(stream.gate) > n, "the next part is asked for")  # type: ignore[misc]
            assert part not in read
            stream.gate[number].set()
            while part not in read:
                read += client.recv(65536)
        read += read_all(client)
    assert read.endswith(b"0\r\n\r\n"), "it is complete"
    assert stream.closed.is_set()


def test_a_stop_completes_streams_and_does_not_wait_for_them() -> None:
    stream = Parts(b"one", b"two")
    with serving(stream, graceful_timeout=int(LIMIT_SECONDS)) as server, server.connect() as client:
        client.sendall(b"GET /s HTTP/1.1\r\nHost: h\r\n\r\n")
        until(lambda: stream.gate, "it has begun")
        stream.gate[0].set()
        until(lambda: len(stream.gate) == 2, "the first part is sent")
        server.stop()
        read = read_all(client)
    assert (b"one" in read, b"two" in read, read.endswith(b"0\r\n\r\n")) == (True, False, True)
    assert stream.closed.is_set()


def test_a_stop_has_requests_that_wait_answered_and_does_not_wait_for_them() -> None:
    waiting = list[Any]()

    def waits(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        waiting.append(signal())
        came = waiting[-1].wait(LIMIT_SECONDS)
        return text(start_response, f"came: {came}, again: {signal().wait(LIMIT_SECONDS)}, ending: {ending()}")

    with (
        serving(waits, graceful_timeout=int(LIMIT_SECONDS)) as server,
        server.connect() as post,
        server.connect() as get,
    ):
        post.sendall(b"POST " + TURNS.encode() + b" HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
        get.sendall(b"GET /v1/events?wait=30 HTTP/1.1\r\nHost: h\r\n\r\n")
        until(lambda: len(waiting) == 2, "both wait")
        server.stop()
        answers = [read_all(post), read_all(get)]
    assert [body_of(each) for each in answers] == [b"came: False, again: False, ending: True"] * 2


def test_a_stream_whose_client_is_gone_ends() -> None:
    stream = Parts(b"one", b"two")
    with serving(stream) as server:
        with server.connect() as client:
            client.sendall(b"GET /s HTTP/1.1\r\nHost: h\r\n\r\n")
            until(lambda: stream.gate, "it has begun")
        assert stream.closed.wait(LIMIT_SECONDS)


def test_a_stream_whose_client_is_gone_before_it_begins_ends() -> None:
    stream, entered, gone = Parts(b"one"), threading.Event(), threading.Event()

    def slow(environ: dict[str, Any], start_response: Callable[..., Any]) -> Any:
        entered.set()
        gone.wait(LIMIT_SECONDS)
        return stream(environ, start_response)

    with serving(slow) as server:
        with server.connect() as client:
            client.sendall(b"GET /s HTTP/1.1\r\nHost: h\r\n\r\n")
            assert entered.wait(LIMIT_SECONDS)
        until(lambda: not server.worker.connections, "the connection is lost")
        gone.set()
        assert stream.closed.wait(LIMIT_SECONDS)
    assert stream.gate == []


def test_a_stream_whose_client_is_gone_as_its_answer_comes_ends() -> None:
    """In the same turn of the loop: the answer is there, and nobody takes it any more."""

    class Stream(list[bytes]):
        is_closed = False

        def close(self) -> None:
            self.is_closed = True

    class AtOnce(bridge.AdmittedPool):
        def submit(self, work: Callable[[], object]) -> None:
            work()

    def streaming(environ: dict[str, Any], start_response: Callable[..., Any]) -> Stream:
        start_response("200 OK", [("Content-Type", bridge.STREAM)])
        return stream

    async def leave() -> None:
        loop = asyncio.get_running_loop()
        made, pool = bridge.Bridge(streaming, loop, 1), AtOnce(loop, 1, "none")
        asked = asyncio.ensure_future(made._in_thread(pool, {}))
        await asyncio.sleep(0)  # it asks, and its answer comes
        await asyncio.sleep(0)
        asked.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asked
        pool.close()
        made.close()

    stream = Stream()
    asyncio.run(leave())
    assert stream.is_closed


def test_a_head_of_a_stream_has_no_parts() -> None:
    stream = Parts(b"one")
    with serving(stream) as server:
        assert body_of(server.answers("/s", "HEAD")) == b""
        assert stream.closed.wait(LIMIT_SECONDS)
    assert stream.gate == []


def test_a_stream_that_fails_ends_and_harms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    class Failing(Parts):
        def __iter__(self) -> Any:
            yield b"one"
            raise ValueError("broken")

    with serving(Failing()) as server:
        assert b"one" in server.answers("/s")
        assert b"one" in server.answers("/s")


def test_requests_that_wait_for_verdicts_and_threads_that_are_all_taken_hold_up_no_health_check() -> None:
    """Neither do checks of a database that is silent, as behind a pooler that is paused."""
    waiting, held, let_go = list[Any](), list[str](), threading.Event()

    def slow(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        if environ["PATH_INFO"] == TURNS:
            waiting.append(signal())
            assert waiting[-1].wait(LIMIT_SECONDS)
        elif environ["PATH_INFO"] != "/healthz":
            held.append(environ["PATH_INFO"])
            assert let_go.wait(LIMIT_SECONDS)
        return text(start_response, environ["PATH_INFO"])

    request = b"POST " + TURNS.encode() + b" HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n" + CLOSE + b"\r\n"
    with serving(slow) as server:
        clients = [server.connect() for _ in range(20)]
        for client in clients:
            client.sendall(request)
        checks = ["/readyz", "/metrics", "/readyz"]
        paths = ["/slow"] * 4 + checks
        taken = [server.connect() for _ in paths]
        for client, path in zip(taken, paths, strict=True):
            client.sendall(b"GET " + path.encode() + b" HTTP/1.1\r\nHost: h\r\n" + CLOSE + b"\r\n")
        until(lambda: len(waiting) == 20 and len(held) == 2 + len(checks), "all that may wait")
        assert body_of(server.answers("/healthz")) == b"/healthz"
        let_go.set()
        for each in waiting:
            each.set()
        assert [body_of(read_all(client)) for client in clients] == [TURNS.encode()] * 20
        assert [body_of(read_all(client)) for client in taken] == [path.encode() for path in paths]
        for client in (*clients, *taken):
            client.close()


@pytest.mark.parametrize("error", [RuntimeError("broken"), SystemExit(3)])
def test_an_error_of_the_application_is_answered_and_the_next_request_too(error: BaseException) -> None:
    def broken(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        raise error

    with serving(broken) as server:
        assert server.answers(TURNS, "POST").startswith(b"HTTP/1.1 500 ")
        assert server.answers("/").startswith(b"HTTP/1.1 500 ")


def test_a_stop_answers_what_runs_and_closes_what_is_idle() -> None:
    begun, let_go = threading.Event(), threading.Event()

    def slow(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        begun.set()
        assert let_go.wait(LIMIT_SECONDS)
        return text(start_response, "done")

    with serving(slow, graceful_timeout=300) as server, server.connect() as idle, server.connect() as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        assert begun.wait(LIMIT_SECONDS)
        server.stop()
        assert read_all(idle) == b""
        let_go.set()
        assert body_of(read_all(client)) == b"done"


def test_a_stop_does_not_wait_for_ever() -> None:
    def waits(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        signal().wait(LIMIT_SECONDS)
        return text(start_response, "too late")

    with serving(waits, graceful_timeout=0) as server, server.connect() as client:
        client.sendall(b"POST " + TURNS.encode() + b" HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n")
        until(lambda: any(each.busy for each in tuple(server.worker.connections)), "the request waits")
        server.stop()
        assert b"too late" not in read_all(client)


def test_too_many_connections_are_refused_with_a_problem() -> None:
    with serving(echo, worker_connections=2) as server, server.connect(), server.connect():
        until(lambda: len(server.worker.connections) == 2, "both are there")
        with server.connect() as third:
            answer = read_all(third)
    assert answer.startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
    assert b"retry-after: 5\r\n" in answer
    assert refusal(answer) == (503, "overloaded", 5)


def test_a_header_that_is_not_complete_in_time_is_refused_with_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "HEADER_SECONDS", 0.1)
    with serving(echo) as server:
        answer = server.says(b"GET / HTTP/1.1\r\nHost:")
    assert answer.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert refusal(answer) == (408, "request_timeout", None)


@pytest.mark.parametrize(
    ("path", "accept", "is_page"),
    [(b"/sign-in", b"text/html,*/*;q=0.8", True), (b"/sign-in", b"*/*", False), (b"/v1/x", b"text/html", False)],
)
def test_what_is_refused_without_the_application_is_a_page_for_a_browser(
    monkeypatch: pytest.MonkeyPatch, path: bytes, accept: bytes, is_page: bool
) -> None:
    monkeypatch.setattr(bridge, "BODY_SECONDS", 0.1)
    with serving(echo) as server:
        head = b"POST " + path + b" HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nAccept: " + accept + b"\r\n\r\n"
        answer = server.says(head)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert (b"content-type: text/html; charset=utf-8\r\n" in answer.lower()) == is_page
    assert (b'<a href="/">' in answer) == is_page
    assert (b"application/problem+json" in answer) != is_page


def refusal(answer: bytes) -> tuple[int, str, int | None]:
    """Status, code and seconds of a problem that is as the API describes problems."""
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json\r\n" in head
    assert b"content-length: %d\r\n" % len(body) in head
    assert b"connection: close" in head
    assert b"access-control-expose-headers: ETag" in head
    problem = json.loads(body)
    assert b"x-request-id: " + problem["instance"].rpartition("#")[2].encode() in head
    described = json.loads((ROOT / "openapi/openapi.json").read_text())["components"]["schemas"]["Problem"]
    assert set(described["required"]) <= set(problem) <= set(described["properties"])
    kind = KINDS[problem["code"]]
    assert (problem["type"], problem["title"], problem["status"]) == (
        kind.address,
        kind.title,
        kind.status,
    )
    return problem["status"], problem["code"], problem.get("retry_after")


def test_more_requests_than_can_be_served_in_time_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "MOST_TASKS", 1)
    begun, let_go = threading.Event(), list[Any]()

    def slow(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        let_go.append(signal())
        begun.set()
        assert let_go[0].wait()
        return text(start_response, "done")

    request = b"POST " + TURNS.encode() + b" HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n" + CLOSE + b"\r\n"
    with serving(slow) as server, server.connect() as first:
        first.sendall(request)
        assert begun.wait(LIMIT_SECONDS)
        refused = server.says(request)
        let_go[0].set()
        assert body_of(read_all(first)) == b"done"
    assert refused.startswith(b"HTTP/1.1 503 ")
    assert b"retry-after: 1\r\n" in refused.lower()
    problem = json.loads(body_of(refused))
    assert (problem["status"], problem["code"], problem["retry_after"]) == (503, "overloaded", 1)


def test_as_much_of_a_body_is_read_as_any_operation_takes() -> None:
    assert max(limits.MOST_BYTES, *limits.LARGER_BODIES.values()) == bridge.BODY_BYTES


def test_a_body_that_is_too_long_is_not_read_to_its_end() -> None:
    with serving(echo) as server:
        head = b"POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n" % (bridge.BODY_BYTES + 1)
        assert body_of(server.says(head)) == b"POST /x []"
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        with server.connect() as client:
            client.sendall(b"POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk * 5)
            answer = read_all(client)
    assert bridge.BODY_BYTES < len(body_of(answer)) < 6 * 0x10000


@pytest.mark.parametrize("field", [b"Content-Length: 30000000", b"Transfer-Encoding: chunked"])
def test_a_client_that_is_still_sending_is_told_the_end_and_given_time_to_read_its_answer(
    monkeypatch: pytest.MonkeyPatch, field: bytes
) -> None:
    monkeypatch.setattr(worker, "REST_SECONDS", LIMIT_SECONDS)
    with serving(lambda _, start: text(start, "no")) as server, server.connect() as client:
        client.sendall(b"POST /x HTTP/1.1\r\nHost: h\r\n" + field + b"\r\n\r\n")
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        for _ in range(100):
            client.sendall(chunk)
        client.shutdown(socket.SHUT_WR)
        answer = read_all(client)
        assert answer.endswith(b"\r\n\r\nno")
        assert answer.lower().count(b"connection: close\r\n") == 1


def test_of_a_body_whose_length_was_not_declared_more_is_read_than_is_taken() -> None:
    """Else one that is cut where it is as long as it may be would count as whole."""
    parts = [b"x" * bridge.BODY_BYTES, b"y", b"z"]
    ((read, answer),) = asyncio.run(through_the_bridge(parts))
    assert read == 2
    assert answer == b"POST /x [" + b"".join(parts[:2]) + b"]"


def test_all_bodies_that_are_read_at_once_have_a_bound_and_those_that_were_read_do_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bridge, "ALL_BODIES_BYTES", 20)
    within, beyond = [b"x" * 10, b"y" * 10], [b"x" * 10, b"y" * 11]
    read = asyncio.run(through_the_bridge(within, beyond, within, beyond, within))
    assert [answer.startswith(b"POST /x") for _, answer in read] == [True, False, True, False, True]
    assert json.loads(read[1][1])["code"] == "overloaded"


async def through_the_bridge(*bodies: list[bytes]) -> list[tuple[int, bytes]]:
    """Of bodies, one after the other, how many parts are read, and what ``echo`` answers."""
    coming, sent = list[bytes](), list[Any]()

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": coming.pop(0), "more_body": bool(coming)}

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(message)

    made = bridge.Bridge(echo, asyncio.get_running_loop(), 1)
    scope = {
        "type": "http",
        "http_version": "1.1",
        "scheme": "http",
        "method": "POST",
        "path": "/x",
        "raw_path": b"/x",
        "query_string": b"",
        "headers": [(b"host", b"h")],
        "server": None,
        "client": None,
        bridge.IS_LOST: lambda: False,
    }
    found = []
    for parts in bodies:
        coming[:] = parts
        await made(scope, receive, send)
        found.append((len(parts) - len(coming), sent[-1]["body"]))
    made.close()
    return found


def test_the_application_is_told_how_it_is_run() -> None:
    """PEP 3333."""

    def told(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        known = {name: value for name, value in environ.items() if name.startswith("wsgi.")}
        return text(start_response, json.dumps(known, default=lambda stream: type(stream).__name__))

    with serving(told) as server:
        known = json.loads(body_of(server.answers()))
    assert known.pop("wsgi.errors")
    assert known == {
        "wsgi.version": [1, 0],
        "wsgi.url_scheme": "http",
        "wsgi.input": "BytesIO",
        "wsgi.input_terminated": True,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }


def test_a_client_that_does_not_read_its_answer_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker, "WRITE_SECONDS", 0.2)

    def long(environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        return text(start_response, "x" * 20_000_000)

    with serving(long) as server, server.connect() as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        assert client.recv(1)
        until(lambda: not server.worker.connections, "it is cut off")


class Told:
    """An application whose answers note when they are written; ``gate`` opens before it answers."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.began, self.gate = threading.Event(), threading.Event()
        self.gate.set()

    def __call__(self, environ: dict[str, Any], start_response: Callable[..., Any]) -> list[bytes]:
        environ[WRITTEN].append(lambda tasks: self.written.append(environ["REQUEST_METHOD"]))
        self.began.set()
        self.gate.wait(LIMIT_SECONDS)
        start_response("200 OK", [("Content-Length", "6")])
        return [b"answer"]


def test_an_answer_is_noted_as_written_once_the_client_has_it() -> None:
    told = Told()
    with serving(told) as server:
        assert server.answers(TURNS, "POST").endswith(b"answer")
        until(lambda: told.written == ["POST"], "the answer is noted")
        server.answers("/", "GET")
        until(lambda: told.written == ["POST", "GET"], "the next is noted")
        assert not server.answers("/", "HEAD").endswith(b"answer")
        server.answers("/", "GET")
        until(lambda: len(told.written) == 3, "the last is noted")
    assert told.written == ["POST", "GET", "GET"], "a head has no body"


def test_an_answer_that_finds_no_client_is_not_noted() -> None:
    told = Told()
    told.gate.clear()
    with serving(told) as server:
        with server.connect() as connection:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: h\r\n\r\n")
            assert told.began.wait(LIMIT_SECONDS)
        until(lambda: not server.worker.connections, "the connection is lost")
        told.gate.set()
        server.answers("/", "HEAD")
    assert told.written == []
