"""The report of a soak says what was done and what it cost, and is able to fail."""

from __future__ import annotations

from collections import Counter

from service.ledger.findings import Breach, Findings
from tools.launch import RunningPart
from tools.soak.journal import Journal
from tools.soak.report import MIB, WARM_SECONDS, Recovery, SoakReport, document, lines


def report(findings: Findings, journal: Journal | None = None, failures: tuple[str, ...] = ()) -> tuple[bool, str]:
    record = SoakReport("oregon", "seed", "sqlite", Counter({"kill -9 turns": 2}), minutes=1.0)
    record.memory.note(0.0, [RunningPart(7, "turns", 50 * MIB)])
    record.memory.note(WARM_SECONDS, [RunningPart(7, "turns", 60 * MIB)])
    record.memory.note(WARM_SECONDS + 100, [RunningPart(7, "turns", 65 * MIB)])
    record.recoveries += [Recovery("kill -9 turns", 1.0), Recovery("kill -9 turns", 3.0)]
    found = document(record, findings, journal or Journal(), failures)
    return found["sound"], "\n".join(lines(found))


def test_a_report_says_what_was_done_and_what_it_cost() -> None:
    sound, text = report(Findings())
    assert sound
    assert "1.0 minutes of oregon on sqlite, seed seed" in text
    assert "Worst recovery: 3.0 s after kill -9 turns." in text
    assert "60.0 MiB when warm,    65.0 MiB after 120 s" in text
    assert "Nothing was lost, nothing happened twice." in text


def test_a_soak_fails_for_a_breach_for_an_error_and_for_what_is_pending() -> None:
    wrong = Journal()
    wrong.error("GET / was answered by 500")
    breached = Findings(breaches=[Breach("turn_lost", "x", "Turn x is lost.")])
    for sound, text in (
        report(breached),
        report(Findings(), wrong),
        report(Findings(pending_turns=["x"])),
        report(Findings(), failures=("a match ended",)),
    ):
        assert not sound
        assert "This soak has failed." in text
    assert breached.lost == 1
