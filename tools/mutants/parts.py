"""The table of files to mutate, and of the tests that have to detect the mutants."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

NOT_RULES: Final = (
    "__init__.py",
    "check.py",
    "components*.py",
    "evaluate.py",
    "facts.py",
    "narrate.py",
    "notation.py",
    "observe.py",
    "phrases.py",
    "reading.py",
    "render*.py",
    "terms.py",
)
"""The files of a game that define neither what is legal nor its effects."""
SHARE_OF_GAMES: Final = 0.46
"""The share of all mutants that the games divide equally."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A stratum of the sample: ``share`` of all mutants, out of ``files``, judged by ``tests``.

    Both are globs below the root of the tree; a glob that matches nothing is an error. ``without``
    are patterns of file names that are left out.
    """

    name: str
    share: float
    files: tuple[str, ...]
    tests: tuple[str, ...]
    without: tuple[str, ...] = ()


OTHERS: Final = (
    Stratum(
        "driver",
        0.1,
        ("engine/play.py", "engine/draws.py", "engine/record.py"),
        (
            "tests/engine/test_*.py",
            "tests/games/test_contract.py",
            "tests/games/test_golden.py",
            "tests/service/commands/test_verify.py",
        ),
    ),
    Stratum(
        "turns",
        0.14,
        ("service/turns/*.py", "service/matches/*.py", "service/states.py"),
        (
            "tests/service/turns/test_*.py",
            "tests/service/matches/test_*.py",
            "tests/service/test_states.py",
            "tests/service/views/test_*.py",
            "tests/service/api/test_turns_api.py",
            "tests/service/api/test_matches_api.py",
            "tests/service/api/test_views_api.py",
            "tests/service/commands/test_matches.py",
        ),
    ),
    Stratum(
        "store",
        0.12,
        ("service/store/*.py",),
        (
            "tests/service/store/test_*.py",
            "tests/service/turns/test_*.py",
            "tests/service/matches/test_*.py",
            "tests/service/players/test_*.py",
            "tests/service/notices/test_delivery.py",
            "tests/service/notices/test_outages.py",
            "tests/service/commands/test_backup.py",
            "tests/service/commands/test_outbox.py",
            "tests/service/test_metrics.py",
        ),
        without=("tables.py",),
    ),
    Stratum(
        "notices",
        0.12,
        ("service/notices/*.py", "service/notices/mail/*.py"),
        ("tests/service/notices/test_*.py", "tests/service/commands/test_outbox.py", "tests/service/web/test_mails.py"),
    ),
    Stratum(
        "auth",
        0.06,
        ("service/addresses.py", "service/api/auth.py", "service/api/limits.py", "service/players/*.py"),
        (
            "tests/service/test_addresses.py",
            "tests/service/players/test_*.py",
            "tests/service/api/test_players_api.py",
            "tests/service/api/test_edges.py",
            "tests/service/api/test_database_away.py",
            "tests/service/web/test_pages.py",
        ),
    ),
)


def strata(root: Path) -> tuple[Stratum, ...]:
    """The strata of the tree below ``root``: each game in ``engine/games``, and ``OTHERS``."""
    games = sorted(file.parent.name for file in (root / "engine/games").glob("*/__init__.py"))
    return (*(_game(name, SHARE_OF_GAMES / len(games)) for name in games), *OTHERS)


def _game(name: str, share: float) -> Stratum:
    return Stratum(
        name,
        share,
        (f"engine/games/{name}/**/*.py",),
        (
            f"tests/games/{name}/test_*.py",
            "tests/games/test_contract.py",
            "tests/games/test_golden.py",
            "tests/service/api/test_document.py",
        ),
        NOT_RULES,
    )


def matching(root: Path, patterns: tuple[str, ...], without: tuple[str, ...] = ()) -> list[str]:
    """The files of some globs, as sorted paths below ``root``.

    Raises ``SystemExit`` for a glob that matches nothing, so that no part is skipped when files
    move.
    """
    found: set[str] = set()
    for pattern in patterns:
        files = [path for path in root.glob(pattern) if not any(path.match(name) for name in without)]
        if not files:
            raise SystemExit(f"tools/mutants/parts.py: nothing matches {pattern}; correct the table.")
        found.update(path.relative_to(root).as_posix() for path in files)
    return sorted(found)
