"""Parses `Prefer: wait=N` (RFC 7240): how many seconds the client is willing to wait."""

from __future__ import annotations

import re

LONGEST_WAIT = 30


def read_wait(headers: list[str]) -> int | None:
    """The seconds to wait, at most 30; ``None`` where no header contains a valid preference
    (invalid ones are ignored, RFC 7240, section 2).
    """
    for preference in (part for header in headers for part in header.split(",")):
        found = re.fullmatch(r'\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(;.*)?', preference, re.IGNORECASE)
        if found:
            return min(int(found.group(1)), LONGEST_WAIT)
    return None
