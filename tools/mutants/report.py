"""Reports the survivors, and which of them are known to be equivalent."""

from __future__ import annotations

import textwrap
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.mutants.sources import Mutant

KNOWN = Path(__file__).parent / "equivalent.toml"
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class PartResult:
    """The result of a part: the numbers of possible and tried mutants, and the survivors."""

    part: str
    possible: int
    tried: int
    survivors: tuple[Mutant, ...]

    @property
    def killed(self) -> int:
        return self.tried - len(self.survivors)


def known(path: Path = KNOWN) -> dict[Key, str]:
    """The reasons why mutants are equivalent, by key."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", [])
    return {(entry["file"], entry["line"], entry["change"]): " ".join(entry["reason"].split()) for entry in entries}


def page(results: Iterable[PartResult], reasons: dict[Key, str], seed: int) -> str:
    """The text of docs/mutants.md after its introduction."""
    results = tuple(results)
    lines = ["| part | possible mutants | tried | killed | survived |", "|---|---|---|---|---|"]
    for result in results:
        lines.append(
            f"| {result.part} | {result.possible} | {result.tried} | {result.killed} | {len(result.survivors)} |"
        )
    tried, killed = sum(result.tried for result in results), sum(result.killed for result in results)
    lines.append(f"| all | {sum(result.possible for result in results)} | {tried} | {killed} | {tried - killed} |")
    lines += ["", f"Killed: {share(results):.1%}, with seed {seed}.", "", "## Survivors", ""]
    survivors = [mutant for result in results for mutant in result.survivors]
    for mutant in sorted(survivors, key=lambda mutant: (mutant.file, mutant.number)):
        reason = reasons.get(mutant.key, "NOT EXPLAINED.")
        lines += [f"`{mutant.file}`", "", f"    {mutant.line}", f"    # {mutant.change}", ""]
        lines += [*textwrap.wrap(reason, 100), ""]
    return "\n".join(lines).rstrip() + "\n"


def share(results: Iterable[PartResult]) -> float:
    """The share of killed mutants among those tried."""
    results = tuple(results)
    return sum(result.killed for result in results) / max(1, sum(result.tried for result in results))
