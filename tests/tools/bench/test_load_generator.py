"""What the load of the bench posts and counts."""

from __future__ import annotations

from tools.bench.load_generator import Load, request


def test_a_request_is_plain_http() -> None:
    assert request("/v1/x", "ovl_t", b'{"ply":1}', wait=5) == (
        b"POST /v1/x HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ovl_t\r\nContent-Type: application/json\r\n"
        b'Content-Length: 9\r\nPrefer: wait=5\r\n\r\n{"ply":1}'
    )


def test_only_answers_within_the_measured_time_count() -> None:
    load = Load(answers=[(1.0, 0.5), (2.0, 0.3), (2.5, 0.1), (3.0, 0.9)])
    assert load.within(2.0, 3.0) == [0.1, 0.3]
