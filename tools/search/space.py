"""The component sets that a search may try: a set to start from, alternatives for parts of it, and
what is expected of a good one. All of it is a document, so that this tool knows no game.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from random import Random
from typing import Annotated, Any, Final

from engine.documents import About, escape
from tools.search.criteria import Criterion

_FACTORS: Final = (0.0, 0.4, 0.6, 1.6, 2.2)
_NEW_WEIGHTS: Final = (1.0, 2.0, 4.0)
_LEAST_WEIGHT: Final = 0.2


@dataclass(frozen=True, slots=True)
class Mixture:
    """Values that are dealt out to many places: each kind by its weight, the alternatives of a kind
    in turn.
    """

    at: Annotated[str, About("The JSON pointers of the places; `*` stands for every key or index.")]
    kinds: Annotated[Mapping[str, tuple[Any, ...]], About("The alternatives of each kind.")]
    spared: Annotated[tuple[str, ...], About("JSON pointers of places that stay as they are.")] = ()


@dataclass(frozen=True, slots=True)
class Candidate:
    """What distinguishes a component set: the label taken for each choice, the weights of the kinds
    in each mixture, and the seed by which mixtures are dealt out.
    """

    chosen: Mapping[str, str] = field(default_factory=dict)
    mixed: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Space:
    """What may be varied and what is wanted. A choice gives for each label the values at JSON
    pointers; the first label is the default. ``begin`` are the first candidates by name.
    """

    base: Annotated[str, About("The component set to start from: its name, or its file, beside this one.")]
    criteria: tuple[Criterion, ...]
    begin: Mapping[str, Candidate]
    choices: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    mixtures: Mapping[str, Mixture] = field(default_factory=dict)


def made(space: Space, base: Mapping[str, Any], candidate: Candidate) -> dict[str, Any]:
    """The component document of a candidate. Raises ``KeyError`` for an unknown label, kind or
    pointer.
    """
    document = copy.deepcopy(dict(base))
    for name, label in candidate.chosen.items():
        for pointer, value in space.choices[name][label].items():
            _put(document, pointer, value)
    for name, weights in candidate.mixed.items():
        mixture = space.mixtures[name]
        places = [place for place in _matching(document, mixture.at) if place not in mixture.spared]
        values = _dealt(mixture, weights, len(places))
        Random(candidate.seed).shuffle(values)
        for place, value in zip(places, values, strict=True):
            _put(document, place, value)
    return document


def mutated(space: Space, candidate: Candidate, luck: Random) -> Candidate:
    """The candidate with one to three random changes."""
    for _ in range(luck.randint(1, 3)):
        if space.choices and (not space.mixtures or luck.random() < 0.25):
            name = luck.choice(sorted(space.choices))
            label = luck.choice(sorted(space.choices[name]))
            candidate = replace(candidate, chosen={**candidate.chosen, name: label})
        elif space.mixtures and luck.random() < 0.1:
            candidate = replace(candidate, seed=luck.randrange(1_000_000))
        elif space.mixtures:
            name = luck.choice(sorted(space.mixtures))
            weights = _shifted(space.mixtures[name], candidate.mixed.get(name, {}), luck)
            candidate = replace(candidate, mixed={**candidate.mixed, name: weights})
    return candidate


def _shifted(mixture: Mixture, weights: Mapping[str, float], luck: Random) -> dict[str, float]:
    kind = luck.choice(sorted(mixture.kinds))
    after = dict(weights)
    if kind in after and luck.random() < 0.5:
        after[kind] *= luck.choice(_FACTORS)
    else:
        after[kind] = after.get(kind, 0.0) + luck.choice(_NEW_WEIGHTS)
    after = {kind: round(weight, 2) for kind, weight in after.items() if weight >= _LEAST_WEIGHT}
    return after or dict(weights)


def _dealt(mixture: Mixture, weights: Mapping[str, float], places: int) -> list[Any]:
    """As many values as there are places; the largest remainders are rounded up."""
    total = sum(weights.values())
    quotas = {kind: weights[kind] / total * places for kind in sorted(weights)}
    numbers = {kind: int(quota) for kind, quota in quotas.items()}
    missing = places - sum(numbers.values())
    for kind in sorted(quotas, key=lambda kind: numbers[kind] - quotas[kind])[:missing]:
        numbers[kind] += 1
    return [
        mixture.kinds[kind][number % len(mixture.kinds[kind])] for kind in quotas for number in range(numbers[kind])
    ]


def _matching(document: Any, pattern: str) -> list[str]:
    """The JSON pointers in the document that have the form of the pattern, in order."""
    found = [("", document)]
    for step in pattern.split("/")[1:]:
        found = [
            (f"{pointer}/{escape(str(key))}", part)
            for pointer, whole in found
            for key, part in _parts(whole)
            if step in ("*", escape(str(key)))
        ]
    return [pointer for pointer, _ in found]


def _parts(whole: Any) -> Iterator[tuple[str | int, Any]]:
    if isinstance(whole, Mapping):
        yield from whole.items()
    elif isinstance(whole, list):
        yield from enumerate(whole)


def _put(document: Any, pointer: str, value: Any) -> None:
    """Replaces or adds the value at a JSON pointer."""
    *path, last = [step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:]]
    whole = document
    for step in path:
        whole = whole[int(step) if isinstance(whole, list) else step]
    whole[int(last) if isinstance(whole, list) else last] = copy.deepcopy(value)
