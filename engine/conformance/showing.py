"""Checks of what viewers are shown: sentences, texts, pictures, and nothing hidden from them."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from xml.etree import ElementTree

from engine.bots import greedy
from engine.conformance.subject import PlayedMatch, RandomGenerator
from engine.documents import from_document, to_document
from engine.errors import DocumentError
from engine.game import AnyGame
from engine.picks import choices
from engine.play import is_legal, judge, legal_actions, prompt, still_fresh
from engine.sentences import COMMON_ENDINGS, filled_in
from engine.types import CHANCE, SPECTATOR, Entry, Layout, Sentence, Statement, Viewer
from engine.wording import LONGEST_LINE, UNSEEN, WIDTH

MOST_BYTES = 180_000
"""Of a picture, which a page has in it."""
CODE = r"[a-z][a-z_]*"
SPACE = "{http://www.w3.org/2000/svg}"


def prompts_are_codes_with_whole_sentences(match: PlayedMatch) -> Iterator[str]:
    """``prompt`` gives a code of ``prompts`` with what the sentence, one line, is made from."""
    for ply, state, seat in match.decisions():
        for asked in (prompt(match.game, state, seat, viewer) for viewer in (SPECTATOR, seat)):
            yield from (f"ply {ply}: seat {seat} is asked {fault}" for fault in _faults(match.game.prompts, asked))


def endings_are_codes_with_whole_sentences(match: PlayedMatch) -> Iterator[str]:
    """``outcome`` gives a code of ``endings`` with its values, and lines that have labels."""
    outcome = match.game.outcome(match.states[-1])
    if outcome is None:
        return
    yield from (f"the match was ended by {fault}" for fault in _faults(match.game.endings, outcome.ended))
    yield from (f"the ending {code} is one of all games" for code in match.game.endings if code in COMMON_ENDINGS)
    for code in {line.code for lines in outcome.details for line in lines}:
        if not re.fullmatch(CODE, code) or not match.game.score_labels.get(code, "").strip():
            yield f"a score sheet has a line {code!r} without a label"


def _faults(sentences: Mapping[str, Sentence], told: Statement) -> Iterator[str]:
    """What is wrong with a statement, and its sentence of the table."""
    if not isinstance(told, Statement) or not re.fullmatch(CODE, told.code) or told.code not in sentences:
        yield f"{getattr(told, 'code', told)!r}, which is no code of the table of sentences"
        return
    try:
        if told != from_document(Statement, json.loads(json.dumps(to_document(told)))):
            yield f"{told.code} with the values {told.values}, which are others once they are stored"
        sentence = filled_in(sentences, told)
    except (DocumentError, TypeError) as error:
        yield f"{told.code} with the values {told.values}, which cannot be stored: {error}"
    except KeyError as error:
        yield f"{told.code} without the value {error}"
    else:
        if not re.fullmatch(r"[A-Z0-9][^\n]*[.!]", f"{sentence}") or UNSEEN.search(f"{sentence}"):
            yield f"{told.code} in the words {sentence!r}, which are not a sentence"


def narration_consists_of_whole_sentences(match: PlayedMatch) -> Iterator[str]:
    """``narrate`` gives whole sentences, or an empty string."""
    for ply, before, entry, after in match.steps:
        for viewer in match.viewers:
            told = match.game.narrate(before, entry.seat, entry.action, after, viewer, match.names)
            if told and not told.endswith((".", "!")):
                yield f"ply {ply}: viewer {viewer} is told {told!r}"
            if told != told.strip():
                yield f"ply {ply}: there is space around {told!r}"


def what_is_shown_is_text_without_control_characters(match: PlayedMatch) -> Iterator[str]:
    """``narrate``, ``format``, ``text`` and ``svg`` give strings whose characters can be shown."""
    game, names = match.game, match.names
    said = [("format", game.format(entry.action)) for entry in match.log]
    for _, before, entry, after in match.steps:
        said += (("narrate", game.narrate(before, entry.seat, entry.action, after, by, names)) for by in match.viewers)
    for observation in (game.observe(state, viewer) for state in match.sample(10) for viewer in match.viewers):
        pictures = (("svg", game.svg(observation, names, layout)) for layout in Layout)
        said += (("text", game.text(observation, names)), *pictures)
    for name, text in said:
        if not isinstance(text, str):
            yield f"{name} gives a {type(text).__name__}, not a string"
        elif found := UNSEEN.search(text):
            yield f"{name} gives the character {found[0]!r}, which cannot be shown: {text[:60]!r}"
        elif name in ("format", "narrate") and ("\n" in text or len(text) > LONGEST_LINE):
            yield f"{name} gives more than a line of {LONGEST_LINE} characters: {text[:60]!r}"


def the_text_board_has_at_most_78_columns(match: PlayedMatch) -> Iterator[str]:
    """``text`` is not empty, and fits 78 columns, without spaces at the ends of lines."""
    for state in match.sample(40):
        for viewer in match.viewers:
            text = match.game.text(match.game.observe(state, viewer), match.names)
            lines = text.splitlines()
            yield from (f"a line of the text has {len(line)} columns: {line}" for line in lines if len(line) > WIDTH)
            yield from (f"a line of the text ends with a space: {line!r}" for line in lines if line != line.rstrip())
            if not text.strip():
                yield "the text is empty"


def the_picture_is_a_standalone_svg_with_title_and_description(match: PlayedMatch) -> Iterator[str]:
    """``svg`` stands alone, has title and description, has labels in DejaVu Sans, no script."""
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
    if len(picture.encode()) > MOST_BYTES:
        yield f"the picture has {len(picture.encode())} bytes, more than {MOST_BYTES}"
    for element in root.iter():
        if element.tag.removeprefix(SPACE) in ("script", "image", "foreignObject", "style"):
            yield f"the picture has more than shapes and text: a {element.tag.removeprefix(SPACE)}"
        for attribute, value in element.attrib.items():
            if (attribute.endswith("href") and not value.startswith("#")) or "url(" in value:
                yield f"the picture does not stand alone: it loads {value}"
            if attribute.startswith("on"):
                yield f"the picture has a script in {attribute}"
    for font in sorted(set(re.findall(r'font-family="([^"]*)"', picture))):
        if html.unescape(font).split(",")[0].strip("'\" ") != "DejaVu Sans":
            yield f"the picture is labelled in {font}, which is not the font that is shipped, DejaVu Sans"


TWINS = 6
"""The number of twins of a match that are followed at the same time."""


@dataclass(frozen=True, slots=True)
class Twin:
    """A state that looks to the viewer like the true one, and the ply since which they differ."""

    viewer: Viewer
    state: Any
    differs_since: int


def hidden_information_does_not_change_what_a_viewer_is_shown(match: PlayedMatch) -> Iterator[str]:
    """For each entry that is concealed, or of which a part is, a twin of the match is made in which
    another action happened: while the next entries are possible there, too, that viewer must be
    shown the same for both.
    """
    game, luck = match.game, match.luck
    done = sorted({entry.action for entry in match.log if entry.seat != CHANCE}, key=repr)
    twins: list[Twin] = []
    concealed = replaceable = 0
    for ply, before, entry, after in match.steps:
        if not game.to_act(after):
            break  # the end of the match reveals everything
        following = []
        for twin in twins:
            if _could_be(game, twin.state, entry):
                reached = game.apply(twin.state, entry.seat, entry.action)
                if _told(match, before, entry, after, twin) != _told(match, twin.state, entry, reached, twin):
                    at = twin.differs_since
                    yield f"ply {ply}: what viewer {twin.viewer} is told reveals what happened at ply {at}"
                following.append(replace(twin, state=reached))
        for viewer in match.viewers:
            if game.seen(before, entry.seat, entry.action, viewer) == entry.action:
                continue
            concealed += 1
            action = _otherwise(game, before, entry, viewer, luck)
            if action is not None:
                replaceable += 1
                other = Entry(entry.seat, action)
                twin = Twin(viewer, game.apply(before, entry.seat, action), ply)
                if _told(match, before, entry, after, twin) != _told(match, before, other, twin.state, twin):
                    yield f"ply {ply}: what viewer {viewer} is told reveals an entry that is concealed from it"
                following.append(twin)
        for twin in following:
            true, false = (_shown(match, state, twin.viewer) for state in (after, twin.state))
            if repr(true) != repr(false):  # else what is drawn of them is the same, too
                true, false = (_drawn(match, shown) for shown in (true, false))
            for part in true:
                if true[part] != false[part]:
                    yield f"ply {ply}: {part} shows viewer {twin.viewer} what happened at ply {twin.differs_since}"
            if legal := true.get("the list", ()):
                yield from _actions_show_nothing(game, after, twin, legal, done, luck)
        twins = luck.sample(following, min(len(following), TWINS))
    if concealed and not replaceable:
        yield f"{concealed} entries are concealed, but nothing else could have happened in place of any of them"


def a_seat_is_shown_its_own_entries(match: PlayedMatch) -> Iterator[str]:
    """``seen`` gives a seat its own actions unchanged."""
    for ply, before, entry, _ in match.steps:
        if entry.seat != CHANCE and match.game.seen(before, entry.seat, entry.action, entry.seat) != entry.action:
            yield f"ply {ply}: {entry.action} of seat {entry.seat} is concealed from it"


def concealed_entries_leave_the_turn_of_an_awaited_seat_fresh(match: PlayedMatch) -> Iterator[str]:
    """An entry that is concealed from an awaited seat leaves that seat's turn fresh."""
    game = match.game
    for step in match.steps:
        awaited = set(game.to_act(step.before)) & set(game.to_act(step.after)) - {CHANCE}
        for seat in sorted(awaited):
            concealed = game.seen(step.before, step.entry.seat, step.entry.action, seat) is None
            if concealed and not still_fresh(game, [step], seat):
                yield f"ply {step.ply}: what is concealed from seat {seat} changes what it is shown"


def all_viewers_are_shown_the_same_at_the_end(match: PlayedMatch) -> Iterator[str]:
    """After the last ply all observations are equal except for ``viewer``."""
    last = match.states[-1]
    found = {viewer: {**to_document(match.game.observe(last, viewer)), "viewer": None} for viewer in match.viewers}
    for viewer, document in found.items():
        if document != found[SPECTATOR]:
            yield f"viewer {viewer} is shown a different end than a spectator"


def _told(match: PlayedMatch, before: Any, entry: Entry[Any], after: Any, twin: Twin) -> tuple[Any, str]:
    game, seat, action = match.game, entry.seat, entry.action
    told = game.narrate(before, seat, action, after, twin.viewer, match.names)
    return game.seen(before, seat, action, twin.viewer), told


def _shown(match: PlayedMatch, state: Any, viewer: Viewer) -> dict[str, Any]:
    """Everything that a viewer is shown of a state, by part, before it is drawn."""
    game, awaited = match.game, match.game.to_act(state)
    shown = {
        "the observation": game.observe(state, viewer),
        "who is awaited": awaited,
        "a prompt": tuple(prompt(game, state, seat, viewer) for seat in awaited if seat != CHANCE),
    }
    if viewer is not None and viewer in awaited:
        shown["the list"] = legal_actions(game, state, viewer)
        shown["the choice of a bot"] = greedy(game, state, viewer)
    return shown


def _drawn(match: PlayedMatch, shown: Mapping[str, Any]) -> dict[str, Any]:
    """What is shown, with what is drawn of the observation and of what is legal."""
    game, observation = match.game, shown["the observation"]
    allowed = choices(map(to_document, shown.get("the list", ())))
    return {
        **shown,
        "the text": game.text(observation, match.names),
        "the picture": [game.svg(observation, match.names, layout, allowed) for layout in Layout],
    }


def _could_be(game: AnyGame, state: Any, entry: Entry[Any]) -> bool:
    if entry.seat == CHANCE:
        return game.to_act(state) == (CHANCE,) and any(action == entry.action for action, _ in game.outcomes(state))
    return is_legal(game, state, entry.seat, entry.action)


def _otherwise(game: AnyGame, state: Any, entry: Entry[Any], viewer: Viewer, luck: RandomGenerator) -> Any | None:
    """Another possible action that looks the same to the viewer; ``None`` if there is none."""
    seat, done = entry.seat, entry.action
    possible = [each for each, _ in game.outcomes(state)] if seat == CHANCE else legal_actions(game, state, seat)
    known = game.seen(state, seat, done, viewer)
    others = [each for each in possible if each != done and game.seen(state, seat, each, viewer) == known]
    return luck.choice(others) if others else None


def _actions_show_nothing(
    game: AnyGame, state: Any, twin: Twin, legal: Sequence[Any], done: Sequence[Any], luck: RandomGenerator
) -> Iterator[str]:
    """An action reveals nothing to the seat that does it, as a preview would reveal it, too; nor
    does what is answered to any that are ``done`` in the match.
    """
    seat = twin.viewer
    if seat is None:
        return
    for action in luck.sample(legal, min(2, len(legal))):
        one, other = (game.apply(each, seat, action) for each in (state, twin.state))
        if game.to_act(one) and game.observe(one, seat) != game.observe(other, seat):
            yield f"{action} shows seat {seat} what it may not know"
    for action in luck.sample(done, min(2, len(done))):
        if judge(game, state, seat, action) != judge(game, twin.state, seat, action):
            yield f"the answer to {action} shows seat {seat} what it may not know"
