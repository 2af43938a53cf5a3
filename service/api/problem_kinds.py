"""Every kind of problem that the API answers; `/docs/problems` is generated from this."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.texts import read_text


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem, as `/docs/problems` explains it."""

    code: str
    status: int
    title: str
    explanation: str


TABLE: Final = read_text("service.api", "problem_kinds.txt")
"""A line with code, status and title for each kind, below it the explanation."""

KINDS: Final = {
    code: ProblemKind(code, int(status), title, " ".join(explanation.split()))
    for code, status, title, explanation in re.findall(r"^(\S+) (\d+) (.+)\n((?: .+\n)+)", TABLE, re.MULTILINE)
}
"""By code."""
