"""Turns: submit, look up, list, and ask what would be legal.

A turn is stored before anything else happens (`202`, `Location`). A request that waits
(`Prefer: wait=N`) gets the verdict: `200` if at least something of it stands, `422` with the turn
in the problem if nothing does, `202` if the time is up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Annotated, Any, Final, Literal

import marshmallow as ma
from flask import request

from engine.documents import About
from engine.types import Layout
from service.api.answers import (
    LegalActionsAnswer,
    TurnAnswer,
    ViolationAnswer,
    legal_answer,
    numbered,
    turn_answer,
    turn_path,
    violation_answer,
)
from service.api.auth import Caller, match_read
from service.api.derived import actions, prefix_actions
from service.api.fields import (
    Derived,
    Form,
    FormsSchema,
    Notation,
    StrictBoolean,
    in_query,
    may,
    must,
    one_of,
    otherwise,
    ply_field,
    text,
    whole,
)
from service.api.operations import Answer, Body, Reply, Resource
from service.api.paging import after_field, page, page_of, page_query
from service.api.parsing import read_key
from service.api.problems import ProblemDetails
from service.api.requests import context
from service.api.shapes import Inlined
from service.errors import Fault
from service.house import MOST_SEATS
from service.store.covering import AnsweredVerdict
from service.store.players import Player
from service.turns import lookup
from service.turns.intake import MOST_ACTIONS
from service.turns.submit import submit
from service.turns.trials import legal_actions, next_turn, preview
from service.turns.types import Preview, Turn
from service.waits import Tasks, apart

FORMS = ("actions", "notation")
"""The fields that state the actions of a turn; a turn has exactly one of them."""
ACTIONS: Final = otherwise(None, "The actions in order, as objects of the match's game.")


class TurnSchema(FormsSchema):
    """Actions of one turn, as objects or as notation."""

    seat = whole(0, MOST_SEATS - 1, **may("The seat that acts; your own if you leave it out."))
    actions = Derived(prefix_actions, shape=list, most=MOST_ACTIONS, **ACTIONS)
    notation = Notation(**otherwise(None, "The actions in order, as text."))

    @ma.validates_schema
    def check_one_form(self, document: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a document with both actions and notation."""
        if all(document.get(form) is not None for form in FORMS):
            raise ma.ValidationError("Send actions or notation, not both.", "notation")


class PrefixSchema(TurnSchema):
    """The earlier actions of the same turn, as objects or as notation; none without both."""

    forms = (
        Form("PrefixOfActions", "The earlier actions of the same turn, as objects.", without=("notation",)),
        Form("PrefixInNotation", "The earlier actions of the same turn, as text.", ("notation",), ("actions",)),
    )

    ply = whole(0, **may("The ply at which the turn begins; the present one if you leave it out."))


PLAYED: Final = {"dry_run": False}
TRIED: Final = {"dry_run": True}


class TurnRequestSchema(TurnSchema):
    """A turn: the ply that it answers, and the actions, either as objects (`actions`) or as text
    (`notation`).
    """

    forms = (
        Form("TurnOfActions", "A turn as objects.", ("actions",), ("notation", "picture"), constants=PLAYED),
        Form("TurnInNotation", "A turn as text.", ("notation",), ("actions", "picture"), constants=PLAYED),
        Form(
            "TrialOfActions",
            "A dry run of objects.",
            ("actions", "dry_run"),
            ("notation", "confirmation"),
            constants=TRIED,
        ),
        Form(
            "TrialInNotation",
            "A dry run of text.",
            ("notation", "dry_run"),
            ("actions", "confirmation"),
            constants=TRIED,
        ),
    )

    actions = Derived(actions, shape=list, most=MOST_ACTIONS, **ACTIONS)
    ply = whole(0, **must("The ply that the turn answers, from the observation."))
    dry_run = StrictBoolean(
        **otherwise(False, "True to see what the turn would do up to its first draw; nothing changes.")
    )
    picture = one_of(tuple(Layout), **otherwise(None, "The layout of a picture that the preview is to have."))
    confirmation = text(1, 40, **may("The `confirmation` of a dry run of this turn, where you want to confirm turns."))

    @ma.validates_schema
    def check_some_form(self, document: dict[str, Any], **kwargs: Any) -> None:
        """Refuses a turn without any action."""
        if all(document.get(form) is None for form in FORMS):
            raise ma.ValidationError("A turn needs actions, or notation.", "actions")
        if document.get("actions") == []:
            raise ma.ValidationError("A turn has at least one action.", "actions")
        if document.get("picture") is not None and not document.get("dry_run"):
            raise ma.ValidationError("Only a dry run has a picture.", "picture")
        if document.get("confirmation") is not None and document.get("dry_run"):
            raise ma.ValidationError("A dry run is not confirmed: it plays nothing.", "confirmation")


@dataclass(frozen=True, slots=True)
class PreviewAnswer:
    """What a turn would do, up to its first draw. Nothing has changed."""

    status: Annotated[Literal["preview"], About("Always `preview`: a turn has other statuses.")]
    preview: Annotated[Preview, Inlined()]
    violation: Annotated[
        ViolationAnswer | None, About("Why the next action would be refused; `null` if all are legal.")
    ]
    next: Annotated[
        LegalActionsAnswer | None,
        About("What could follow in the same turn, or why nothing can; `null` if an action was refused."),
    ]


blueprint = Resource("turns", "Submit a turn, look up its verdict, ask what is legal.")
TurnPage = page_of(TurnAnswer, "TurnPage", "A page of turns: your own.", "The turns, oldest first.")

NEW_TURN = Body(
    TurnRequestSchema,
    notation=("A whole turn as one line", {"ply": 27, "notation": "farmer bison wagon C7; draw L L"}),
    dry_run=("Only look what would happen", {"ply": 27, "notation": ["farmer bison wagon C7"], "dry_run": True}),
)
PREFIX = Body(PrefixSchema, after_a_farmer=("What may follow a farmer", {"notation": "farmer bison wagon C7"}))
LEGAL = Answer(LegalActionsAnswer, "What is legal, in canonical order.")


@blueprint.operation(
    "POST /matches/<id:match>/turns",
    Answer(
        TurnAnswer, "The turn is stored and waits for its verdict.", 202, headers=("Location", "Preference-Applied")
    ),
    Answer(
        (TurnAnswer, PreviewAnswer),
        "The turn with its verdict, after `Prefer: wait` (its address is in `Location`); with `dry_run` a preview.",
        headers=("Location-of-turn", "Preference-Applied"),
    ),
    scope="play",
    body=NEW_TURN,
    headers=("Prefer", "IdempotencyKey"),
    problems="not_seated not_your_seat idempotency_key_reused not_your_turn ply_ahead stale_ply turn_waiting"
    " confirmation_needed match_over resigned match_not_started notation_error turn_rejected trial_failed",
    refusals=True,
)
def submit_turn(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Submit a turn.

    The turn names the ply it answers; if the match has moved on, `409` with code `stale_ply` says
    what changed. The actions come as objects or as notation, in which a number means that legal
    action of the list. They stand or fall together until a draw has shown you something; what came
    before stands then, and the turn is `partly_accepted`. Where the match still waits for you,
    `next` asks for the rest: after a draw it lists what is legal now, numbered. With `Prefer:
    wait=N` the answer waits for the verdict: `200` with the turn if something of it stands, `422`
    with code, rule, legal alternatives and the turn if it is rejected, `202` if the time is up
    first. With `dry_run` nothing changes: the preview says what would happen up to the first draw,
    and what could follow, with a `picture` if you ask for one. A player whose preference `confirm`
    says so plays only what was looked at: `409` with code `confirmation_needed` asks for the
    `confirmation` of such a dry run.
    """
    key = read_key()
    turn_of = caller, match, body["seat"], body["ply"], body["actions"], body["notation"]
    if body["dry_run"]:
        layout = None if body["picture"] is None else Layout(body["picture"])
        return Reply(preview_answer(apart(lambda: preview(context(), *turn_of, layout))), 200)
    wait = read_wait(request.headers.getlist("Prefer"))
    turn = submit(context(), *turn_of, key, wait or 0, match_read(), confirmation=body["confirmation"])
    note_verdict(caller, turn)
    headers = {} if wait is None else {"Preference-Applied": f"wait={wait}"}
    if wait is not None and turn.status == "rejected":
        raise rejected(turn, headers)
    status = 202 if wait is None or turn.status == "queued" else 200
    return Reply(_shown(turn), status, headers | {"Location": turn_path(turn)})


@blueprint.operation(
    "GET /matches/<id:match>/turns",
    Answer(TurnPage, "A page of your turns.", headers=("Link",)),
    scope="read",
    query=page_query(after_field("turn")),
    problems="not_seated",
)
def list_turns(caller: Caller, query: dict[str, Any], match: str) -> Any:
    """List the turns you submitted to a match, oldest first.

    Other players do not see them; what they led to is in the log.
    """
    found = lookup.of_player(context(), caller, match, after=query["after"], limit=query["limit"] + 1)
    return page(TurnPage, found, query["limit"], lambda turn: turn.id, turn_answer)


@blueprint.operation(
    "GET /matches/<id:match>/turns/<id:turn>",
    Answer(TurnAnswer, "The turn."),
    scope="read",
    problems="not_seated turn_not_found",
)
def get_turn(caller: Caller, match: str, turn: str) -> Any:
    """Look a turn up: is it queued, accepted, partly accepted or rejected?

    Only who has submitted it may.
    """
    found = lookup.find(context(), caller, match, turn)
    note_verdict(caller, found)
    return _shown(found)


@blueprint.operation(
    "GET /matches/<id:match>/legal-actions",
    LEGAL,
    scope="read",
    query={
        "seat": whole(0, MOST_SEATS - 1, **in_query(None, "The seat that would act; your own if you leave it out.")),
        "ply": ply_field(),
    },
    problems="not_seated not_your_seat match_not_started match_over resigned ply_ahead trial_failed",
)
def list_legal_actions(caller: Caller, query: dict[str, Any], match: str) -> Any:
    """List what you may do now, or could do at an earlier ply.

    Where that is nothing, `why` and `detail` say why.
    """
    return legal_answer(legal_actions(context(), caller, match, query["seat"], ply=query["ply"]))


@blueprint.operation(
    "POST /matches/<id:match>/legal-actions",
    LEGAL,
    scope="read",
    body=PREFIX,
    problems="not_seated not_your_seat match_not_started match_over resigned ply_ahead notation_error behind_a_draw"
    " trial_failed",
    refusals=True,
)
def list_legal_actions_after(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """List what you could do after some actions of the same turn.

    Nothing changes. What follows a draw cannot be asked: the list is empty where one comes next,
    and `why` says so.
    """
    asked = body["seat"], body["actions"], body["notation"], body["ply"]
    return legal_answer(legal_actions(context(), caller, match, *asked))


def preview_answer(preview: Preview) -> PreviewAnswer:
    """What a turn would do."""
    following = None if preview["next"] is None else legal_answer(preview["next"])
    return PreviewAnswer("preview", preview, violation_answer(preview["violation"]), following)


OVERTAKEN: Final = ("match_over", "not_your_turn", "resigned", "stale_ply")
"""Codes of refusals that have to do with the state of the match."""


def rejected(turn: Turn, headers: dict[str, str]) -> ProblemDetails:
    """The problem for a rejected turn that the client waited for: the violation in full, and the
    turn, without the legal alternatives. Where it was refused because the match has moved on,
    whatever its actions are, it is a conflict.
    """
    verdict = turn.verdict
    assert verdict is not None
    answer, refusal = turn_answer(turn, alternatives=False), verdict.violation
    if refusal is None:
        return ProblemDetails("turn_rejected", "The turn was rejected.", extras={"turn": answer}, headers=headers)
    overtaken = refusal.code in OVERTAKEN and refusal.pointer in ("", "/actions/0")
    return ProblemDetails(
        refusal.code if overtaken else "turn_rejected",
        refusal.message,
        code=refusal.code,
        members={"errors": (Fault(pointer=refusal.pointer, detail=refusal.message),)},
        extras={
            "rule": refusal.rule,
            "others": refusal.others,
            "legal": numbered(refusal.legal),
            "legal_total": refusal.legal_total,
            "turn": answer,
        },
        headers=headers | {"Location": turn_path(turn)},
    )


def _shown(turn: Turn) -> TurnAnswer:
    return turn_answer(turn, next_turn(context(), turn))


LONGEST_WAIT = 30


def read_wait(headers: list[str]) -> int | None:
    """The seconds to wait, at most 30; ``None`` where no header contains a valid preference
    (invalid ones are ignored, RFC 7240, section 2).
    """
    for preference in (part for header in headers for part in header.split(",")):
        found = re.fullmatch(r'\s*wait\s*=\s*"?([0-9]{1,9})"?\s*(;.*)?', preference, re.IGNORECASE)
        if found:
            return min(int(found.group(1)), LONGEST_WAIT)
    return None


WRITTEN: Final = "overland.written"
RECENT: Final = timedelta(hours=1)
"""The mail of an older verdict has been sent."""


def note_verdict(player: Player, turn: Turn) -> None:
    """Notes that this answer tells the player the verdict on the turn, if there is one."""
    written: list[Callable[[Tasks], None]] | None = request.environ.get(WRITTEN)
    if written is None or turn.verdict is None or turn.judged_at is None:
        return
    service = context()
    if service.clock() - turn.judged_at < RECENT:
        answered = AnsweredVerdict(player.id, turn.match_id, turn.id)
        written.append(lambda tasks: service.batched.answers.add(tasks, service.database, service.clock, answered))
