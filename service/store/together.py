"""Calls of many threads, worked off many at a time: so that a process asks the database once for
what its threads want at the same moment.

Whoever finds nobody at work works at once, alone: nothing is delayed. Whoever comes meanwhile
waits, and when the round is over one of those who wait works off all of them.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final, Generic, TypeVar

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")

MOST_AT_ONCE: Final = 64


class _Caller(Generic[Asked, Answer]):
    """A thread that waits: what it asked, and what it is answered, or that it is to work off the
    next round.
    """

    __slots__ = ("answer", "asked", "leads", "woken")

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.answer: Answer | BaseException | None = None
        self.leads = False
        self.woken = threading.Event()


class Together(Generic[Asked, Answer]):
    """A function of many, called by many threads for one each. Begins anew after a fork."""

    def __init__(self) -> None:
        self._waiting: list[_Caller[Asked, Answer]] = []
        self._working = False
        self._lock = threading.Lock()
        self._pid = os.getpid()

    def call(self, work: Callable[[Sequence[Asked]], Sequence[Answer | Exception]], asked: Asked) -> Answer:
        """What ``work`` answers for this one; it is given everything that waits, and answers as
        many, in order.

        An exception among the answers is raised in the thread that asked for it; one that ``work``
        raises, in every thread of the round.
        """
        if self._pid != os.getpid():
            self.__init__()  # type: ignore[misc]  # the threads that waited belong to the parent process
        own: _Caller[Asked, Answer] = _Caller(asked)
        with self._lock:
            self._waiting.append(own)
            leads = not self._working
            self._working = True
        if not leads:
            own.woken.wait()
        if leads or own.leads:
            self._work_off(work)
        if isinstance(own.answer, BaseException):
            raise own.answer
        return own.answer  # type: ignore[return-value]

    def _work_off(self, work: Callable[[Sequence[Asked]], Sequence[Answer | Exception]]) -> None:
        """One round, and then the lead goes to somebody who has come meanwhile.

        The caller itself is in the round.
        """
        with self._lock:
            round_, self._waiting = self._waiting[:MOST_AT_ONCE], self._waiting[MOST_AT_ONCE:]
        try:
            answers: Sequence[Any] = work([caller.asked for caller in round_])
            if len(answers) != len(round_):
                raise AssertionError(f"{len(round_)} asked, and {len(answers)} were answered")
        except BaseException as error:
            answers = [error] * len(round_)
        with self._lock:
            following = self._waiting[0] if self._waiting else None
            self._working = following is not None
        if following is not None:
            following.leads = True
            following.woken.set()
        for caller, answer in zip(round_, answers, strict=True):
            caller.answer = answer
            if not caller.leads:
                caller.woken.set()
