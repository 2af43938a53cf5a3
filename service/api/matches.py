"""Matches: create one, find one, join, leave, start, resign."""

from __future__ import annotations

from typing import Any

from service.api.answers.matches import MatchAnswer, MatchComponents, MatchPage, match_answer, match_path
from service.api.auth import Caller
from service.api.current import context
from service.api.inputs.matches import JoinSchema, MatchesQuerySchema, NewMatchSchema
from service.api.operations import Answer, Blueprint, Body, Reply, operation
from service.api.paging import page
from service.api.problems import ProblemDetails
from service.matches import archive, lobby, profiles
from service.matches.profiles import Profiles
from service.matches.proposal import default_clock
from service.matches.types import SeatRequest
from service.turns import time_up
from service.views import match as views

blueprint = Blueprint(
    "matches", __name__, url_prefix="/v1", description="Matches of a game: create, find, join, start, resign."
)

NEW_MATCH = Body(
    NewMatchSchema,
    {
        "with_a_friend": {
            "summary": "You and somebody you invite by mail",
            "value": {
                "game": "oregon",
                "title": "Westward",
                "seats": [{"kind": "me"}, {"kind": "invite", "email": "bela@example.org"}],
            },
        },
        "own_nonce": {
            "summary": "You take your seat afterwards, with a nonce of your own",
            "value": {"game": "oregon", "seats": [{"kind": "reserved"}, {"kind": "open"}]},
        },
        "open_table": {
            "summary": "Three seats, two of them open",
            "value": {"game": "oregon", "seats": [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]},
        },
        "brisk": {
            "summary": "A day for each turn; a seat whose time is up resigns",
            "value": {
                "game": "oregon",
                "seats": [{"kind": "me"}, {"kind": "open"}],
                "clock": {"base": "P1D", "increment": "PT4H", "most": "P3D", "if_late": "resign"},
            },
        },
    },
)
JOIN = Body(
    JoinSchema,
    {
        "anywhere": {"summary": "The seat you are invited to, or the first open one", "value": {}},
        "seat": {"summary": "A seat of your choice", "value": {"seat": 1}},
        "nonce": {"summary": "With a nonce of your own", "value": {"nonce": "k7Yw0c-2mVQx9d_B4hTzLr"}},
    },
)
MATCH = Answer(MatchAnswer, description="The match.")


@operation(
    blueprint,
    "GET",
    "/matches",
    Answer(MatchPage, description="A page of matches.", headers=("Link",)),
    access="either",
    scope="read",
    query=MatchesQuerySchema,
)
def list_matches(caller: Caller | None, query: dict[str, Any]) -> Any:
    """List matches: yours, those that wait for you, or those with an open seat.

    `mine=true` lists the matches you sit in, `to_act=true` those of them that wait for you; both
    need a token. Without either, the matches that anybody may join are listed. Newest first.
    """
    limit, after = query["limit"], query["after"]
    if query["mine"] or query["to_act"]:
        if caller is None:
            raise ProblemDetails(
                "unauthorized", "Your own matches need a token: send the header Authorization: Bearer ovl_…"
            )
        found = lobby.mine(
            context(), caller, status=query["status"], to_act=query["to_act"], limit=limit + 1, after=after
        )
    elif query["status"] not in (None, "open"):
        raise ProblemDetails(
            "invalid", "Only open matches are listed for everybody; add mine=true for your own matches of any status."
        )
    else:
        found = lobby.open_matches(context(), limit=limit + 1, after=after)
    return page(MatchPage, found, limit, lambda match: match.id, lambda match: match_answer(match, caller))


@operation(
    blueprint,
    "POST",
    "/matches",
    Answer(MatchAnswer, 201, "The match.", headers=("Location",)),
    access="player",
    scope="play",
    body=NEW_MATCH,
)
def create_match(caller: Caller, body: dict[str, Any]) -> Any:
    """Create a match.

    The commitment to the match's luck is made now, before anyone sends a nonce; to send one
    yourself, ask for a `reserved` seat and join. Invitations go out by mail. The match starts by
    itself when the last seat is taken. `components` names a component set, or is a whole one, such
    as the printed components of your own box; it is checked as `overland components check` does,
    and stands in the match's record.
    """
    seats = [SeatRequest(seat["kind"], seat["email"], seat["level"]) for seat in body["seats"]]
    match = lobby.create(
        context(),
        caller,
        body["game"],
        body["options"],
        seats,
        body["title"],
        components=body["components"],
        clock=body.get("clock", default_clock(seats)),
    )
    return Reply(_shown(caller, match.id), headers={"Location": match_path(match.id)})


@operation(blueprint, "GET", "/matches/<id:match>", MATCH, access="either", scope="read")
def get_match(caller: Caller | None, match: str) -> Any:
    """Get a match: who sits where, whom it waits for and what for, how it ended."""
    return _shown(caller, match)


@operation(
    blueprint,
    "GET",
    "/matches/<id:match>/components",
    Answer(MatchComponents, description="The component set."),
    access="either",
    scope="read",
)
def get_match_components(caller: Caller | None, match: str) -> Any:
    """Look at what a match is played with, also before you join it."""
    found = lobby.find(context(), caller, match)
    document = views.components(context(), match)
    return MatchComponents(found.id, found.game, found.components_name, found.components_digest, document)


@operation(
    blueprint,
    "GET",
    "/matches/<id:match>/profiles",
    Answer(Profiles, description="The players of the match."),
    access="either",
    scope="read",
)
def get_match_profiles(caller: Caller | None, match: str) -> Any:
    """See who plays in a match, and how reliably, before you join it."""
    return profiles.of_match(context(), match)


@operation(
    blueprint, "POST", "/matches/<id:match>/join", MATCH, access="player", scope="play", body=JOIN, problems=(409,)
)
def join_match(caller: Caller, body: dict[str, Any], match: str) -> Any:
    """Take a seat: the one that is kept for you, or an open one.

    The answer to the join that takes the last seat shows the digest of all nonces. Keep it, and
    find your own among the `nonce` of the seats.
    """
    lobby.join(context(), caller, match, seat=body["seat"], nonce=body["nonce"])
    return _shown(caller, match)


@operation(blueprint, "POST", "/matches/<id:match>/leave", MATCH, access="player", scope="play", problems=(409,))
def leave_match(caller: Caller, match: str) -> Any:
    """Give your seat back before the match starts."""
    lobby.leave(context(), caller, match)
    return _shown(caller, match)


@operation(blueprint, "POST", "/matches/<id:match>/start", MATCH, access="player", scope="play", problems=(409,))
def start_match(caller: Caller, match: str) -> Any:
    """Start a match whose seats are all taken; its creator may."""
    lobby.start(context(), caller, match)
    return _shown(caller, match)


@operation(blueprint, "POST", "/matches/<id:match>/resign", MATCH, access="player", scope="play", problems=(409,))
def resign_match(caller: Caller, match: str) -> Any:
    """Give up.

    With two seats left the match is over and the other wins; with more, a bot plays your seat
    from now on.
    """
    lobby.resign(context(), caller, match)
    return _shown(caller, match)


@operation(blueprint, "POST", "/matches/<id:match>/back", MATCH, access="player", scope="play", problems=(409,))
def come_back(caller: Caller, match: str) -> Any:
    """Take your seat back from the bot that holds it since your time was up.

    Your clock is what it would have been; coming back gains no time.
    """
    time_up.come_back(context(), caller, match)
    return _shown(caller, match)


@operation(blueprint, "POST", "/matches/<id:match>/reopen", MATCH, access="player", scope="play", problems=(409,))
def reopen_match(caller: Caller, match: str) -> Any:
    """Take a match out of the archive, in which it waits after nobody has visited it for 30 days.

    A turn does so, too.
    """
    archive.reopen(context(), caller, match)
    return _shown(caller, match)


def _shown(caller: Caller | None, match: str) -> MatchAnswer:
    return match_answer(views.match(context(), caller, match), caller)
