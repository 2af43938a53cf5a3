"""What a check of the ledger found."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Breach:
    """Something that must never be: a stable code, the id of what is concerned, a sentence."""

    code: str
    subject: str
    sentence: str


@dataclass(slots=True)
class Findings:
    """The counts and the breaches, as they add up while match after match is looked at. Times are in no count."""

    matches: int = 0
    plies: int = 0
    turns: Counter[str] = field(default_factory=Counter)
    pending_turns: list[str] = field(default_factory=list)
    notices: Counter[str] = field(default_factory=Counter)
    owed: int = 0
    pending_notices: list[str] = field(default_factory=list)
    dead_notices: list[str] = field(default_factory=list)
    repeated_deliveries: int = 0
    breaches: list[Breach] = field(default_factory=list)

    def breach(self, code: str, subject: str, sentence: str) -> None:
        """Notes a breach."""
        self.breaches.append(Breach(code, subject, sentence))

    @property
    def submitted(self) -> int:
        """How many turns there are, judged or not."""
        return sum(self.turns.values())

    @property
    def settled(self) -> bool:
        """Whether nothing waits any more: every turn judged, every notice delivered."""
        return not (self.pending_turns or self.pending_notices or self.dead_notices)
