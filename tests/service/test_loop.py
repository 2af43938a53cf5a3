"""What becomes of an item whose attempt has failed."""

from __future__ import annotations

from datetime import timedelta

import pytest

from service.guard import Died, Failure, OutOfTime, Raised, Waited
from service.loop import TERMS, Again, Kept, Loop, pause_after, what_follows
from service.store.leasing import Charged

TERM = TERMS[Loop.MESSAGES]
RAISED, DIED, SLOW = Raised("ValueError: no", ""), Died("killed by SIGKILL"), OutOfTime("took longer than 10 s")
WAITED = Waited("the database is away")


@pytest.mark.parametrize(
    ("attempts", "crashes", "failure", "follows"),
    [
        (1, 1, RAISED, Again(pause_after(Loop.MESSAGES, 1), counted=True, crashed=False)),
        (3, 1, DIED, Again(pause_after(Loop.MESSAGES, 3), counted=True, crashed=True)),
        (3, 2, SLOW, Again(pause_after(Loop.MESSAGES, 3), counted=True, crashed=True)),
        (TERM.most_attempts, 99, WAITED, Again(pause_after(Loop.MESSAGES, 1), counted=False, crashed=False)),
        (TERM.most_attempts, 1, RAISED, Kept(f"ValueError: no. This was attempt {TERM.most_attempts}.")),
        (
            TERM.most_crashes,
            TERM.most_crashes,
            DIED,
            Kept(f"The process that was at it ended: killed by SIGKILL. This was attempt {TERM.most_crashes}."),
        ),
        (
            TERM.most_crashes,
            TERM.most_crashes,
            SLOW,
            Kept(f"It took longer than 10 s. This was attempt {TERM.most_crashes}."),
        ),
        (
            TERM.most_crashes,
            TERM.most_crashes,
            RAISED,
            Again(pause_after(Loop.MESSAGES, TERM.most_crashes), counted=True, crashed=False),
        ),
    ],
)
def test_what_failed_is_tried_again_until_it_is_kept_for_the_operator(
    attempts: int, crashes: int, failure: Failure, follows: Again | Kept
) -> None:
    assert what_follows(Loop.MESSAGES, Charged("item", attempts, crashes), failure) == follows


@pytest.mark.parametrize("loop", Loop)
def test_pauses_grow_up_to_the_last_and_are_spread_by_a_quarter(loop: Loop) -> None:
    pauses = [pause_after(loop, number) for number in range(1, 40)]
    assert pauses == sorted(pauses)
    assert (pauses[0], pauses[-1]) == (TERMS[loop].first_pause, TERMS[loop].last_pause)
    assert pause_after(loop, 1, 0.0) == 0.75 * TERMS[loop].first_pause
    assert pause_after(loop, 1, 1.0) == 1.25 * TERMS[loop].first_pause
    assert timedelta(0) < pauses[0]
