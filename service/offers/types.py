"""What the use cases of offers give."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from engine.documents import About
from service.statuses import OfferKind
from service.store.questions import QuestionStatus


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer that a player has made to the others of a match."""

    id: str
    number: Annotated[int, About("By which it is named in mails: `accept 3`. The questions of a match count from 1.")]
    kind: Annotated[
        OfferKind,
        About(
            "`pause`, `extend`; `end`: the match ends with the standing; `draw`: it ends as a draw; `call_off`: it is"
            " cancelled; `abandon`: it is cancelled without the word of those whose seats a bot has held for 14 days;"
            " `hand_over`: somebody else gets the seat."
        ),
    ]
    seat: Annotated[int, About("Who has made it.")]
    days: Annotated[int, About("The days of the pause, or those by which a time is extended.")]
    for_seat: Annotated[int | None, About("Whose time is extended; `null` for all other offers.")]
    to: Annotated[
        str | None, About("Who is to have the seat, once they have agreed to; `null` before, and for all other offers.")
    ]
    status: Annotated[
        QuestionStatus,
        About("`lapsed`: its ground is gone, or not all had answered after 14 days, 28 for `abandon`."),
    ]
    made_at: datetime
    settled_at: datetime | None
    accepted_by: Annotated[tuple[int, ...], About("The seats that have accepted it.")]
    waits_for: Annotated[
        tuple[int, ...],
        About(
            "The seats whose answer it needs; none once it is settled, and none while it waits for whoever is to have"
            " the seat."
        ),
    ]
    lapses_at: Annotated[
        datetime | None, About("Until when it can be answered, if its ground lasts; `null` once it is settled.")
    ]
    away: Annotated[
        tuple[int, ...], About("The seats that a bot holds, and without whose word the match can end as abandoned.")
    ]
    ends_at: Annotated[datetime | None, About("When the match ends as abandoned at the earliest; otherwise `null`.")]


@dataclass(frozen=True, slots=True)
class Offers:
    """The offers of a match, the newest first, and its pause."""

    items: tuple[Offer, ...]
    paused_until: Annotated[datetime | None, About("Until when the match is paused; `null` if it is not.")]
