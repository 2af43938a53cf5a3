"""Numbers in words, as they are dictated to a telephone or a watch."""

from __future__ import annotations

import re
from typing import Final

_TO_TWENTY: Final = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
    " eighteen nineteen twenty",
    "un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit"
    " dix-neuf vingt",
    "uno due tre quattro cinque sei sette otto nove dieci undici dodici tredici quattordici quindici sedici"
    " diciassette diciotto diciannove venti",
    "eins zwei drei vier funf sechs sieben acht neun zehn elf zwolf dreizehn vierzehn funfzehn sechzehn siebzehn"
    " achtzehn neunzehn zwanzig",
    "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete"
    " dieciocho diecinueve veinte",
)
"""From one on, in English, French, Italian, German and Spanish, without accents."""
_TENS: Final = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_AROUND: Final = re.compile(
    r"(?:(?:i|please|play|plays|move|number|option|choose|take|no|the|je|joue|le|la|coup|numero|gioco|mossa|il|ich"
    r"|spiele|nehme|zug|nummer|die|juego|el)\b[ .:,]*)*(?P<said>.*?)(?:,? (?:please|pls|svp|thanks|thank you|merci"
    r"|grazie|per favore|s'il (?:te|vous) plait|bitte|danke|gracias|por favor))*[.!]*"
)


def number_said(line: str) -> int | None:
    """The number that a line says in words, with nothing else but that it is to be played, please;
    ``None`` where it says none. The line is folded (``engine.vocabulary``).
    """
    found = _AROUND.fullmatch(line)
    return None if found is None else _NUMBERS.get(found["said"].replace("-", " ").strip())


_NUMBERS: Final = {
    **{
        f"{ten} {unit}": 20 + 10 * at + number
        for at, ten in enumerate(_TENS)
        for number, unit in enumerate(_TO_TWENTY[0].split()[:9], 1)
    },
    **{ten: 20 + 10 * at for at, ten in enumerate(_TENS)},
    **{word.replace("-", " "): number for words in _TO_TWENTY for number, word in enumerate(words.split(), 1)},
}
