"""No mail looks like spam to SpamAssassin's own rules."""

from __future__ import annotations

import pytest

from tests import missing
from tests.service.notices.lint import LIMIT, is_installed, scores, written
from tests.service.notices.shown import all_mails

pytestmark = pytest.mark.deep


def test_no_kind_of_mail_looks_like_spam() -> None:
    if not is_installed():
        missing.skip("SpamAssassin is not installed; it scores the mails (apt install spamassassin).")
    mails = {name: mail for name, mail in all_mails().items() if not name.startswith("montana") or "turn" in name}
    found = scores(written(mails))
    assert {name: score for name, score in found.items() if score.points >= LIMIT} == {}


def test_what_looks_like_spam_is_found() -> None:
    if not is_installed():
        missing.skip("SpamAssassin is not installed; it scores the mails (apt install spamassassin).")
    spam = (
        b"From: you@example.org\r\nTo: you@example.org\r\nSubject: WIN $1,000,000 NOW!!!\r\n\r\n"
        b"Dear friend, you have won one million dollars, act now. Click here for free Viagra.\r\n"
    )
    (score,) = scores({"spam": spam}).values()
    assert score.points >= LIMIT
    assert score.rules


@pytest.mark.parametrize("kind", ["confirm_address", "invitation"])
def test_mails_to_strangers_are_among_those_that_are_scored(kind: str) -> None:
    assert kind in {mail.kind for mail in all_mails().values()}
