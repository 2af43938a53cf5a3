"""The errors of the engine: one tree, a stable code each, sentences a player can act on."""

from __future__ import annotations

from engine.types import Violation


class EngineError(Exception):
    """The root of the tree; ``code`` never changes once published."""

    code = "engine_error"


class NotationError(EngineError):
    """A line of notation that cannot be read.

    ``line`` is the text, ``column`` (0-based) where the reading stumbled, ``expected`` what would
    have worked there.
    """

    code = "notation_error"

    def __init__(self, message: str, line: str, column: int, expected: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column
        self.expected = expected


class DocumentError(EngineError):
    """A JSON document that does not have its type's shape; ``problems`` are (JSON pointer,
    sentence) pairs, never empty.
    """

    code = "document_error"

    def __init__(self, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{pointer or '/'}: {sentence}" for pointer, sentence in problems))
        self.problems = problems


class IllegalAction(EngineError):
    """An illegal action met where only legal ones may be: in a log that is replayed.

    ``ply`` is where it stands, ``violation`` why it is refused, ``None`` for chance.
    """

    code = "illegal_action"

    def __init__(self, message: str, ply: int, violation: Violation | None = None) -> None:
        super().__init__(message)
        self.ply = ply
        self.violation = violation


class WrongDraw(IllegalAction):
    """A draw in a log that is replayed which is not the one that the match's luck gives."""

    code = "wrong_draw"


class RecordError(EngineError):
    """A record that is not what it says; ``ply`` is the first entry that fails, ``None`` where a
    header does.
    """

    code = "record_error"

    def __init__(self, message: str, ply: int | None = None) -> None:
        super().__init__(message)
        self.ply = ply


class UnknownGame(EngineError):
    """No game of that name is registered; the message lists those that are."""

    code = "unknown_game"


class UnknownVersion(UnknownGame):
    """The game is there, but not by that version of its rules; the message lists those that are."""

    code = "unknown_version"
