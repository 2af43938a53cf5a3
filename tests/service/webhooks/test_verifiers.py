"""What a webhook is told is accepted by the public verifiers of Standard Webhooks, in Python and in
JavaScript, with the secret that it was entered with and with a renewed one; and by the receiver of
the documentation.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from service.context import Context
from service.webhooks import owning
from service.webhooks.calling import calling
from service.webhooks.delivery import call_due
from service.webhooks.targets import WebhookNetwork
from tests import missing
from tests.openapi import npm
from tests.service.fakes import Here, person
from tests.service.webhooks.receiver import PUBLIC, Received, receiving
from tools.waiting import until

ROOT = Path(__file__).parents[3]
SIGNED = ("webhook-id", "webhook-timestamp", "webhook-signature")
VERIFY = """
import { Webhook } from "standardwebhooks";
const { secret, body, headers } = JSON.parse(process.argv[2]);
console.log(JSON.stringify(new Webhook(secret).verify(body, headers)));
"""


@dataclass(frozen=True, slots=True)
class Call:
    """A call, and the secrets that verify it."""

    got: Received
    secrets: tuple[str, ...]

    @property
    def headers(self) -> Mapping[str, str]:
        return {name: self.got.headers[name] for name in SIGNED}


@pytest.fixture
def call(context: Context) -> Call:
    """A ping, made now, shortly after the secret was renewed."""
    now = replace(context, clock=lambda: datetime.now(UTC))
    ada = person(now, "Ada")
    with receiving() as receiver:
        first = owning.enter(now, ada, "json", "http://example.org/hook")
        second = owning.renew_secret(now, ada, first.id)
        owning.ping(now, ada, first.id)
        assert call_due(now, Here(calling(now, receiver.network)))["told"] == 1
        (got,) = receiver.received
    return Call(got, (first.secret, second.secret))


@pytest.mark.deep
def test_the_public_verifier_in_python_accepts_it(call: Call) -> None:
    try:
        from standardwebhooks import Webhook, WebhookVerificationError
    except ModuleNotFoundError:
        missing.skip("standardwebhooks is not installed: `make .venv/installed-for-deep`")
    for secret in call.secrets:
        assert Webhook(secret).verify(call.got.body, dict(call.headers))["type"] == "ping"
    with pytest.raises(WebhookVerificationError):
        Webhook(call.secrets[0]).verify(call.got.body + b" ", dict(call.headers))


@pytest.mark.deep
def test_the_public_verifier_in_javascript_accepts_it(call: Call, tmp_path: Path) -> None:
    (tmp_path / "node_modules").symlink_to(npm.packages())
    script = tmp_path / "verify.mjs"
    script.write_text(VERIFY)

    def verified(secret: str, body: str) -> subprocess.CompletedProcess[str]:
        return npm.run_node(script, json.dumps({"secret": secret, "body": body, "headers": dict(call.headers)}))

    body = call.got.body.decode()
    for secret in call.secrets:
        done = verified(secret, body)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["type"] == "ping"
    assert verified(call.secrets[0], body + " ").returncode != 0


@contextmanager
def documented(folder: Path, secret: str) -> Iterator[tuple[int, Any]]:
    """The receiver of the documentation as a program of its own: its port, and what it prints."""
    text = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    lines = [line for line in found[1].splitlines() if line.strip() and not line.startswith(("import", "from"))]
    assert len(lines) <= 15
    (folder / "receiver.py").write_text(found[1], encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = [sys.executable, str(folder / "receiver.py"), str(port)]
    env = {**os.environ, "OVERLAND_SECRET": secret}
    with subprocess.Popen(program, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        try:
            yield port, process.stdout
        finally:
            process.kill()


@pytest.mark.parametrize("known", [True, False])
def test_the_receiver_of_the_documentation_takes_what_is_signed_and_nothing_else(
    context: Context, tmp_path: Path, known: bool
) -> None:
    now = replace(context, clock=lambda: datetime.now(UTC))
    ada = person(now, "Ada")
    webhook = owning.enter(now, ada, "json", "http://example.org/hook")
    other = owning.enter(now, ada, "json", "http://other.example.org/")
    with documented(tmp_path, webhook.secret if known else other.secret) as (port, printed):

        def connect(address: tuple[str, int], seconds: float) -> socket.socket:
            found = until(lambda: _connected(port, seconds), "the receiver listens")
            assert found is not None
            return found

        network = WebhookNetwork(lambda host, _port: [PUBLIC], connect)
        owning.ping(now, ada, webhook.id)
        result = call_due(now, Here(calling(now, network)))
        assert list(result.elements()) == (["told"] if known else ["postponed"])
        if known:
            assert "'type': 'ping'" in printed.readline()
    if not known:
        shown = next(each for each in owning.of_player(now, ada) if each.id == webhook.id)
        assert shown.last_error == "http://example.org answered 401."


def _connected(port: int, seconds: float) -> socket.socket | None:
    try:
        return socket.create_connection(("127.0.0.1", port), seconds)
    except ConnectionRefusedError:
        return None
