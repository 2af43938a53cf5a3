"""The result of a ledger check."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Final

LOST: Final = frozenset(
    "commits_lost turn_lost log_gap ply_differs verdict_missing accepted_not_in_log notice_missing delivery_missing"
    " sign_up_mails_differ components_missing details_missing event_missing events_differ covered_by_nothing"
    " covering_unsaid".split()
)
DOUBLE: Final = frozenset(
    "turn_twice_in_log verdict_changed span_differs notice_twice notice_without_cause delivery_unknown queued_in_log"
    " event_without_cause".split()
)


@dataclass(frozen=True, slots=True)
class Breach:
    """A broken invariant: a stable code, the id of the affected thing, a sentence."""

    code: str
    subject: str
    sentence: str


@dataclass(slots=True)
class Findings:
    """Counts and breaches, summed over all matches."""

    matches: int = 0
    plies: int = 0
    events: int = 0
    turns: Counter[str] = field(default_factory=Counter)
    pending_turns: list[str] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    owed: int = 0
    pending_notices: list[str] = field(default_factory=list)
    dead_notices: list[str] = field(default_factory=list)
    pruned_notices: int = 0
    pruned_turns: int = 0
    repeated_deliveries: int = 0
    breaches: list[Breach] = field(default_factory=list)

    def breach(self, code: str, subject: str, sentence: str) -> None:
        """Adds a breach."""
        self.breaches.append(Breach(code, subject, sentence))

    def of_match(self, code: str, match_id: str, what: str) -> None:
        """Adds a breach of which the sentence names the match first."""
        self.breach(code, match_id, f"Match {match_id}: {what}")

    @property
    def submitted(self) -> int:
        """The number of turns, judged or not."""
        return sum(self.turns.values())

    @property
    def settled(self) -> bool:
        """Whether nothing is pending: every turn judged, every notice delivered."""
        return not (self.pending_turns or self.pending_notices or self.dead_notices)

    @property
    def lost(self) -> int:
        """The number of breaches that mean that something is lost."""
        return sum(breach.code in LOST for breach in self.breaches)

    @property
    def double(self) -> int:
        """The number of breaches that mean that something happened twice, or without a cause."""
        return sum(breach.code in DOUBLE for breach in self.breaches)


def unsettled(findings: Findings) -> tuple[str, ...]:
    """What is still pending, as sentences: a breach only where the service is idle."""
    about = (
        ("turns have no verdict yet", findings.pending_turns),
        ("notices are not delivered yet", findings.pending_notices),
        ("notices were given up", findings.dead_notices),
    )
    return tuple(
        f"{len(ids)} {what}: {', '.join(ids[:5])}{', …' if len(ids) > 5 else ''}." for what, ids in about if ids
    )


def as_document(findings: Findings) -> dict[str, Any]:
    """The findings as a JSON document."""
    return {
        "matches": findings.matches,
        "plies": findings.plies,
        "events": findings.events,
        "turns": {"submitted": findings.submitted, **dict(sorted(findings.turns.items()))},
        "notices": {
            "owed": findings.owed,
            "repeated_deliveries": findings.repeated_deliveries,
            **dict(sorted(findings.notices.items())),
        },
        "pruned": {"notices": findings.pruned_notices, "turns": findings.pruned_turns},
        "pending_turns": findings.pending_turns,
        "pending_notices": findings.pending_notices,
        "dead_notices": findings.dead_notices,
        "breaches": [asdict(breach) for breach in findings.breaches],
    }
