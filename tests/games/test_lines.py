"""Lines that people type, in every game: a line is understood as a whole, or refused.

Words and numbers are inserted into legal lines; narrations and prompts are typed back.
"""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from engine import registry
from engine.conformance.subject import PlayedMatch, play
from engine.documents import to_document
from engine.errors import NotationError
from engine.play import legal_actions
from engine.reading import read_actions
from engine.types import CHANCE
from engine.vocabulary import AND, FILLERS, NO, NUMBERS, THEN, TIMES, YES
from tests.engine.matches import asked, subject

SEED = 20261122
LINES = 250
"""So many legal lines of a game are tried."""
INSERTIONS = 60
"""So many insertions are tried in each of them, in the quick tests ``FEW``."""
FEW = 12


@pytest.fixture(params=registry.games())
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@cache
def matches(name: str) -> tuple[PlayedMatch, ...]:
    """A match between random players for each number of seats."""
    rules = registry.game(name)
    return tuple(play(subject(name), seats, 3) for seats in rules.info.seats)


def lines_of(name: str, luck: Random) -> list[str]:
    """Legal actions of the matches as lines: of each type that occurs as many as of the others."""
    kinds: dict[type[Any], list[Any]] = {}
    for match in matches(name):
        for _, state, seat in match.decisions():
            for action in legal_actions(match.game, state, seat):
                kinds.setdefault(type(action), []).append(action)
    rules = registry.game(name)
    return [
        rules.format(luck.choice(kinds[kind]))
        for kind in rules.actions
        if kind in kinds
        for _ in range(LINES // len(rules.actions))
    ]


def read(name: str, line: str) -> tuple[tuple[Any, ...], Any]:
    """The actions on a line, and the reader that has read it. Raises ``NotationError``."""
    words, grammar = (importlib.import_module(f"engine.games.{name}.{part}") for part in ("terms", "notation"))
    reader = words.read(line)
    return read_actions(reader, grammar.read_action, grammar.ACTIONS_SAID), reader


def inserted(name: str, luck: Random, insertions: int) -> Iterator[tuple[str, str, str]]:
    """Lines, each with a token and the line into which it was inserted."""
    words = importlib.import_module(f"engine.games.{name}.terms").WORDS
    tokens = sorted({word for phrase in words.meanings for word in phrase} | FILLERS | AND | THEN | YES | NO | TIMES)
    tokens += [*NUMBERS, *(str(number) for number in range(13)), "C5", "D2", "E4", "W3", "x2", "2x"]
    for line in lines_of(name, luck):
        parts = line.split()
        for _ in range(insertions):
            at, token = luck.randrange(len(parts) + 1), luck.choice(tokens)
            yield " ".join((*parts[:at], token, *parts[at:])), token, line


@pytest.mark.parametrize("insertions", [FEW, pytest.param(INSERTIONS, marks=pytest.mark.deep)])
def test_nothing_that_is_inserted_into_a_line_is_ignored(game: str, insertions: int) -> None:
    """An inserted word or number makes an error, another action, or is a word that belongs where it
    stands: a filler, a link such as "on", a joint between actions, a count of one, or a part of a
    longer name. Every piece of a line that is read has been read as something.
    """
    luck, counts = Random(SEED), Counter[str]()
    links = importlib.import_module(f"engine.games.{game}.terms").LINKS
    words = importlib.import_module(f"engine.games.{game}.terms").WORDS
    for line, token, before in inserted(game, luck, insertions):
        try:
            actions, reader = read(game, line)
        except NotationError:
            counts["refused"] += 1
            continue
        meant, _ = read(game, before)
        for index, piece in enumerate(reader.pieces):
            passed = index in reader.taken or piece.kind in ("stop", "end") or piece.word in FILLERS
            assert passed, f'{line!r} is read as {actions}, and nothing is made of "{piece.text}"'
        if actions != meant:
            counts["another action"] += 1
            continue
        role = {reader.taken.get(index) for index, piece in enumerate(reader.pieces) if piece.text == token}
        known = (
            token in FILLERS | AND | THEN
            or token in ("1", "one")
            or (token in YES and "marker" in role)
            or (token in TIMES and "number" in role)
            or role & links
            or any(
                len(phrase) > 1 and token in phrase and f" {' '.join(phrase)} " in f" {line} "
                for phrase in words.meanings
            )
        )
        assert known, f'{line!r} is read as {before!r}: "{token}" makes no difference'
        counts["a word that belongs there"] += 1
    print(f"{game}, seed {SEED}: {sum(counts.values())} insertions: {dict(counts)}")
    assert counts["refused"] > counts["a word that belongs there"]


def told(match: PlayedMatch) -> Iterator[tuple[Any, str]]:
    """Every action of a seat that it is told in full, and the first sentence that tells it, without
    the name of the seat.
    """
    names = tuple(f"Player{chr(ord('A') + seat)}" for seat in range(match.seats))
    for _, before, entry, after in match.steps:
        if entry.seat == CHANCE or match.game.seen(before, entry.seat, entry.action, entry.seat) != entry.action:
            continue
        sentence = match.game.narrate(before, entry.seat, entry.action, after, entry.seat, names)
        if sentence:
            yield entry.action, re.split(r"(?<=[.!])\s", sentence.removeprefix(names[entry.seat]).strip())[0]


def test_the_sentence_that_tells_an_action_can_be_typed(game: str) -> None:
    for match in matches(game):
        for action, sentence in told(match):
            try:
                typed: Sequence[Any] = match.game.parse(sentence)
            except NotationError as error:
                pytest.fail(f"{to_document(action)} is told as {sentence!r}, which is refused: {error.message}")
            assert typed == (action,), f"{sentence!r} is read as {typed}, not as {action}"


def test_the_examples_in_prompts_can_be_typed(game: str) -> None:
    """What a prompt quotes or gives as an example, and what it asks in the imperative where that is
    a whole action.
    """
    quoted = set()
    for match in matches(game):
        for _, state, seat in match.decisions():
            quoted |= set(re.findall(r'"([^"]+)"', asked(match.game, state, seat)))
    for line in sorted(quoted):
        assert registry.game(game).parse(line), line


def test_the_examples_in_the_help_can_be_typed(game: str) -> None:
    """Every line of the help that is indented by two begins with an example, up to two blanks; "A
    whole turn:" and quoted examples are typed too.
    """
    rules = registry.game(game)
    help_lines = rules.info.notation.splitlines()
    examples = [re.split(r"\s{2,}", line[2:])[0] for line in help_lines if re.match(r"  \S", line)]
    examples += [line.split(":", 1)[1] for line in help_lines if line.startswith("A whole turn:")]
    examples += [quoted for quoted in re.findall(r'"([^"]*)"', rules.info.notation) if len(quoted) > 3]
    assert len(examples) > 5
    for example in examples:
        assert rules.parse(example), example
