"""A mail server that refuses, hangs and drops: turns go on without it, and mails go out when it is
back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.store.tables import outbox
from tests.faults.trial import Trial
from tools.soak.faults import failing
from tools.soak.mail import MailFault
from tools.waiting import until

pytestmark = pytest.mark.deep

FAULTS: dict[MailFault, str] = {
    "unreachable": "SMTP: connection refused",
    "deferring": "SMTP: every mail put off (451)",
    "rejecting": "SMTP: every mail refused (554)",
    "silent": "SMTP: accepts and never answers",
    "dropping": "SMTP: connection dropped after DATA",
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_mail_server_that_fails_costs_no_mail(trial: Trial, fault: MailFault) -> None:
    hit = (
        (outbox.c.leased_until.is_not(None),)
        if fault == "silent"
        else (outbox.c.last_error.is_not(None), outbox.c.status != "sent")
    )

    @contextmanager
    def failed() -> Iterator[None]:
        with failing(trial.mail, fault):
            until(lambda: trial.count(outbox, *hit) > 0, "a mail that is hit by the fault")
            trial.more_turns(2)
        trial.retry_dead()
        yield

    trial.suffer(FAULTS[fault], failed(), "deliveries")
