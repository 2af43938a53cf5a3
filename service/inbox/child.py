"""Handles messages in a process of its own, which may die or hang: a malformed mail ends that
process and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog

from service.children import ChildDied, ChildTimedOut, ChildWaited, Failed, ForkServerDied
from service.context import Context
from service.inbox.errors import HandlingCrashed, HandlingFailed, HandlingWaited
from service.inbox.handling import Acting
from service.inbox.results import Result
from service.kept_child import Answerer
from service.store.messages import Message

HANDLING_SECONDS: Final = 20.0
"""Handling takes a few hundredths of a second, and some seconds where a turn is tried."""
_log = structlog.get_logger("service.inbox")


def acting_in(child: Answerer) -> Acting:
    """What has messages handled by a child process, whose function is made by ``handler``.

    It raises ``HandlingCrashed``, ``HandlingFailed`` and ``HandlingWaited``.
    """

    def act(context: Context, message: Message) -> Result:
        try:
            answer = child.ask([message], HANDLING_SECONDS)[0]
        except ChildWaited as error:
            raise HandlingWaited("The database did not answer in time.") from error
        except ChildDied as error:
            raise HandlingCrashed(f"The process that handled it died: {error}.") from error
        except ChildTimedOut as error:
            raise HandlingCrashed(f"Handling it took longer than {HANDLING_SECONDS:g} s.") from error
        except ForkServerDied as error:
            raise HandlingWaited("No process could be started to handle it.") from error
        if isinstance(answer, Failed):
            _log.error("message.failed", message=message.id, error=answer.error, trace=answer.trace)
            raise HandlingFailed(answer.error)
        result: Result = answer
        return result

    return act


def handler(context: Context, act: Acting) -> Callable[[Message | None], Result | None]:
    """Makes the function of the process that handles messages."""

    def answer(message: Message | None) -> Result | None:
        return None if message is None else act(context, message)

    return answer
