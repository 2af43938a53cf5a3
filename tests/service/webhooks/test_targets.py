"""Hostile targets: what a webhook is never called at, and how the rest is called."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

import pytest

from service.errors import Invalid
from service.webhooks import calling
from service.webhooks.calling import CallOutcome, call
from service.webhooks.targets import LONGEST_URL, WebhookNetwork, read_target
from tests.service.webhooks.receiver import PUBLIC, receiving

PEM = Path(__file__).parent.parent / "notices" / "localhost.pem"

NOT_ENTERED = [
    "http://127.0.0.1/",
    "http://127.0.0.1:8080/",
    "http://0.0.0.0/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://100.100.100.200/latest/meta-data/",
    "http://169.254.169.254/latest/meta-data/",
    "http://168.63.129.16/",
    "http://192.0.0.192/opc/v2/",
    "http://198.18.0.1/",
    "http://224.0.0.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[::127.0.0.1]/",
    "http://[64:ff9b::7f00:1]/",
    "http://[64:ff9b:1::a00:1]/",
    "http://[2002:7f00:1::]/",
    "http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/",
    "http://[2001:db8::1]/",
    "http://[fe80::1]/",
    "http://[fe80::1%25eth0]/",
    "http://[fec0::1]/",
    "http://[fc00::1]/",
    "http://[fd00:ec2::254]/",
    "http://[ff02::1]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0177.0.0.1/",
    "http://127.1/",
    "http://127。0。0。1/",
    "http://①②⑦.0.0.1/",
    "http://internal/",
    "http://user@example.org/",
    "http://example.org@127.0.0.1/",
    "http://user:password@example.org/",
    "http://example.org:22/",
    "http://example.org:6379/",
    "https://example.org:80/",
    "http://example.org:0/",
    "http://example.org:99999/",
    "http://example.org\\@127.0.0.1/",
    "http://example.org/\r\nX-Injected: 1",
    "http://example.org/ HTTP/1.1",
    "http://example.org/\x00",
    "http://example.org/#fragment",
    "http://exa mple.org/",
    "http:///path",
    "http://",
    "//example.org/",
    "example.org/hook",
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "javascript:alert(1)",
    "http://" + "a" * 64 + ".org/",
    "http://example.org/" + "a" * 500,
    "http://example.org/ä",
    "",
]
"""Addresses that no webhook can be entered with."""


@pytest.mark.parametrize("url", NOT_ENTERED)
def test_a_hostile_address_is_refused_with_a_reason_and_what_would_work(url: str) -> None:
    with pytest.raises(Invalid, match=r"cannot be called: .*\. Enter an address such as https://example.org"):
        read_target(url)


def test_an_address_that_is_refused_is_named_as_far_as_a_line_holds_it() -> None:
    for length, end in ((60, "a cannot be called"), (61, r"a\.\.\. cannot be called")):
        with pytest.raises(Invalid, match=end) as refused:
            read_target("ftp://" + "a" * (length - 6))
        assert len(str(refused.value).partition(" cannot")[0].split()[-1]) == 60


def test_an_address_has_five_hundred_characters_at_most() -> None:
    assert LONGEST_URL == 500
    address = "https://example.org/" + "a" * 480
    assert read_target(address).url == address
    with pytest.raises(Invalid, match="it has more than 500 characters"):
        read_target(address + "a")


NOT_CALLED: dict[str, Sequence[str]] = {
    "loopback": ["127.0.0.1"],
    "loopback of IPv6": ["::1"],
    "private": ["10.1.2.3"],
    "shared": ["100.64.0.1"],
    "link-local, and metadata": ["169.254.169.254"],
    "metadata of Azure": ["168.63.129.16"],
    "metadata of AWS by IPv6": ["fd00:ec2::254"],
    "mapped IPv4": ["::ffff:10.0.0.1"],
    "NAT64": ["64:ff9b::a00:1"],
    "6to4": ["2002:a00:1::1"],
    "Teredo": ["2001:0:a00:1::1"],
    "multicast": ["224.0.0.251"],
    "unspecified": ["0.0.0.0"],
    "with a zone": ["fe80::1%eth0"],
    "public and private": [PUBLIC, "192.168.0.1"],
    "nothing": [],
    "no address": ["localhost"],
}
"""What a name may resolve to that is not called."""


@pytest.mark.parametrize(("length", "fits"), [(253, True), (254, False)])
def test_a_name_is_as_long_as_dns_allows(length: int, fits: bool) -> None:
    name = "a." * (length // 2 - 1) + "o" * (length % 2 + 2)
    assert len(name) == length
    with nullcontext() if fits else pytest.raises(Invalid):
        read_target(f"https://{name}/")


@pytest.mark.parametrize("found", NOT_CALLED.values(), ids=NOT_CALLED.keys())
def test_a_name_that_leads_inside_is_not_called(found: Sequence[str]) -> None:
    with receiving() as receiver:
        receiver.names["inside.example.org"] = found
        called = call(receiver.network, read_target("http://inside.example.org/hook"), b"{}", {})
    assert called.error.startswith("inside.example.org has ")
    assert not any(each in called.error for each in found), "what names mean inside is told to nobody"
    assert receiver.connected == []


def test_a_name_that_cannot_be_resolved_is_not_called() -> None:
    def resolve(host: str, port: int) -> Sequence[str]:
        raise OSError("Name or service not known")

    with receiving() as receiver:
        network = WebhookNetwork(resolve, receiver.connect)
        called = call(network, read_target("http://nowhere.example.org/hook"), b"{}", {})
    assert called.error == "nowhere.example.org could not be resolved: Name or service not known."
    assert receiver.connected == []


def test_a_name_is_resolved_once_and_exactly_that_address_is_called_by_its_name() -> None:
    with receiving() as receiver:
        receiver.names["rebinding.example.org"] = answers = [PUBLIC]
        network = receiver.network

        def resolve(host: str, port: int) -> Sequence[str]:
            found = tuple(answers)
            answers[:] = ["127.0.0.1"]  # what it is the next time
            receiver.resolved.append(host)
            return found

        network = WebhookNetwork(resolve, receiver.connect)
        target = read_target("http://Rebinding.Example.ORG./hook?key=1")
        assert call(network, target, b"{}", {"X": "1"}) == CallOutcome()
    assert receiver.resolved == ["rebinding.example.org"]
    assert receiver.connected == [(PUBLIC, 80)]
    (got,) = receiver.received
    assert (got.path, got.headers["Host"], got.body) == ("/hook?key=1", "rebinding.example.org", b"{}")


@pytest.mark.parametrize("status", [300, 301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(status: int) -> None:
    with receiving() as receiver:
        receiver.status, receiver.headers = status, {"Location": "http://169.254.169.254/latest/meta-data/"}
        called = call(receiver.network, read_target("http://example.org/"), b"{}", {})
    assert "redirects are not followed" in called.error
    assert len(receiver.received) == len(receiver.connected) == 1


@pytest.mark.parametrize(("status", "gone"), [(400, False), (404, False), (410, True), (429, False), (500, False)])
def test_what_a_target_answers_is_said(status: int, gone: bool) -> None:
    with receiving() as receiver:
        receiver.status = status
        called = call(receiver.network, read_target("http://example.org/secret/path"), b"{}", {})
    assert called == CallOutcome(f"http://example.org answered {status}.", gone)


def test_a_proxy_in_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    with receiving() as receiver:
        assert call(receiver.network, read_target("http://example.org/"), b"{}", {}) == CallOutcome()
        assert receiver.connected == [(PUBLIC, 80)]


def talking(said: bytes) -> tuple[WebhookNetwork, threading.Event]:
    """A network in which every target says that, and then nothing more until it is closed."""
    closed = threading.Event()

    def connect(address: tuple[str, int], seconds: float) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.settimeout(seconds)

        def talk() -> None:
            with theirs, suppress(ConnectionError):
                theirs.recv(65536)
                theirs.sendall(said)
                while theirs.recv(65536):
                    continue
            closed.set()

        threading.Thread(target=talk, daemon=True).start()
        return ours

    return WebhookNetwork(lambda host, port: [PUBLIC], connect), closed


@pytest.mark.parametrize(
    "said",
    [b"", b"HTTP/1.1 200 OK\r\nContent-Length: 7\r\n", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 99999 X\r\n\r\n"],
    ids=["nothing", "half a head", "another protocol", "a strange status"],
)
def test_a_target_that_speaks_no_http_or_not_to_its_end_fails_in_time(
    said: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calling, "SECONDS", 0.2)
    network, closed = talking(said)
    called = call(network, read_target("http://example.org/"), b"{}", {})
    assert called.error.startswith("http://example.org could not be called: ")
    assert closed.wait(300), "the connection is closed"


@pytest.mark.parametrize(
    "said",
    [
        b"HTTP/1.1 \x1b[31mPay at pay.example\r\n\r\n",
        b"HTTP/7 Pay at pay.example\r\n\r\n",
        b"HTTP/1.1 Pay at pay.example" + b"x" * 60_000 + b"\r\n\r\n",
        b"HTTP/1.1 500 Pay at pay.example\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nX: Pay at pay.example" + b"x" * 70_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\n" + b"X: Pay at pay.example\r\n" * 200 + b"\r\n",
    ],
)
def test_nothing_is_told_in_the_words_of_a_target(said: bytes) -> None:
    network, _ = talking(said)
    error = call(network, read_target("http://example.org/"), b"{}", {}).error
    assert error.startswith("http://example.org ")
    assert "pay" not in error.lower()


@pytest.mark.parametrize(
    "body",
    [
        b"\r\n",
        b"Content-Length: 1000000\r\n\r\nOn its w",
        b"Content-Length: 3\r\n\r\nOn its way",
        b"Transfer-Encoding: chunked\r\n\r\nno number\r\nOn its way",
        b"Transfer-Encoding: chunked\r\n\r\nffff\r\nOn its way",
    ],
    ids=["without end", "half", "too short", "damaged", "half a chunk"],
)
def test_what_was_answered_with_2xx_is_told_whatever_follows(body: bytes) -> None:
    network, closed = talking(b"HTTP/1.1 200 OK\r\n" + body)
    assert call(network, read_target("http://example.org/"), b"{}", {}) == CallOutcome()
    assert closed.wait(300), "the connection is closed"


def test_an_address_is_named_as_it_is_written() -> None:
    network, _ = talking(b"HTTP/1.1 500 No\r\n\r\n")
    called = call(network, read_target("http://[2606:2800:21f::1]:8080/secret"), b"{}", {})
    assert called == CallOutcome("http://[2606:2800:21f::1]:8080 answered 500.")


OTHER = "2606:2800:21f::1"


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 500 No\r\n\r\n", b"SSH-2.0\r\n", b"HTTP/1.1 200 OK\r\n\r\n"])
def test_of_several_addresses_one_is_called_whatever_it_answers(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "SECONDS", 0.2)
    talks, _ = talking(said)
    connected = list[str]()

    def connect(address: tuple[str, int], seconds: float) -> socket.socket:
        connected.append(address[0])
        return talks.connect(address, seconds)

    call(WebhookNetwork(lambda host, port: [OTHER, PUBLIC], connect), read_target("http://example.org/"), b"{}", {})
    assert connected == [OTHER]


def test_where_an_address_cannot_be_connected_to_the_next_is_called() -> None:
    with receiving() as receiver:

        def connect(address: tuple[str, int], seconds: float) -> socket.socket:
            if address[0] == OTHER:
                raise OSError("Network is unreachable")
            return receiver.connect(address, seconds)

        network = WebhookNetwork(lambda host, port: [OTHER, PUBLIC], connect)
        assert call(network, read_target("http://example.org/"), b"{}", {}) == CallOutcome()
        assert len(receiver.received) == 1
        network = WebhookNetwork(lambda host, port: [OTHER], connect)
        called = call(network, read_target("http://example.org/"), b"{}", {})
        assert called.error == "http://example.org could not be called: Network is unreachable."


def test_no_more_of_an_answer_is_read_than_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calling, "SECONDS", 5.0)
    network, _ = talking(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity\r\n\r\n" + b"x" * 50_000)
    assert call(network, read_target("http://example.org/"), b"{}", {}) == CallOutcome()


def test_the_certificate_has_to_be_of_the_name() -> None:
    presented, trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER), ssl.create_default_context(cafile=str(PEM))
    presented.load_cert_chain(PEM)
    names = list[str | None]()
    presented.sni_callback = lambda _socket, name, _context: names.append(name)

    def connect(address: tuple[str, int], seconds: float) -> socket.socket:
        ours, theirs = socket.socketpair()
        ours.settimeout(seconds)

        def serve() -> None:
            try:
                with presented.wrap_socket(theirs, server_side=True) as secure:
                    secure.recv(65536)
                    secure.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            except OSError:
                theirs.close()

        threading.Thread(target=serve, daemon=True).start()
        return ours

    network = WebhookNetwork(lambda host, port: [PUBLIC], connect, trusting)
    called = call(network, read_target("https://example.org/"), b"{}", {})
    assert "certificate verify failed" in called.error.lower().replace("_", " ")
    assert names == ["example.org"]


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("HTTPS://Example.ORG", "https://example.org/"),
        ("https://example.org:443/a?b=c", "https://example.org/a?b=c"),
        ("http://example.org:80/", "http://example.org/"),
        (" https://example.org./x ", "https://example.org/x"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/"),
        ("https://example.org:8443/", "https://example.org:8443/"),
        ("https://93.184.215.14/x", "https://93.184.215.14/x"),
        ("https://[2606:2800:21f::1]/x", "https://[2606:2800:21f::1]/x"),
    ],
)
def test_an_address_is_the_same_however_it_is_written(written: str, same: str) -> None:
    assert read_target(written).url == same
