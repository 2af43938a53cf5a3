"""The worker of messages: each goes to what its address is about."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from service.context import Context
from service.inbox.act import dispatch
from service.inbox.handling import handle_due
from service.links import bounce_address, service_address
from service.signing import keys_of
from service.store import maintenance
from service.store.batched import BatchedStore
from service.store.maintenance import Maintenance
from tests.service.fakes import Here, person
from tests.service.inbox.test_bounces import address_of, bounced_of, notice_to, report
from tests.service.inbox.test_handling import DONE, arrived, found
from workers.tasks import handling


def test_a_bounce_goes_to_the_notice_that_its_address_names(context: Context) -> None:
    ada = person(context, "Ada")
    notice_id = notice_to(context, ada)
    address = bounce_address(keys_of(context), service_address(context.settings.mail_from), notice_id)
    message_id = arrived(context, report("failed", "5.1.1"), recipient=address)
    assert handle_due(context, Here(partial(dispatch, context))) == {"handled": 1}
    assert found(context, message_id).reason == "bounced, hard"
    assert bounced_of(context, notice_id)[0] is not None
    assert address_of(context, ada).bounced_at is not None


def test_a_mail_to_the_service_is_acted_on(context: Context) -> None:
    message_id = arrived(context, b"From: ada@example.org\r\nAuto-Submitted: auto-replied\r\n\r\nI am away.\r\n")
    assert handle_due(context, Here(partial(dispatch, context))) == {"ignored": 1}
    assert found(context, message_id).status == "ignored"


def test_the_worker_handles_what_waits_unless_there_is_a_maintenance(context: Context) -> None:
    message_id, here = arrived(context), Here(lambda _: DONE)
    with context.database.write() as connection:
        maintenance.begin(connection, Maintenance(context.clock(), None, "We move."))
    handling(context, here).do()
    assert found(context, message_id).status == "queued"
    with context.database.write() as connection:
        maintenance.end(connection)
    fresh = replace(context, batched=BatchedStore())
    handling(fresh, here).do()
    assert found(context, message_id).status == "handled"
