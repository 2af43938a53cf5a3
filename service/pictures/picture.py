"""Converts SVG to PNG, for mails and the API, with the bundled fonts only, and reduces it to a
palette, which makes it a third as large. Says what is drawn instead of names that no font has.
"""

from __future__ import annotations

import io
import os
import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final

import resvg

from engine.svg import escape
from engine.wording import listed, seat_name

FONT_FAMILY: Final = "DejaVu Sans"
_FONTS: Final = Path(__file__).parent / "fonts"
_MAIN: Final = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf")
FONT_FILES: Final = tuple(
    str(_FONTS / name)
    for name in (*_MAIN, *sorted(file.name for file in _FONTS.glob("*.ttf") if file.name not in _MAIN))
)
"""The font of the labels, regular and bold, then those for what it lacks in the names of players
(docs/decisions/0022-fonts.md).
"""

MOST_PIXELS: Final = 4096
_UNCHANGED: Final = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
"""The matrix of the renderer, row by row."""
_FAMILY: Final = re.compile(r'font-family="[^"]*"')
"""The renderer would draw a label of a font that is not there in any of the others."""
_WHITE: Final = (255, 255, 255, 255)
_ROOT: Final = re.compile(r"""<svg\b[^>]*\bviewBox=["'](?:\S+\s+){2}(?P<width>[\d.]+)\s+(?P<height>[\d.]+)["'][^>]*>""")
_SIZE: Final = re.compile(r"""\s(?:width|height)=["'][^"']*["']""")
"""The renderer draws a picture as large as it says that it is."""

_EMOJI: Final = "\u2190-\u2bff\U0001f000-\U0001faff"
_JOINS: Final = re.compile(
    f"(?<=[{_EMOJI}])(?:[\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]*\ufe0f?\u200d?)|\ufe0f\u200d?|\u20e3"
)
"""What changes an emoji or joins it to the next: skin tones, tags, selectors, joiners; keycaps."""
_FLAGS: Final = re.compile("(?<=[\U0001f1e6-\U0001f1ff])(?=[\U0001f1e6-\U0001f1ff])")


def png(svg: str, width: int) -> bytes:
    """The picture as PNG with a palette, ``width`` pixels wide (1 to 4096), on white; the same
    everywhere, as system fonts are not used: without any font, text would be missing silently.
    Raises ``ValueError`` for a width out of bounds or a text that is not SVG.
    """
    if not 1 <= width <= MOST_PIXELS:
        raise ValueError(f"A picture is 1 to {MOST_PIXELS} pixels wide, not {width}.")
    svg = _FAMILY.sub(f'font-family="{FONT_FAMILY}"', svg)
    root = _ROOT.search(svg)
    if root is None:
        raise ValueError("This is no SVG with a view box.")
    height = max(1, round(width * float(root["height"]) / float(root["width"])))
    tag = _SIZE.sub("", root[0]).replace("<svg", f'<svg width="{width}" height="{height}"', 1)
    sized = svg[: root.start()] + tag + svg[root.end() :]
    try:
        tree = resvg.usvg.Tree.from_str(as_drawn(sized), _options())
    except (KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # the renderer's panic is no Exception
        raise ValueError(f"This cannot be drawn: {error}") from error
    return with_palette(bytes(resvg.render(tree, _UNCHANGED, bg_color=_WHITE)))


@cache
def _options() -> resvg.usvg.Options:
    options = resvg.usvg.Options.default()
    for file in FONT_FILES:
        options.load_font_file(file)
    options.font_family = FONT_FAMILY
    return options


def as_drawn(words: str) -> str:
    """The words with letters composed, joined emoji as single ones, and flags as their letters.

    A label is drawn in one font, and what this lacks in another, if both make as many glyphs of
    it: but of joined emoji the right font makes one, and of a decomposed syllable of Hangul.
    """
    if words.isascii():
        return words
    return _FLAGS.sub("\u200c", _JOINS.sub("", unicodedata.normalize("NFC", words)))


MOST_COLOURS: Final = (128, 96, 64)
"""Tried one after the other until the picture is small enough."""
MOST_BYTES: Final = 126_000
"""The largest picture of a mail has 130 kB."""
MOST_TRIED: Final = 160_000
"""A larger one is not for a mail, and stays larger with any palette."""
COMPRESSION: Final = 4
"""Of zlib; 6 takes twice as long and saves a twentieth."""


def with_palette(png: bytes) -> bytes:
    """The same picture, a PNG without transparency, as PNG with a palette of at most 128 colours,
    or fewer where that brings it near ``MOST_BYTES``. The same bytes give the same bytes.
    """
    from PIL import Image  # here, so that only children have it in memory

    with Image.open(io.BytesIO(png)) as opened:
        picture = opened.convert("RGB")
    small = png
    for colours in MOST_COLOURS:
        reduced = picture.quantize(colours, method=Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        output = io.BytesIO()
        reduced.save(output, "PNG", compress_level=COMPRESSION)
        small = output.getvalue()
        if not MOST_BYTES < len(small) <= MOST_TRIED:
            break
    return small


NICENESS: Final = 5


def drawer(niceness: int = 0) -> Callable[[tuple[str, int]], bytes]:
    """Makes the function of a process that draws an SVG with a width as PNG. With ``NICENESS`` it
    draws for whoever asks: those that answer requests and judge turns go first.
    """
    os.nice(niceness)
    return lambda request: png(*request)


MARK: Final = "*"
_INVISIBLE: Final = ("Cc", "Cf", "Zs")


def in_pixels(names: Sequence[str], draw: Callable[[Sequence[str]], str]) -> str:
    """The SVG that ``draw`` makes of the names, to be drawn in pixels: a name that cannot be drawn
    is replaced by that of its seat and a mark, and the description says whose it is.
    """
    missing = [seat for seat, name in enumerate(names) if not drawable(name)]
    if not missing:
        return draw(names)
    svg = draw([f"{seat_name(seat)} {MARK}" if seat in missing else name for seat, name in enumerate(names)])
    whose = listed(f"{seat_name(seat)} is {names[seat]}" for seat in missing)
    return svg.replace("</desc>", escape(f" {MARK} {whose}: no font for this name is at hand.") + "</desc>", 1)


def drawable(words: str) -> bool:
    """Whether a bundled font has each visible character of the words."""
    if words.isascii():
        return True
    covered = _covered()
    return all(letter in covered or unicodedata.category(letter) in _INVISIBLE for letter in as_drawn(words))


@cache
def _covered() -> frozenset[str]:
    """The characters of all bundled fonts, which the file beside them lists as ranges."""
    spans = (line.split("-") for line in (_FONTS / "covered.txt").read_text(encoding="ascii").split())
    return frozenset(chr(code) for span in spans for code in range(int(span[0], 16), int(span[-1], 16) + 1))
