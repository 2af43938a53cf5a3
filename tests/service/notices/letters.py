"""A letter to start from, for tests."""

from __future__ import annotations

from datetime import UTC, datetime

from service.notices.mail.message import Letter, Picture, Thread

WRITTEN = datetime(2026, 11, 21, 10, 30, tzinfo=UTC)


def letter(**changes: object) -> Letter:
    values: dict[str, object] = {
        "notice_id": "n1",
        "message_name": "notice-n1",
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
        "reply_to": "overland+r-m1-0-5-abcdefghijklmnopq@games.example",
        "unsubscribe": (
            "https://games.example/unsubscribe?player=p1&what=m.m1&signature=abcdefghijklmnopq",
            "mailto:overland+u-p1-m.m1-abcdefghijklmnopq@games.example",
        ),
    }
    return Letter(**(values | changes))  # type: ignore[arg-type]
