"""The limit of open files of this process, and of the processes that it starts."""

from __future__ import annotations

import resource
from collections.abc import Callable
from typing import Final

OTHERS: Final = 200
"""Open files besides the connections of clients: database, Redis, libraries, logs."""


def raise_limit(connections: int, warn: Callable[[str], object]) -> None:
    """Raises the limit of open files as far as allowed; warns where that is too low for so many
    ``connections`` of clients in one process.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + OTHERS
    if soft < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard) if hard >= 0 else wanted, hard))
        except (ValueError, OSError) as error:
            warn(f"The limit of open files cannot be raised: {error}.")
    if soft < wanted and 0 <= hard < wanted:
        warn(
            f"A process of the API may have {hard} files open, but needs {wanted} for {connections} connections: raise"
            " the limit (ulimit -Hn, LimitNOFILE of systemd, ulimits of compose), or lower OVERLAND_API_CONNECTIONS."
        )
