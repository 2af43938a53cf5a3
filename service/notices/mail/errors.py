"""What can go wrong between a notice and a mailbox."""

from __future__ import annotations


class NoticeError(Exception):
    """The root of the tree; ``code`` never changes once published."""

    code = "notice_error"


class TransportError(NoticeError):
    """This mail was not taken for now, and the message says who said so and why: trying it again
    later may work.
    """

    code = "transport_error"


class LineDown(TransportError):
    """No mail can be sent: the server does not answer, or refuses this client.

    ``handing_over`` where the connection broke only while this mail was handed over, so the mail
    may be the cause.
    """

    code = "line_down"

    def __init__(self, message: str, handing_over: bool = False) -> None:
        super().__init__(message)
        self.handing_over = handing_over


class Refused(TransportError):
    """This mail was refused for good: trying it again will not help."""

    code = "refused"


class CannotCompose(NoticeError):
    """The notice cannot be made into a mail: what it is about is gone, or nobody knows an address
    for it. Trying again will not help.
    """

    code = "cannot_compose"
