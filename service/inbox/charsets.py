"""Decodes the bytes of a mail by the charset that it names, whatever that is."""

from __future__ import annotations

import codecs
from typing import Final

_ALIASES: Final = {
    "ansi": "cp1252",
    "ansi_x3.110-1983": "latin-1",
    "cp-850": "cp850",
    "default": "utf-8",
    "ks_c_5601-1987": "cp949",
    "macintosh": "mac_roman",
    "unicode-1-1-utf-7": "utf-7",
    "utf-8-mac": "utf-8",
    "utf8mb4": "utf-8",
    "windows-31j": "cp932",
    "windows-874": "cp874",
    "x-gbk": "gbk",
    "x-mac-roman": "mac_roman",
    "x-sjis": "cp932",
    "x-unknown": "utf-8",
}
"""Names of charsets that mails have, and Python does not."""
_WIDER: Final = {"iso8859-1": "cp1252", "ascii": "utf-8", "gb2312": "gb18030", "iso8859-9": "cp1254"}
"""What is sent under the name of a charset and has more characters than it (WHATWG Encoding)."""


def decoded(content: bytes, charset: str | None) -> tuple[str, bool]:
    """The text, and whether the charset was named, known and fit.

    What does not fit is read as UTF-8 if it is valid, else as Windows-1252, of which every byte has
    a meaning here: no mail is refused for its charset.
    """
    name = _codec(charset)
    if name is not None:
        try:
            return content.decode(name), True
        except (UnicodeDecodeError, ValueError):
            pass
    for bom, codec in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if content.startswith(bom):
            return content.decode(codec, "replace"), charset is None
    try:
        return content.decode("utf-8"), charset is None
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace"), False


def _codec(charset: str | None) -> str | None:
    """The name of Python's codec for the charset; ``None`` if there is none that decodes text."""
    if charset is None:
        return None
    said = charset.strip().strip("\"'").lower()
    said = _ALIASES.get(said, said)
    try:
        found = codecs.lookup(said)
    except (LookupError, ValueError, UnicodeError):
        return None
    if not getattr(found, "_is_text_encoding", True) or found.name in ("idna", "punycode", "undefined"):
        return None
    return _WIDER.get(found.name, found.name)
