"""``overland verify FILE``, over a whole match of Oregon."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from engine import registry
from engine.play import ended_early, read_action, replay
from engine.record import EarlyEnd, Handover, Record, Resignation, setup_of, write_record
from engine.types import CHANCE, Entry
from service.cli import main
from tests.engine.matches import finished_record


@cache
def a_record() -> Record:
    return finished_record(registry.game("oregon"), registry.component_document("oregon"), 3, "verify")


def verified(folder: Path, record: Record | Any, *options: str) -> Result:
    file = folder / "record.json"
    file.write_text(json.dumps(write_record(record) if isinstance(record, Record) else record))
    return CliRunner().invoke(main, ["verify", str(file), *options])


def test_a_finished_record_is_verified_and_says_what_was_checked(tmp_path: Path) -> None:
    record = a_record()
    result = verified(tmp_path, record)
    draws = sum(logged.seat == CHANCE for logged in record.log)
    assert result.exit_code == 0
    assert f"oregon, 3 seats, {len(record.log)} plies" in result.stdout
    assert f"{draws} recomputed" in result.stdout
    assert f"{len(record.log) - draws} legal by the rules of Oregon, version 1" in result.stdout
    assert "not covered  the players' names, started_at, finished_at" in result.stdout
    assert record.commitment in result.stdout


def test_the_values_that_a_player_noted_are_compared(tmp_path: Path) -> None:
    record = a_record()
    assert record.nonces_digest is not None
    noted = ("--commitment", record.commitment.upper(), "--nonces", f" {record.nonces_digest}\n")
    result = verified(tmp_path, record, *noted)
    assert result.exit_code == 0
    assert "ok  noted        commitment and nonces" in result.stdout
    assert "noted" not in verified(tmp_path, record).stdout.replace("you noted", "")
    for option in ("--commitment", "--nonces"):
        refused = verified(tmp_path, record, option, "0" * 64)
        assert refused.exit_code == 1
        assert "REFUSED. The" in refused.stderr
        assert "0" * 64 in refused.stderr
        assert "ok" not in refused.stdout


@pytest.mark.parametrize("text", ["", "0" * 63, "0" * 65, "g" * 64])
def test_what_is_not_a_digest_is_a_usage_error(tmp_path: Path, text: str) -> None:
    result = verified(tmp_path, a_record(), "--nonces", text)
    assert result.exit_code == 2
    assert "is not a digest of 64 hexadecimal digits" in result.stderr


def test_the_values_to_note_and_the_nonce_of_each_seat_are_printed(tmp_path: Path) -> None:
    record = a_record()
    lines = verified(tmp_path, record).stdout.splitlines()
    assert lines[0].endswith(", overland/1")
    assert lines[-5:] == [
        f"  commitment  {record.commitment}",
        f"  nonces      {record.nonces_digest}",
        *(f"  seat {seat}      {nonce}" for seat, nonce in enumerate(record.nonces)),
    ]


def test_a_draw_that_was_tampered_with_is_named_by_its_ply(tmp_path: Path) -> None:
    document = write_record(a_record())
    ply = next(
        ply for ply, logged in enumerate(document["log"]) if ply > 40 and logged["action"]["type"] == "deal_symbol"
    )
    action = document["log"][ply]["action"]
    action["symbol"] = "bison" if action["symbol"] != "bison" else "eagle"
    result = verified(tmp_path, document)
    assert result.exit_code == 1
    assert f"REFUSED. Ply {ply}: the draw does not follow from the secret" in result.stderr
    assert "ok" not in result.stdout


def test_a_draw_of_a_coal_value_is_checked_as_well(tmp_path: Path) -> None:
    document = write_record(a_record())
    ply, action = next(
        (ply, logged["action"])
        for ply, logged in enumerate(document["log"])
        if logged["action"]["type"] in ("deal_coal", "deal_gold")
    )
    action["value"] += 1
    assert f"Ply {ply}: the draw does not follow" in verified(tmp_path, document).stderr


def test_an_illegal_play_is_named_by_its_ply_with_the_reason(tmp_path: Path) -> None:
    document = write_record(a_record())
    ply, action = next(
        (ply, logged["action"]) for ply, logged in enumerate(document["log"]) if logged["action"]["type"] == "start"
    )
    action["space"] = next(
        each["action"]["space"] for each in document["log"][ply + 1 :] if each["action"].get("type") == "farmer"
    )
    result = verified(tmp_path, document)
    assert result.exit_code == 1
    assert result.stderr.startswith("REFUSED. Ply ")


def test_a_resignation_is_reported(tmp_path: Path) -> None:
    result = verified(tmp_path, replace(a_record(), resignations=(Resignation(1, 30),)))
    assert "resignations Player 1 at ply 30" in result.stdout


def test_a_running_match_is_refused(tmp_path: Path) -> None:
    result = verified(tmp_path, replace(a_record(), secret=None, outcome=None))
    assert result.exit_code == 1
    assert "The secret is not revealed" in result.stderr


@pytest.mark.parametrize("content", [b"", b"not json", b"\xff\xfe", b"[" * 100_000])
def test_what_is_not_json_cannot_be_read(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(content)
    result = CliRunner().invoke(main, ["verify", str(file)])
    assert result.exit_code == 2
    assert "is not JSON" in result.stderr


def test_a_text_of_a_record_adds_no_line_to_what_is_said_of_it(tmp_path: Path) -> None:
    forged = "Eve\n  ok  noted        commitment and nonces\x1b[2J\u202e"
    said = verified(tmp_path, replace(a_record(), players=("Ann", "Ben", forged)))
    assert said.exit_code == 0
    assert "Eve\ufffd  ok  noted        commitment and nonces\ufffd[2J\ufffd" in said.stdout
    assert not any(line.startswith("  ok  noted") for line in said.stdout.splitlines())
    refused = verified(tmp_path, replace(a_record(), match=forged))
    assert refused.exit_code == 1
    assert all(line.isprintable() for line in refused.output.splitlines())


@pytest.mark.parametrize("letter", ["\ud800", "\0", "\\\0"])
@pytest.mark.parametrize("part", ["match", "game", "players"])
def test_what_nothing_can_hold_is_in_no_record(tmp_path: Path, part: str, letter: str) -> None:
    result = verified(tmp_path, write_record(a_record()) | {part: [letter, "Ben", "Cyd"]})
    assert result.exit_code == 2
    assert "is not JSON: a text has NUL, or half of a surrogate pair" in result.stderr


def test_what_is_not_a_record_is_refused_with_a_line_for_every_problem(tmp_path: Path) -> None:
    result = verified(tmp_path, {"format": "pgn", "weather": "fine"})
    assert result.exit_code == 2
    for line in (
        "is not a record:",
        '  /format: "pgn" is not one of',
        '  /weather: There is no field "weather"',
        "  /log: log is missing.",
    ):
        assert line in result.stderr
    assert "  the document: 3 is not an object." in verified(tmp_path, 3).stderr


def test_a_file_that_is_not_there_is_a_usage_error(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["verify", str(tmp_path / "missing.json")])
    assert result.exit_code == 2
    assert "does not exist" in result.stderr


def test_an_agreement_and_who_played_when_are_reported_and_what_they_cannot_prove(tmp_path: Path) -> None:
    game, record = registry.game("oregon"), a_record()
    setup = setup_of(record)[1]
    log = record.log[:9]
    entries = [Entry(logged.seat, read_action(game, logged.seat, logged.action or {})) for logged in log]
    outcome = ended_early(game, replay(game, setup, entries), "draw", (0, 1, 2), ())
    first, *others = record.players
    ended = replace(
        record,
        log=log,
        outcome=outcome,
        early_end=EarlyEnd("draw", (0, 1, 2)),
        handovers=(Handover(0, 4, "2026-11-24T12:00:00Z", "Zoe", first),),
    )
    told = verified(tmp_path, ended)
    assert told.exit_code == 0, told.stderr
    assert f"ok  early end    draw, by {first}, {others[0]}, {others[1]}" in told.stdout
    assert f"ok  handovers    seat 0 at ply 4 from Zoe to {first}" in told.stdout
    assert "finished_at, that these players agreed: nothing in a record can prove them" in told.stdout
    called_off = replace(ended, outcome=None, early_end=EarlyEnd("called_off", (0, 1, 2)))
    assert "ok  outcome      none, the match was called off" in verified(tmp_path, called_off).stdout
