"""The errors of the engine: one class tree, a stable code and a sentence for players each."""

from __future__ import annotations

from engine.types import Violation


class EngineError(Exception):
    """The root of the tree. ``code`` does not change once it is published."""

    code = "engine_error"


class NotationError(EngineError):
    """A line of notation that cannot be read.

    ``line`` is the text, ``column`` (0-based) the position of the error, ``expected`` what would
    have been accepted there.
    """

    code = "notation_error"

    def __init__(self, message: str, line: str, column: int, expected: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.expected = expected


class DocumentError(EngineError):
    """A JSON document that does not fit its type; ``problems`` are (JSON pointer, sentence) pairs,
    at least one.
    """

    code = "document_error"

    def __init__(self, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{pointer or '/'}: {sentence}" for pointer, sentence in problems))
        self.problems = problems


class IllegalAction(EngineError):
    """An illegal action in a log that is replayed.

    ``ply`` is its position in the log; ``violation`` says why it is refused, ``None`` for chance.
    """

    code = "illegal_action"

    def __init__(self, message: str, ply: int, violation: Violation | None = None) -> None:
        super().__init__(message)
        self.ply = ply
        self.violation = violation


class WrongDraw(IllegalAction):
    """A draw in a replayed log that differs from the one computed from secret, nonces and ply."""

    code = "wrong_draw"


class RecordError(EngineError):
    """A record that fails verification; ``ply`` is the first entry that fails, ``None`` if a header
    fails.
    """

    code = "record_error"

    def __init__(self, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.ply = ply


class UnknownGame(EngineError):
    """No game of that name is registered; the message lists the registered games."""

    code = "unknown_game"


class UnknownVersion(UnknownGame):
    """The game does not have that version of its rules; the message lists the versions it has."""

    code = "unknown_version"
