"""Errors between a notice and a mailbox."""

from __future__ import annotations

from service.guard import Failure, sentence


class NoticeError(Exception):
    """The root of the tree; ``code`` never changes once published."""

    code = "notice_error"


class TransportError(NoticeError):
    """This mail was refused temporarily; the message says by whom and why. A retry may succeed."""

    code = "transport_error"


class TransportDown(TransportError):
    """No mail can be sent: the server does not answer, or refuses this client; ``during_transfer``
    of a mail, which may be the cause.
    """

    code = "transport_down"

    def __init__(self, message: str, during_transfer: bool = False) -> None:
        super().__init__(message)
        self.during_transfer = during_transfer


class PermanentlyRefused(TransportError):
    """This mail was refused permanently; a retry will not help."""

    code = "refused"


class CannotCompose(NoticeError):
    """The notice cannot be made into a mail: something is missing. A retry will not help."""

    code = "cannot_compose"


class NotComposed(NoticeError):
    """Composing the mail failed in its process, or ended it."""

    code = "not_composed"

    def __init__(self, failure: Failure) -> None:
        super().__init__(sentence(failure))
        self.failure = failure
