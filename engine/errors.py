"""The errors of the engine: one class tree, a stable code and a sentence for players each."""

from __future__ import annotations

from engine.wording import either


class EngineError(Exception):
    """The root of the tree. ``code`` does not change once it is published."""

    code = "engine_error"


class NotationError(EngineError):
    """A line of notation that cannot be read: the error is at ``column`` (0-based), ``expected`` is
    what would fit there, ``similar`` the words of which the one there is probably a slip.
    ``message`` says all of it.
    """

    code = "notation_error"

    def __init__(
        self, sentence: str, line: str, column: int, expected: tuple[str, ...] = (), similar: tuple[str, ...] = ()
    ) -> None:
        self.sentence = sentence.rstrip(".")
        self.line = line
        self.column = column
        self.expected = expected
        self.similar = similar
        self.message = self._composed()
        super().__init__(self.message)

    def offering(self, similar: tuple[str, ...], expected: tuple[str, ...]) -> NotationError:
        """The same error with other similar words, and with what else would be accepted."""
        return NotationError(self.sentence, self.line, self.column, expected, similar)

    def _composed(self) -> str:
        full = self.sentence if self.sentence.endswith(("?", "!")) else f"{self.sentence}."
        if self.similar:
            full = f'{self.sentence}; did you mean "{self.similar[0]}"?'
        if not self.expected or "Expected" in self.sentence:
            return full
        return f"{full} Expected {either(self.expected)}."


class DocumentError(EngineError):
    """A document that does not fit its type; ``problems`` are (JSON pointer, sentence) pairs."""

    code = "document_error"

    def __init__(self, problems: tuple[tuple[str, str], ...]) -> None:
        super().__init__("; ".join(f"{pointer or '/'}: {sentence}" for pointer, sentence in problems))
        self.problems = problems


class RecordError(EngineError):
    """A record that fails verification, at the entry ``ply``, or in a header (``None``)."""

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
