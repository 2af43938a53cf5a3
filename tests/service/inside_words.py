"""Words of the inside, which no player is to read in a mail or on a page."""

from __future__ import annotations

import re
from typing import Final

INSIDE: Final = re.compile(
    r"(?<![\w-])(?:excuses?|nonces?|commitments?|committed|ply|plies|banks?|secrets?|seat (?:number|\d|%\(|\{))"
    r"(?![\w-])",
    re.IGNORECASE,
)
COMMAND: Final = re.compile(r"(?m)curl -sS .*$")
"""What is pasted into a shell has the names of its options."""
OF_GAMES: Final = {"montana": {"bank"}}
"""Words that are nouns of a game's own rules."""


def inside_words(text: str, game: str = "") -> set[str]:
    """The words of the inside in a text about a match of ``game``, in lower case."""
    return {found.lower() for found in INSIDE.findall(COMMAND.sub("", text))} - OF_GAMES.get(game, set())
