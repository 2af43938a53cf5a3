"""The programs that ``overland run`` starts."""

from __future__ import annotations

import os
import re
import signal
import socket
from pathlib import Path

import pytest
from flask import Flask

from service.config import load
from workers import run
from workers.run import programs


def named(tmp_path: Path, **settings: str) -> dict[str, list[str]]:
    """What the processes do, by their names; the API does nothing that is asked for here."""
    begun = dict[str, list[str]]()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "work", lambda name, parts, settings: begun.update({name: sorted(parts)}))
        patch.setattr(run, "serve", lambda app, settings: begun.update(api=[]))
        for program in programs(Flask("none"), load({"OVERLAND_DATA_DIR": str(tmp_path)} | settings)):
            program.body()
            assert program.name in begun
    return begun


def test_those_that_judge_have_processes_and_all_others_share_one(tmp_path: Path) -> None:
    assert named(tmp_path, OVERLAND_MAIL_IN="off", OVERLAND_TURN_WORKERS="2", OVERLAND_NOTICE_WORKERS="3") == {
        "api": [],
        "turns": ["turns"],
        "turns-2": ["turns"],
        "workers": ["bots", "notices", "notices", "notices", "sweeper", "webhooks", "webhooks"],
    }


def test_two_workers_handle_mails_where_some_come_in(tmp_path: Path) -> None:
    parts = named(tmp_path, OVERLAND_MAIL_IN="lmtp://127.0.0.1:8025")["workers"]
    assert (parts.count("messages"), parts.count("listener")) == (2, 1)


@pytest.mark.parametrize(
    ("log_format", "shown"),
    [
        ("console", ["turns     {}", "overland  Ready."]),
        ("json", ["{}", '{"event": "Ready.", "level": "info", "logger": "overland"}']),
    ],
)
def test_the_output_is_for_people_or_for_a_collector(
    tmp_path: Path, log_format: str, shown: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    log = run._Log(load({"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_LOG_FORMAT": log_format}))
    log.line("turns", "{}")
    log.event("Ready.")
    log.flush()
    assert capfd.readouterr().out.splitlines() == shown


def test_advice_of_valkey_for_large_servers_is_left_out(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log = run._Log(load({"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_LOG_FORMAT": "console"}))
    for name in ("valkey", "turns"):
        log.line(name, "WARNING Memory overcommit must be enabled! Set vm.overcommit_memory to 1.")
        log.line(name, "Ready to accept connections")
    log.flush()
    assert capfd.readouterr().out.splitlines() == [
        "valkey    Ready to accept connections",
        "turns     WARNING Memory overcommit must be enabled! Set vm.overcommit_memory to 1.",
        "turns     Ready to accept connections",
    ]


@pytest.mark.parametrize(
    ("settings", "mails"),
    [
        ({}, "http://127.0.0.1:8000/dev/mail"),
        ({"OVERLAND_MODE": "production", "OVERLAND_MAIL_URL": "smtps://me:secret@mail.example"}, "smtps"),
    ],
)
def test_the_welcome_says_where_everything_is_and_no_password(
    tmp_path: Path, settings: dict[str, str], mails: str, capfd: pytest.CaptureFixture[str]
) -> None:
    shown = load({"OVERLAND_DATA_DIR": str(tmp_path), "OVERLAND_LOG_FORMAT": "console"} | settings)
    log = run._Log(shown)
    log.welcome(shown, 123_400_000)
    log.flush()
    assert re.findall(r"^  (\w+) +(.*)$", capfd.readouterr().out, re.MULTILINE) == [
        ("API", "http://127.0.0.1:8000/v1/games"),
        ("Docs", "http://127.0.0.1:8000/docs"),
        ("Mails", mails),
        ("Data", str(tmp_path)),
        ("Memory", "123 MB"),
    ]


@pytest.mark.parametrize("is_abstract", [False, True])
def test_systemd_is_told_at_the_place_that_it_names(is_abstract: bool, tmp_path: Path) -> None:
    place = f"{'@' if is_abstract else ''}{tmp_path}/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(place.replace("@", "\0"))
        systemd.settimeout(60)
        run.tell_systemd(place)
        assert systemd.recv(100) == b"READY=1"


@pytest.mark.parametrize("port", [0, 65535])
def test_a_port_that_is_taken_is_refused_with_another(port: int) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", port))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(run.CannotStart) as refused:
            run._check_port("The API", "127.0.0.1", port, "OVERLAND_HOST", "OVERLAND_PORT=")
    other = 8000 if port == 65535 else port + 1
    assert str(refused.value) == (
        f"Port {port} on 127.0.0.1 is taken by another program. Stop it, or choose another port: OVERLAND_PORT={other}."
    )


def test_nobody_is_told_where_no_place_is_named() -> None:
    run.tell_systemd("")
    run.tell_systemd("/nobody/is/there")


@pytest.mark.usefixtures("own_handlers")
def test_one_signal_stops_in_order_and_two_at_once() -> None:
    stop = run.StopSignals()
    told = [(bool(stop.asked), stop.hurried())]
    stop.listen()
    for number in (signal.SIGINT, signal.SIGHUP):
        os.kill(os.getpid(), number)
        told.append((bool(stop.asked), stop.hurried()))
    assert told == [(False, False), (True, False), (True, True)]
