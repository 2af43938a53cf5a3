"""From the bytes of a text in a mail to plain lines: decoded, without soft line breaks and the
frame of OpenPGP, and with plain characters for what keyboards and mail programs write.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from typing import Final, Literal

EMOJI: Final = "\u2600-\u27bf\U0001f000-\U0001faff"
"""As a range of a regular expression."""
_SAME: Final = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-"),
        **dict.fromkeys("\u2044\u2215", "/"),
        "\u3002": ".",
        "\u3001": ",",
        "\u061f": "?",
        "\t": " ",
        "\u2116": "No.",
        "\xba": "\xb0",  # for a number: of compatibility, both would be a refusal
        "\u20e3": None,  # the box of a keycap emoji
        "\u00ad": None,  # a soft hyphen
        "\ufffc": " ",  # the place of an object, such as a picture
    }
)
"""Quotes, dashes and blanks that keyboards type for the plain ones."""
_BREAKS: Final = re.compile(r"\r\n|[\n\r\x0b\x0c\x85\u2028\u2029]")
_WORDS: Final = re.compile(r"[^\W_]+|;")
_SIGNATURE: Final = "-- "
_SIGNED: Final = re.compile(
    r"^-----BEGIN PGP SIGNED MESSAGE-----[ \t]*\n(?:[A-Za-z-]+:[^\n]*\n)*[ \t]*\n"
    r"(?P<text>.*?)"
    r"(?:^-----BEGIN PGP SIGNATURE-----.*?(?:^-----END PGP SIGNATURE-----[ \t]*$|\Z)|\Z)",
    re.MULTILINE | re.DOTALL,
)
_ENCRYPTED: Final = re.compile(
    r"^-----BEGIN PGP (?:MESSAGE|PUBLIC KEY BLOCK)-----.*?(?:^-----END PGP [A-Z ]+-----[ \t]*$|\Z)",
    re.MULTILINE | re.DOTALL,
)
_DASH_ESCAPE: Final = re.compile(r"^- ", re.MULTILINE)
_ALIASES: Final = dict(
    pair.split("=")
    for pair in (
        "ansi=cp1252 ansi_x3.110-1983=latin-1 cp-850=cp850 default=utf-8 ks_c_5601-1987=cp949 macintosh=mac_roman"
        " unicode-1-1-utf-7=utf-7 utf-8-mac=utf-8 utf8mb4=utf-8 windows-31j=cp932 windows-874=cp874 x-gbk=gbk"
        " x-mac-roman=mac_roman x-sjis=cp932 x-unknown=utf-8"
    ).split()
)
"""Names of charsets that mails have, and Python does not."""
_WIDER: Final = dict(
    pair.split("=")
    for pair in (
        "ascii=utf-8 euc_kr=cp949 gb2312=gb18030 iso2022_jp=iso2022_jp_ext iso8859-1=cp1252 iso8859-9=cp1254"
        " shift_jis=cp932"
    ).split()
)
"""What is sent under the name of a charset and has more characters than it (WHATWG Encoding)."""
_MARKS: Final = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def decoded(content: bytes, charset: str | None) -> tuple[str, bool]:
    """The text, and whether the charset was named, known and fit.

    What does not fit is read as UTF-8 if it is valid, else as Windows-1252, of which every byte has
    a meaning here: no mail is refused for its charset.
    """
    name = _codec(charset)
    if name is not None:
        try:
            return content.decode(name), True
        except (LookupError, ValueError):  # a codec that decodes no text, or bytes that do not fit
            pass
        if b"\x1b" in content:  # of seven bits (ISO 2022), so it would pass for UTF-8
            return content.decode(name, "replace"), False
    for mark, codec in _MARKS.items():
        if content.startswith(mark):
            return content.decode(codec, "replace"), charset is None
    try:
        return content.decode("utf-8"), charset is None
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace"), False


def unflowed(text: str, delete_space: bool) -> str:
    """The text with its soft line breaks undone (RFC 3676, section 4): a line that ends in a space
    goes on in the next one of the same quote depth. Quoted lines keep one ``>`` for each depth; the
    line that separates a signature is never joined. ``delete_space`` is the parameter DelSp.
    """
    paragraphs: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth = len(line) - len(line.lstrip(">"))
        content = line[depth:].removeprefix(" ")
        flows = content.endswith(" ") and content != _SIGNATURE
        said = content[:-1] if flows and delete_space else content
        if open_depth == depth and content != _SIGNATURE:
            paragraphs[-1] += said
        else:
            paragraphs.append(f"{'>' * depth} {said}" if depth else said)
        open_depth = depth if flows else None
    return "\n".join(paragraphs)


def without_armour(text: str) -> tuple[str, Literal["encrypted", "signed"] | None]:
    """The text that OpenPGP's signature frames, without dash-escapes (RFC 9580, section 7.1), and
    without encrypted blocks; and which of them there were.
    """
    if "-----BEGIN PGP " not in text:
        return text, None
    signed = _SIGNED.sub(lambda found: _DASH_ESCAPE.sub("", found["text"]), text)
    read = _ENCRYPTED.sub("", signed)
    if "-----BEGIN PGP MESSAGE-----" in signed and read != signed:
        return read, "encrypted"
    return read, "signed" if signed != text else None


def lines_of(text: str) -> list[str]:
    """The lines of a text, whatever breaks them, each made plain."""
    return [plain(line) for line in _BREAKS.split(text)]


def plain(line: str) -> str:
    """The line with plain quotes, dashes, digits and blanks, without what cannot be seen: marks of
    direction, joiners, variation selectors. Trailing blanks are removed, others are kept.
    """
    if line.isascii() and line.isprintable():
        return line.rstrip()
    wide = unicodedata.normalize("NFKC", line.translate(_SAME)).translate(_SAME)
    return "".join(_plain(character) for character in wide).rstrip()


def words_in(line: str) -> tuple[str, ...]:
    """The words, numbers and semicolons of a line in lower case, to be compared."""
    return tuple(_WORDS.findall(line.casefold()))


def _plain(character: str) -> str:
    kind = unicodedata.category(character)
    if kind == "Zs":
        return " "
    return "" if kind[0] == "C" or 0xFE00 <= ord(character) <= 0xFE0F else character


def _codec(charset: str | None) -> str | None:
    """The name of Python's codec for the charset; ``None`` if there is none."""
    if charset is None:
        return None
    said = charset.strip().strip("\"'").lower()
    try:
        found = codecs.lookup(_ALIASES.get(said, said))
    except (LookupError, ValueError, UnicodeError):
        return None
    return None if found.name in ("idna", "punycode") else _WIDER.get(found.name, found.name)
