"""Enumerates all values of a game's action types, the grammar of the game, and compares the list of
legal actions with brute force, which judges every action in the grammar.

Only the types are used: a type that is not finite raises an error that says what to declare with
``About``. Of types that are ``unbounded`` brute force uses what the game lists.
"""

from __future__ import annotations

import dataclasses
import importlib
import re
import types
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import StrEnum
from functools import cache
from itertools import combinations_with_replacement, islice, product
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from engine import picks
from engine.conformance.subject import PlayedMatch, Subject
from engine.documents import About, from_document, to_document
from engine.game import AnyGame
from engine.play import is_legal, legal_actions
from engine.types import Seat

patterns: Any = importlib.import_module("re._parser")
codes: Any = importlib.import_module("re._constants")
"""The standard library's parser of regular expressions, which has no public name and no types."""


class Unbounded(TypeError):
    """A type has infinitely many values; the message says what to declare."""


@cache
def grammar(game: AnyGame) -> tuple[Any, ...]:
    """Every value of every bounded action type of seats, each once. Raises ``Unbounded``."""
    return tuple(action for kind in game.actions if kind not in game.unbounded for action in written(kind))


def written(kind: Any) -> tuple[Any, ...]:
    """Every value of a dataclass, once. Raises ``Unbounded``."""
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    try:
        choices = [tuple(values(hint, _ordered(kind, name, fields))) for name, hint in fields.items()]
    except Unbounded as error:
        raise Unbounded(f"{kind.__name__}: {error}") from None
    return tuple(dict.fromkeys(kind(**dict(zip(fields, chosen, strict=True))) for chosen in product(*choices)))


def values(kind: Any, ordered: bool = True) -> Iterator[Any]:
    """Every value of a type; unless ``ordered``, lists in one order. Raises ``Unbounded``."""
    about = About()
    if get_origin(kind) is Annotated:
        kind, *notes = get_args(kind)
        about = next((note for note in notes if isinstance(note, About)), about)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        yield from (None,) if type(None) in args else ()
        for member in (Annotated[arg, about] for arg in args if arg is not type(None)):
            yield from values(member, ordered)
    elif origin is Literal:
        yield from args
    elif origin is tuple:
        yield from _lists(args, about, ordered)
    elif kind is bool:
        yield from (False, True)
    elif kind is int:
        if about.minimum is None or about.maximum is None:
            raise Unbounded("a whole number needs About(minimum=..., maximum=...)")
        yield from range(about.minimum, about.maximum + 1)
    elif isinstance(kind, type) and issubclass(kind, StrEnum):
        yield from kind
    elif kind is str:
        yield from strings(about.pattern)
    elif dataclasses.is_dataclass(kind):
        yield from written(kind)
    else:
        raise Unbounded(f"{kind} has no end of values")


def strings(pattern: str | None) -> Iterator[str]:
    """Every string that matches the pattern, once. Raises ``Unbounded``."""
    if pattern is None or not (pattern.startswith("^") and pattern.endswith("$")):
        raise Unbounded('a text needs About(pattern="^...$")')
    for text in dict.fromkeys(_spelled(patterns.parse(pattern))):
        assert re.fullmatch(pattern, text), (pattern, text)
        yield text


def _ordered(kind: Any, name: str, fields: dict[str, Any]) -> bool:
    """Whether the order of a list field matters; where not, the dataclass sorts the list."""
    hint = fields[name]
    while get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) is not tuple or get_args(hint)[-1] is not Ellipsis:
        return True
    two = tuple(islice(values(get_args(hint)[0]), 2))
    others = {other: next(values(fields[other])) for other in fields if other != name}
    return len(two) == 2 and kind(**others, **{name: two}) != kind(**others, **{name: two[::-1]})


def _lists(args: tuple[Any, ...], about: About, ordered: bool) -> Iterator[tuple[Any, ...]]:
    if args[-1] is not Ellipsis:
        yield from product(*(tuple(values(arg)) for arg in args))
        return
    if about.max_items is None:
        raise Unbounded("a list needs About(max_items=...)")
    items = tuple(values(args[0]))
    for length in range(about.min_items or 0, about.max_items + 1):
        yield from product(items, repeat=length) if ordered else combinations_with_replacement(items, length)


def _spelled(pieces: Sequence[tuple[Any, Any]]) -> Iterator[str]:
    """The strings that a parsed pattern matches."""
    if not pieces:
        yield ""
        return
    (code, value), rest = pieces[0], pieces[1:]
    tails = tuple(_spelled(rest))
    yield from (head + tail for head in _alternatives(code, value) for tail in tails)


def _alternatives(code: Any, value: Any) -> Iterator[str]:
    if code is codes.AT:
        yield ""
    elif code is codes.LITERAL:
        yield chr(value)
    elif code is codes.RANGE:
        yield from map(chr, range(value[0], value[1] + 1))
    elif code is codes.IN:
        for inner in value:
            yield from _alternatives(*inner)
    elif code is codes.BRANCH:
        for branch in value[1]:
            yield from _spelled(branch)
    elif code is codes.SUBPATTERN:
        yield from _spelled(value[-1])
    elif code is codes.MAX_REPEAT and value[1] is not codes.MAXREPEAT:
        least, most, repeated = value
        once = tuple(_spelled(repeated))
        for number in range(least, most + 1):
            yield from map("".join, product(once, repeat=number))
    else:
        raise Unbounded(f"a pattern with {code} has no end of texts, or none that can be written out")


POSITIONS = 20
"""The number of positions of a match that are compared; all if there are fewer."""


def brute_force(game: AnyGame, state: Any, seat: Seat) -> Sequence[Any]:
    """The legal actions of the grammar and of unbounded candidates, the first for each effect."""
    found, reached = [], []
    listed = [action for action in game.candidates(state, seat) if type(action) in game.unbounded]
    for action in (*grammar(game), *listed):
        if is_legal(game, state, seat, action) and (after := game.apply(state, seat, action)) not in reached:
            found.append(action)
            reached.append(after)
    return tuple(found)


def the_grammar_is_finite_and_its_actions_have_documents(subject: Subject) -> Iterator[str]:
    """The grammar can be enumerated without duplicates, and its actions survive their documents."""
    try:
        everything = grammar(subject.game)
    except Unbounded as error:
        yield f"the grammar cannot be written out: {error}"
        return
    if len(set(everything)) != len(everything):
        yield "the grammar has an action twice"
    for kind in (kind for kind in subject.game.actions if kind not in subject.game.unbounded):
        sample = next((action for action in everything if type(action) is kind), None)
        if sample is None:
            yield f"no {kind.__name__} can be written down"
        elif from_document(kind, to_document(sample)) != sample:
            yield f"{sample} is another action when it is read again"


def fields_and_values_of_actions_have_words(subject: Subject) -> Iterator[str]:
    """``action_words`` names each field and value that may be offered, differently, and no more."""
    words, offered = subject.game.action_words, set[str]()
    for action in grammar(subject.game):
        offered.update(f"{field}={picks.written(value)}" for field, value in picks.values(to_document(action)))
    for each in sorted(offered):
        field, _, value = each.partition("=")
        if field != "type" and field not in words:
            yield f"the field {field} has no words"
        if each not in words and not re.fullmatch("[a-z]|.*[0-9A-Z].*", value):
            yield f"{each} has no words"
    for each, said in words.items():
        if not re.fullmatch(r"[A-Z0-9][^\n_]*", said):
            yield f"{each} is called {said!r}, which does not begin with a capital letter"
    named = Counter((each.partition("=")[0], said) for each, said in words.items() if "=" in each)
    yield from (f"two values of {field} are called {said!r}" for (field, said), uses in named.items() if uses > 1)
    known = {part for each in offered for part in (each, each.partition("=")[0])}
    if not subject.game.unbounded:
        yield from (f"{each} has words, and is in no action" for each in words if each not in known)


def every_legal_action_is_in_the_grammar(match: PlayedMatch) -> Iterator[str]:
    """Every legal action is in the grammar, unless its type is unbounded."""
    everything = set(grammar(match.game))
    for ply, state, seat in match.decisions():
        for action in legal_actions(match.game, state, seat):
            if action not in everything and type(action) not in match.game.unbounded:
                yield f"ply {ply}: {action} is legal for seat {seat}, and not in the grammar"


def the_list_of_legal_actions_agrees_with_brute_force(match: PlayedMatch) -> Iterator[str]:
    """The listed actions lead to the same states as all legal actions, and to each state once."""
    decisions = tuple(match.decisions())
    for index in sorted(match.luck.sample(range(len(decisions)), min(POSITIONS, len(decisions)))):
        ply, state, seat = decisions[index]
        yield from (f"ply {ply}: {finding}" for finding in compared(match.game, state, seat))


def compared(game: AnyGame, state: Any, seat: Seat) -> Iterator[str]:
    """The differences between the list of a seat and the legal actions of the grammar."""
    listed = [(action, game.apply(state, seat, action)) for action in legal_actions(game, state, seat)]
    reached = [after for _, after in listed]
    found = [(action, game.apply(state, seat, action)) for action in brute_force(game, state, seat)]
    allowed = [after for _, after in found]
    for action, after in found:
        if after not in reached:
            yield f"{action} is legal for seat {seat}, but its result is that of no listed action"
    for index, (action, after) in enumerate(listed):
        if after in reached[:index]:
            yield f"{action} of seat {seat} has the same result as another listed action"
        if after not in allowed:
            yield f"{action} is listed for seat {seat}, and nothing in the grammar has its result"
