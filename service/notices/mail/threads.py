"""Threads of mails: every mail to a seat of a match refers to the same root, which no mail has, so
that the thread depends on none of them.

A further conversation has a root of its own and refers to the one before it; its subject has its
number, because Gmail begins a conversation only where the subject is another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

MOST_REFERENCES: Final = 10
_ID: Final = re.compile(r"[!-;=?-~]{1,200}@[!-;=?-~]{1,200}")


@dataclass(frozen=True, slots=True)
class Thread:
    """Identifies the mails to one seat of a match, which form one thread: its conversations, from
    1, follow one another.
    """

    match_id: str
    seat: str
    title: str
    number: int = 1


def roots(thread: Thread, domain: str) -> list[str]:
    """The Message-IDs that the mails of a conversation refer to: that of the conversation before
    it, where there is one, and its own.
    """
    return [root_id(thread, number, domain) for number in range(max(1, thread.number - 1), thread.number + 1)]


def root_id(thread: Thread, number: int, domain: str) -> str:
    """The Message-ID that stands for a conversation."""
    suffix = "" if number == 1 else f"-{number}"
    return f"<match-{token(thread.match_id)}-{token(thread.seat)}{suffix}@{domain}>"


def numbered(subject: str, thread: Thread) -> str:
    """The subject of a mail in the conversation of that number."""
    return subject if thread.number == 1 else f"{subject} ({thread.number})"


def continued(subject: str, thread: Thread) -> str:
    """The subject of the conversation before that one; empty where it is the first."""
    return numbered(subject, replace(thread, number=thread.number - 1)) if thread.number > 1 else ""


def readable(ids: Iterable[str]) -> list[str]:
    """Those of somebody's Message-IDs that can stand in a header, in angle brackets; of many the
    last.
    """
    bare = [each.strip("<> ") for each in ids]
    return [f"<{each}>" for each in bare if _ID.fullmatch(each) and "=?" not in each][-MOST_REFERENCES:]


def token(text: str) -> str:
    """An id made safe for a header: every other character becomes a hyphen."""
    return re.sub(r"[^A-Za-z0-9_-]", "-", text)
