"""Fewer lines in the log while something is down."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from service.context import Timer

QUIET_SECONDS: Final = 60.0
"""The shortest interval at which the same message is logged."""


@dataclass(slots=True)
class LogThrottle:
    """Allows a message once per ``QUIET_SECONDS``, so that a long outage does not fill the log."""

    timer: Timer
    _logged: dict[str, float] = field(default_factory=dict)

    def allows(self, message: str) -> bool:
        """Whether the message may be logged now; if so, it counts as logged."""
        now = self.timer()
        if message in self._logged and now - self._logged[message] < QUIET_SECONDS:
            return False
        self._logged[message] = now
        return True

    def reset(self, message: str) -> None:
        """Allows the message at once the next time, because its cause is over."""
        self._logged.pop(message, None)
