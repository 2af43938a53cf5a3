"""The words of a notation: what each game's table of terms gives, in three languages; and those
that all games have: ``FILLERS``, which a line may have anywhere without a meaning, ``THEN`` and
``AND``, which join actions, and ``NUMBERS``.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Generic, TypeAlias, TypeVar

from engine.texts import read_table

M = TypeVar("M", bound=Hashable)
Phrase: TypeAlias = tuple[str, ...]

_ENGLISH: Final = "a an the my our your his her their i please pls thanks now"
_FRENCH: Final = "le la les un une mon ma mes ton ta tes votre vos je svp merci"
_ITALIAN: Final = "il lo la gli i uno una mio mia miei mie tuo tua tuoi tue grazie"
FILLERS: Final = frozenset(f"{_ENGLISH} {_FRENCH} {_ITALIAN}".split())
"""Articles, possessives and politeness: ignored in a line, unless a game gives them a meaning."""
THEN: Final = frozenset(["then", "puis", "ensuite", "poi", "quindi"])
"""The words that separate actions, as a semicolon does."""
AND: Final = frozenset(["and", "et", "e", "ed"])
"""The words that may stand between two actions before ``THEN`` or a verb."""
YES: Final = frozenset(["yes", "yeah", "yep", "ok", "okay", "oui", "si"])
NO: Final = frozenset(["no", "nope", "non"])
"""The words that may begin a line as an answer to what was asked: "yes, extra turn"; those for no
only with a comma, as "no extra turn" says something else.
"""
_NUMBERS: Final = (
    "one two three four five six seven eight nine ten",
    "- deux trois quatre cinq six sept huit neuf dix",
    "- due tre quattro cinque sei sette otto nove dieci",
)
NUMBERS: Final[Mapping[str, int]] = {
    word: number for words in _NUMBERS for number, word in enumerate(words.split(), 1) if word != "-"
}
"""The numbers that are read as words; "un" and "uno" are articles."""
TIMES: Final = frozenset(["x", "times", "fois", "volte"])
"""The words that may follow a number of things."""
_PLURAL: Final = "+"


@dataclass(frozen=True, slots=True)
class Term:
    """What a thing is called: phrases separated by ", ", in each language the rulebook's first.

    ``english`` begins with the name that help, errors and suggestions use. A "+" marks the plural
    of what is counted ("wagons+"): where its number is not said, it is asked for.
    """

    english: str
    french: str = ""
    italian: str = ""

    @property
    def name(self) -> str:
        """The name in help, errors and suggestions."""
        return self.english.split(", ")[0]

    @property
    def phrases(self) -> tuple[Phrase, ...]:
        """All phrases, folded, each once."""
        return tuple(dict.fromkeys(words_of(phrase.removesuffix(_PLURAL)) for phrase in self._said))

    @property
    def plurals(self) -> tuple[Phrase, ...]:
        """The phrases that say that there are several."""
        return tuple(words_of(phrase.removesuffix(_PLURAL)) for phrase in self._said if phrase.endswith(_PLURAL))

    @property
    def _said(self) -> Iterator[str]:
        return (phrase for text in (self.english, self.french, self.italian) for phrase in text.split(", ") if phrase)


@dataclass(frozen=True, slots=True)
class Vocabulary(Generic[M]):
    """The words of a notation, folded: the ``meanings`` of each phrase, the phrase that ``names``
    each meaning; those in ``short`` may be abbreviated, ``verbs`` begin an action. ``plurals`` are
    phrases for several of a thing, ``longest`` is the most words of a phrase, ``first`` words begin
    one.
    """

    meanings: Mapping[Phrase, tuple[M, ...]]
    names: Mapping[M, Phrase]
    short: frozenset[M]
    verbs: frozenset[M]
    everything: frozenset[M]
    plurals: frozenset[Phrase]
    longest: int
    first: frozenset[str]

    def name(self, meaning: M) -> str:
        """The phrase that is suggested for a meaning."""
        return " ".join(self.names[meaning])

    def beginning(self, word: str) -> tuple[M, ...]:
        """The meanings whose name may be abbreviated to this word."""
        return tuple(
            meaning for meaning, phrase in self.names.items() if meaning in self.short and phrase[0].startswith(word)
        )

    def single_words(self, kinds: Collection[M]) -> list[str]:
        """The single words that have a meaning in ``kinds``."""
        return [
            phrase[0]
            for phrase, meanings in self.meanings.items()
            if len(phrase) == 1 and any(meaning in kinds for meaning in meanings)
        ]


def read_terms(package: str, *kinds: type[Enum]) -> dict[Any, Term]:
    """The terms in ``terms.txt`` of a package, by the members of ``kinds``: "Verb.PASS: pass |
    passer | passare". Raises ``KeyError`` where a name is that of no member.
    """
    members = {f"{kind.__name__}.{member.name}": member for kind in kinds for member in kind}
    return {members[name]: Term(*said.split(" | ")) for name, said in read_table(package, "terms.txt").items()}


def vocabulary(terms: Mapping[M, Term], verbs: Collection[M], in_full: Collection[M] = ()) -> Vocabulary[M]:
    """The vocabulary of a table of terms; names in ``in_full`` may not be abbreviated."""
    meanings: dict[Phrase, tuple[M, ...]] = {}
    for meaning, term in terms.items():
        for phrase in term.phrases:
            meanings[phrase] = (*meanings.get(phrase, ()), meaning)
    names = {meaning: words_of(term.name) for meaning, term in terms.items()}
    everything = frozenset(names)
    return Vocabulary(
        meanings,
        names,
        short=everything - frozenset(in_full),
        verbs=frozenset(verbs),
        everything=everything,
        plurals=frozenset(phrase for term in terms.values() for phrase in term.plurals),
        longest=max(map(len, meanings)),
        first=frozenset(phrase[0] for phrase in meanings),
    )


def words_of(phrase: str) -> Phrase:
    """The words of a phrase, folded; an apostrophe or a hyphen separates words ("mine d'or")."""
    return tuple(folded(phrase).replace("'", " ").replace("-", " ").split())


def folded(word: str) -> str:
    """The word in lower case without accents and ligatures."""
    if word.isascii():
        return word.lower()
    plain = word.casefold().replace("œ", "oe").replace("æ", "ae")
    return "".join(letter for letter in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(letter))
