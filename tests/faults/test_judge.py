"""Turns that kill, stop or starve their judge: all other matches go on, and whoever submitted them
is told what happened.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from service.store.tables import entries, turns
from tests.faults.trial import Trial
from tests.faults.trial import trial as new_trial
from tests.installed import EXAMPLE
from tools.client import Account, Client, ClientAnswer, start_match
from tools.installed import at_hand, declare
from tools.launch import overland
from tools.waiting import until

pytestmark = pytest.mark.deep

ROOT = EXAMPLE.parent.parent
KILLS, HANGS, EATS = "gfe"
"""The poisoned columns (tests/faults/games/poison)."""


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory, rows: Path) -> Iterator[Trial]:
    """A service with one turn worker and a game that has poisoned columns."""
    site = tmp_path_factory.mktemp("site")
    declare(site, "poison", {"poison": "tests.faults.games.poison"})
    environ = {"PYTHONPATH": f"{site}:{EXAMPLE}:{ROOT}", "OVERLAND_TURN_WORKERS": "1"}
    with pytest.MonkeyPatch.context() as patch, at_hand(site):
        patch.syspath_prepend(EXAMPLE)
        with new_trial(tmp_path_factory.mktemp("trial"), rows, "SQLite", environ) as trial:
            yield trial


@dataclass(slots=True)
class Match:
    """A match of the poisoned game, and its players."""

    trial: Trial
    client: Client
    players: list[Account]
    path: str

    def drop(self, column: str, ply: int = 0) -> ClientAnswer:
        """Submits a turn of the first seat."""
        body = {"ply": ply, "actions": [{"type": "drop", "column": column}]}
        return self.client.request("POST", f"{self.path}/turns", self.players[0], body)

    def poisoned(self, column: str) -> str:
        """Submits a turn that is taken, and gives its id."""
        status, turn = self.drop(column)
        assert status == 202, turn
        self.trial.players.journal.turn_taken(turn["id"])
        return str(turn["id"])

    def turn(self, turn_id: str) -> Any:
        return self.client.get(f"{self.path}/turns/{turn_id}", self.players[0])

    def is_failed(self, turn_id: str) -> bool:
        """Whether the turn was refused because it could not be judged."""
        turn = self.turn(turn_id)
        return bool(turn["status"] == "rejected" and turn["verdict"]["violation"]["code"] == "judge_failed")


def started(trial: Trial) -> Match:
    client, players = trial.players.client(), trial.players.sign_up(2)
    match_id = start_match(client, "poison", players, f"Poison {secrets.token_hex(2)}")
    return Match(trial, client, players, f"/v1/matches/{match_id}")


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        (KILLS, "five turns that kill their judge (SIGKILL)"),
        (HANGS, "five turns that are judged for ever, in C"),
        (EATS, "five turns that use up the memory of their judge"),
    ],
)
def test_a_poisoned_turn_is_refused_and_all_other_matches_go_on(poisoned: Trial, column: str, fault: str) -> None:
    matches = [started(poisoned) for _ in range(5)]
    submitted: list[tuple[Match, str]] = []

    @contextmanager
    def poison() -> Iterator[None]:
        submitted.extend((match, match.poisoned(column)) for match in matches)
        poisoned.more_turns(6)
        until(lambda: all(match.is_failed(turn_id) for match, turn_id in submitted), "the verdicts on the poison")
        yield

    poisoned.suffer(fault, poison())
    match, turn_id = submitted[0]
    assert "Traceback" not in json.dumps(match.turn(turn_id))
    listed = overland("turns", "list", "--json", environ=poisoned.service.environ)
    quarantined = {json.loads(line)["id"]: json.loads(line) for line in listed.stdout.splitlines()}
    assert quarantined[turn_id]["status"] == "quarantined"
    retried = overland("turns", "retry", turn_id, environ=poisoned.service.environ)
    assert retried.returncode == 0, retried.stderr
    until(lambda: match.is_failed(retried.stdout.strip()), "the verdict on the retried turn")
    assert match.drop("a")[0] == 202  # the match itself goes on


@pytest.mark.parametrize(
    ("column", "fault"),
    [
        (KILLS, "dry runs that kill the process that tries them (SIGKILL)"),
        (HANGS, "dry runs that go on for ever, in C"),
        (EATS, "dry runs that use up the memory"),
    ],
)
def test_poisoned_actions_that_are_only_tried_get_a_problem_and_end_no_process_of_the_api(
    poisoned: Trial, column: str, fault: str
) -> None:
    actions, notation = [{"type": "drop", "column": column}], f"{column}; 1"
    asked: list[tuple[str, dict[str, Any]]] = [
        ("turns", {"ply": 0, "actions": actions, "dry_run": True}),
        ("turns", {"ply": 0, "notation": notation, "dry_run": True}),
        ("turns", {"ply": 0, "notation": notation}),
        ("legal-actions", {"actions": actions}),
    ]
    matches = [started(poisoned) for _ in asked]
    other = started(poisoned)
    before = {part.pid for part in poisoned.service.parts("api")}
    lone = Client(poisoned.service.url)  # does not repeat what is answered by 503

    @contextmanager
    def poison() -> Iterator[None]:
        with ThreadPoolExecutor(len(asked)) as threads:
            answers = [
                threads.submit(attempt, Client(poisoned.service.url), f"{match.path}/{path}", match.players[0], body)
                for match, (path, body) in zip(matches, asked, strict=True)
            ]
            poisoned.more_turns(4)
            assert lone.get("/healthz")["status"] == "ok"
            for answer in answers:
                status, problem = answer.result()
                assert (status, problem["code"]) == (503, "trial_failed"), problem
                assert 1 <= problem["retry_after"] <= 10
        yield

    poisoned.suffer(fault, poison())
    assert {part.pid for part in poisoned.service.parts("api")} == before
    status, looked = attempt(
        lone, f"{other.path}/turns", other.players[0], {"ply": 0, "notation": "a", "dry_run": True}
    )
    assert (status, looked["accepted"]) == (200, 1), looked
    failed = [json.loads(line) for line in poisoned.service.output().splitlines() if '"trial.failed"' in line]
    assert {match.path.rsplit("/", 1)[1] for match in matches} <= {line["match"] for line in failed}


def attempt(client: Client, path: str, player: Account, body: dict[str, Any]) -> ClientAnswer:
    """The answer, as soon as a process is free to try the actions."""
    answers: list[ClientAnswer] = []

    def answered() -> bool:
        answers.append(client.request("POST", path, player, body))
        return bool(answers[-1].document.get("code") != "overloaded")

    until(answered, "a process that is free")
    return answers[-1]


def test_a_log_that_cannot_be_replayed_stops_its_match_alone(poisoned: Trial) -> None:
    match = started(poisoned)
    turn_id = match.poisoned("a")
    until(lambda: match.turn(turn_id)["status"] == "accepted", "the first turn")
    match_id = match.path.rsplit("/", 1)[1]
    whole = set_entry(poisoned, match_id, {"type": "no such thing"})

    @contextmanager
    def damaged() -> Iterator[None]:
        poisoned.service.kill()  # so that nobody remembers the state
        poisoned.service.start()
        match.client = Client(poisoned.service.url)  # does not repeat what is answered by 503
        status, answer = match.client.request("GET", f"{match.path}/observation", match.players[0])
        assert (status, answer["code"]) == (503, "match_unreadable"), answer
        waiting = enqueue(poisoned, match_id, match.players[1], 300)
        until(lambda: "unreadable_at" in (seen := match.client.get(match.path)) and bool(seen["unreadable_at"]), "mark")
        poisoned.more_turns(4)
        status, answer = match.drop("b", 1)
        assert (status, answer["code"]) == (503, "match_unreadable"), answer
        checked = overland("matches", "check", match_id, environ=poisoned.service.environ)
        assert checked.returncode == 1
        assert f"{match_id}  poison" in checked.stdout
        assert "The service cannot read it" in checked.stdout
        set_entry(poisoned, match_id, whole)
        checked = overland("matches", "check", match_id, environ=poisoned.service.environ)
        assert checked.returncode == 0, checked.stdout
        assert "goes on" in checked.stdout
        until(
            lambda: poisoned.count(turns, turns.c.id.in_(waiting), turns.c.judged_at.is_(None)) == 0, "their verdicts"
        )
        yield

    poisoned.suffer("a log that cannot be replayed, 300 turns waiting for it", damaged())
    assert match.client.get(f"{match.path}/observation", match.players[0])["ply"] == 1


def set_entry(trial: Trial, match_id: str, action: Any) -> Any:
    """Changes the first entry of a log. Returns what it was."""
    first = (entries.c.match_id == match_id) & (entries.c.ply == 0)
    with trial.database.write() as connection:
        before = connection.execute(select(entries.c.action).where(first)).scalar_one()
        connection.execute(update(entries).where(first).values(action=action))
    return before


def enqueue(trial: Trial, match_id: str, player: Account, count: int) -> list[str]:
    """Stores waiting turns of one seat, which submits no more than one."""
    with trial.database.write() as connection:
        seat = connection.execute(select(turns).where(turns.c.match_id == match_id)).mappings().first()
        assert seat is not None
        rows = [
            dict(seat)
            | {
                "id": f"waiting-{match_id}-{number}",
                "idempotency_key": None,
                "status": "queued",
                "verdict": None,
                "judged_at": None,
                "slot": None,
                "attempts": 0,
            }
            for number in range(count)
        ]
        connection.execute(insert(turns), rows)
    return [str(row["id"]) for row in rows]
