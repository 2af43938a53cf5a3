"""A run of the bench:

1. Start a service in a temporary folder (``tools.launch``): database, Valkey, API, workers,
   sweeper.
2. Write running matches and play them beforehand, so that the load is nothing but posting.
3. Post from many connections at once, and count.
4. Measure two reference rates: a bare echo and bare commits.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine import registry
from service.config import load
from service.store.database import Database
from service.store.schema import migrate
from service.wiring import wire
from tools.bench.measure import WARM_UP, Measured, commits, echo, prepare, turns_under_load
from tools.bench.profile import stages
from tools.launch import Service

FASTEST = 900
"""The most turns a second for which matches are prepared."""


def figures_of(
    service: Service, setup: Mapping[str, Any], game: str, matches: int, seconds: float, profile: bool
) -> dict[str, Any]:
    """The figures of a run over ``matches`` matches and counted ``seconds``, as a JSON document.
    ``setup`` holds the server and the numbers of processes and threads. Raises ``NotRunning``.
    """
    database = Database(service.database_url)
    migrate(database)
    try:
        service.start_valkey()
        turns = int((WARM_UP + seconds) * min(FASTEST, matches * 200))
        prepared = prepare(database, registry.game(game), matches, turns)
        service.start_parts("api", *["turns"] * setup["turn_workers"], "sweeper")
        service.wait(service.ready, "the service is ready")
        measured = turns_under_load(service, database, prepared, matches, seconds)
        for name in ("api", "turns", "sweeper"):
            service.stop(name)
        echoed = echo(service, prepared.sample, matches, min(seconds, 5.0))
        return {
            "game": game,
            "database": database.url.get_backend_name(),
            "matches": matches,
            **setup,
            "notices": "written by the turns, not delivered meanwhile",
            **_document(measured, "turns"),
            "echo": _document(echoed, "answers"),
            "commits_per_second": round(commits(database, service.data_dir)),
            "stages": _stages(service, game) if profile else {},
        }
    finally:
        service.stop()
        database.dispose()


def _stages(service: Service, game: str) -> dict[str, float]:
    context = wire(load(service.environ))
    try:
        return {name: round(milliseconds, 3) for name, milliseconds in stages(context, registry.game(game)).items()}
    finally:
        context.close()


def _document(measured: Measured, what: str) -> dict[str, Any]:
    return {
        f"{what}_per_second": round(measured.rate, 1),
        "seconds": round(measured.seconds, 2),
        "counted": measured.answered,
        "milliseconds": {name: round(value, 1) for name, value in measured.percentiles.items()},
        "processor_milliseconds_each": {
            kind: round(used * 1000 / max(1, measured.answered), 3) for kind, used in measured.processor.items()
        }
        | {"all": round(measured.processor_per_answer * 1000, 3)},
        "memory_megabytes": {kind: round(size / 2**20) for kind, size in measured.memory.items()},
        "faults": list(measured.faults),
        "ran_dry": measured.dry,
    }
