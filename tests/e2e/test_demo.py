"""`overland demo` against a running service: a stranger plays a whole match over HTTP, and the
mails and the record are there.
"""

import re
from pathlib import Path

from tests.e2e.running import Running, environment, free_port, overland, plain


def test_strangers_play_a_whole_match_and_its_record_holds(tmp_path: Path) -> None:
    with Running(tmp_path / "data", free_port()) as service:
        demo = overland(
            "demo",
            "--url",
            service.url,
            "--players",
            "2",
            "--seed",
            "a test",
            "--record",
            str(tmp_path / "record.json"),
            environ=service.environ,
        )
        assert demo.returncode == 0, demo.stderr + demo.stdout + service.said()
        said = plain(demo.stdout)
        assert "Signed up and confirmed by mail: Ann, Bela." in said
        assert re.search(r"rank player .* total", said)
        assert re.search(r"\d+ turns in [\d.]+ s; from the request to the verdict \d+ ms at the median", said)
        assert re.search(r"The record of \d+ plies holds: commitment, \d+ draws", said)
        assert f"{service.url}/dev/mail" in said
        verified = overland("verify", str(tmp_path / "record.json"), environ=service.environ)
        assert verified.returncode == 0, verified.stderr
        assert "Traceback" not in service.said()


def test_without_a_service_the_demo_says_how_to_start_one(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    demo = overland("demo", "--url", url, environ=environment(tmp_path, free_port()))
    assert demo.returncode == 1
    assert (
        demo.stderr
        == f"There is no service to talk to at {url}: nobody listens there. Start one with `make run`, or name another"
        " with --url.\n"
    )
