"""Drops quoted text and signatures from a mail: what is left is what its sender typed.

Our mails contain legal moves, so a line that was quoted must never be read as typed. Everything
here leans to that side: where a line could be quoted, it is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from service.children import processor_time
from service.inbox import mail_programs
from service.inbox.bounds import PARSING_SECONDS
from service.inbox.mime import Opened
from service.inbox.plain_text import lines_of, words_in
from service.inbox.quoted_mails import QuotedRun, SentText, blocks, goes_on, leads_to, prepared

LONGEST_LINE: Final = 2_000
"""Characters that are read of a line."""
MOST_UNMARKED: Final = 1_500
"""Lines without quote marks that are read."""
LONG_LINE: Final = 60
"""Characters from which on a mail program may have broken a line."""
FEW: Final = 3
"""Words from which on a line of ours tells where in our mail a reply is."""
MOST_DIFFERING: Final = 6
"""Lines of a quotation without marks that may differ from ours, and one in as many, where others in
it count as typed.
"""
MOST_COMPARED: Final = 12
"""Words of a quoted line that are looked for."""
_CLOSED: Final = tuple("]】*=-_")
"""How warnings end that are one line."""


class LineKind(Enum):
    """What a line of a mail is. ``INTRODUCED`` introduces a quotation whose lines have marks,
    ``SEPARATED`` one whose lines have none; ``BELOW`` is a signature, a footer, a disclaimer.
    """

    TYPED = auto()
    QUOTED = auto()
    INTRODUCED = auto()
    SEPARATED = auto()
    BELOW = auto()


@dataclass(slots=True)
class _Line:
    text: str
    kind: LineKind = LineKind.TYPED

    @property
    def is_typed(self) -> bool:
        """Whether it has text, and counts as typed so far."""
        return self.kind is LineKind.TYPED and bool(self.text.strip())

    @property
    def is_indented(self) -> bool:
        """Whether it begins with a blank."""
        return self.text.startswith(" ")


def typed_lines(opened: Opened, sent: Sequence[str]) -> tuple[str, ...]:
    """The lines that the sender typed, plain and stripped; a blank line where there was one or
    where something was left out, but none at the ends.

    ``sent`` are the texts of the mails that we sent in this conversation, plain or converted from
    HTML. Without them, all that follows an introduction without quote marks is left out.
    """
    with processor_time(PARSING_SECONDS):
        return typed_in("\n\n".join(opened.texts), sent)


def typed_in(text: str, sent: Sequence[str]) -> tuple[str, ...]:
    """The lines that were typed in a text, as ``typed_lines``."""
    ours = prepared(sent)
    lines = [_Line(line[:LONGEST_LINE]) for line in lines_of(text)]
    _mark_quoted(lines)
    _mark_introductions(lines)
    _mark_indented(lines)
    _mark_broken(lines, ours)
    _mark_leading(lines, ours)
    _mark_ours(lines, ours)
    _mark_below(lines)
    return _kept(lines)


def _mark_quoted(lines: list[_Line]) -> None:
    """Marks lines with quote marks, and all below so many without, which bounds comparing."""
    left = MOST_UNMARKED
    for line in lines:
        if mail_programs.is_marked(line.text) or (not left and line.text.strip()):
            line.kind = LineKind.QUOTED
        elif line.text.strip():
            left -= 1


def _mark_introductions(lines: list[_Line]) -> None:
    """Marks attributions and header blocks, and tells which of them introduce lines with marks."""
    texts = [line.text for line in lines]
    at = 0
    while at < len(lines):
        if not lines[at].is_typed:
            at += 1
            continue
        count = mail_programs.attribution_at(texts, at)
        if not count or _next(lines, at + count) is not LineKind.QUOTED:
            count = mail_programs.separator_at(texts, at) or count
        kind = LineKind.INTRODUCED if _next(lines, at + count) is LineKind.QUOTED else LineKind.SEPARATED
        for line in lines[at : at + count]:
            line.kind = kind
        at += max(count, 1)


def _next(lines: list[_Line], at: int) -> LineKind | None:
    """The kind of the next line that is not blank."""
    return next((line.kind for line in lines[at:] if line.text.strip()), None)


def _mark_indented(lines: list[_Line]) -> None:
    """Marks the lines after an introduction that are quoted by their indent, if the first is."""
    for at, line in enumerate(lines):
        if line.kind is not LineKind.SEPARATED or (at + 1 < len(lines) and lines[at + 1].kind is LineKind.SEPARATED):
            continue
        following = [other for other in lines[at + 1 :] if other.text.strip()]
        if following and following[0].is_indented and not all(other.is_indented for other in following):
            for other in following:
                if other.is_indented and other.is_typed:
                    other.kind = LineKind.QUOTED


def _mark_broken(lines: list[_Line], ours: Sequence[SentText]) -> None:
    """Marks the rests of quoted lines that a mail program broke without marking the rest."""
    quoted: tuple[str, ...] = ()
    is_long = False
    for line in lines:
        if line.kind is LineKind.QUOTED:
            quoted = words_in(mail_programs.unmarked(line.text))
            is_long = len(line.text) >= LONG_LINE
        elif line.is_typed and quoted and (goes_on(quoted, line.text, ours, is_long) if ours else is_long):
            line.kind = LineKind.QUOTED
            quoted = (*quoted, *words_in(line.text))
            is_long = is_long and len(line.text) >= LONG_LINE
        else:
            quoted = ()


def _mark_leading(lines: list[_Line], ours: Sequence[SentText]) -> None:
    """Marks lines directly above quoted ones, and above them in our mail: their mark was lost."""
    quoted: tuple[str, ...] = ()
    for line in reversed(lines):
        if line.kind is LineKind.QUOTED:
            quoted = words_in(mail_programs.unmarked(line.text)) or quoted
        elif line.is_typed and leads_to(line.text, quoted[:MOST_COMPARED], ours):
            line.kind = LineKind.QUOTED
            quoted = words_in(line.text)
        else:
            quoted = ()


def _mark_ours(lines: list[_Line], ours: Sequence[SentText]) -> None:
    """Marks quotations without marks. From the first of them on, or from an introduction on that
    does not introduce marks, a line counts as typed only if it certainly was (``_inserted``).
    """
    texts = [line.text if line.kind is LineKind.TYPED else None for line in lines]
    found = blocks(texts, ours)
    separated = next((at for at, line in enumerate(lines) if line.kind is LineKind.SEPARATED), len(lines))
    quotation = next((block.first for block in found if block.is_quotation), len(lines))
    start = min(separated, quotation)
    typed = _inserted(lines, _of_one_text(texts, ours, start), start) if start < len(lines) else set()
    for block in found:
        inside = lines[block.first : block.last + 1]
        if block.is_quotation or any("   " in line.text.strip() for line in inside):  # columns, which nobody types
            for line in inside:
                line.kind = LineKind.QUOTED
    for at, line in enumerate(lines[start:], start):
        if line.is_typed and at not in typed:
            line.kind = LineKind.QUOTED


def _of_one_text(texts: Sequence[str | None], ours: Sequence[SentText], start: int) -> list[QuotedRun]:
    """The blocks from ``start`` on that are of one text of ours: the one that is quoted most."""
    each = [[block for block in blocks(texts, [text]) if block.first >= start] for text in ours]
    return max(each, key=lambda found: sum(block.words for block in found), default=[])


def _inserted(lines: Sequence[_Line], found: Sequence[QuotedRun], start: int) -> set[int]:
    """The lines from ``start`` on that were certainly typed into a quotation without marks: they
    stand between two blocks that follow each other in our mail, of which hardly another line
    differs, or after the end of our mail. ``found`` are blocks of one text.
    """
    inserted: set[int] = set()
    if not found:
        return inserted
    quoting = [block for block in found if block.crossed or block.words >= FEW]
    in_blocks = {at for block in quoting for at in range(block.first, block.last + 1)}
    last = max(in_blocks, default=start)
    others = [at for at in range(start, last) if at not in in_blocks and lines[at].is_typed]
    differing = [at for at in others if not mail_programs.is_drawn(lines[at].text)]
    is_whole = len(differing) <= MOST_DIFFERING and MOST_DIFFERING * len(differing) <= len(in_blocks)
    for at, block in enumerate(quoting):
        if block.is_end:
            after = next((other for other in quoting[at + 1 :] if other.is_quotation), None)
        else:
            after = next((other for other in quoting[at + 1 : at + 4] if other.follows(block)), None)
        if block.is_end or (is_whole and after is not None):
            end = len(lines) if after is None else after.first
            introducing = (LineKind.INTRODUCED, LineKind.SEPARATED)
            introduced = (at for at in range(block.last + 1, end) if lines[at].kind in introducing)
            inserted.update(range(block.last + 1, next(introduced, end)))
    return inserted


def _mark_below(lines: list[_Line]) -> None:
    """Marks signatures, from their separator to the next quotation, and footers. A disclaimer at
    the very top is one paragraph that a gateway put there, as a warning is.
    """
    below = warned = False
    is_top = True
    for line in lines:
        goes_on = warned and any(map(str.isalpha, line.text))
        is_disclaimer = mail_programs.is_disclaimer(line.text)
        is_above = goes_on or mail_programs.is_warning(line.text) or (is_disclaimer and is_top)
        warned = is_above and line.text[-1:] not in _CLOSED
        is_top = is_top and (is_above or not line.text)
        if line.kind is not LineKind.TYPED:
            below = False
        elif is_above and not below:
            line.kind = LineKind.BELOW
        elif below or is_disclaimer or mail_programs.is_separator(line.text):
            below = True
            line.kind = LineKind.BELOW
        elif mail_programs.is_footer(line.text) or (line.is_typed and mail_programs.is_drawn(line.text)):
            line.kind = LineKind.BELOW


def _kept(lines: list[_Line]) -> tuple[str, ...]:
    """The typed lines, and one blank line for all between them that is not typed."""
    kept: list[str] = []
    for line in lines:
        text = line.text.strip() if line.is_typed else ""
        if text or (kept and kept[-1]):
            kept.append(text)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)
