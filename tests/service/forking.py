"""Fork servers for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from service.children import ForkServer, Make, Role


@contextmanager
def forks(make: Make, lost: Callable[[], object] = lambda: None) -> Iterator[ForkServer]:
    """A fork server whose children do the same in every role."""
    server = ForkServer("test", dict.fromkeys(Role, make), lost)
    try:
        yield server
    finally:
        server.close()
