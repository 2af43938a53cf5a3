"""The errors of the service: one tree, with a stable code and a sentence for the player each.

Use cases raise them. ``str(error)`` is the sentence, ``members()`` are further facts, as the API
answers them. ``service.api.problems`` maps them to HTTP.
"""

from __future__ import annotations

import copyreg
from typing import Annotated, Any, Final, Required, TypedDict

from engine.documents import About

MOST_FAULTS: Final = 20
"""So many faults of a request are told: a small body can have thousands."""


class Fault(TypedDict, total=False):
    """One thing wrong: where, and a sentence."""

    pointer: Annotated[str, About("A JSON pointer (RFC 6901) into the body.", example="/actions/1/space")]
    parameter: Annotated[str, About("The name of a query parameter.")]
    header: Annotated[str, About("The name of a header.")]
    detail: Required[Annotated[str, About("A sentence saying what was wrong and what would work.")]]
    line: Annotated[str, About("The line of notation that could not be read.")]
    column: Annotated[int, About("Where in `line` parsing failed, 0-based.", minimum=0)]
    expected: Annotated[tuple[str, ...], About("What would have worked at `column`.")]


class Members(TypedDict, total=False):
    """Further facts about an error, as members of its problem."""

    errors: Annotated[tuple[Fault, ...], About("What is wrong with the request, one by one; the first 20.")]
    ply: Annotated[int, About("The ply the turn answered (`stale_ply`).")]
    current_ply: Annotated[int, About("The ply the match is at now (`stale_ply`).")]
    changes: Annotated[tuple[str, ...], About("What happened since `ply`, as the caller may know it.")]
    scope: Annotated[str, About("The scope the token lacks.")]


class ServiceError(Exception):
    """The root of the tree. ``code`` never changes; an instance may have a narrower one."""

    code: str = "service_error"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the attributes: the arguments of a class are not those of ``Exception``."""
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]

    def members(self) -> Members:
        """Further facts."""
        return {}


class NotFound(ServiceError):
    """The thing does not exist, or the caller may not know of it."""

    code = "not_found"


class Forbidden(ServiceError):
    """The caller is authenticated, but may not do this."""

    code = "forbidden"


class LetInNoMore(ServiceError):
    """What let the caller in is revoked, has expired or was signed out since."""

    code = "unknown_token"


class MissingScope(Forbidden):
    """The caller's token has not the ``scope`` that this takes."""

    code = "missing_scope"

    def __init__(self, message: str, scope: str) -> None:
        super().__init__(message)
        self.scope = scope

    def members(self) -> Members:
        return {"scope": self.scope}


class Conflict(ServiceError):
    """The request is valid, but not possible in the present state."""

    code = "conflict"


class StalePly(Conflict):
    """A turn answers an earlier ply, and its seat can tell what happened since: ``changes``."""

    code = "stale_ply"

    def __init__(self, message: str, ply: int, current_ply: int, changes: tuple[str, ...]) -> None:
        super().__init__(message)
        self.ply = ply
        self.current_ply = current_ply
        self.changes = changes

    def members(self) -> Members:
        return {"ply": self.ply, "current_ply": self.current_ply, "changes": self.changes}


class Unavailable(ServiceError):
    """The service cannot do this at present; ``retry_after`` is when to ask again, in seconds."""

    code = "unavailable"

    def __init__(self, message: str, retry_after: int, code: str | None = None) -> None:
        super().__init__(message, code)
        self.retry_after = retry_after


class TooMany(ServiceError):
    """Something may be done only so often; ``retry_after`` is when to do it again, in seconds."""

    code = "too_many_requests"

    def __init__(self, message: str, retry_after: int, code: str | None = None) -> None:
        super().__init__(message, code)
        self.retry_after = retry_after


class Invalid(ServiceError):
    """A request that cannot be read. ``problems``: (JSON pointer, sentence) pairs, at least one."""

    code = "invalid"

    def __init__(self, problems: tuple[tuple[str, str], ...], code: str | None = None) -> None:
        self.problems = problems[:MOST_FAULTS]
        super().__init__(" ".join(sentence for _, sentence in self.problems), code)

    def members(self) -> Members:
        return {"errors": tuple(Fault(pointer=pointer, detail=sentence) for pointer, sentence in self.problems)}


class UnknownCursor(ServiceError):
    """A page was asked for that begins after something which is not in the list."""

    code = "invalid"

    def __init__(self, after: object) -> None:
        super().__init__(f"after: Nothing in this list is {after}. Take the address of the next page from `next`.")

    def members(self) -> Members:
        return {"errors": (Fault(parameter="after", detail=self.message.removeprefix("after: ")),)}


class CursorOfEvents(ServiceError):
    """Events were asked for after a cursor that leads to none of them."""

    code = "unknown_cursor"

    def __init__(self, said: str) -> None:
        super().__init__(f"after: {said} Ask without `after` for a new cursor, then read your matches anew.")

    def members(self) -> Members:
        return {"errors": (Fault(parameter="after", detail=self.message.removeprefix("after: ")),)}


class CursorExpired(CursorOfEvents):
    """It led to events once, and is too old."""

    code = "cursor_expired"


class Overloaded(Unavailable):
    """There are more requests than can be served in time."""

    code = "overloaded"

    def __init__(self, retry_after: int) -> None:
        super().__init__(
            f"There are more requests than can be served in time. Repeat this one in {retry_after} seconds: with the"
            " same Idempotency-Key a turn is never accepted twice.",
            retry_after,
        )


class InvalidNotation(Invalid):
    """A line whose parsing failed at ``column`` (0-based), where ``expected`` would do."""

    code = "notation_error"

    def __init__(self, pointer: str, message: str, line: str, column: int, expected: tuple[str, ...]) -> None:
        super().__init__(((pointer, message),))
        self.pointer = pointer
        self.line = line
        self.column = column
        self.expected = expected

    def members(self) -> Members:
        fault = Fault(
            pointer=self.pointer, detail=self.message, line=self.line, column=self.column, expected=self.expected
        )
        return {"errors": (fault,)}
