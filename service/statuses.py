"""The statuses and kinds of things as they are stored and published."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from engine.types import VerdictStatus

MatchStatus: TypeAlias = Literal["open", "running", "archived", "finished", "cancelled"]
TurnStatus: TypeAlias = Literal["queued", VerdictStatus]
Channel: TypeAlias = Literal["mail", "webhook"]
NoticeStatus: TypeAlias = Literal["pending", "sent", "covered", "dead"]
MessageStatus: TypeAlias = Literal["queued", "handled", "ignored", "kept"]
"""``ignored``: deliberately not answered; ``kept``: not handled, and for the operator."""
OfferKind: TypeAlias = Literal["pause", "extend", "end", "draw", "call_off", "abandon", "hand_over"]
OrderKind: TypeAlias = Literal["turn", "resign", "accept", "decline"]
"""``accept`` and ``decline`` answer an invitation."""
ReportStatus: TypeAlias = Literal["open", "removed", "answered", "dismissed"]
ReportedKind: TypeAlias = Literal["chat", "invitation", "name"]
HostAct: TypeAlias = Literal[
    "suspended",
    "lifted",
    "tokens_revoked",
    "signed_out",
    "line_removed",
    "name_replaced",
    "invitation_withdrawn",
    "report_answered",
    "report_upheld",
]
"""What the host of the service does about a player, and tells them by mail."""
AuditedAct: TypeAlias = Literal[
    HostAct, "address_changing", "erased", "exported", "report_dismissed", "key_retired", "outage_added"
]
"""What is kept in the audit log."""

MATCH_STATUSES: Final[tuple[MatchStatus, ...]] = get_args(MatchStatus)
VERDICT_STATUSES: Final[tuple[VerdictStatus, ...]] = get_args(VerdictStatus)
