"""What the two parts of a mail tell, as sets of words: names, numbers, times, moves and links."""

from __future__ import annotations

import html
import re
from typing import Final

from service.notices.mail.render import Rendered

BOARD: Final = re.compile(r"(?s)\nTHE BOARD\n.*?(?=\n(?:FAIR DRAWS|SAID SINCE YOUR LAST MAIL|YOUR NOTE|-- )\n)")
"""The board of the text, in whose place the HTML has a picture and paragraphs."""
PICTURED: Final = re.compile(r'(?s)<h2[^>]*>The board</h2>\s*(?:<img[^>]*>\s*)?(?:<p class="fact".*?</p>\s*)*')
UNSEEN: Final = re.compile(r'(?s)<head>.*?</head>|<div class="preview".*?</div>|<!--.*?-->')
LINK: Final = re.compile(r'<a [^>]*href="(?:mailto:)?([^"]*)"[^>]*>')
WORD: Final = re.compile(r"[^\W_](?:[^\s\"“”()…·,;!?]*[^\s\"“”()…·,;!?.:])?")
FURNITURE: Final = frozenset({"hello", "page", "a", "in", "of", "this", "match"})
"""Words in which the two parts may differ: how they greet, what they call a link, small words."""


def of_text(mail: Rendered) -> set[str]:
    """The words of the text part, but for the board."""
    return _words(BOARD.sub("\n", mail.text))


def of_html(mail: Rendered) -> set[str]:
    """The words that are seen in the HTML part, and its links, but for the board."""
    seen = LINK.sub(r" \1 ", PICTURED.sub(" ", UNSEEN.sub(" ", mail.html)))
    return _words(html.unescape(re.sub(r"<[^>]+>", " ", seen)))


def _words(text: str) -> set[str]:
    return set(WORD.findall(text.lower())) - FURNITURE
