"""The shell command in a mail with which anybody checks a match: one line, ready to be pasted."""

from __future__ import annotations

import shlex


def verify(base_url: str, match_id: str, game: str, *options: str) -> str:
    """Fetches the record of a match and checks it offline."""
    file, record = f"{game}-{match_id}.json", f"{base_url.rstrip('/')}/v1/matches/{match_id}/record"
    check = shlex.join(("overland", "verify", file, *options))
    return f"curl -sS {shlex.quote(record)} -o {shlex.quote(file)} && {check}"
