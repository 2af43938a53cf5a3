"""Draws the stratified sample: the same mutants for the same seed, part by part."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tools.mutants.parts import Stratum, matching
from tools.mutants.sources import Mutant, mutants


def sampled(root: Path, parts: tuple[Stratum, ...], count: int, seed: int) -> dict[str, tuple[list[Mutant], int]]:
    """For each part's name its share of ``count`` mutants, and the number of possible ones.

    Mutants are ranked by a hash of the seed and their key, so an edit changes the sample only by
    the mutants of the edited lines.
    """
    sizes = _sizes(parts, count)
    drawn: dict[str, tuple[list[Mutant], int]] = {}
    for part in parts:
        possible = [
            mutant
            for file in matching(root, part.files, part.without)
            for mutant in mutants(file, (root / file).read_text(encoding="utf-8"))
        ]
        ranked = sorted(possible, key=lambda mutant: _rank(seed, mutant))
        drawn[part.name] = ranked[: sizes[part.name]], len(possible)
    return drawn


def _sizes(parts: tuple[Stratum, ...], count: int) -> dict[str, int]:
    """``count`` divided by the shares of the parts; what rounding down leaves over goes to the
    parts with the largest remainders.
    """
    total = sum(part.share for part in parts)
    exact = {part.name: count * part.share / total for part in parts}
    sizes = {name: int(size) for name, size in exact.items()}
    by_remainder = sorted(exact, key=lambda name: sizes[name] - exact[name])
    for name in by_remainder[: count - sum(sizes.values())]:
        sizes[name] += 1
    return sizes


def _rank(seed: int, mutant: Mutant) -> bytes:
    return hashlib.sha256("\0".join((str(seed), *mutant.key)).encode()).digest()
