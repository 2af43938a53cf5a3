"""How the players of `overland by-mail` read mails and count them."""

from __future__ import annotations

import random
from collections import Counter
from email.message import EmailMessage

import pytest

from tools.by_mail.mailboxes import Mailboxes, Received
from tools.by_mail.match import PlayedByMail
from tools.by_mail.player import MailPlayer, reply_address
from tools.by_mail.report import lines_of
from tools.waiting import until

MOVES = 'Reply with a number or a line, for example "2" or "ship\nC4".\n\nYOUR 3 MOVES\n\n1 ship A1   2 ship C4\n'


def received(text: str, kind: str = "your_turn", reply_to: str = "overland+r-1@overland.example") -> Received:
    message = EmailMessage()
    message["From"] = "Overland <overland@overland.example>"
    message["Reply-To"] = reply_to
    message["Subject"] = "[Game #1] Title"
    message["Message-ID"] = "<1@overland.example>"
    message["Date"] = "Mon, 23 Nov 2026 15:00:00 +0000"
    message["X-Overland-Kind"] = kind
    message["X-Overland-Notice"] = "n1"
    message.set_content(text)
    return Received("ada@example.org", message, 100, 0.0)


@pytest.mark.parametrize("seed", range(8))
def test_a_player_replies_with_a_number_of_the_list_or_the_example_line(seed: int) -> None:
    player = MailPlayer("Ada", 0, random.Random(seed))
    assert player.move(received(MOVES)) in ("1", "2", "3", "ship C4")
    assert player.move(received("YOUR ONLY MOVE\n\n1 end\n")) == "1"


def test_a_mail_without_moves_is_not_replied_to() -> None:
    assert MailPlayer("Ada", 0, random.Random(1)).move(received("The match waits for Bela.")) is None


def test_a_reply_quotes_the_mail_below_and_goes_where_the_mail_says() -> None:
    boxes = Mailboxes()
    try:
        mail = received(MOVES)
        player = MailPlayer("Ada", boxes.port, random.Random(1))
        player.write(reply_address(mail), "2", mail)
        (came,) = until(lambda: list(boxes.every), "the reply comes", 30)
    finally:
        boxes.close()
    assert came.address == "overland+r-1@overland.example"
    assert came.text.startswith("2\n\nOn Mon, 23 Nov 2026")
    assert "> YOUR 3 MOVES" in came.text
    assert came.message["In-Reply-To"] == "<1@overland.example>"
    assert came.message["Subject"] == "Re: [Game #1] Title"
    assert player.written == 1


def test_the_report_counts_mails_each_way_and_weighs_them() -> None:
    played = PlayedByMail(
        10.0, 7, 5, Counter(verdict=3, invitation=1), {"verdict": [1000, 3000, 2000], "invitation": [500]}, {}, ""
    )
    lines = list(lines_of(played))
    assert lines[0] == "7 mails from the players, 4 to them, 5 of the former moves."
    assert lines[1] == "10.0 s, 2.00 s a reply."
    assert lines[2].split() == ["3", "verdict", "2.0", "kB", "at", "the", "median,", "3.0", "kB", "at", "most"]
    assert lines[-1] == "Mails that came twice: none."
