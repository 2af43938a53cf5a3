"""The strata of the sample: every folder of the source is one, with the tests that have to detect
its mutants.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

PACKAGES: Final = ("engine", "service", "workers")
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
LISTS: Final = ("tables.py", "m[0-9]*_*.py")
"""Files that list columns: the tables, and the migrations."""
OF_A_PART: Final = ("service/notices/mail", "service/store/migrations")
"""Folders that are tested with the one they stand in."""
ALSO: Final = {
    "engine": ("games/test_contract.py", "games/test_golden.py", "service/commands/test_verify.py"),
    "engine/conformance": ("engine", "games/test_contract.py"),
    "engine/games": ("games/test_contract.py", "games/test_golden.py", "service/api/test_document.py"),
    "service": ("service/api/test_edges.py", "service/views/test_feed.py"),
    "service/bots": ("service/test_loops.py",),
    "service/clocks": ("service/matches", "service/offers"),
    "service/commands": ("service/test_upkeep.py",),
    "service/events": ("service/notices", "service/webhooks"),
    "service/inbox": ("service/test_loops.py", "service/commands/test_check.py", "service/commands/test_mail_check.py"),
    "service/matches": (
        "service/clocks",
        "service/turns",
        "service/views",
        "service/offers",
        "service/api",
        "service/commands",
    ),
    "service/notices": ("service/commands/test_outbox.py", "service/web/test_mails.py"),
    "service/offers": ("service/inbox", "service/matches"),
    "service/pictures": ("service/api/test_views_api.py",),
    "service/players": ("service/api", "service/web/test_pages.py", "service/test_addresses.py"),
    "service/store": (
        "service/turns",
        "service/matches",
        "service/players",
        "service/notices",
        "service/commands",
        "service/webhooks",
        "service/inbox/test_act_on_words.py",
        "service/inbox/test_bounces.py",
        "service/api/test_confirming_api.py",
    ),
    "service/turns": ("service/matches", "service/views", "service/api", "service/test_kept.py"),
    "service/views": ("service/api", "service/web", "service/inbox"),
    "service/web": ("service/inbox",),
    "service/webhooks": ("service/api/test_webhooks_api.py",),
}
"""What tests a folder beside the tests of the same name: folders and files below ``tests``. What
stands at ``engine/games`` is for every game.
"""


@dataclass(frozen=True, slots=True)
class Stratum:
    """A folder of the source, with its ``files`` and the ``tests`` of its mutants, as sorted paths
    below the root of the tree.
    """

    name: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


def strata(root: Path) -> tuple[Stratum, ...]:
    """Every folder below ``root`` that has source, games with all that is in them."""
    paths = [path for name in PACKAGES for path in sorted((root / name).rglob("*.py"))]
    folders = {path.parent.relative_to(root).as_posix() for path in paths if path.name != "__init__.py"}
    games = {folder for folder in folders if Path(folder).parent.as_posix() == "engine/games"}
    inner = {folder for folder in folders for whole in (*OF_A_PART, *games) if folder.startswith(f"{whole}/")}
    return tuple(_stratum(root, folder, folder in games) for folder in sorted(folders - inner - set(OF_A_PART)))


def _stratum(root: Path, folder: str, is_game: bool) -> Stratum:
    if is_game:
        files = [path for path in (root / folder).rglob("*.py") if not _is_one_of(path, NOT_RULES)]
        tested_by = (folder.removeprefix("engine/"), *ALSO["engine/games"])
    else:
        parts = (folder, *(part for part in OF_A_PART if Path(part).parent.as_posix() == folder))
        files = [path for part in parts for path in (root / part).glob("*.py") if not _is_one_of(path, LISTS)]
        tested_by = (folder, *ALSO.get(folder, ()))
    tests = [test for name in tested_by for test in _tests(root / "tests" / name)]
    return Stratum(folder, _below(root, files), _below(root, tests))


def _is_one_of(path: Path, patterns: tuple[str, ...]) -> bool:
    return any(path.match(pattern) for pattern in patterns)


def _tests(path: Path) -> list[Path]:
    found = [path] if path.is_file() else list(path.glob("test_*.py"))
    if not found:
        raise SystemExit(f"tools/mutants/parts.py: {path} has no tests; correct the table.")
    return found


def _below(root: Path, paths: list[Path]) -> tuple[str, ...]:
    return tuple(sorted({path.relative_to(root).as_posix() for path in paths}))
