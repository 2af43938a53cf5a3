"""Composes mails in a process of its own, which may die or hang: then the notice that it was at is
known, and only that one is concerned.

A notice takes two requests: the first reads the database, the second does all the rest. Where the
deadline passes during the first, the database is slow, which is not the notice's fault.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import structlog

from service.children import ChildDied, ChildTimedOut, Failed, ForkServerDied
from service.context import Composing
from service.kept_child import Answerer
from service.notices.mail.compose import Material, read, write
from service.notices.mail.errors import CannotCompose, ComposerCrashed, ComposerFailed
from service.notices.mail.message import Draft
from service.store.outbox import Notice

COMPOSING_SECONDS: Final = 10.0
"""Composing takes a few hundredths of a second."""
_log = structlog.get_logger("service.notices")


@dataclass(frozen=True, slots=True)
class Write:
    """The request to compose the mail of the notice that was read last."""

    pictured: bool


class ChildComposer:
    """Composes in a child process, whose function is made by ``composing``."""

    def __init__(self, child: Answerer) -> None:
        self._child = child

    def compose(self, notice: Notice, pictured: bool) -> Draft:
        """Gives the mail. Raises as ``service.context.Composer``."""
        try:
            answers = self._child.ask([notice, Write(pictured)], COMPOSING_SECONDS)
        except ChildDied as error:
            raise ComposerCrashed(f"The process that composed it died: {error}.") from error
        except ChildTimedOut as error:
            if error.request <= 0:
                raise ComposerFailed(f"The database did not answer within {COMPOSING_SECONDS:g} s.") from error
            raise ComposerCrashed(f"Composing it took longer than {COMPOSING_SECONDS:g} s.") from error
        except ForkServerDied as error:
            raise ComposerFailed("No process could be started to compose it.") from error
        for answer in answers:
            if isinstance(answer, CannotCompose):
                raise answer
            if isinstance(answer, Failed):
                _log.error("notice.failed", notice=notice.id, kind=notice.kind, error=answer.error, trace=answer.trace)
                raise ComposerFailed(answer.error)
        draft: Draft = answers[-1]
        return draft


def composing(context: Composing) -> Callable[[Notice | Write | None], Draft | CannotCompose | None]:
    """Makes the function of the process that composes."""
    material: Material | None = None

    def answer(request: Notice | Write | None) -> Draft | CannotCompose | None:
        nonlocal material
        try:
            match request:
                case Notice():
                    material = None
                    material = read(context, request)
                case Write() if material is not None:
                    return write(context, material, request.pictured)
        except CannotCompose as error:
            return error
        return None

    return answer
