"""The statuses of matches, turns and notices, as they are stored and published."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, get_args

from engine.types import VerdictStatus

MatchStatus: TypeAlias = Literal["open", "running", "finished", "cancelled"]
TurnStatus: TypeAlias = Literal["queued", VerdictStatus]
NoticeStatus: TypeAlias = Literal["pending", "sent", "covered", "dead"]

MATCH_STATUSES: Final[tuple[MatchStatus, ...]] = get_args(MatchStatus)
VERDICT_STATUSES: Final[tuple[VerdictStatus, ...]] = get_args(VerdictStatus)
