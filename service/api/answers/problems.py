"""Problems (RFC 9457): the form of every answer that is an error.

The members that describe an error of a use case are in `service.errors.Members`; a fault of a
request, an item of `errors`, is in `service.errors.Fault`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypedDict

from engine.documents import About
from service.api.answers.turns import LegalActionAnswer, TurnAnswer
from service.api.shapes import Format, Inlined
from service.errors import Members
from service.turns.types import BrokenRule


class Extras(TypedDict, total=False):
    """Members that the API adds, each to one kind of problem."""

    retry_after: Annotated[int, About("How many seconds to wait.")]
    limit: Annotated[str, About("The name of the limit that was reached.", example="reads")]
    checks: Annotated[Mapping[str, str], About("Every check by name: `ok`, `unavailable`, or what is missing.")]
    rule: Annotated[str, About("The number of the broken rule in the game's rules text.")]
    others: Annotated[tuple[BrokenRule, ...], About("Further rules that the same action breaks.")]
    legal: Annotated[
        tuple[LegalActionAnswer, ...],
        About("What would have been legal in place of the refused action; at most 200."),
    ]
    legal_total: Annotated[int, About("How many actions would have been legal.")]
    turn: Annotated[TurnAnswer, About("The rejected turn with its verdict.")]


@dataclass(frozen=True, slots=True)
class ProblemAnswer:
    """Why a request was refused (RFC 9457). Members beyond `instance` are present only where they
    apply.
    """

    type: Annotated[str, About("The kind of problem, explained at this address."), Format("uri-reference")]
    title: Annotated[str, About("The kind of problem in a few words; always the same for one kind.")]
    status: Annotated[int, About("The status of the answer.")]
    code: Annotated[str, About("A stable code; of a rejected turn the game's own code.")]
    detail: Annotated[str, About("What was wrong this time, and what would work.")]
    instance: Annotated[str, About("Names this occurrence in our logs.")]
    members: Annotated[Members, Inlined()]
    extras: Annotated[Extras, Inlined()]
