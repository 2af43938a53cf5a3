"""`overland demo` against a running service: players play a whole match over HTTP, and the mails
and the record are there.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tools.launch import environment, overland, running
from workers.valkey import free_port

pytestmark = pytest.mark.deep


def test_a_whole_match_is_played_and_its_record_holds(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    with running(tmp_path) as service:
        options = ("--url", service.url, "--game", "oregon", "--seed", "a test", "--record", str(record))
        demo = overland("demo", *options, environ=service.environ)
        assert demo.returncode == 0, demo.stderr + demo.stdout + service.output()
        printed = " ".join(demo.stdout.split())
        assert "Signed up and confirmed by mail: Ann, Bela." in printed
        assert re.search(r"rank player .* total", printed)
        assert re.search(r"\d+ turns in [\d.]+ s; from the request to the verdict \d+ ms at the median", printed)
        assert re.search(r"The record of \d+ plies holds: commitment, nonces, \d+ draws", printed)
        assert f"{service.url}/dev/mail" in printed
        assert "Traceback" not in service.output()
    verified = overland("verify", str(record), environ=service.environ)
    assert verified.returncode == 0, verified.stderr


def test_without_a_service_the_demo_says_how_to_start_one(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    demo = overland("demo", "--url", url, environ=environment(tmp_path))
    assert demo.returncode == 1
    assert (
        demo.stderr
        == f"There is no service to talk to at {url}: nobody listens there. Start one with `make run`, or name another"
        " with --url.\n"
    )
