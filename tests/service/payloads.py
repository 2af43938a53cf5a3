"""Payloads of notices of which a test says only what it is about."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Final, cast

from service.kinds import MAILINGS, NoticeKind, read_payload
from service.payloads import MARKS, Payload

SAMPLES: Final[dict[str, Any]] = {
    "seat": 0,
    "ply": 0,
    "since": 0,
    "turn_id": "turn",
    "status": "accepted",
    "step": "archived",
    "due_at": 0,
    "until": 0,
    "left": 0,
    "id": "offer",
    "offer": "pause",
    "days": 1,
    "for_seat": None,
    "by": 0,
    "question": 1,
    "asked": [],
    "lapses_at": 0,
    "result": "declined",
    "to": "Cleo",
    "freed": 1,
    "free": 1,
    "order": "order",
    "what": "turn",
    "matches": [],
    "headline": "Said.",
    "webhook": "webhook",
    "change": "added",
    "changed": "ada@example.com",
    "act": "suspended",
    "reason": "Rude words.",
}


def document_of(kind: NoticeKind, given: Mapping[str, Any]) -> dict[str, Any]:
    """The stored document of a notice of that kind: what is given, and samples for the rest."""
    fields = dataclasses.fields(MAILINGS[kind].payload)
    steps = {"step": "time_up_bot_turn"} if kind == "time_up" else {}
    samples = {each.name: (SAMPLES | steps)[each.name] for each in fields if each.default is dataclasses.MISSING}
    known = {each.name for each in fields} | MARKS
    return samples | {name: value for name, value in given.items() if name in known}


def payload_of(kind: str, given: Mapping[str, Any]) -> Payload:
    """The payload of a notice of that kind."""
    known = cast("NoticeKind", kind)
    return read_payload(known, document_of(known, given))
