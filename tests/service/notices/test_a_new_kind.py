"""A kind of mails that the service does not know: with a row and templates it is written, limited,
composed, sent, and stopped by its player.
"""

from __future__ import annotations

from dataclasses import dataclass
from email.message import EmailMessage
from typing import Final, cast

import pytest
from jinja2 import ChoiceLoader, DictLoader

from service.context import Context
from service.events.gate import tell
from service.kinds import MAILINGS, Mailing, NoticeKind, opens_thread
from service.links import of_kind
from service.notices.delivery import deliver_due
from service.notices.mail import render
from service.payloads import Payload
from service.players import choosing, stopping
from service.store.covering import Because, Reason
from service.store.events import News
from service.store.outbox import NewNotice
from service.web.unsubscribe import named
from tests.service.fakes import Postbag, Round, later, notices, started

pytestmark = pytest.mark.usefixtures("pearls")
WAVE: Final = cast("NoticeKind", "wave")
TEMPLATES: Final = {
    "wave/text.txt": "{{ payload.times }} times {{ match.title }} waves.\n{{ board.text }}",
    "wave/html.html": "{% extends '_layout.html' %}{% block content %}<h1>{{ payload.times }} waves</h1>{% endblock %}",
}


@dataclass(frozen=True, slots=True)
class Waved:
    seat: int
    ply: int
    times: int


@pytest.fixture
def table(context: Context, monkeypatch: pytest.MonkeyPatch) -> Round:
    """A match, in a service that has the kind."""
    row = Mailing(
        payload=cast("type[Payload]", Waved),
        subject=lambda mail: f"{mail['payload'].times} waves from {opens_thread(mail)}",
        tells_of="chat",
        stopped_by="without",
        called=lambda: "mails of waves",
        word="waves",
        sent_by="player",
        a_day=2,
    )
    monkeypatch.setitem(cast("dict[NoticeKind, Mailing]", MAILINGS), WAVE, row)
    for environment in (render.templates(html=False), render.templates(html=True)):
        assert environment.loader is not None
        monkeypatch.setattr(environment, "loader", ChoiceLoader([DictLoader(TEMPLATES), environment.loader]))
    return started(context, "pearls")


def wave(context: Context, table: Round, times: int) -> tuple[str, Reason | None]:
    """Ada waves to Bela; what became of it."""
    ada, bela = table.players
    payload = cast("Payload", Waved(seat=1, ply=table.match.ply, times=times))
    notice = NewNotice(WAVE, bela.id, table.match.id, payload, sender_id=ada.id)
    with context.database.write() as connection:
        tell(connection, [News(table.match.id, "chat", "seats", seat=0, notices=(notice,))], context.clock())
    deliver_due(context)
    written = next(each for each in notices(context, "wave") if each.payload["times"] == times)
    return written.status, written.covered_by


def waves(context: Context) -> list[EmailMessage]:
    assert isinstance(context.transport, Postbag)
    return [mail for mail in context.transport.messages if mail["X-Overland-Kind"] == "wave"]


def test_it_is_written_as_its_row_and_templates_say(context: Context, table: Round) -> None:
    assert wave(context, table, 3) == ("sent", None)
    (mail,) = waves(context)
    assert str(mail["Subject"]).startswith("3 waves from [")
    plain, markup = (cast("EmailMessage", mail.get_body((form,))).get_content() for form in ("plain", "html"))
    assert plain.startswith(f"3 times {table.match.title}")
    assert "Bag: 12\n" in plain
    assert "3 waves</h1>" in markup
    assert f"/unsubscribe?player={table.players[1].id}&what=k.wave" in plain


def test_its_limit_holds_it_until_tomorrow(context: Context, table: Round) -> None:
    assert [wave(context, table, times)[0] for times in (1, 2, 3)] == ["sent", "sent", "pending"]
    later(context, days=1)
    deliver_due(context)
    assert len(waves(context)) == 3


def test_its_player_stops_it_by_the_link_in_it_and_resumes_it_by_its_word(context: Context, table: Round) -> None:
    bela = table.players[1]
    found = stopping.stop(context, of_kind(bela.id, WAVE), one_click=True)
    assert (found.done, named(found)) == (True, "mails of waves")
    assert choosing.wanted(context, bela).without == (WAVE,)
    assert wave(context, table, 1) == ("covered", Because.WITHOUT)
    choosing.choose_settings(context, bela, ["with waves"], None)
    assert wave(context, table, 2) == ("sent", None)
