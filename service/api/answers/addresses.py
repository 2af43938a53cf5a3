"""Mail addresses of the caller."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from engine.documents import About


@dataclass(frozen=True, slots=True)
class OwnAddress:
    """One of your mail addresses; other players see none of them."""

    id: str
    email: Annotated[str, About("The address as it was typed.", example="Ada@home.example")]
    primary: Annotated[bool, About("Whether your mails go to it. One address is primary.")]
    added_at: datetime
    confirmed_at: Annotated[
        datetime | None, About("When it was confirmed; `null` until then. From a confirmed address you may write.")
    ]
    bounced_at: Annotated[datetime | None, About("Since when mails to it come back; `null` while they do not.")]
    bounce_reason: Annotated[str | None, About("Why they come back, as its mail server says.")]


@dataclass(frozen=True, slots=True)
class Addresses:
    """All your addresses."""

    items: tuple[OwnAddress, ...]
