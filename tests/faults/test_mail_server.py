"""A mail server that refuses, hangs and drops: turns go on without it, and mails go out when it is
back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from service.store.tables import outbox
from tests.faults.trial import Trial
from tools.soak.mail import Mood
from tools.soak.service import await_

FAULTS: dict[Mood, str] = {
    "away": "SMTP: connection refused",
    "busy": "SMTP: every mail put off (451)",
    "refusing": "SMTP: every mail refused (554)",
    "hanging": "SMTP: accepts and never answers",
    "dropping": "SMTP: connection dropped after DATA",
}


@pytest.mark.parametrize("mood", FAULTS)
def test_a_mail_server_in_a_bad_mood_costs_no_mail(trial: Trial, mood: Mood) -> None:
    @contextmanager
    def in_a_mood() -> Iterator[None]:
        trial.mail.feel(mood)
        if mood == "hanging":
            await_(lambda: trial.count(outbox, outbox.c.leased_until.is_not(None)) > 0, 60, "A mail that hangs")
        else:
            await_(
                lambda: trial.count(outbox, outbox.c.last_error.is_not(None), outbox.c.status != "sent") > 0,
                60,
                "A mail that was not taken",
            )
        trial.more_turns(2)
        trial.mail.feel("well")
        trial.revive()
        yield

    trial.suffer(FAULTS[mood], in_a_mood(), "deliveries")
