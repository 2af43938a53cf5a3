"""How close a mistyped word, or a line, is to a known one, for "did you mean"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

MOST_OFFERED = 3
MOST_COMPARED = 100
"""More lines than that are not compared letter by letter."""


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


def nearest_lines(line: str, known: Sequence[str], most: int) -> tuple[str, ...]:
    """At most ``most`` of the known lines, those first that share the most words with the line, and
    of these those with the fewest slips; none that shares no word with it.
    """
    words = Counter(line.split())
    shared = {other: (words & Counter(other.split())).total() for other in known}
    found: list[str] = []
    for count in sorted(set(shared.values()) - {0}, reverse=True):
        alike = [other for other in known if shared[other] == count]
        found += sorted(alike, key=lambda other: distance(line, other)) if len(alike) <= MOST_COMPARED else alike
        if len(found) >= most:
            break
    return tuple(found[:most])


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
