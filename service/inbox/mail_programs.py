"""Reads ``mail_programs.txt``: what mail programs write themselves, and how people begin and end
mails, in many languages.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.texts import read_text


def _read() -> Mapping[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in read_text("service.inbox", "mail_programs.txt").splitlines():
        if line.startswith("= "):
            name = line.removeprefix("= ")
        elif line and not line.startswith("#"):
            found[name] = f"{found[name]}|{line}" if name in found else line
    return found


PATTERNS: Final = _read()
"""The alternatives of a regular expression, without brackets around them, by name."""
