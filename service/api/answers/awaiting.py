"""What waits for the caller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from service.api.answers.matches import match_path
from service.api.shapes import Inlined
from service.views.awaiting import AwaitsYou


@dataclass(frozen=True, slots=True)
class AwaitingLinks:
    """Where to play."""

    match: str
    turns: str
    legal_actions: str
    page: str


@dataclass(frozen=True, slots=True)
class AwaitsYouAnswer:
    """A match that waits for you."""

    awaits: Annotated[AwaitsYou, Inlined()]
    links: AwaitingLinks


@dataclass(frozen=True, slots=True)
class AwaitingAnswer:
    """What waits for you, most urgent first."""

    items: tuple[AwaitsYouAnswer, ...]


def awaiting_answer(found: Sequence[AwaitsYou]) -> AwaitingAnswer:
    """These matches, with links."""
    return AwaitingAnswer(tuple(AwaitsYouAnswer(each, _links(each.match)) for each in found))


def _links(match_id: str) -> AwaitingLinks:
    root = match_path(match_id)
    return AwaitingLinks(root, f"{root}/turns", f"{root}/legal-actions", f"/matches/{match_id}")
