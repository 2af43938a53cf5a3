"""``overland inbox``: what an operator sees of the mails that came in, and what they can do."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.context import Context
from service.inbox.handling import handle_due
from service.inbox.mail import Result as Done
from service.store import messages
from tests.service.fakes import Here
from tests.service.inbox.test_handling import arrived, found

HOSTILE = b"From: Eve \x1b[2J <eve@evil.example>\r\nSubject: x\r\n\r\n17\r\n"


def inbox(context: Context, *arguments: str, **environ: str) -> Result:
    place = {
        "OVERLAND_DATA_DIR": str(context.settings.data_dir),
        "OVERLAND_DATABASE_URL": context.database.url.render_as_string(hide_password=False),
    }
    return CliRunner().invoke(main, ["inbox", *arguments], env=place | environ)


@pytest.fixture
def kept(context: Context) -> str:
    """A mail that nobody could handle."""
    message_id = arrived(context, HOSTILE)
    handle_due(context, Here(lambda _: Done("kept", "malformed", "The header is \x1b too long.")))
    return message_id


def test_kept_mails_are_listed_with_the_reason_and_without_their_content(context: Context, kept: str) -> None:
    listed = inbox(context)
    assert listed.exit_code == 0, listed.output
    assert kept in listed.output
    assert "malformed: The header is \ufffd too long." in listed.output
    assert "17" not in listed.output.replace(kept, "").partition("UTC")[2]
    document = json.loads(inbox(context, "list", "--json").output)
    assert (document["id"], document["status"], document["attempts"]) == (kept, "kept", 1)


def test_one_is_shown_with_its_header_which_does_nothing_to_the_terminal(context: Context, kept: str) -> None:
    shown = inbox(context, "show", kept)
    assert "From: Eve \ufffd[2J" in shown.output
    assert "sender authenticated: none" in shown.output
    assert "\x1b" not in shown.output
    assert inbox(context, "show", kept, "--raw").stdout_bytes == HOSTILE


def test_one_that_is_not_there_is_an_error(context: Context, kept: str) -> None:
    missing = inbox(context, "show", "nothing")
    assert (missing.exit_code, "There is no mail nothing." in missing.output) == (2, True)


def test_a_kept_mail_is_handled_again(context: Context, kept: str) -> None:
    assert inbox(context, "retry", kept).exit_code == 0
    assert found(context, kept).status == "queued"
    assert inbox(context, "retry", kept).exit_code == 2
    assert handle_due(context, Here(lambda _: Done("handled", "played"))) == {"handled": 1}


def test_all_kept_mails_are_handled_again(context: Context, kept: str) -> None:
    assert inbox(context, "retry", "--all-kept").exit_code == 0
    assert found(context, kept).status == "queued"
    assert inbox(context, "retry").exit_code == 2


def test_a_mail_is_deleted_unless_it_waits(context: Context, kept: str) -> None:
    waiting = arrived(context)
    refused = inbox(context, "delete", kept, waiting)
    assert (refused.exit_code, waiting in refused.output) == (2, True)
    with context.database.read() as connection:
        assert messages.find(connection, kept) is None
    assert found(context, waiting).status == "queued"


def test_an_empty_list_says_so(context: Context) -> None:
    assert inbox(context).output == "No mail is kept.\n"
