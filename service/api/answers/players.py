"""Players and their tokens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from engine.documents import About
from service.api.shapes import Inlined
from service.players.types import Player, Token


@dataclass(frozen=True, slots=True)
class SignedUp:
    """A mail is on its way. The answer is the same for an address that is known already."""

    email: str
    detail: str


@dataclass(frozen=True, slots=True)
class Confirmed:
    """The player, and a token that is shown this once."""

    player: Player
    token: Annotated[str, About("The API token. Keep it: it is not shown again.", example="ovl_…")]


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A token with its secret, shown this once."""

    issued: Annotated[Token, Inlined()]
    token: Annotated[str, About("Keep it: it is not shown again.")]


@dataclass(frozen=True, slots=True)
class Tokens:
    """All your tokens."""

    items: tuple[Token, ...]
