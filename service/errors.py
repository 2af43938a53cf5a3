"""The errors of the service: one tree, a stable code each, sentences a player can act on.

Use cases raise them, doors translate them once: ``status``, ``code`` and ``title`` belong in the
problem document, ``str(error)`` is its detail and ``members()`` are its further members.
"""

from __future__ import annotations

from typing import Any, ClassVar


class ServiceError(Exception):
    """The root of the tree.

    ``code`` never changes once published; an instance may bear a narrower one than its class.
    """

    code: str = "service_error"
    status: ClassVar[int] = 500
    title: ClassVar[str] = "The service failed"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    def members(self) -> dict[str, Any]:
        """What the problem document says beside status, code, title and detail."""
        return {}


class NotFound(ServiceError):
    """There is no such thing, or none that the asker may know of."""

    code = "not_found"
    status = 404
    title = "Not found"


class Unauthorized(ServiceError):
    """Nobody knows who is asking."""

    code = "unauthorized"
    status = 401
    title = "Not signed in"


class Forbidden(ServiceError):
    """It is known who asks, and they may not."""

    code = "forbidden"
    status = 403
    title = "Not allowed"


class Conflict(ServiceError):
    """The request is sound, but not in this state of things."""

    code = "conflict"
    status = 409
    title = "Not possible now"


class StalePly(Conflict):
    """A turn answers a ply that is over.

    ``changes`` tell the asker, sentence by sentence, what happened since ``ply``.
    """

    code = "stale_ply"
    title = "The match has moved on"

    def __init__(self, message: str, ply: int, current_ply: int, changes: tuple[str, ...]) -> None:
        super().__init__(message)
        self.ply = ply
        self.current_ply = current_ply
        self.changes = changes

    def members(self) -> dict[str, Any]:
        return {"ply": self.ply, "current_ply": self.current_ply, "changes": list(self.changes)}


class Invalid(ServiceError):
    """A request that cannot be read.

    ``problems`` are (JSON pointer, sentence) pairs, never empty.
    """

    code = "invalid"
    status = 422
    title = "The request cannot be read"

    def __init__(self, problems: tuple[tuple[str, str], ...], code: str | None = None) -> None:
        super().__init__(" ".join(sentence for _, sentence in problems), code)
        self.problems = problems

    def members(self) -> dict[str, Any]:
        return {"errors": [{"pointer": pointer, "detail": sentence} for pointer, sentence in self.problems]}


class InvalidNotation(Invalid):
    """A line of notation that cannot be read: ``column`` (0-based) is where the reading stumbled,
    ``expected`` what would have worked there.
    """

    code = "notation_error"
    title = "The notation cannot be read"

    def __init__(self, pointer: str, message: str, line: str, column: int, expected: tuple[str, ...]) -> None:
        super().__init__(((pointer, message),))
        self.pointer = pointer
        self.line = line
        self.column = column
        self.expected = expected

    def members(self) -> dict[str, Any]:
        error = {
            "pointer": self.pointer,
            "detail": self.message,
            "line": self.line,
            "column": self.column,
            "expected": list(self.expected),
        }
        return {"errors": [error]}


class TooMany(ServiceError):
    """Asked too often. ``retry_after`` is in seconds."""

    code = "too_many_requests"
    status = 429
    title = "Too many requests"

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after

    def members(self) -> dict[str, Any]:
        return {"retry_after": self.retry_after}
