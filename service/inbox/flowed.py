"""format=flowed: the paragraphs of a text that was sent with soft line breaks (RFC 3676)."""

from __future__ import annotations

import re
from typing import Final

_QUOTED: Final = re.compile(r">*")
_SIGNATURE: Final = "-- "


def unflowed(text: str, delete_space: bool) -> str:
    """The text with its soft line breaks undone (RFC 3676, section 4): a line that ends in a space
    goes on in the next line of the same quote depth. ``delete_space`` is the parameter DelSp.

    Quoted lines keep one ``>`` for each depth. The line that separates a signature is never joined.
    """
    paragraphs: list[str] = []
    open_depth: int | None = None
    for line in text.split("\n"):
        depth = _QUOTED.match(line).end()  # type: ignore[union-attr]  # it matches the empty string
        content = line[depth:].removeprefix(" ")
        if content == _SIGNATURE:
            paragraphs.append(_marked(depth, content))
            open_depth = None
            continue
        flows = content.endswith(" ")
        said = content[:-1] if flows and delete_space else content
        if open_depth == depth:
            paragraphs[-1] += said
        else:
            paragraphs.append(_marked(depth, said))
        open_depth = depth if flows else None
    return "\n".join(paragraphs)


def _marked(depth: int, content: str) -> str:
    return f"{'>' * depth} {content}" if depth else content
