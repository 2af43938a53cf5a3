"""Matches: create one, find one, join, leave, start, resign; and join links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final, get_args

import marshmallow as ma
from marshmallow import Schema, fields

from engine.bots import LEVELS
from engine.documents import About
from engine.draws import NONCE_PATTERN
from service.addresses import read_email
from service.api.answers import MatchAnswer, match_answer, match_path
from service.api.auth import Caller
from service.api.derived import chosen_components, options
from service.api.fields import (
    EMAIL,
    ByGame,
    CheckedField,
    ClockField,
    ComponentSet,
    Form,
    FormsSchema,
    GameName,
    OneOfEachSeat,
    StrictBoolean,
    id_of,
    in_query,
    may,
    must,
    one_of,
    otherwise,
    text,
    whole,
)
from service.api.operations import Answer, Body, Reply, Resource
from service.api.paging import after_field, page, page_of, page_query
from service.api.problems import ProblemDetails, invalid
from service.api.requests import context
from service.api.shapes import Inlined
from service.errors import Fault
from service.house import MOST_SEATS
from service.matches import archive, lobby
from service.matches.lobby import NOT_A_NONCE
from service.matches.proposal import default_clock
from service.matches.types import Document, OfGame, SeatKind, SeatRequest
from service.offers import offering
from service.statuses import MATCH_STATUSES
from service.turns import time_up
from service.views import match as views
from service.views.joining import Joining, joining, match_of_link

NONCE_TOO_EARLY = (
    "A nonce sent now would be known before the commitment. Ask for a seat of kind reserved, and send the nonce when"
    " you take that seat, by joining the match, once you know the commitment."
)


class SeatRequestSchema(FormsSchema):
    """How a seat of a new match is filled."""

    tag, noun = "kind", "A seat"
    forms = (
        Form(
            "SeatForPlayer",
            "A seat that you take, at once or later, or that any player may.",
            without=("email", "level", "player"),
            values=("me", "reserved", "open"),
        ),
        Form("SeatForInvited", "A seat for whom you invite.", ("email",), ("level", "player"), ("invite",)),
        Form("SeatForBot", "A seat for a bot of the house.", ("level",), ("email", "player"), ("bot",)),
        Form("SeatForOwnBot", "A seat for a bot of yours.", ("player",), ("email", "level"), ("own_bot",)),
    )

    kind = one_of(
        get_args(SeatKind),
        **must(
            "Who takes the seat. `me`: you, at once; `reserved`: you, when you join, with a nonce that you send"
            " after you have seen the commitment; `open`: any player who joins; `invite`: the owner of the address"
            " in `email`; `bot`: a bot of the house, which plays as well as `level` says; `own_bot`: the bot of"
            " yours with the id in `player`, at once."
        ),
    )
    email = CheckedField(read_email, metadata={"description": "The address that the invitation is mailed to.", **EMAIL})
    player = id_of("player", metadata={"description": "The id of a bot of yours, as `GET /v1/me/bots` shows it."})
    level = one_of(
        LEVELS,
        metadata={"description": "How well the bot plays. `easy` weighs a few of its moves, `fair` plans its turn."},
    )


class MatchRequestSchema(Schema):
    """A new match: the game, its options and components, and how its seats are filled."""

    game = GameName(**must("The name of a game of the catalogue."))
    title = text(1, 80, **may("The title of the match, as lists and mails show it."))
    options = ByGame(
        options, shape=dict, **otherwise(dict, "The options of the game; those that you leave out have their defaults.")
    )
    components = ComponentSet(
        chosen_components,
        **otherwise(
            "standard",
            "The name of a component set of the game, or a whole set as a document, such as the printed components of"
            " your own box.",
        ),
    )
    seats = OneOfEachSeat(
        fields.Nested(SeatRequestSchema),
        validate=ma.validate.Length(
            min=1, max=MOST_SEATS, error=f"A match has 1 to {MOST_SEATS} seats; the game says how many it takes."
        ),
        **must("How each seat is filled, in the order of the seats."),
    )
    unlisted = StrictBoolean(
        **otherwise(
            False,
            "True to show the match to nobody but those who sit in it, are invited, or have its join link; for all"
            " others there is no such match, also once it is over.",
        )
    )
    clock = ClockField(
        metadata={
            "description": "How much time each player has, and what follows when it is up. Without it the preset"
            " `relaxed`: 3 days, 12 hours more for each turn, never more than 5 days; or none where you play with bots"
            " alone. `none` for a match without a clock."
        }
    )

    @ma.pre_load
    def refuse_nonce(self, document: Any, **kwargs: Any) -> Any:
        """Names the two steps: this nonce would be known before the service commits itself."""
        if isinstance(document, dict) and "nonce" in document:
            raise ma.ValidationError(NONCE_TOO_EARLY, "nonce")
        return document


class JoinSchema(Schema):
    """The seat to join.

    The body is optional: without it you get the seat that you are invited to, or the first open
    one.
    """

    optional = True
    seat = whole(
        0,
        MOST_SEATS - 1,
        **may("The seat to take. If you leave it out: the one you are invited to, or the first open one."),
    )
    link = id_of("link", **may("The secret of the join link that you have followed: what stands behind `/join/`."))
    nonce = fields.String(
        load_default=None,
        allow_none=True,
        validate=ma.validate.Regexp(f"^{NONCE_PATTERN}\\Z", error=NOT_A_NONCE),
        metadata={
            "pattern": f"^{NONCE_PATTERN}$",
            "description": "Your nonce, which is mixed into every draw. Note the commitment of the match before you"
            " send it, choose it at random, and send the same one if you have to repeat the request. If you send none,"
            " the service makes one from its secret.",
        },
    )


class InvitationSchema(Schema):
    """For whom a seat is kept."""

    seat = whole(0, MOST_SEATS - 1, **must("The seat."))
    email = CheckedField(
        read_email, allow_none=True, **must("Who is invited; `null` for nobody: the seat is open then.", format="email")
    )


@dataclass(frozen=True, slots=True)
class MatchComponents:
    """What a match is played with."""

    match: Annotated[str, About("The id of the match.")]
    game: Annotated[str, OfGame("game"), About("The name of the game.")]
    name: Annotated[str, About("The name of the component set; `custom` for one that the creator supplied.")]
    digest: Annotated[str, About("SHA-256 of `components` as canonical JSON, which the commitment covers.")]
    components: Annotated[
        Document, OfGame("components"), About("The set as a document. It can be sent as `components` of another match.")
    ]


blueprint = Resource("matches", "Matches of a game: create, find, join, start, resign.")
MatchPage = page_of(MatchAnswer, "MatchPage", "A page of matches.", "The matches, newest first.")

NEW_MATCH = Body(
    MatchRequestSchema,
    with_a_friend=(
        "You and somebody you invite by mail",
        {
            "game": "oregon",
            "title": "Westward",
            "seats": [{"kind": "me"}, {"kind": "invite", "email": "bela@example.org"}],
        },
    ),
    own_nonce=(
        "You take your seat afterwards, with a nonce of your own",
        {"game": "oregon", "seats": [{"kind": "reserved"}, {"kind": "open"}]},
    ),
    own_bot=(
        "You and your own bot",
        {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "own_bot", "player": "b7q2m5xak3v9"}]},
    ),
    open_table=(
        "Three seats, two of them open",
        {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]},
    ),
    brisk=(
        "A day for each turn; a seat whose time is up resigns",
        {
            "game": "oregon",
            "seats": [{"kind": "me"}, {"kind": "open"}],
            "clock": {"base": "P1D", "increment": "PT4H", "most": "P3D", "if_late": "resign"},
        },
    ),
)
JOIN = Body(
    JoinSchema,
    anywhere=("The seat you are invited to, or the first open one", {}),
    seat=("A seat of your choice", {"seat": 1}),
    nonce=("With a nonce of your own", {"nonce": "k7Yw0c-2mVQx9d_B4hTzLr"}),
    link=("By a join link", {"link": "q3v7b2m5xak4w6tzd2fhn5rj7c"}),
)
INVITATION = Body(
    InvitationSchema,
    another=("For somebody else", {"seat": 1, "email": "carl@example.org"}),
    anybody=("For anybody", {"seat": 1, "email": None}),
)
MATCHES: Final = page_query(
    after_field("match"),
    mine=StrictBoolean(
        **in_query(
            False,
            "True to list the matches in which you have a seat; needs a token. Otherwise matches with an open seat.",
        )
    ),
    to_act=StrictBoolean(**in_query(False, "True to list only the matches that wait for you; needs a token.")),
    status=one_of(MATCH_STATUSES, **otherwise(None, "List only matches with this status.")),
)
"""The query of a list of matches."""
MATCH = Answer(MatchAnswer, "The match.")


@blueprint.operation(
    "GET /matches", Answer(MatchPage, "A page of matches.", headers=("Link",)), spectators=True, query=MATCHES
)
def list_matches(caller: Caller | None, query: dict[str, Any]) -> Any:
    """List matches: yours, those that wait for you, or those with an open seat.

    `mine=true` lists the matches you sit in, `to_act=true` those of them that wait for you; both
    need a token. Without either, the matches that anybody may join are listed. Newest first.
    """
    limit, after = query["limit"], query["after"]
    if query["mine"] or query["to_act"]:
        if caller is None:
            sentence = "Your own matches need a token: send the header Authorization: Bearer ovl_…"
            raise ProblemDetails("unauthorized", sentence)
        statuses = () if query["status"] is None else (query["status"],)
        found = lobby.mine(context(), caller, statuses, query["to_act"], limit + 1, after)
    elif query["status"] not in (None, "open"):
        sentence = "Only open matches are listed for everybody; add mine=true for your own matches of any status."
        raise invalid((Fault(parameter="status", detail=sentence),))
    else:
        found = lobby.open_matches(context(), limit=limit + 1, after=after)
    return page(MatchPage, found, limit, lambda match: match.id, lambda match: match_answer(match, caller))


@blueprint.operation(
    "POST /matches",
    Answer(MatchAnswer, "The match.", 201, headers=("Location",)),
    scope="play",
    body=NEW_MATCH,
    creates=True,
    problems="bot_owns_nothing address_not_confirmed too_many_open_matches mail_unwanted too_many_invitations"
    " match_unreadable",
)
def create_match(caller: Caller, body: dict[str, Any]) -> Any:
    """Create a match.

    The commitment to the match's luck is made now, before anyone sends a nonce; to send one
    yourself, ask for a `reserved` seat and join. Invitations go out by mail. The match starts by
    itself when the last seat is taken. `components` names a component set, or is a whole one, such
    as the printed components of your own box; it is checked as `overland components check` does,
    and stands in the match's record.
    """
    seats = [SeatRequest(**seat) for seat in body["seats"]]
    match = lobby.create(
        context(),
        caller,
        body["game"],
        body["options"],
        seats,
        body["title"],
        components=body["components"],
        clock=body.get("clock", default_clock(seats)),
        unlisted=body["unlisted"],
    )
    return Reply(_shown(caller, match.id), headers={"Location": match_path(match.id)})


@blueprint.operation("GET /matches/<id:match>", MATCH, spectators=True)
def get_match(caller: Caller | None, match: str) -> Any:
    """Get a match: who sits where, whom it waits for and what for, how it ended.

    Everybody may see that, with or without a token.
    """
    return _shown(caller, match)


@blueprint.operation(
    "GET /matches/<id:match>/components", Answer(MatchComponents, "The component set."), spectators=True
)
def get_match_components(caller: Caller | None, match: str) -> Any:
    """Look at what a match is played with, also before you join it.

    The digest is part of the commitment, so the set cannot be exchanged.
    """
    found = lobby.find(context(), caller, match)
    document = views.components(context(), caller, match)
    return MatchComponents(found.id, found.game, found.components_name, found.components_digest, document)


@blueprint.operation(
    "POST /matches/<id:match>/join",
    MATCH,
    scope="play",
    body=JOIN,
    problems="address_not_confirmed join_link_not_found seat_kept already_seated seat_taken no_seat_open"
    " match_not_open",
)
def join_match(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Take a seat: the one that is kept for you, or an open one.

    The answer to the join that takes the last seat shows the digest of all nonces. Keep it, and
    find your own among the `nonce` of the seats.
    """
    lobby.join(context(), caller, match, seat=body["seat"], nonce=body["nonce"], link=body["link"])
    return _shown(caller, match)


@blueprint.operation(
    "PUT /matches/<id:match>/invitation",
    MATCH,
    scope="play",
    body=INVITATION,
    problems="not_the_creator match_not_open seat_taken mail_unwanted too_many_invitations",
)
def keep_seat(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Keep a free seat of your match for somebody else, or for nobody.

    Whoever it was kept for cannot take it any more. The new one is mailed an invitation; with
    `null` anybody may take the seat.
    """
    lobby.invite(context(), caller, match, body["seat"], body["email"])
    return _shown(caller, match)


@blueprint.operation("POST /matches/<id:match>/leave", MATCH, scope="play", problems="not_seated match_not_open")
def leave_match(caller: Caller, match: str) -> Any:
    """Give your seat back before the match starts.

    Anybody may take it then. If the creator leaves, the match is cancelled.
    """
    lobby.leave(context(), caller, match)
    return match_answer(views.told(context(), caller, match), caller)  # of an unlisted match, they see no more of it


@blueprint.operation(
    "POST /matches/<id:match>/start", MATCH, scope="play", problems="not_the_creator seats_free match_not_open"
)
def start_match(caller: Caller, match: str) -> Any:
    """Start a match whose seats are all taken; its creator may.

    It starts by itself when the last seat is taken; to start it again changes nothing.
    """
    lobby.start(context(), caller, match)
    return _shown(caller, match)


@blueprint.operation(
    "POST /matches/<id:match>/resign",
    MATCH,
    scope="play",
    problems="not_seated match_not_started match_over seat_gone match_not_running trial_failed",
)
def resign_match(caller: Caller, match: str) -> Any:
    """Give up.

    With two seats left the match is over and the other wins; with more, a bot plays your seat
    from now on.
    """
    lobby.resign(context(), caller, match)
    return _shown(caller, match)


@blueprint.operation(
    "POST /matches/<id:match>/back",
    MATCH,
    scope="play",
    problems="not_seated match_not_started match_not_running seat_gone",
)
def come_back(caller: Caller, match: str) -> Any:
    """Take your seat back from the bot that holds it since your time was up.

    Your clock is what it would have been; coming back gains no time.
    """
    time_up.come_back(context(), caller, match)
    return _shown(caller, match)


@blueprint.operation(
    "POST /matches/<id:match>/resume",
    MATCH,
    scope="play",
    problems="not_seated match_not_started match_over resigned seat_gone match_not_running not_paused",
)
def resume_match(caller: Caller, match: str) -> Any:
    """Have a match go on that stands still.

    The pause of a match with clocks ends: they run again a day from now, or when the pause ends
    anyway. A match without them leaves the archive, in which it waits after nobody has visited it
    for 30 days; a turn does so, too.
    """
    if lobby.find(context(), caller, match).clock is None:
        archive.reopen(context(), caller, match)
    else:
        offering.resume(context(), caller, match)
    return _shown(caller, match)


def _shown(caller: Caller | None, match: str) -> MatchAnswer:
    return match_answer(views.match(context(), caller, match), caller)


joining_blueprint = Resource("joining", "Join links, by which one shows a match and gives a seat.")


@dataclass(frozen=True, slots=True)
class JoiningAnswer:
    """What a join link leads to."""

    joining: Annotated[Joining, Inlined()]
    match: Annotated[MatchAnswer, About("The match. Take a seat of it with `link` at `POST /v1/matches/{match}/join`.")]


@joining_blueprint.operation(
    "GET /join/<id:secret>",
    Answer(JoiningAnswer, "What the link leads to."),
    spectators=True,
    problems="join_link_not_found match_unreadable rules_version_missing",
)
def get_joining(caller: Caller | None, secret: str) -> Any:
    """Look at what a join link leads to, with or without a token.

    It is all that whoever has the link may know of an unlisted match, until they take a seat.
    """
    found = joining(context(), caller, match_of_link(context(), secret))
    return JoiningAnswer(found, match_answer(found.match, caller))


@joining_blueprint.operation(
    "DELETE /join/<id:secret>", MATCH, scope="play", problems="join_link_not_found not_the_creator"
)
def replace_join_link(caller: Caller, secret: str) -> Any:
    """Replace the join link of a match that you have created.

    The link leads nowhere any more, whoever has it; `join_url` of the answer is the new one.
    """
    match = lobby.renew_link(context(), caller, secret)
    return match_answer(views.match(context(), caller, match.id), caller)
