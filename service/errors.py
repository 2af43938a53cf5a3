"""The errors of the service: one tree, with a stable code and a sentence for the player each.

Use cases raise them; the API and the commands translate them. ``code`` is the kind of error,
``str(error)`` the sentence, ``members()`` further facts. ``service.api.problems`` maps them to
HTTP.
"""

from __future__ import annotations

from typing import Any


class ServiceError(Exception):
    """The root of the tree.

    ``code`` never changes once published; an instance may have a narrower code than its class.
    """

    code: str = "service_error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    def members(self) -> dict[str, Any]:
        """Further facts as JSON data, by name."""
        return {}


class NotFound(ServiceError):
    """The thing does not exist, or the caller may not know of it."""

    code = "not_found"


class Forbidden(ServiceError):
    """The caller is authenticated, but may not do this."""

    code = "forbidden"


class Conflict(ServiceError):
    """The request is valid, but not possible in the present state."""

    code = "conflict"


class StalePly(Conflict):
    """A turn answers an earlier ply, and its seat can tell what happened since.

    ``changes`` are sentences for the caller about what happened since ``ply``.
    """

    code = "stale_ply"

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

    def __init__(self, problems: tuple[tuple[str, str], ...], code: str | None = None) -> None:
        super().__init__(" ".join(sentence for _, sentence in problems), code)
        self.problems = problems

    def members(self) -> dict[str, Any]:
        return {"errors": [{"pointer": pointer, "detail": sentence} for pointer, sentence in self.problems]}


class InvalidNotation(Invalid):
    """A line of notation that cannot be parsed: ``column`` (0-based) is where parsing failed,
    ``expected`` what would be accepted there.
    """

    code = "notation_error"

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
