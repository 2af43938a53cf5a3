"""Where the provider of the mailbox knows no plus-addresses, all mails come to its bare address,
and are known by what they answer: the same things follow as elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from email.message import EmailMessage
from email.utils import parseaddr
from urllib.parse import unquote

import pytest
from structlog.testing import capture_logs

from service.context import Context
from service.inbox.mail import Result
from service.inbox.recipients import recipient_of
from service.links import service_address
from service.signing import keys_of
from service.store import mails, players
from tests.service.fakes import Round, person, started
from tests.service.inbox.postman import FORGED, PROVEN, Postman
from tests.service.inbox.test_act_on_real_mails import ADA, BELA, asked, delivered, text_of, turns_of

BARE = "overland@example.org"


@pytest.fixture(params=["a mailbox", "a mail server in front"])
def postman(behind_a_relay: Context, request: pytest.FixtureRequest) -> Postman:
    """A postman of a service without plus-addresses, whose mails lie in a mailbox, or are handed to
    the listener.
    """
    settings = replace(behind_a_relay.settings, mail_addresses="bare")
    return _InMailbox(replace(behind_a_relay, settings=settings), from_mailbox=request.param == "a mailbox")


class _InMailbox(Postman):
    """Stores a mail for the recipient that its header tells, or for the bare address."""

    def __init__(self, context: Context, from_mailbox: bool) -> None:
        super().__init__(context)
        self._from_mailbox = from_mailbox

    def came(
        self,
        sender: str,
        text: str,
        headers: Mapping[str, str],
        results: str | None = PROVEN,
        envelope_from: str | None = None,
    ) -> Result | None:
        """Brings a mail to the bare address; ``None`` where it is left in the mailbox."""
        message = self.mail(BARE, sender, text, results, headers, envelope_from)
        if self._from_mailbox:
            assert message.raw is not None
            recipient = recipient_of(message.raw, keys_of(self.context), service_address(BARE))
            if recipient is None:
                return None
            message = replace(message, recipient=recipient)
        return self.bring(message)


@pytest.fixture
def table(postman: _InMailbox) -> Round:
    """Ada, who is awaited, and Bela."""
    return started(postman.context, "ozeanien")


def answering(mail: EmailMessage) -> dict[str, str]:
    """The headers of an answer to a mail, as mail programs write them."""
    references = f"{mail['References'] or ''} {mail['Message-ID']}".split()
    return {"Subject": f"Re: {mail['Subject']}", "In-Reply-To": mail["Message-ID"], "References": " ".join(references)}


def test_a_mail_names_no_plus_address(postman: _InMailbox, table: Round) -> None:
    mail = asked(postman.context)
    assert (mail["Reply-To"], mail["Return-Path"]) == (BARE, f"<{BARE}>")
    assert parseaddr(str(mail["From"]))[1] == BARE
    assert "overland+" not in mail.as_string()


def test_an_answer_plays(postman: _InMailbox, table: Round) -> None:
    mail = asked(postman.context)
    with capture_logs() as logs:
        came = postman.came(ADA, "1", answering(mail))
    assert "message.without_results" not in [log["event"] for log in logs]
    assert came is not None
    assert came.did == "turn"
    assert len(turns_of(postman.context, table)) == 1


def test_so_does_one_with_references_alone(postman: _InMailbox, table: Round) -> None:
    headers = answering(asked(postman.context))
    del headers["In-Reply-To"]
    came = postman.came(ADA, "1", headers)
    assert came is not None
    assert came.did == "turn"


def test_one_that_nobody_proved_waits_for_the_button(postman: _InMailbox, table: Round) -> None:
    mail = asked(postman.context)
    with capture_logs() as logs:
        came = postman.came(ADA, "1", answering(mail), results=None)
    assert "message.without_results" in [log["event"] for log in logs]
    assert came is not None
    assert came.did == "held_turn"
    assert turns_of(postman.context, table) == ()
    (question,) = delivered(postman.context, ADA)
    assert question["X-Overland-Kind"] == "unproven_turn"


def test_one_that_somebody_else_wrote_or_that_is_forged_does_nothing(postman: _InMailbox, table: Round) -> None:
    mail = asked(postman.context)
    stranger = postman.came(BELA, "1", answering(mail))
    assert stranger is not None
    assert stranger.did == "stranger"
    forged = postman.came(ADA, "1", answering(mail), results=FORGED)
    assert forged is not None
    assert forged.did == "forged"
    assert turns_of(postman.context, table) == ()


def test_a_message_id_that_the_service_did_not_write_is_about_nothing(postman: _InMailbox, table: Round) -> None:
    """As that of a provider that writes its own into mails that it sends."""
    headers = answering(asked(postman.context)) | {"In-Reply-To": "<0102018f@eu-west-1.example.com>"}
    headers["References"] = headers["In-Reply-To"]
    came = postman.came(ADA, "1", headers)
    assert came is None or came.did == "unread"
    assert turns_of(postman.context, table) == ()


def test_a_mail_that_came_back_is_known_by_the_message_id_that_it_returns(postman: _InMailbox, table: Round) -> None:
    mail = asked(postman.context)
    text = (
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.example.net\r\n\r\n"
        f"Final-Recipient: rfc822; {ADA}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n"
        f"--b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: {mail['Message-ID']}\r\n\r\n--b--"
    )
    headers = {
        "Content-Type": 'multipart/report; report-type=delivery-status; boundary="b"',
        "Return-Path": "<>",
        "Subject": "Undelivered Mail Returned to Sender",
    }
    came = postman.came("MAILER-DAEMON@mx.example.net", text, headers, None, "")
    assert came is not None
    assert came.did == "bounced, hard"
    with postman.context.database.read() as connection:
        notice = mails.find(connection, str(mail["X-Overland-Notice"]))
    assert notice is not None
    assert notice.bounced_at is not None


def test_the_link_to_stop_mails_has_its_tag_as_the_subject(postman: _InMailbox, table: Round) -> None:
    mail = asked(postman.context)
    (link,) = re.findall(r"<mailto:([^>]*)>", str(mail["List-Unsubscribe"]))
    address, _, subject = unquote(link).partition("?subject=")
    assert address == BARE
    came = postman.came(ADA, "", {"Subject": subject}, results=None)
    assert came is not None
    assert came.did == "stopped"


@pytest.mark.parametrize("subject", ["join", "Join Cleo"])
def test_a_mail_with_join_as_its_subject_signs_up(postman: _InMailbox, subject: str) -> None:
    came = postman.came("Cleo <cleo@example.net>", "", {"Subject": subject})
    assert came is not None
    assert came.did == "joined"
    with postman.context.database.read() as connection:
        cleo = players.by_address(connection, "cleo@example.net")
    assert cleo is not None
    assert cleo.name == "Cleo"
    (welcome,) = delivered(postman.context, "cleo@example.net")
    listed = postman.came("Cleo <cleo@example.net>", "list", answering(welcome))
    assert listed is not None
    assert listed.did == "list"


def test_whoever_is_invited_answers_the_invitation(postman: _InMailbox) -> None:
    ada = person(postman.context, "Ada")
    came = postman.came(ada.email, "new ozeanien dora@example.net", {"Subject": "overland"})
    assert came is not None
    (invitation,) = (
        mail for mail in delivered(postman.context, "dora@example.net") if mail["X-Overland-Kind"] == "invitation"
    )
    accepted = postman.came("Dora <dora@example.net>", "yes", answering(invitation))
    assert accepted is not None
    assert accepted.did == "accepted"


def test_the_list_of_matches_says_with_which_subject_to_write(postman: _InMailbox, table: Round) -> None:
    asked(postman.context)
    postman.came(ADA, "list", {"Subject": "overland"})
    (answer,) = delivered(postman.context, ADA)
    (subject,) = re.findall(r"Its subject has to be:\s+(\S+)", text_of(answer))
    came = postman.came(ADA, "1", {"Subject": f"Re: {subject}"})
    assert came is not None
    assert came.did == "turn"


def test_the_host_may_play_from_the_mailbox_of_the_service(postman: _InMailbox) -> None:
    ada = person(postman.context, "Ada", BARE)
    came = postman.came(ada.email, "list", {"Subject": "overland"})
    assert came is not None
    assert came.did == "list"


def test_and_finds_the_answers_there(postman: _InMailbox) -> None:
    person(postman.context, "Ada", BARE)
    delivered(postman.context, BARE)
    first = postman.came(BARE, "list", {"Subject": "overland"})
    assert first is not None
    (answer,) = delivered(postman.context, BARE)
    postman.came(BARE, "list", answering(answer))
    (again,) = delivered(postman.context, BARE)
    assert str(answer["Message-ID"]) in str(again["References"])
    assert recipient_of(again.as_bytes(), keys_of(postman.context), service_address(BARE)) is None
