"""A letter to start from, for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from service.notices.mail.message import Letter, Picture, Thread

WRITTEN = datetime(2026, 11, 21, 10, 30, tzinfo=UTC)


def letter(**changes: object) -> Letter:
    values: dict[str, object] = {
        "notice_id": "n1",
        "kind": "your_turn",
        "sender": "Overland <overland@games.example>",
        "to_name": "Anna",
        "to_address": "anna@players.example",
        "written_at": WRITTEN,
        "subject": "Re: [Oregon #m1] On the trail",
        "text": "Your turn.\n",
        "html": '<p>Your turn.</p><img src="cid:board">',
        "pictures": (Picture("board", b"\x89PNG"),),
        "thread": Thread("m1", "p1", "On the trail"),
    }
    return Letter(**(values | changes))  # type: ignore[arg-type]
