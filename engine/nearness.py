"""How close a mistyped word is to a known one, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable

MOST_OFFERED = 3


def close_words(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known words that the word is probably a slip of, the closest first, at most three.

    Words of 4 or 5 letters may differ by one slip, longer ones by two if both have the same first
    letter, shorter ones not at all; the longer word counts. A slip is a letter added, left out or
    replaced, or two neighbours exchanged.
    """
    found = []
    for other in dict.fromkeys(known):
        longest = max(len(word), len(other))
        most = 0 if longest < 4 else 1 if longest < 6 or word[:1] != other[:1] else 2
        if abs(len(other) - len(word)) <= most and (slips := distance(word, other)) <= most:
            found.append((slips, other))
    return tuple(other for _, other in sorted(found)[:MOST_OFFERED])


def distance(one: str, other: str) -> int:
    """The number of slips between two words: the optimal string alignment distance."""
    older: list[int] = []
    previous = list(range(len(other) + 1))
    for at, letter in enumerate(one, 1):
        row = [at]
        for along, wanted in enumerate(other, 1):
            slips = min(previous[along] + 1, row[-1] + 1, previous[along - 1] + (letter != wanted))
            if at > 1 and along > 1 and letter == other[along - 2] and one[at - 2] == wanted:
                slips = min(slips, older[along - 2] + 1)
            row.append(slips)
        older, previous = previous, row
    return previous[-1]
