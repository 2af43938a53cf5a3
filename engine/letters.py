"""How wide text is in the fonts of pictures, and where it may be cut.

The widths are never less than the true ones, with whatever marks and neighbours, in the fonts that
the service draws with. A browser that lacks DejaVu Sans takes others, which are seldom wider.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from functools import lru_cache
from typing import Final

_JOINER: Final = "\u200d"
_VIRAMA: Final = 9  # its combining class
_FLAGS: Final = ("\U0001f1e6", "\U0001f1ff")
_TONES: Final = ("\U0001f3fb", "\U0001f3ff")
_VOWELS: Final = ("\u0e33", "\u0eb3")
"""Vowels of Thai and Lao that belong to the letter before them."""
_HANGUL: Final = ("\u1160", "\u11ff")
"""Vowels and final consonants of decomposed Hangul."""
_UNSEEN: Final = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")
_ETHIOPIC: Final = range(0x1200, 0x1380)
_MARKS: Final = frozenset(
    code
    for first, last in (
        *((0x300, 0x34F), (0x483, 0x487), (0x5B0, 0x5BD), (0x5BF, 0x5BF), (0x5C1, 0x5C2), (0x5C7, 0x5C7)),
        *((0x64B, 0x655), (0x657, 0x657), (0x670, 0x670), (0xFE00, 0xFE0F)),
    )
    for code in range(first, last + 1)
)
"""Marks that DejaVu Sans draws onto any of its letters."""
_STRAY: Final = 1500
"""The width of a mark that no font joins with the letter before: it gets a circle or a box."""

TABLE: Final = """
0:1000/1000 20:320/350 21:410/460 22:460/530 23:840/840 24:640/700 25:960/1010 26:780/880
27:280/310 28:400/460 2a:500/530 2b:840/840 2c:320/380 2d:420/420 2e:320/380 2f:340/370
30:640/700 3a:340/400 3c:840/840 3f:540/590 40:1000/1000 41:720/830 42:690/770 43:720/780
44:780/850 45:640/690 46:580/710 47:780/830 48:760/840 49:300/380 4b:660/800 4c:590/640
4d:870/1000 4e:750/840 4f:820/870 50:630/770 51:820/870 52:700/790 53:660/730 54:620/710
55:740/820 56:690/780 57:990/1110 58:690/790 59:620/730 5a:690/730 5b:400/460 5c:340/370
5d:400/460 5e:840/840 5f:500/500 61:620/680 62:640/720 63:550/600 64:640/720 65:620/680
66:380/460 67:640/720 69:280/350 6b:580/670 6c:280/350 6d:980/1050 6e:640/720 6f:640/690
70:640/720 72:460/540 73:530/600 74:400/480 75:640/720 76:600/660 77:820/930 78:600/650
79:600/660 7a:530/590 7b:640/720 7c:340/370 7d:640/720 7e:840/840 7f:1000/1000 a0:320/360
a1:440/480 a2:640/720 a6:360/400 a7:520/520 a9:1000/1000 aa:480/600 ab:720/680 ac:840/840
ae:1000/1000 af:520/520 b1:840/840 b2:520/520 b5:640/760 b6:640/640 b7:320/400 b8:520/600
bb:640/680 bc:1000/1040 bf:560/600 c0:720/840 c6:1000/1120 c7:720/800 cc:320/400 d0:840/880
dd:680/760 e6:1000/1080 e7:640/680 ec:280/360 f0:640/720 f7:840/840 f8:640/720 100:720/840
101:640/680 102:720/840 103:640/680 104:720/840 105:640/680 106:720/800 107:560/600 108:720/800
109:560/600 10a:720/800 10b:560/600 10c:720/800 10d:560/600 10e:800/880 10f:640/720 110:800/880
111:640/720 11c:800/840 11d:640/720 11e:800/840 11f:640/720 120:800/840 121:640/720 122:800/840
123:640/720 124:760/840 125:640/720 126:920/1000 127:720/800 128:320/400 132:600/760 134:320/400
136:680/800 137:600/680 13a:280/360 13b:560/640 13c:280/360 13d:600/640 13e:400/480 13f:560/640
140:360/560 141:600/680 142:320/400 143:760/840 144:640/720 145:760/840 146:640/720 147:760/840
148:640/720 149:840/1000 14a:760/840 14b:640/720 14c:800/880 14d:640/720 14e:800/880 14f:640/720
150:800/880 151:640/720 152:1080/1200 154:720/800 155:480/560 156:720/800 157:440/520
158:720/800 159:480/560 15a:640/760 15b:560/600 15c:640/760 15d:560/600 15e:680/760 15f:560/600
160:680/760 161:560/600 162:640/720 163:400/480 164:640/720 165:400/480 166:640/720 167:400/480
168:760/840 169:640/720 16a:760/840 16b:640/720 16c:760/840 16d:640/720 16e:760/840 16f:640/720
170:760/840 171:640/720 172:760/840 173:640/720 174:1000/1120 175:840/960 176:720/760
17a:560/600 17b:720/760 17c:560/600 17d:720/760 17e:560/600 17f:360/440 180:1000/1100
1c0:1450/1600 200:1000/1100 2a0:1100/1250 2c0:500/500 2e0:1000/1050 391:700/800 393:600/650
394:800/900 399:300/400 39a:700/800 39c:900/1000 39d:750/850 39e:650/650 39f:800/900 3a1:650/750
3a2:1000/1000 3a3:650/750 3a6:800/900 3aa:300/400 3ab:700/750 3ad:550/600 3ae:650/750
3af:350/400 3b0:700/750 3b5:550/600 3b7:650/750 3b9:350/400 3ba:650/750 3be:650/700 3c0:650/800
3c2:600/600 3c3:650/800 3c4:650/700 3c6:700/800 3c7:600/650 3c8:700/800 3c9:850/900 3ca:350/400
3cb:650/700 3ce:850/900 3cf:1000/1100 400:1100/1200 410:700/800 413:650/650 414:800/900
415:650/700 416:1100/1250 417:750/850 41b:800/850 41c:900/1000 41d:800/900 420:700/800
424:900/1000 425:700/800 426:800/950 428:1100/1350 42a:900/1050 42c:700/800 42e:1100/1200
42f:700/800 432:600/650 434:700/850 435:650/700 436:950/1000 437:550/600 438:650/750 43c:800/850
43d:700/750 441:600/700 444:900/1000 445:700/750 448:950/1150 44a:750/800 44b:800/950
44c:600/650 44e:850/1000 44f:650/650 450:1000/1000 460:1200/1450 480:1100/1300 4e0:1000/1050
500:1200/1300 540:1000/1000 5a0:400/450 5c0:1000/1000 5d0:700/750 5d2:450/450 5d3:550/600
5d4:700/700 5d5:350/450 5d7:700/700 5d9:250/300 5da:600/650 5dd:700/750 5df:300/350 5e0:450/500
5e1:750/750 5e8:600/650 5e9:750/800 5eb:1000/1000 600:1000/1200 620:1000/1000 621:500/550
622:350/400 624:550/650 625:350/400 626:850/950 627:350/400 628:1000/1100 629:550/650
62a:1000/1100 62c:650/750 62f:600/650 633:1300/1450 637:950/1100 639:600/700 63b:1000/1000
640:300/350 641:1050/1200 642:850/950 645:800/900 647:550/700 649:850/1050 660:1000/1100
680:1300/1450 6a0:1100/1300 6c0:1050/1400 ee0:1150/1250 1320:1300/1400 1360:1000/1000
1380:1300/1450 13a0:1150/1300 1500:1300/1600 15a0:1000/1000 1660:1650/2050 16a0:1050/1100
1da0:1000/1050 1e80:1100/1300 2010:650/700 2014:1000/1000 2016:700/700 2026:1000/1000
2027:350/350 2028:1750/1900 2040:1000/1050 20a0:1300/1550 20c0:1200/1350 2140:1400/1700
2180:1250/1300 2190:1000/1000 2220:1450/1450 22e0:1300/1300 2320:1450/1450 2340:1300/1300
2460:1000/1000 24c0:1300/1300 2500:1000/1000 25e0:1450/1450 2800:1300/1300 2a00:1350/1700
2a20:1300/1350 2da0:1400/1550 2dc0:1300/1450 a660:1400/1450 a6a0:1250/1350 a740:1400/1450
a760:1200/1350 ab20:1300/1400 ab40:1200/1200 fb00:1550/1750 fb20:1050/1200 fea0:1300/1450
fee0:1000/1050 ff80:500/500 ffa0:1050/1150 10300:1450/1350 10320:1150/1150 1e7e0:1200/1400
1e800:1300/1300 1f020:1400/1400 1f080:1300/1300 1f620:1650/1650 1f660:1300/1300 1fb00:1000/1000
fe000:1300/1300 ff000:1000/1000
"""
"""The widths of letters from each code point (hexadecimal) on, in regular and bold type, in
thousandths of the size, never less than beside any letter (tests/engine/test_letters.py).
"""

_ROWS: Final = tuple(
    (int(first, 16), *map(int, widths.split("/"))) for first, _, widths in (row.partition(":") for row in TABLE.split())
)
_FIRSTS: Final = tuple(row[0] for row in _ROWS)


@lru_cache(maxsize=10_000)
def width(words: str, bold: bool = False) -> int:
    """The width of the words in thousandths of their size."""
    if words.isascii():
        return sum(_letter(letter, bold) for letter in words)
    found, base = 0, ""
    for letter in unicodedata.normalize("NFC", words):
        kind = unicodedata.category(letter)
        if kind == "Cf" and _UNSEEN.match(letter):
            continue
        if kind in ("Mn", "Me"):
            found += 0 if _joins(letter, base) else _STRAY
        else:
            found, base = found + _letter(letter, bold), letter
    return found


def clusters(words: str) -> list[str]:
    """The text in parts that must not be cut: letters with their marks, joined emoji, flags. These
    are the extended grapheme clusters of UAX 29, but for a few rare scripts.
    """
    found: list[str] = []
    for letter in words:
        if found and _belongs(found[-1], letter):
            found[-1] += letter
        else:
            found.append(letter)
    return found


def is_right_to_left(words: str) -> bool:
    """Whether the last letter that has a direction runs from right to left."""
    directions = (unicodedata.bidirectional(letter) for letter in reversed(words))
    return next((direction for direction in directions if direction in ("L", "R", "AL")), "L") != "L"


def _belongs(before: str, letter: str) -> bool:
    """Whether the letter is a part of the cluster."""
    last = before[-1]
    if unicodedata.category(letter) in ("Mn", "Mc", "Me", "Cf") or letter in _VOWELS:
        return True
    if _TONES[0] <= letter <= _TONES[1]:
        return True
    if last == _JOINER or unicodedata.combining(last) == _VIRAMA:
        return unicodedata.category(letter)[0] in "LS"
    if _FLAGS[0] <= letter <= _FLAGS[1]:
        return _FLAGS[0] <= last <= _FLAGS[1] and len(before) % 2 == 1
    return _HANGUL[0] <= letter <= _HANGUL[1] and "\u1100" <= last <= "\u11ff"


@lru_cache(maxsize=10_000)
def _letter(letter: str, bold: bool) -> int:
    return _ROWS[bisect_right(_FIRSTS, ord(letter)) - 1][2 if bold else 1]


def _joins(mark: str, base: str) -> bool:
    """Whether a font has both the mark and the letter, so that it draws one onto the other."""
    code, below = ord(mark), ord(base or "o")
    if code in _MARKS:
        return below < 0x700 or 0x1E00 <= below < 0x2000
    return bool(base) and (code // 0x80 == below // 0x80 or (code in _ETHIOPIC and below in _ETHIOPIC))
