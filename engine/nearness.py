"""How close a mistyped word is to a known one, for "did you mean"."""

from __future__ import annotations

from collections.abc import Iterable

MOST_OFFERED = 3


def close_words(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The known words that the word is probably a slip of, the closest first, at most three.

    A word of 4 or 5 letters may have one slip, a longer one two, a shorter one none; two slips
    only with the same first letter. A slip is a letter added, left out or replaced, or two
    neighbours exchanged.
    """
    limit = 0 if len(word) < 4 else 1 if len(word) < 6 else 2
    found = []
    for other in dict.fromkeys(known):
        if abs(len(other) - len(word)) > limit or min(len(other), 4) < 4:
            continue
        slips = distance(word, other)
        if slips <= limit and (slips < 2 or word[0] == other[0]):
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
