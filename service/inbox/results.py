"""What became of a mail that came in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["handled", "ignored", "kept", "later"]
"""``handled``: it was acted on or answered, now or before; ``ignored``: nothing is owed to whoever
sent it; ``kept``: it could not be read, and the operator should look at it; ``later``: it cannot be
acted on yet, and has to be tried again.
"""


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mail: ``did`` is one word for logs and for the operator, ``detail`` a
    sentence where one is needed. ``retry_seconds`` is when to try again (``later`` only).
    """

    status: Status
    did: str
    detail: str = ""
    retry_seconds: int = 0


def handled(did: str) -> Result:
    """The mail was acted on or answered."""
    return Result("handled", did)


def ignored(why: str, detail: str = "") -> Result:
    """Nothing is owed to whoever sent the mail."""
    return Result("ignored", why, detail)
