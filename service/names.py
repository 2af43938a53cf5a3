"""Names of players: what they may consist of, so that they are safe in a mail header and nobody is
taken for somebody else.

A name has letters of one script; Japanese, Korean and Chinese are written with several, and with
Latin ones, which count as one. The script of a letter is the first word of its name in Unicode,
which is the same for all letters of a script after NFKC.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from service.addresses import check_mailed_line
from service.errors import Invalid
from service.house import HOUSE

LONGEST_NAME: Final = 40
UNKNOWN: Final = "Player"
"""The name of a player of whose name and address none can be made."""
FORMER: Final = "A former player"
"""What stands for the name of a player who has left for good."""
MOST_COUNTED: Final = 9
BOT: Final = "bot"
"""The last word of the names of bots, and of nobody else's."""
GUEST: Final = "Guest"
"""The first word of the names of guests, and of nobody else's."""
_GUESTS: Final = re.compile(rf"{GUEST.casefold()}(?![^\W\d_])")
NO_SCRIPT: Final = "MODIFIER"
"""The first word of letters that several scripts use, such as the apostrophe of Hawaiian names."""
EAST_ASIAN: Final = frozenset({"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HANGUL", "BOPOMOFO", "IDEOGRAPHIC"})
INVISIBLE: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)
"""The default-ignorable characters (DerivedCoreProperties of Unicode) that are no control or format
characters, and the blank of Braille, which is drawn as nothing.
"""


def read_name(text: str, pointer: str = "/name") -> str:
    """The name, composed (NFC), without spaces around it. Raises ``Invalid`` at ``pointer``."""
    name = unicodedata.normalize("NFC", text.strip())
    problems = check_mailed_line(pointer, "A name", name, LONGEST_NAME) or list(_problems(pointer, name))
    if problems:
        raise Invalid(tuple(problems))
    return name


def bots_name(text: str) -> str:
    """The name of a player's bot, which ends with "bot". Raises ``Invalid`` at ``/name``."""
    name = text.strip()
    if _is_bots(name):
        name = name[: -len(BOT)].rstrip()
    named = numbered(read_name(name), BOT)
    if name_key(named) in BOTS:
        raise Invalid((("/name", f"{named} is a bot of this service; choose another name."),))
    return named


def _is_bots(name: str) -> bool:
    return name_key(name).rpartition(" ")[2] == BOT


def name_key(name: str) -> str:
    """What two names have in common that are taken for the same: case and form (NFKC) aside."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def counted(name: str) -> Iterator[str]:
    """The name, and the names that are given where it is taken: with a number after it."""
    yield name
    for number in range(2, MOST_COUNTED + 1):
        yield numbered(name, str(number))


def numbered(name: str, number: str) -> str:
    """The name with a number, or another word, after it; cut where it becomes too long."""
    return f"{name[: LONGEST_NAME - len(number) - 1].rstrip()} {number}"


def name_from(display_name: str, address: str) -> str:
    """``display_name`` made valid, else the address's local part as words, else ``UNKNOWN``."""
    local = address.partition("@")[0].partition("+")[0]
    for wanted in (display_name, re.sub(r"[._-]+", " ", local).title()):
        try:
            return read_name(_cleaned(wanted))
        except Invalid:
            continue
    return UNKNOWN


def _problems(pointer: str, name: str) -> Iterator[tuple[str, str]]:
    if INVISIBLE.search(name):
        yield pointer, "A name has no invisible characters."
    elif "  " in name or any(unicodedata.category(each) == "Zs" and each != " " for each in name):
        yield pointer, "A name has single spaces between its words, and no other blanks."
    elif not any(unicodedata.category(each)[0] in "LNS" for each in name):
        yield pointer, "A name has a letter, a digit or a sign."
    scripts = scripts_of(name)
    if len(scripts) > 1:
        mixed = " and ".join(sorted(scripts))
        yield pointer, f"A name is written in one script; this one has letters of {mixed}."
    if name_key(" ".join(name.split())) in BOTS:
        yield pointer, f"{name} is a bot of this service; choose a name that nobody takes for a bot's."
    elif _is_bots(name):
        yield pointer, 'The names of bots end with "bot"; choose a name that nobody takes for a bot\'s.'
    if _GUESTS.match(name_key(name)):
        yield pointer, 'The names of guests begin with "Guest"; choose a name that nobody takes for a guest\'s.'
    if name_key(name) == name_key(FORMER):
        yield pointer, f"{name} stands for players who have left; choose another name."


def has_page(name: str) -> bool:
    """Whether players with this name have a page: guests, and those who have left, have none."""
    return not _GUESTS.match(name_key(name)) and name_key(name) != name_key(FORMER)


def scripts_of(name: str) -> frozenset[str]:
    """The scripts of the letters of a name; those of East Asia, and Latin with them, are one."""
    letters = (each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each)[0] == "L")
    found = {unicodedata.name(each, "unknown").partition(" ")[0] for each in letters} - {NO_SCRIPT}
    if found & EAST_ASIAN:
        found = found - EAST_ASIAN - {"LATIN"} | {"East Asia"}
    return frozenset(script.capitalize() if script.isupper() else script for script in found)


BOTS: Final = frozenset(name_key(bot.name) for bot in HOUSE.values())


def _cleaned(text: str) -> str:
    """The text on one line, without what is invisible and quotes around it, cut."""
    kept = "".join(
        " " if character.isspace() else character
        for character in INVISIBLE.sub("", text)
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )
    return " ".join(kept.split()).strip("\"'<> ")[:LONGEST_NAME].strip()
