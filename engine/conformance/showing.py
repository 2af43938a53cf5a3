"""Checks of prompts, narration, text boards and pictures."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from xml.etree import ElementTree

from engine.conformance.subject import PlayedMatch
from engine.play import prompt
from engine.types import SPECTATOR, Layout

COLUMNS = 78
SPACE = "{http://www.w3.org/2000/svg}"


def prompts_are_short_sentence_parts(match: PlayedMatch) -> Iterator[str]:
    """A prompt is one line, without a full stop."""
    for ply, state, seat in match.decisions():
        for asked in (prompt(match.game, state, seat, viewer) for viewer in (SPECTATOR, seat)):
            if not asked or "\n" in asked or asked.endswith("."):
                yield f"ply {ply}: seat {seat} is asked {asked!r}"


def narration_consists_of_whole_sentences(match: PlayedMatch) -> Iterator[str]:
    """``narrate`` gives whole sentences, or an empty string."""
    for ply, before, entry, after in match.steps:
        for viewer in match.viewers:
            told = match.game.narrate(before, entry.seat, entry.action, after, viewer, match.names)
            if told and not told.endswith((".", "!")):
                yield f"ply {ply}: viewer {viewer} is told {told!r}"
            if told != told.strip():
                yield f"ply {ply}: there is space around {told!r}"


def the_text_board_has_at_most_78_columns(match: PlayedMatch) -> Iterator[str]:
    """``text`` gives lines that fit 78 columns, without control characters."""
    for state in match.sample(40):
        for viewer in match.viewers:
            text = match.game.text(match.game.observe(state, viewer), match.names)
            for line in text.splitlines():
                if len(line) > COLUMNS:
                    yield f"a line of the text has {len(line)} columns: {line}"
            if not text.strip() or re.search(r"[\x00-\x09\x0b-\x1f\x7f]", text):
                yield f"the text is empty or has control characters: {text!r}"


def the_picture_is_a_standalone_svg_with_title_and_description(match: PlayedMatch) -> Iterator[str]:
    """``svg`` gives a standalone document with title and description, labelled in DejaVu Sans."""
    for state in match.sample(10):
        for viewer in match.viewers:
            for layout in Layout:
                yield from _of_a_picture(match.game.svg(match.game.observe(state, viewer), match.names, layout))


def _of_a_picture(picture: str) -> Iterator[str]:
    try:
        root = ElementTree.fromstring(picture)
    except ElementTree.ParseError as error:
        yield f"the picture is not XML: {error}"
        return
    if root.tag != f"{SPACE}svg" or not root.get("viewBox"):
        yield f"the picture is a {root.tag}, with the viewBox {root.get('viewBox')}"
    for part in ("title", "desc"):
        found = root.find(f"{SPACE}{part}")
        if found is None or not (found.text or "").strip():
            yield f"the picture has no {part}"
    for element in root.iter():
        for attribute, value in element.attrib.items():
            if attribute.endswith("href") and not value.startswith("#"):
                yield f"the picture does not stand alone: it loads {value}"
    for font in sorted(set(re.findall(r'font-family="([^"]*)"', picture))):
        if html.unescape(font).split(",")[0].strip("'\" ") != "DejaVu Sans":
            yield f"the picture is labelled in {font}, which is not the font that is shipped, DejaVu Sans"
