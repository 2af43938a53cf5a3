"""Recognises what is not the text of a mail, by ``mail_programs.txt``, in many languages: how
people begin and end mails, what programs write below, and what they put before quoted lines.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from engine.texts import read_text
from engine.vocabulary import folded
from service.inbox.plain_text import EMOJI


def _read() -> Mapping[str, str]:
    found: dict[str, str] = {}
    name = ""
    for line in read_text("service.inbox", "mail_programs.txt").splitlines():
        if line.startswith("= "):
            name = line.removeprefix("= ")
        elif line and not line.startswith("#"):
            found[name] = f"{found[name]}|{line}" if name in found else line
    return found


PATTERNS: Final = _read()
"""The alternatives of a regular expression, without brackets around them, by name."""
_SEPARATOR: Final = re.compile(r"\s*--\s*")
_FOOTER: Final = re.compile(rf"\W*(?:{PATTERNS['footer']})", re.IGNORECASE)
_DISCLAIMER: Final = re.compile(rf"\W*(?:{PATTERNS['disclaimer']})", re.IGNORECASE)
_WARNING: Final = re.compile(rf"\W*(?:{PATTERNS['warning']})", re.IGNORECASE)
NAMED: Final = rf"(?!(?:{folded(PATTERNS['no name'])})\b)[^\W\d_\u0590-\U0010ffff]+"
"""What may be a name, folded: not of scripts of which no words are known that are none."""
_NAME: Final = rf"(?:[,.! ]+{NAMED}){{0,2}}\W*"
_SIGN_OFF: Final = re.compile(
    r"(?:(?:best|kind|kindest|warm|warmest|many|with (?:best|kind)|all the) )?"
    rf"(?:{folded(PATTERNS['sign-off'])})(?: (?:and|et|e|und) {NAMED})?{_NAME}"
)
_THANKS: Final = re.compile(
    rf"(?:many |lots of )?(?:{folded(PATTERNS['thanks'])})(?: (?:{folded(PATTERNS['after thanks'])}))?{_NAME}"
)
_GREETING: Final = re.compile(rf"(?:{folded(PATTERNS['greeting'])})(?: (?:{folded(PATTERNS['greeted'])}))?{_NAME}")
_COURTESY: Final = folded("|".join(PATTERNS[each] for each in ("thanks", "greeting", "sign-off")))
_REFUSING: Final = re.compile(
    rf"(?:{_COURTESY})(?: (?:{folded(PATTERNS['after thanks'])}))?(?:[,.! ]+{NAMED}){{0,2}}"
    rf"(?:[,.! ]+(?>(?:{folded(PATTERNS['no name'])})\b))+\W*"
)
"""Courtesy that ends in a word which is no name: read in one way, though some stand there twice."""
_DOUBTING: Final = re.compile(rf"\W*(?:(?>(?:{folded(PATTERNS['doubting'] + '|' + PATTERNS['no name'])})\b)\W*)+")
"""Nothing but words that refuse or doubt."""
_TAKEN_BACK: Final = re.compile(rf"(?<!can't )(?<!\w)(?:{PATTERNS['taken back']})(?!\w)", re.IGNORECASE)
_CONDITION: Final = re.compile(
    rf"\W*+(?:(?:{PATTERNS['and']}) )?(?:{PATTERNS['condition']})\b[^,;]*"
    rf"(?:,\W*(?:\w+|(?:{PATTERNS['play']}) .*))?\W*",
    re.IGNORECASE,
)
"""A condition, and nothing that may follow but that a move is played."""


def is_separator(line: str) -> bool:
    """Whether the line separates a signature (RFC 3676, section 4.3), with its space or without."""
    return _SEPARATOR.fullmatch(line) is not None


def is_footer(line: str) -> bool:
    """Whether a mail program wrote the line below the text: "Sent from my iPhone"."""
    return len(line) <= 200 and _FOOTER.fullmatch(line) is not None


def is_disclaimer(line: str) -> bool:
    """Whether the line begins what a company adds below its mails."""
    return _DISCLAIMER.match(line) is not None


def is_warning(line: str) -> bool:
    """Whether a mail server put the line above a text that came from outside."""
    return _WARNING.match(line) is not None


def is_sign_off(line: str) -> bool:
    """Whether the line ends a mail politely: "Cheers, Bob"; what follows is a signature."""
    return len(line) <= 80 and _SIGN_OFF.fullmatch(folded(line.strip())) is not None


def is_thanks(line: str) -> bool:
    """Whether the line only thanks."""
    return len(line) <= 80 and _THANKS.fullmatch(folded(line.strip())) is not None


def is_greeting(line: str) -> bool:
    """Whether the line only greets: "Hello Anna,"."""
    return len(line) <= 80 and _GREETING.fullmatch(folded(line.strip())) is not None


def is_taken_back(line: str) -> bool:
    """Whether the line may take back what stands beside it, or put it in doubt: "no wait, the other
    one", "thanks, no", "maybe", "If Bela agrees".
    """
    if not any(map(str.isalnum, line)):
        return "?" in line
    said = folded(line.strip())
    refuses = len(line) <= 80 and (_REFUSING.fullmatch(said) or _DOUBTING.fullmatch(said)) is not None
    depends = len(line) <= 120 and _CONDITION.fullmatch(line) is not None
    return refuses or depends or _TAKEN_BACK.search(line) is not None


LONGEST: Final = 400
MOST_LINES: Final = 4
MOST_FIELD_LINES: Final = 24
_WROTE: Final = rf"\b(?:{PATTERNS['wrote']})|{PATTERNS['wrote unspaced']}"
_ATTRIBUTION: Final = re.compile(
    rf"[-*_ ]*(?:{PATTERNS['attribution']}|.{{3,}}(?:{_WROTE}))\s*[:.]?\s*[-*_ ]*", re.IGNORECASE
)
_ENDING: Final = re.compile(rf"(?::|-{{2,}}|\bwrote|[ée]crit|\bscritto|\bschrieb|{_WROTE})\s*[-*_ ]*$", re.IGNORECASE)
_WITH_ADDRESS: Final = re.compile(
    r"(?=.*\d).*(?:<[^<>\s]+@[^<>\s]+>|\[?mailto:[^\s]+|[\w.+-]+@[\w.-]+)[^\w]{0,4}.{0,60}:"
)
_BEGINNING: Final = re.compile(
    r"[-*_ ]*(?:on|at|le|il|in|am|el|op|em|den|w|dnia|quoting|citing|zitat|\d|\w{2,4}[.,]|\S.{0,80}[<@]|\S.{0,60}\b"
    rf"(?:wrote|writes|schrieb|schreef|skrev|[ée]crit|scritto|escribi[óo]|escreveu|{PATTERNS['wrote']})\b"
    rf"|.*(?:{PATTERNS['wrote unspaced']}))",
    re.IGNORECASE,
)
_DATED: Final = re.compile(
    r"(?=.*(?:(?<!\d)(?:20|25)\d\d(?!\d)|\d{1,2}([./-])\s?\d{1,2}\1\s?\d\d(?!\d)))"
    r"(?=.*(?<!\d)\d{1,2}\s?[:.h\u6642\u65f6\uc2dc]\s?\d\d(?!\d))"
)
"""A day of a year and a time, as attributions have them in all languages."""
_STRONG: Final = re.compile(rf"[-*_ ]*(?:on|at|le|il|in|am|el|op|em|den|w)\b.*\d|{_DATED.pattern}", re.IGNORECASE)
"""How an attribution of several lines begins, rather than a line above one."""
_ORIGINAL: Final = re.compile(
    rf"(?:[-_*=]{{2,}}\s*(?:[^\W\d_]+['. -]{{1,2}}){{0,5}}[^\W\d_]*(?:{PATTERNS['original']})"
    rf"(?:\s[^\W\d_]+['.]?){{0,3}}\s*[-_*=]{{2,}}|{PATTERNS['forwarded']})",
    re.IGNORECASE,
)
_TITLED: Final = re.compile(r"([-_*=])\1{3,}\s*[^\W\d_][^\d@|]{1,60}?\1{4,}")
"""Some words between strokes, which may be those for an original message in any language."""
_RULE: Final = re.compile(r"[_-]{10,}")
_FIELD: Final = re.compile(
    r"\s*[*_]{0,2}(?:"
    + "|".join(f"(?P<{kind}>{PATTERNS[f'field {kind}']})" for kind in "author sent to subject other".split())
    + r")[*_]{0,2}\s?:[*_]{0,2}(?:\s|$)",
    re.IGNORECASE,
)
_ANY_FIELD: Final = re.compile(r"\s*[*_]{0,2}[^\W\d_][^:<>@]{0,30}:[*_]{0,2}\s+(?P<value>\S.*)")
_MAILBOX: Final = re.compile(r"[\w.+-]+@[\w-]+\.")
_YEAR: Final = re.compile(r"\b2[05]\d\d\b")
"""In Thailand, 2026 is 2569."""
FEWEST_UNKNOWN: Final = 3
"""Lines that are header fields whatever their names are, if one has an address and one a year."""
_MARK: Final = re.compile(r"\s{0,8}(?:(?:>|&gt;|»|\|(?=\s|$)|[A-Z][A-Za-z]{0,3}>)\s?)+")
_SIGN: Final = re.compile(f"[{EMOJI}]")
_STROKE: Final = re.compile(r"[|~#+=_/\\-]")


def is_marked(line: str) -> bool:
    """Whether a line begins with a quote mark: ``>``, ``|``, ``»``, or initials and ``>``."""
    return _MARK.match(line) is not None


def unmarked(line: str) -> str:
    """The line without its quote marks."""
    return _MARK.sub("", line, count=1)


def is_drawn(line: str) -> bool:
    """Whether a line is part of a drawing, such as a text board, rather than text."""
    if line.count("|") >= 3:
        return True
    if _SIGN.search(line):
        return False
    letters = sum(character.isalnum() for character in line)
    return (not letters and "?" not in line) or len(_STROKE.findall(line)) >= max(4, letters)


def attribution_at(lines: Sequence[str], at: int) -> int:
    """How many lines an attribution takes up that begins at the index ``at``, such as "On ...
    wrote:" broken in two; 0 if none does. ``lines`` are plain (``service.inbox.plain_text``).
    """
    if _BEGINNING.match(lines[at].strip()) is None and _DATED.match(lines[at]) is None:
        return 0
    joined = ""
    for count in range(1, MOST_LINES + 1):
        if at + count > len(lines) or not (line := lines[at + count - 1].strip()):
            return 0
        joined = f"{joined} {line}".strip() if count > 1 else line
        if len(joined) > LONGEST:
            return 0
        if _is_attribution(joined):
            alone = count > 1 and _STRONG.match(lines[at].strip()) is None
            return 0 if alone and any(attribution_at(lines, at + later) for later in range(1, count)) else count
    return 0


def _is_attribution(joined: str) -> bool:
    if _ENDING.search(joined) is None:
        return False
    is_dated = joined.endswith(":") and _DATED.match(joined) is not None
    return is_dated or bool(_ATTRIBUTION.fullmatch(joined) or _WITH_ADDRESS.fullmatch(joined))


def separator_at(lines: Sequence[str], at: int) -> int:
    """How many lines introduce a quotation that is not marked, at the index ``at``: "Original
    Message" between dashes, or a block of header fields; 0 if none do.
    """
    following = next((index for index in range(at + 1, len(lines)) if lines[index].strip()), len(lines))
    if _TITLED.fullmatch(lines[at].strip()) and following < len(lines) and _MAILBOX.search(lines[following]):
        return 1 + max(1, _fields_at(lines, following, least=1))
    if _ORIGINAL.fullmatch(lines[at].strip()) and not is_warning(lines[at]):
        return 1 + _fields_at(lines, following, least=1)
    if _RULE.fullmatch(lines[at].strip()):
        fields = _fields_at(lines, at + 1, least=2)
        return 1 + fields if fields else 0
    return _fields_at(lines, at, least=2)


def _fields_at(lines: Sequence[str], at: int, least: int) -> int:
    """How many lines the header fields at ``at`` take up, if they are of at least ``least`` kinds,
    and one says who wrote or when; values may be folded, and blank lines be between.
    """
    kinds: set[str] = set()
    last = at - 1
    index = at
    while index < min(len(lines), at + MOST_FIELD_LINES) and index - last <= 3:
        found = _FIELD.match(lines[index]) if ":" in lines[index] else None
        if found is not None:
            kinds.add(str(found.lastgroup))
            last = index
        elif index == at:
            return _unknown_fields_at(lines, at)
        index += 1
    if len(kinds) >= least and kinds & {"author", "sent"}:
        return last + 1 - at
    return _unknown_fields_at(lines, at)


def _unknown_fields_at(lines: Sequence[str], at: int) -> int:
    """How many lines the header fields at ``at`` take up whose names are of no language that is
    known: an address is in one of them, a year in another.
    """
    values: list[str] = []
    for line in lines[at : at + MOST_FIELD_LINES]:
        found = _ANY_FIELD.fullmatch(line)
        if found is None:
            break
        values.append(found["value"])
    has_address = any(_MAILBOX.search(value) for value in values)
    has_year = any(_YEAR.search(value) for value in values)
    return len(values) if len(values) >= FEWEST_UNKNOWN and has_address and has_year else 0
