"""A story of somebody who leaves in the midst of everything."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from email.message import EmailMessage
from typing import Any

import pytest
from sqlalchemy import JSON, Text, select

from engine.record import read_record, verify
from service.context import Context
from service.matches import chat, reporting
from service.matches.reporting import ReportedName
from service.players import suspending
from service.store import chat as chat_rows
from service.store import players
from service.store.audit import Operator
from service.store.tables import metadata
from service.webhooks.calling import calling
from service.webhooks.delivery import call_due
from tests.service.fakes import Here
from tests.service.webhooks.receiver import Receiver, receiving
from tests.stories.conftest import Person, World, text_of

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]
HERS = "http://wilhelmina.example.org/secret-of-hers"
STORED = {
    "answered_mails.sender",
    "audit.reason",
    "confirmations.address",
    "matches.handed_over",
    "messages.author",
    "messages.message_id",
    "outbox.address",
    "outbox.payload",
    "questions.about",
    "reports.read",
    "reports.words",
    "seats.invited_email",
    "turns.in_reply_to",
    "webhooks.secret",
}
CLUB = "http://club.example.org/channel"


def test_who_leaves_in_the_midst_of_a_match_is_named_nowhere_afterwards(world: World) -> None:
    ada, cleo, gone = (world.person(name) for name in ("Ada", "Cleo", "Wilhelmina"))
    tokens = {each.name: signed_up(world, each) for each in (ada, cleo, gone)}

    def post(who: Person, path: str, **body: Any) -> Any:
        headers = {"Authorization": f"Bearer {tokens[who.name]}", "Idempotency-Key": str(world.number())}
        answer = who.client.post(f"/v1{path}", json=body, headers=headers)
        assert answer.status_code < 300, answer.text
        world.settle()
        return answer.get_json()

    def match_of(host: Person, *others: Person | None) -> str:
        kept = [{"kind": "open"} if other is None else {"kind": "invite", "email": other.address} for other in others]
        return str(post(host, "/matches", game="pearls", seats=[{"kind": "me"}, *kept])["id"])

    def hands_over_to_her(match_id: str) -> str:
        post(ada, f"/matches/{match_id}/offers", kind="hand_over", email=gone.address)
        offered = str(ada.ask(f"/matches/{match_id}/offers")["items"][0]["id"])
        post(gone, f"/matches/{match_id}/offers/{offered}/answer", answer="accept")
        return f"/matches/{match_id}/offers/{offered}/answer"

    played, invited = match_of(gone, ada), match_of(ada, gone, None)
    handed, offered = (match_of(ada, cleo) for _ in range(2))
    for who, match_id in ((ada, played), (cleo, handed), (cleo, offered)):
        post(who, f"/matches/{match_id}/join")
    world.pass_time(hours=1)
    gone.reply(next(mail for mail in gone.mails if "has begun" in text_of(mail)), "1")
    secrets = [tokens[gone.name], post(gone, "/me/webhooks", url=HERS)["secret"]]
    post(gone, f"/matches/{played}/webhooks", url=CLUB)
    post(ada, f"/matches/{played}/webhooks", url=CLUB)
    post(cleo, f"/matches/{handed}/webhooks", url=CLUB)
    tokens[gone.name] = signed_up(world, gone)  # proves anew that the mailbox is hers
    secrets.append(tokens[gone.name])
    bring_to_the_host(world, gone, ada, played)
    world.mailman.is_down = True
    sent = len(world.mailman.messages)
    post(cleo, hands_over_to_her(handed), answer="accept")
    hands_over_to_her(offered)
    post(gone, f"/matches/{played}/chat", text="Goodbye!")
    for each in (ada, gone):
        each.write("overland@example.org", "list")
    assert set(named(world.context, secrets)) >= STORED, "the scan finds what is there"
    left = gone.client.delete("/v1/me", headers={"Authorization": f"Bearer {tokens[gone.name]}"})
    assert left.status_code == 204, left.text
    assert set(named(world.context, secrets)) <= {"quotas.subject"}, "counts of a day"
    world.mailman.is_down = False
    with receiving() as receiver:
        world.pass_time(hours=1)
        call(world, receiver)
        told = [got.body.decode() for got in receiver.received]
    since = world.mailman.messages[sent:]
    mails = [f"{mail['To']} {mail['Subject']} {text_of(mail)} {html_of(mail)}" for mail in since]
    assert told
    assert not [each for each in (*mails, *told) if is_named(each, secrets)]
    assert any("A former player has your seat" in " ".join(each.split()) for each in mails)
    assert "a seat of your match is free again" in " ".join(text_of(ada.newest("is free again")).split())
    assert any("Whoever was to have the seat has declined" in " ".join(text_of(mail).split()) for mail in cleo.mails)
    found = ada.ask(f"/matches/{invited}")
    assert [seat["invited"] for seat in found["seats"]] == [False, False, False]
    for match_id in (played, handed):
        record = ada.ask(f"/matches/{match_id}/record")
        assert "A former player" in record["players"]
        verify(read_record(record))
    world.pass_time(days=3)
    assert named(world.context, secrets) == {}


def bring_to_the_host(world: World, gone: Person, ada: Person, match_id: str) -> None:
    """They report each other, and the host acts, so that she is named wherever a host writes."""
    context, root = world.context, Operator("root", "Wilhelmina and Ada should talk.")
    with context.database.read() as connection:
        hers, other = (players.by_email(connection, each.address) for each in (gone, ada))
    assert hers is not None
    assert other is not None
    chat.say(context, other, match_id, "Hello, Wilhelmina.")
    said = reporting.latest_line(context, hers, match_id)
    assert said is not None
    reporting.answer(context, reporting.report(context, hers, said, "Wilhelmina, she says!").id, root)
    reporting.answer(context, reporting.report(context, other, ReportedName(hers.id), "Who is that?").id, root)
    suspending.suspend(context, hers, root)
    suspending.lift(context, hers, root)
    reporting.report(context, hers, ReportedName(other.id), "My name is Wilhelmina.")
    with context.database.write() as connection:
        chat_rows.replace_text(connection, match_id, said.number, "Hello.")
    world.settle()


def signed_up(world: World, who: Person) -> str:
    """The token of somebody who signs up, or in, by the API."""
    who.client.post("/v1/players", json={"name": who.name, "email": who.address})
    world.settle()
    code = re.search(r"\?token=([\w-]+)", text_of(who.mails[-1]))
    assert code is not None
    return str(who.client.post("/v1/confirm", json={"token": code[1]}).get_json()["token"])


def call(world: World, receiver: Receiver) -> None:
    """Webhooks are told what is due."""
    call_due(world.context, Here(calling(world.context, receiver.network)))


def html_of(mail: EmailMessage) -> str:
    """The HTML of a mail."""
    body = mail.get_body(("html",))
    return "" if body is None else str(body.get_content())


def is_named(text: str, secrets: Sequence[str]) -> bool:
    """Whether a text has the name, the address or a secret of who has left."""
    return "wilhelmina" in text.casefold() or any(secret in text for secret in secrets)


def named(context: Context, secrets: Sequence[str]) -> dict[str, list[Any]]:
    """The values of all columns of text and documents that have any of these, by column."""
    found: dict[str, list[Any]] = {}
    with context.database.read() as connection:
        for table in metadata.sorted_tables:
            for column in table.c:
                if isinstance(column.type, Text | JSON):
                    values = connection.execute(select(column).where(column.is_not(None))).scalars()
                    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
                    if naming := [text for text in texts if is_named(text, secrets)]:
                        found[f"{table.name}.{column.name}"] = naming
    return found
