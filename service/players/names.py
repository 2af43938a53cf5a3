"""Names for players who gave none: from the name that their mail program writes, or from their
address.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final

from service.addresses import LONGEST_NAME, read_name
from service.errors import Invalid

UNKNOWN: Final = "Player"


def name_from(display_name: str, address: str) -> str:
    """A valid name: ``display_name`` where it is one, without what names may not have; else the
    local part of the address as words; else ``UNKNOWN``.
    """
    local = address.partition("@")[0].partition("+")[0]
    for wanted in (display_name, re.sub(r"[._-]+", " ", local).title()):
        try:
            return read_name(_cleaned(wanted))
        except Invalid:
            continue
    return UNKNOWN


def _cleaned(text: str) -> str:
    """The text on one line, without invisible characters and quotes around it, cut to the longest
    name.
    """
    kept = "".join(
        " " if character.isspace() else character
        for character in text
        if character.isspace() or unicodedata.category(character)[0] != "C"
    )
    return " ".join(kept.split()).strip("\"'<> ")[:LONGEST_NAME].strip()
