"""The report of a soak: as a JSON document and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from service.ledger.findings import Findings, as_document
from tools.launch import RunningPart
from tools.soak.journal import Journal

MIB = 1024 * 1024
WARM_SECONDS = 20.0
"""The age of a process from which its memory is representative."""


@dataclass(slots=True)
class Memory:
    """The memory of each process by id: `WARM_SECONDS` after it was first seen, and last seen."""

    _kinds: dict[int, str] = field(default_factory=dict)
    _seen: dict[int, float] = field(default_factory=dict)
    _first: dict[int, tuple[float, int]] = field(default_factory=dict)
    _last: dict[int, tuple[float, int]] = field(default_factory=dict)

    def note(self, now: float, parts: Iterable[RunningPart]) -> None:
        """Records the memory of the living processes; ``now`` is of the monotonic clock."""
        for part in parts:
            self._kinds[part.pid] = part.kind
            if now - self._seen.setdefault(part.pid, now) >= WARM_SECONDS:
                self._first.setdefault(part.pid, (now, part.memory))
            self._last[part.pid] = (now, part.memory)

    def by_kind(self) -> dict[str, dict[str, float]]:
        """For each kind the process that lived longest: its age in seconds, its MiB when warm and
        last; and the most MiB of any.
        """
        found = {}
        for kind in sorted(set(self._kinds.values())):
            pids = [pid for pid, of in self._kinds.items() if of == kind]
            oldest = max(pids, key=lambda pid: self._last[pid][0] - self._seen[pid])
            first = self._first.get(oldest, self._last[oldest])
            found[kind] = {
                "age": round(self._last[oldest][0] - self._seen[oldest], 1),
                "warm_mib": round(first[1] / MIB, 1),
                "last_mib": round(self._last[oldest][1] / MIB, 1),
                "largest_mib": round(max(self._last[pid][1] for pid in pids) / MIB, 1),
            }
        return found


@dataclass(frozen=True, slots=True)
class Recovery:
    """The seconds from the end of a fault until the service worked again."""

    fault: str
    seconds: float


@dataclass(slots=True)
class SoakReport:
    """The faults of a soak, and what was measured."""

    game: str
    seed: str
    database: str
    faults: Counter[str] = field(default_factory=Counter)
    recoveries: list[Recovery] = field(default_factory=list)
    memory: Memory = field(default_factory=Memory)
    minutes: float = 0.0


def document(record: SoakReport, findings: Findings, journal: Journal, failures: Iterable[str]) -> dict[str, Any]:
    """The whole report; ``sound`` is whether the soak has passed."""
    recoveries, errors = record.recoveries, [*failures, *journal.errors]
    worst = max(recoveries, key=lambda recovery: recovery.seconds, default=Recovery("none", 0.0))
    return {
        "minutes": round(record.minutes, 2),
        "game": record.game,
        "seed": record.seed,
        "database": record.database,
        "faults": dict(sorted(record.faults.items())),
        "turns": findings.submitted,
        "matches": findings.matches,
        "lost": findings.lost,
        "double": findings.double,
        "notices": {
            "owed": findings.owed,
            "delivered": findings.notices["sent"],
            "covered": findings.notices["covered"],
            "repeated": findings.repeated_deliveries,
        },
        "requests_repeated": {"answered_503": journal.unavailable, "unanswered": journal.unanswered},
        "worst_recovery": {"fault": worst.fault, "seconds": round(worst.seconds, 2)},
        "recoveries": recoveries_by_fault(recoveries),
        "memory": record.memory.by_kind(),
        "errors": errors,
        "ledger": as_document(findings),
        "sound": not findings.breaches and findings.settled and not errors,
    }


def recoveries_by_fault(recoveries: Iterable[Recovery]) -> dict[str, dict[str, float]]:
    """The number of measured recoveries by fault, with the median and the longest in seconds."""
    times: dict[str, list[float]] = {}
    for recovery in recoveries:
        times.setdefault(recovery.fault, []).append(recovery.seconds)
    return {
        fault: {"times": len(found), "median": round(sorted(found)[len(found) // 2], 2), "worst": round(max(found), 2)}
        for fault, found in sorted(times.items())
    }


def lines(report: Mapping[str, Any]) -> list[str]:
    """The report as lines of text."""
    notices, repeated, worst = report["notices"], report["requests_repeated"], report["worst_recovery"]
    recoveries: Mapping[str, Mapping[str, float]] = report["recoveries"]
    memory: Mapping[str, Mapping[str, float]] = report["memory"]
    width = max(map(len, report["faults"]), default=0)
    return [
        (
            f"{report['minutes']} minutes of {report['game']} on {report['database']}, seed {report['seed']}:"
            f" {report['turns']} turns in {report['matches']} matches."
        ),
        (
            f"{sum(report['faults'].values())} faults. Requests repeated: {repeated['answered_503']} were answered by"
            f" 503, {repeated['unanswered']} not at all."
        ),
        *(
            f"  {fault:<{width}} {count:>4} times"
            + (
                f", recovered after {recoveries[fault]['median']:.1f} s, at worst {recoveries[fault]['worst']:.1f} s"
                if fault in recoveries
                else ""
            )
            for fault, count in report["faults"].items()
        ),
        f"Lost: {report['lost']}. Double: {report['double']}.",
        (
            f"Notices: {notices['owed']} owed, {notices['delivered']} delivered, {notices['covered']} told otherwise,"
            f" {notices['repeated']} deliveries repeated."
        ),
        f"Worst recovery: {worst['seconds']} s after {worst['fault']}.",
        "Memory of the process of each kind that lived longest:",
        *(
            f"  {kind:<10} {held['warm_mib']:>7.1f} MiB when warm, {held['last_mib']:>7.1f} MiB after {held['age']:.0f}"
            f" s; at most {held['largest_mib']:.1f}"
            for kind, held in memory.items()
        ),
        *(f"ERROR {sentence}" for sentence in report["errors"]),
        *(f"BREACH {breach['code']}: {breach['sentence']}" for breach in report["ledger"]["breaches"]),
        "Nothing was lost, nothing happened twice." if report["sound"] else "This soak has failed.",
    ]
