"""What the link in a mail to somebody who is no player stops."""

from __future__ import annotations

from dataclasses import replace

import pytest

from service.context import Context
from service.errors import Conflict
from service.matches import lobby
from service.matches.types import SeatRequest
from service.notices.delivery import deliver_due
from service.players import stopping
from tests.service.fakes import Postbag, person

EVE = "eve@example.org"


def invite(context: Context, name: str, email: str) -> None:
    seats = [SeatRequest("me"), SeatRequest("invite", email)]
    lobby.create(context, person(context, name), "oregon", {}, seats)


def test_who_wants_no_mail_from_here_gets_none_also_none_that_waits(context: Context) -> None:
    bag = Postbag()
    invite(context, "Ada", EVE)
    for _ in range(2):
        stopping.silence(context, EVE)
    with pytest.raises(Conflict, match=f"The owner of {EVE} wants no mail from here"):
        invite(context, "Bela", EVE)
    invite(context, "Cleo", "dora@example.org")
    deliver_due(replace(context, transport=bag))
    invited = [mail["To"] for mail in bag.messages if mail["X-Overland-Kind"] == "invitation"]
    assert invited == ["dora@example.org"]
    assert [stopping.is_silent(context, address) for address in (EVE, "dora@example.org")] == [True, False]
