"""The shell commands in a mail: one line each, ready to be pasted into a shell in which
``OVERLAND_TOKEN`` is set.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

WAIT_SECONDS: Final = 20
_AUTHORIZATION: Final = '-H "Authorization: Bearer $OVERLAND_TOKEN"'


def match_url(base_url: str, match_id: str) -> str:
    """The address of a match."""
    return f"{base_url.rstrip('/')}/v1/matches/{match_id}"


def rules_url(base_url: str, game: str) -> str:
    """The address of a game's rules."""
    return f"{base_url.rstrip('/')}/v1/games/{game}/rules"


def submit(base_url: str, match_id: str, ply: int, lines: Sequence[str]) -> str:
    """Submits a turn in notation and waits for the verdict."""
    document: dict[str, Any] = {"ply": ply, "notation": lines[0] if len(lines) == 1 else list(lines)}
    return _post(
        f"{match_url(base_url, match_id)}/turns", document, _AUTHORIZATION, f"-H 'Prefer: wait={WAIT_SECONDS}'"
    )


def legal_actions(base_url: str, match_id: str) -> str:
    """Lists all legal actions."""
    return f"curl -sS {_AUTHORIZATION} {shlex.quote(f'{match_url(base_url, match_id)}/legal-actions')}"


def join(base_url: str, match_id: str) -> str:
    """Takes a seat."""
    return f"curl -sS -X POST {_AUTHORIZATION} {shlex.quote(f'{match_url(base_url, match_id)}/join')}"


def join_with_nonce(base_url: str, match_id: str) -> str:
    """Takes a seat with a nonce, which the reader has to fill in."""
    return _post(f"{match_url(base_url, match_id)}/join", {"nonce": "your nonce"}, _AUTHORIZATION)


def sign_up(base_url: str, address: str) -> str:
    """Signs a player up; the reader has to fill in the name."""
    return _post(f"{base_url.rstrip('/')}/v1/players", {"name": "your name", "email": address})


def confirm(base_url: str, token: str) -> str:
    """Exchanges a one-time token for an API token."""
    return _post(f"{base_url.rstrip('/')}/v1/players/confirm", {"token": token})


def confirm_page(base_url: str, token: str) -> str:
    """The page that does the same in a browser."""
    return f"{base_url.rstrip('/')}/confirm?token={quote(token)}"


def verify(base_url: str, match_id: str, game: str, *options: str) -> str:
    """Fetches the record of a match and checks it offline."""
    file = f"{game}-{match_id}.json"
    return (
        f"curl -sS {shlex.quote(f'{match_url(base_url, match_id)}/record')} -o {shlex.quote(file)} &&"
        f" {shlex.join(('overland', 'verify', file, *options))}"
    )


def _post(url: str, document: Mapping[str, Any], *options: str) -> str:
    body = shlex.quote(json.dumps(document, ensure_ascii=False))
    return " ".join(("curl -sS", *options, "-H 'Content-Type: application/json'", f"-d {body}", shlex.quote(url)))
