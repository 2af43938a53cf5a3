"""How many files an event crosses: may only become fewer."""

from __future__ import annotations

from pathlib import Path

from engine.draws import digest
from tools.crossings import crossed, measure

MOST = {"POST of a turn": 35, "judgement": 39, "two mails": 77, "mail in": 53, "deadline": 20}
"""Who makes an event cross fewer files lowers its number here. Webhooks have raised two of them:
the gate looks who has entered one, and a loop sends what waits for them.
"""


def test_no_event_crosses_more_files_than_before(tmp_path: Path) -> None:
    found = measure(tmp_path, "oregon")
    assert set(found) == set(MOST)
    more = {event: sorted(crossing.calls) for event, crossing in found.items() if len(crossing.calls) > MOST[event]}
    assert more == {}


def test_an_event_crosses_the_files_whose_functions_it_calls() -> None:
    found = crossed(lambda: measure.__name__ and crossed.__name__)
    assert found.calls == {}  # neither tools nor tests are ours
    found = crossed(lambda: digest({"a": [1]}))
    assert set(found.calls) == {"engine/draws.py"}
    assert found.hops == 0
