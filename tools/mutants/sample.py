"""Draws the stratified sample: the same mutants for the same seed, part by part."""

from __future__ import annotations

import hashlib
from pathlib import Path

from tools.mutants.parts import Stratum
from tools.mutants.sources import Mutant, mutants


def sampled(root: Path, parts: tuple[Stratum, ...], count: int, seed: int) -> dict[str, tuple[list[Mutant], int]]:
    """For each part's name as many mutants as for any other, ``count`` in all but for the remainder
    and for parts that have fewer, and the number of possible ones.

    Mutants are ranked by a hash of the seed and their key, so an edit changes the sample only by
    the mutants of the edited lines.
    """
    drawn: dict[str, tuple[list[Mutant], int]] = {}
    for part in parts:
        possible = [
            mutant for file in part.files for mutant in mutants(file, (root / file).read_text(encoding="utf-8"))
        ]
        ranked = sorted(possible, key=lambda mutant: _rank(seed, mutant))
        drawn[part.name] = ranked[: count // len(parts)], len(possible)
    return drawn


def _rank(seed: int, mutant: Mutant) -> bytes:
    return hashlib.sha256("\0".join((str(seed), *mutant.key)).encode()).digest()
