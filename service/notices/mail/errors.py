"""What can go wrong between a notice and a mailbox."""

from __future__ import annotations


class NoticeError(Exception):
    """The root of the tree; ``code`` never changes once published."""

    code = "notice_error"


class TransportError(NoticeError):
    """The mail was not taken. The message says who refused it and why; trying again later may work."""

    code = "transport_error"


class CannotCompose(NoticeError):
    """The notice cannot be made into a mail: what it is about is gone, or nobody knows an address for it. Trying again will not help."""

    code = "cannot_compose"
