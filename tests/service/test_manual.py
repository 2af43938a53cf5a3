"""The manual of those who run the service says the figures, names and commands that the code
has.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families

from service.context import Context
from service.loop import LEASE, TERMS, Loop, pause_after
from service.metrics import DELIVERED, exposition
from service.notices.mail.compose import BOUNDS
from service.readiness import LEAST_FREE
from service.store.outbox import LONGEST_PAUSE, QUICK_ATTEMPTS
from workers.listen import AWAY_SECONDS, PATIENCE, POLL_SECONDS

ROOT = Path(__file__).parent.parent.parent
MANUAL = (ROOT / "docs" / "operations.md").read_text()
FLOWING = " ".join((MANUAL + (ROOT / "docs" / "play-by-email.md").read_text()).split())
PAUSES = range(1, TERMS[Loop.NOTICES].most_attempts)
HOURS = sum(pause_after(Loop.NOTICES, number).total_seconds() for number in PAUSES) / 3600


@pytest.mark.parametrize(
    "said",
    [
        f"with less than {LEAST_FREE // 1024**2} MB",
        f"its leases end after {LEASE.total_seconds():.0f} s",
        f"a clock that is {LEASE.total_seconds():.0f} s ahead",
        f"every {POLL_SECONDS} s, for turns that are {PATIENCE.total_seconds():.0f} s old",
        f"workers are back {AWAY_SECONDS:.0f} s after it is",
        f"for long pauses {LONGEST_PAUSE.total_seconds() / 60:.0f} minutes",
        f"after {TERMS[Loop.NOTICES].most_attempts} attempts, about {HOURS:.0f} hours",
        "after 3 to 5 seconds, six times",
        f"took longer than {BOUNDS.seconds:.0f} s to compose",
    ],
)
def test_figures_in_the_manual_are_those_of_the_code(said: str) -> None:
    assert said in FLOWING
    assert QUICK_ATTEMPTS == 6


def test_every_metric_says_what_it_is(context: Context) -> None:
    families = list(text_string_to_metric_families(exposition(context).decode()))
    helped = {family.name: family.documentation for family in families}
    assert all(len(text) > 15 for text in helped.values())
    assert all(result in helped["overland_deliveries"] for result in DELIVERED)


def test_every_link_within_the_manual_leads_somewhere() -> None:
    headings = {
        re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)$", MANUAL, re.MULTILINE)
    }
    assert [link for link in re.findall(r"\]\(#([^)]+)\)", MANUAL) if link not in headings] == []
