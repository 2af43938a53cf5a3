"""A batch of notices as a worker holds it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from service.context import Context
from service.notices.delivery import DeliveryResult, NoticeWork
from service.store.outbox import Notice


@contextmanager
def batch(service: Context) -> Iterator[list[Notice]]:
    """The notices that are due, leased and sorted, until the block ends."""
    with working(service) as work:
        yield list(work.notices.values())


@contextmanager
def working(service: Context) -> Iterator[NoticeWork]:
    """What does the notices that are due, which it has leased and sorted."""
    work = NoticeWork(service, Counter[DeliveryResult]())
    charged = work.lease(slow=False) or work.lease(slow=True)
    with work.held([each.id for each in charged]):
        if charged:
            work.sort(charged)
        yield work
