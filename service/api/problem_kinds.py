"""Every kind of problem that the API answers; the pages below `/docs/problems` show them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from engine.texts import read_text


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """One kind of problem, with what it means and what to do."""

    code: str
    status: int
    title: str
    explanation: str

    @property
    def address(self) -> str:
        """The page that explains it: the `type` of such problems."""
        return f"/docs/problems/{self.code}"

    def document(self, detail: str, instance: str, retry_after: int | None) -> dict[str, object]:
        """A problem of this kind that is answered without the application (RFC 9457)."""
        return {
            "type": self.address,
            "title": self.title,
            "status": self.status,
            "code": self.code,
            "detail": detail,
            "instance": instance,
        } | ({} if retry_after is None else {"retry_after": retry_after})


TABLE: Final = read_text("service.api", "problem_kinds.txt")
"""A line with code, status and title for each kind, below it the explanation."""

KINDS: Final = {
    code: ProblemKind(code, int(status), title, " ".join(explanation.split()))
    for code, status, title, explanation in re.findall(r"^(\S+) (\d+) (.+)\n((?: .+\n)+)", TABLE, re.MULTILINE)
}
"""By code."""
