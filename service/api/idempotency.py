"""The header `Idempotency-Key`: a request that is repeated with its key does nothing again, and is
answered as it was the first time.

The key and the answer are stored by the transaction in which the request does what it does: either
all of it is known, or nothing. Requests with the same key at the same time wait for the first one.
One that is refused leaves no key. A key is one of its player; where the answer shows a secret it is
stored enciphered by the token (or cookie) that the request had, and repeated to that alone.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, cast

from flask import Response, g, request
from nacl.secret import SecretBox

from service.api.auth import Caller, own_secret
from service.api.parsing import read_json
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.queue import RqQueue
from service.store import idempotency as rows
from service.store.idempotency import KeyedAnswer, KeyedRequest


def done_once(
    caller: Caller,
    answer: Callable[[], Response],
    is_secret: bool,
    key: str | None,
    content_type: str = "application/json",
) -> Response:
    """The ``answer``, which is of that type and changes something; where this request repeats
    another with its key, what that was answered. Without a key it is always done.

    Raises ``ProblemDetails`` where the player has used the key for another request, and what
    ``answer`` raises.
    """
    if key is None:
        return answer()
    service, box = context(), SecretBox(hashlib.sha256(f"{own_secret()} {key}".encode()).digest())
    asked = KeyedRequest(caller.id, key, _fingerprint(is_secret), service.clock())
    waking = _Afterwards(service.queue)
    with service.database.write() as connection:
        known = rows.claim(connection, asked)
        if known is not asked:
            if known.fingerprint != asked.fingerprint:
                raise ProblemDetails(
                    "idempotency_key_reused",
                    f"You have used the Idempotency-Key {key} for another request since {known.at:%Y-%m-%d}: for"
                    " another address, with another body, or, where the answer shows a secret, with another token."
                    " Use a new one.",
                )
            kept = rows.answer_to(connection, known)
            body = box.decrypt(kept.body) if is_secret else kept.body
            headers = {} if kept.location is None else {"Location": kept.location}
            return Response(body, kept.status, headers, content_type=content_type)
        g.context = replace(service, database=service.database.joined(connection), queue=cast("RqQueue", waking))
        try:
            made = answer()
        finally:
            del g.context
        body = bytes(box.encrypt(made.get_data())) if is_secret else made.get_data()
        rows.keep(connection, asked, KeyedAnswer(made.status_code, made.headers.get("Location"), body))
    waking.wake()
    return made


class _Afterwards:
    """A queue whose wake-ups are put off until ``wake``."""

    def __init__(self, queue: RqQueue) -> None:
        self._queue = queue
        self._put_off: dict[str, Callable[[], object]] = {}

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._queue, name)
        return partial(self._put_off.__setitem__, name, found) if name.startswith("wake_") else found

    def wake(self) -> None:
        for wake in self._put_off.values():
            wake()


def _fingerprint(is_secret: bool) -> str:
    """What is the same for the same request: method, address, what the body says, and for a
    ``is_secret`` answer the token. The key of a form is made of what it says.
    """
    body = b"" if request.blueprint == "web" else request.get_data(cache=True)
    document = json.dumps(read_json(body), sort_keys=True) if body else ""
    parts = (request.method, request.path, document, own_secret() if is_secret else "")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()
