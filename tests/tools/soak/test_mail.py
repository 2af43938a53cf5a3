"""The mail server of a soak, and each of its faults, as the service's own transport meets them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from email.message import EmailMessage
from email.policy import SMTP

import pytest

from service.notices.mail.errors import TransportError
from service.notices.mail.transport import SmtpTransport
from tools.soak.mail import KEPT_TEXTS, MailFault, MailServer


@pytest.fixture
def server() -> Iterator[MailServer]:
    server = MailServer()
    yield server
    server.close()


def mail(text: str = "Your confirmation code is:  abc\n.and a line that begins with a dot\n") -> EmailMessage:
    message = EmailMessage(policy=SMTP)
    message["From"], message["To"], message["X-Overland-Notice"] = "overland@example.org", "ann@example.org", "notice-1"
    message.set_content(text)
    return message


def transport(server: MailServer, timeout: float = 240.0) -> SmtpTransport:
    return SmtpTransport("smtp", "127.0.0.1", server.port, None, timeout)


def test_a_mail_is_recorded_by_the_id_of_its_notice_with_its_text(server: MailServer) -> None:
    transport(server).send(mail())
    assert server.received == ["notice-1"]
    assert len(server.times) == 1
    texts = [text.splitlines() for text in server.texts("ann@example.org")]
    assert texts == [["Your confirmation code is:  abc", ".and a line that begins with a dot"]]
    assert server.texts("bela@example.org") == []


def test_only_the_latest_texts_are_kept(server: MailServer) -> None:
    for number in range(KEPT_TEXTS + 1):
        transport(server).send(mail(f"mail {number}\n"))
    assert [text.strip() for text in server.texts("ann@example.org")] == [
        f"mail {number}" for number in range(1, KEPT_TEXTS + 1)
    ]


@pytest.mark.parametrize("fault", ["unreachable", "deferring", "rejecting"])
def test_with_a_fault_nothing_is_received_until_it_is_over(server: MailServer, fault: MailFault) -> None:
    server.set_fault(fault)
    with pytest.raises(TransportError):
        transport(server).send(mail())
    assert server.received == []
    server.set_fault("none")
    transport(server).send(mail())
    assert server.received == ["notice-1"]


def test_a_server_that_drops_the_connection_has_received_the_mail(server: MailServer) -> None:
    server.set_fault("dropping")
    with pytest.raises(TransportError):
        transport(server).send(mail())
    assert server.received == ["notice-1"]


def test_a_silent_server_never_answers(server: MailServer) -> None:
    server.set_fault("silent")
    with pytest.raises(TransportError):
        transport(server, 0.2).send(mail())
    assert server.received == []


def test_a_slow_server_receives_the_mail_in_the_end(server: MailServer) -> None:
    server.set_fault("slow")
    transport(server).send(mail())
    assert server.received == ["notice-1"]


def test_what_a_silent_server_holds_up_is_cut_off_when_it_works_again(server: MailServer) -> None:
    server.set_fault("silent")
    failed = threading.Event()

    def send() -> None:
        with pytest.raises(TransportError):
            transport(server).send(mail())
        failed.set()

    sending = threading.Thread(target=send)
    sending.start()
    while sending.is_alive() and not failed.wait(0.05):  # the connection may come after the first of these
        server.set_fault("none")
        server.set_fault("silent")
    sending.join()
    assert failed.is_set()
    assert server.received == []
