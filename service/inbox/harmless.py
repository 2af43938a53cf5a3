"""What in a line holds numbers that are no moves: dates, times, telephones, addresses."""

from __future__ import annotations

import re
from typing import Final

_MONTH: Final = (
    r"jan(?:uary|vier|uar)?|f[ée]b(?:ruary|ruar|braio)?|f[ée]vrier|gen(?:naio)?|mar(?:ch|s|zo)?|m[äa]rz|apr(?:il|ile)?"
    r"|avr(?:il)?|may|mai|mag(?:gio)?|jun[ei]?|juin|giu(?:gno)?|jul[yi]?|juil(?:let)?|lug(?:lio)?|aug(?:ust)?|ao[uû]t"
    r"|ago(?:sto)?|sept?(?:ember|embre)?|set(?:tembre)|o[ck]t(?:ober|obre)?|ott(?:obre)?|nov(?:ember|embre)?"
    r"|d[ée][cz](?:ember|embre)?|dic(?:embre)?"
)
HARMLESS: Final = re.compile(
    r"\b[a-z][a-z0-9+.-]*:/+\S*|\bwww\.\S+|\S+@\S+"  # pages and addresses
    r"|\b\d{1,2}\s?[:h.]\s?\d{2}(?:\s?(?:am|pm|uhr|h))?\b|\b\d{1,2}\s?(?:am|pm|uhr|h|o'?clock)\b"  # times
    r"|\b\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}\b"  # dates
    rf"|\b\d{{1,2}}(?:st|nd|rd|th|er|\.)?\s(?:{_MONTH})\b|\b(?:{_MONTH})\.?\s\d{{1,2}}(?:st|nd|rd|th)?\b"
    r"|(?:tel|phone|fax|mobile|mob|cell|handy|t[ée]l|portable|cellulare|[tmf])\s?[.:]+\s?[\d+(][\d\s().+/-]*"
    r"|\+?\d[\d\s()./-]{6,}\d"  # telephone numbers
    r"|[$€£]\s?\d+(?:[.,]\d+)?|\d+(?:[.,]\d+)?\s?(?:[$€£%]|percent|euros?|dollars?)",
    re.IGNORECASE,
)
"""Numbers in it say when, where or how much, but no move."""
ADDRESS: Final = frozenset(
    [
        "street",
        "st",
        "road",
        "rd",
        "avenue",
        "ave",
        "lane",
        "ln",
        "drive",
        "dr",
        "way",
        "close",
        "court",
        "square",
        "floor",
        "suite",
        "apt",
        "room",
        "box",
        "rue",
        "bd",
        "boulevard",
        "chemin",
        "place",
        "allée",
        "quai",
        "bp",
        "via",
        "viale",
        "piazza",
        "corso",
        "vicolo",
        "largo",
        "strada",
        "strasse",
        "straße",
        "str",
        "platz",
        "weg",
        "allee",
        "gasse",
        "calle",
        "plaza",
        "laan",
        "straat",
        "weg",
    ]
)
