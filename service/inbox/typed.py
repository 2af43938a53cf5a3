"""What the sender of a mail typed: its text without all that was quoted, and without signatures.

Our mails contain legal moves, so a line that was quoted must never be read as typed. Everything
here leans to that side: where a line could be quoted, it is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from service.inbox.attributions import attribution_at, separator_at
from service.inbox.lines import lines_of, words_in
from service.inbox.mime import Opened
from service.inbox.ours import Block, SentText, blocks, goes_on, sent_texts
from service.inbox.quotes import is_indented, is_marked, unmarked
from service.inbox.signatures import is_disclaimer, is_footer, is_separator

LONG_LINE: Final = 60
"""From so many characters on a mail program may have broken a line."""


FEW: Final = 3
"""From so many words on a line of ours tells where in our mail a reply is."""


class Kind(Enum):
    """What a line of a mail is."""

    TYPED = "typed"
    QUOTED = "quoted"
    INTRODUCED = "introduced"
    """It introduces a quotation whose lines have marks."""
    SEPARATED = "separated"
    """It introduces a quotation whose lines have none."""
    BELOW = "below"
    """A signature, a footer, a disclaimer."""


@dataclass(slots=True)
class _Line:
    text: str
    kind: Kind = Kind.TYPED


def typed_lines(opened: Opened, sent: Sequence[str]) -> tuple[str, ...]:
    """The lines that the sender typed, plain (see ``service.inbox.lines``), without blanks around
    them; a blank line where there was one or where something was left out, but none at the ends.

    ``sent`` are the texts of the mails that we sent in this conversation, plain or converted from
    HTML. Without them, all that follows an introduction without quote marks is left out.
    """
    return typed_in("\n\n".join(opened.texts), sent)


def typed_in(text: str, sent: Sequence[str]) -> tuple[str, ...]:
    """The lines that were typed in a text, as ``typed_lines``."""
    ours = sent_texts(sent)
    lines = [_Line(line) for line in lines_of(text)]
    _mark_quoted(lines)
    _mark_introductions(lines)
    _mark_indented(lines)
    _mark_broken(lines, ours)
    _mark_ours(lines, ours)
    _mark_below(lines)
    return _kept(lines)


def _mark_quoted(lines: list[_Line]) -> None:
    for line in lines:
        if is_marked(line.text):
            line.kind = Kind.QUOTED


def _mark_introductions(lines: list[_Line]) -> None:
    """Marks attributions and header blocks, and tells which of them introduce lines with marks."""
    texts = [line.text for line in lines]
    at = 0
    while at < len(lines):
        if lines[at].kind is not Kind.TYPED or not texts[at].strip():
            at += 1
            continue
        count = attribution_at(texts, at)
        kind = Kind.INTRODUCED
        if not count or _next(lines, at + count) is not Kind.QUOTED:
            separated = separator_at(texts, at)
            count, kind = (separated, Kind.SEPARATED) if separated else (count, Kind.SEPARATED)
            if count and _next(lines, at + count) is Kind.QUOTED:
                kind = Kind.INTRODUCED
        for line in lines[at : at + count]:
            line.kind = kind
        at += max(count, 1)


def _next(lines: list[_Line], at: int) -> Kind | None:
    """The kind of the next line that is not blank."""
    return next((line.kind for line in lines[at:] if line.text.strip()), None)


def _mark_indented(lines: list[_Line]) -> None:
    """Marks the lines that are quoted by their indent: those that follow an introduction, if the
    first of them is indented.
    """
    for at, line in enumerate(lines):
        if line.kind is not Kind.SEPARATED or (at + 1 < len(lines) and lines[at + 1].kind is Kind.SEPARATED):
            continue
        following = [other for other in lines[at + 1 :] if other.text.strip()]
        if following and is_indented(following[0].text) and any(not is_indented(other.text) for other in following):
            for other in following:
                if is_indented(other.text) and other.kind is Kind.TYPED:
                    other.kind = Kind.QUOTED


def _mark_broken(lines: list[_Line], ours: Sequence[SentText]) -> None:
    """Marks the rests of quoted lines that a mail program broke without marking the rest."""
    quoted: tuple[str, ...] = ()
    is_long = False
    for line in lines:
        if line.kind is Kind.QUOTED:
            quoted = words_in(unmarked(line.text))
            is_long = len(line.text) >= LONG_LINE
        elif line.kind is Kind.TYPED and line.text.strip() and quoted and _is_rest(quoted, line, ours, is_long):
            line.kind = Kind.QUOTED
            quoted = (*quoted, *words_in(line.text))
            is_long = is_long and len(line.text) >= LONG_LINE
        else:
            quoted = ()


def _is_rest(quoted: tuple[str, ...], line: _Line, ours: Sequence[SentText], is_long: bool) -> bool:
    return goes_on(quoted, line.text, ours, is_long) if ours else is_long


def _mark_ours(lines: list[_Line], ours: Sequence[SentText]) -> None:
    """Marks quotations without marks. From the first of them on, or from an introduction on that
    does not introduce marks, a line counts as typed only if it certainly was: it stands between two
    lines of ours that follow each other in our mail, or after the end of our mail.
    """
    found = blocks([line.text if line.kind is Kind.TYPED else None for line in lines], ours)
    separated = next((at for at, line in enumerate(lines) if line.kind is Kind.SEPARATED), len(lines))
    quotation = next((block.first for block in found if block.is_quotation), len(lines))
    start = min(separated, quotation)
    for block in found:
        if block.is_quotation or (block.first >= start and not _is_inserted(block, found)):
            for line in lines[block.first : block.last + 1]:
                line.kind = Kind.QUOTED
    certain = _inserted_lines(lines, found, start)
    for at in range(start, len(lines)):
        if lines[at].kind is Kind.TYPED and lines[at].text.strip() and at not in certain:
            lines[at].kind = Kind.QUOTED


def _is_inserted(block: Block, found: Sequence[Block]) -> bool:
    """Whether the block stands between two that follow each other in our mail, or after the end of
    our mail: then it was typed, though we wrote the same elsewhere.
    """
    at = found.index(block)
    if block.is_quotation:
        return False
    before = next((other for other in reversed(found[:at]) if other.crossed or other.words >= FEW), None)
    after = next((other for other in found[at + 1 :] if other.crossed or other.words >= FEW), None)
    if before is None:
        return False
    return before.is_end or (after is not None and _follow(before, after))


def _follow(one: Block, other: Block) -> bool:
    """Whether the second block begins where the first ends, at the beginning of a line of ours."""
    return one.text == other.text and abs(other.start + 1 - one.end) <= 1


def _inserted_lines(lines: list[_Line], found: Sequence[Block], start: int) -> set[int]:
    """The lines from ``start`` on that stand between blocks that follow each other, or after the
    end of our mail.
    """
    certain: set[int] = set()
    quoting = [
        block for block in found if all(line.kind is Kind.QUOTED for line in lines[block.first : block.last + 1])
    ]
    for at, block in enumerate(quoting):
        if block.last < start:
            continue
        after = quoting[at + 1] if at + 1 < len(quoting) else None
        if block.is_end or (after is not None and _follow(block, after)):
            end = len(lines) if after is None else after.first
            certain.update(range(block.last + 1, end))
    return certain


def _mark_below(lines: list[_Line]) -> None:
    """Marks signatures, from their separator to the next quotation, and footers."""
    below = False
    for line in lines:
        if line.kind is not Kind.TYPED:
            below = False
        elif below or is_separator(line.text) or is_disclaimer(line.text):
            below = True
            line.kind = Kind.BELOW
        elif is_footer(line.text):
            line.kind = Kind.BELOW


def _kept(lines: list[_Line]) -> tuple[str, ...]:
    """The typed lines, and one blank line for all between them that is not typed."""
    kept: list[str] = []
    for line in lines:
        text = line.text.strip() if line.kind is Kind.TYPED else ""
        if text or (kept and kept[-1]):
            kept.append(text)
    while kept and not kept[-1]:
        kept.pop()
    return tuple(kept)
