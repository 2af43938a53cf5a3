"""Players: sign up by mail, look at yourself and others, and report what somebody does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, get_args

from marshmallow import Schema

from engine.documents import About
from service import leaving
from service.addresses import folded, read_email
from service.api.addresses import OwnAddress
from service.api.auth import Caller, own_token
from service.api.fields import EMAIL, CheckedField, id_of, may, must, one_of, otherwise, text, whole
from service.api.limits import limit_mails_to
from service.api.operations import Answer, Body, Resource
from service.api.requests import context
from service.errors import Invalid, NotFound
from service.matches import reporting
from service.matches.reporting import (
    LONGEST_WORDS,
    Reported,
    ReportedInvitation,
    ReportedLine,
    ReportedName,
    read_words,
)
from service.names import LONGEST_NAME, read_name
from service.players import accounts, own_addresses, profiles
from service.players.profiles import Profile
from service.players.tokens import check_proof
from service.statuses import ReportedKind
from service.store.players import Player
from service.store.reports import PlayerReport


@dataclass(frozen=True, slots=True)
class SignedUp:
    """A mail is on its way. The answer is the same for an address that is known already."""

    email: Annotated[str, About("The address that the mail goes to.")]
    detail: Annotated[str, About("What to do next, in a sentence.")]


@dataclass(frozen=True, slots=True)
class Confirmed:
    """What the token of a mail has confirmed: a player, who gets an API token, or an address that a
    player has added, who gets none.
    """

    player: Annotated[Player | None, About("You, when you sign up or in; `null` for another address.")]
    token: Annotated[str | None, About("The API token. Keep it: it is not shown again.", example="ovl_…")]
    address: Annotated[OwnAddress | None, About("The address that was added; `null` when you sign up or in.")]


class NameSchema(Schema):
    """The name of a player."""

    name = CheckedField(
        read_name,
        **must(
            "Your name, as other players see it, in letters of one script. Where another player has it when you sign"
            " up, yours has a number after it.",
            minLength=1,
            maxLength=LONGEST_NAME,
        ),
    )


class SignUpSchema(NameSchema):
    """A sign-up: the name and the address of a new player."""

    email = CheckedField(
        read_email, **must("Your address, to which mails are sent. Other players do not see it.", **EMAIL)
    )


class ConfirmSchema(Schema):
    """The confirmation of an address."""

    token = text(8, 200, **must("The one-time token from the mail."))


blueprint = Resource("players", "Sign up by mail address, confirm it, get a token.")

SIGN_UP = Body(SignUpSchema, ada=("Somebody new", {"name": "Ada", "email": "ada@example.org"}))
NEW_NAME = Body(NameSchema, ada=("Another name", {"name": "Ada L."}))
CONFIRM = Body(ConfirmSchema, from_the_mail=("The token from the mail", {"token": "Hq0m8rYkz3v5w1cF7n2pXg"}))


@blueprint.operation("POST /players", Answer(SignedUp, "A mail is on its way.", 202), body=SIGN_UP)
def sign_up(body: dict[str, Any]) -> Any:
    """Sign up.

    A mail with a one-time token goes to the address. A known address gets a mail to sign in with
    instead, and the answer is the same, so nobody learns who is registered.
    """
    limit_mails_to(folded(body["email"]))
    accounts.sign_up(context(), body["name"], body["email"])
    email = body["email"]
    return SignedUp(email, f"A mail is on its way to {email}; the token in it confirms the address.")


@blueprint.operation(
    "POST /confirm",
    Answer(Confirmed, "The address is confirmed.", is_secret=True),
    body=CONFIRM,
    problems="confirmation_not_found confirmation_used confirmation_expired address_taken",
)
def confirm(body: dict[str, Any]) -> Any:
    """Confirm an address with the token of the mail.

    Whoever signs up or in gets an API token. An address that was added needs no token to be
    confirmed, and gives none: your primary address is told, and can undo it for seven days.
    """
    try:
        return Confirmed(*accounts.confirm(context(), body["token"]), None)
    except NotFound as unknown:
        try:
            address = own_addresses.confirm(context(), body["token"])[1]
        except NotFound:
            raise unknown from None
        return Confirmed(None, None, OwnAddress(address))


@blueprint.operation(
    "GET /players/<id:player>", Answer(Profile, "The player."), spectators=True, problems="player_not_found"
)
def get_player(caller: Caller | None, player: str) -> Any:
    """See who somebody is, and how reliably they play.

    The id of a player is in every seat of a match, also before you join it.
    """
    return profiles.of_player(context(), player)


@blueprint.operation(
    "GET /me/export",
    Answer({"$ref": "#/components/schemas/Stored"}, "Rows by the names of their tables."),
    scope="account",
)
def export_me(caller: Caller) -> Any:
    """Get everything that is stored of you.

    Secrets are not among it, which are stored as digests, nor what others wrote of you.
    """
    return accounts.stored(context(), caller)


@blueprint.operation("DELETE /me", Answer(None, "You have left.", 204), scope="account", problems="proof_needed")
def leave_for_good(caller: Caller) -> Any:
    """Leave for good, with your bots.

    It needs a token that you got by mail at most 15 minutes ago. You resign from all matches. Your
    addresses, tokens, settings and notes are deleted, and your name is shown nowhere any more; what
    was played stays, so that others can verify their records.
    """
    check_proof(context(), own_token())
    leaving.leave_for_good(context(), caller)


@blueprint.operation(
    "PATCH /me", Answer(Player, "You, with your new name."), scope="account", body=NEW_NAME, problems="name_taken"
)
def rename_me(caller: Caller, body: dict[str, Any]) -> Any:
    """Change your name.

    Everybody sees the new one from now on, also in matches that are over. Names differ between
    players in more than case.
    """
    return accounts.rename(context(), caller, body["name"])


@blueprint.operation("GET /me", Answer(Player, "You."), scope="read")
def get_me(caller: Caller) -> Any:
    """See who you are.

    The player that the token belongs to, with the address that nobody else sees.
    """
    return caller


class ReportRequestSchema(Schema):
    """What is reported: a line of a chat, an invitation, or a name; and why."""

    kind = one_of(get_args(ReportedKind), **must("What is reported."))
    match = id_of("match", **may("The match of the chat or of the invitation; not for a name."))
    number = whole(1, **may("The number of the line; for a chat only."))
    player = id_of("player", **may("Whose name it is; for a name only."))
    words = CheckedField(read_words, **otherwise("", "What is wrong with it.", maxLength=LONGEST_WORDS))


reports_blueprint = Resource("reports", "What the host of the service should look at.")

REPORT = Body(
    ReportRequestSchema,
    line=("A line of a chat", {"kind": "chat", "match": "k3v7q2m5xa", "number": 3, "words": "This is no talk."}),
    invitation=("An invitation", {"kind": "invitation", "match": "k3v7q2m5xa"}),
    name=("A name", {"kind": "name", "player": "k3v7q2m5xa2b", "words": "It insults others."}),
)


@reports_blueprint.operation(
    "POST /reports",
    Answer(PlayerReport, "Your report.", 201),
    scope="play",
    body=REPORT,
    creates=True,
    problems="match_not_found not_seated nothing_reported player_not_found bot_owns_nothing",
)
def report(caller: Caller, body: dict[str, Any]) -> Any:
    """Report a line of a chat, an invitation or a name to the host of the service.

    It is kept as it reads now. Whoever it is about is not told. If you report it again, nothing
    more is stored, and the answer is the report that you made.
    """
    return reporting.report(context(), caller, _thing(body), body["words"])


def _thing(body: dict[str, Any]) -> Reported:
    match body:
        case {"kind": "chat", "match": str(match), "number": int(number), "player": None}:
            return ReportedLine(match, number)
        case {"kind": "invitation", "match": str(match), "number": None, "player": None}:
            return ReportedInvitation(match)
        case {"kind": "name", "match": None, "number": None, "player": str(player)}:
            return ReportedName(player)
    sentence = "A chat has a match and a number, an invitation a match, a name a player; and nothing else."
    raise Invalid((("/kind", sentence),))
