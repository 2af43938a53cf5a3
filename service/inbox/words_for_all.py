"""The words that any mail of a player can say: about their matches, preferences and the games."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from typing import Final

from sqlalchemy import Connection

from engine import registry
from engine.bots import LEVELS
from engine.errors import UnknownGame
from engine.pieces import close_words
from service.clocks.rule import NAMES, read_rule
from service.context import Context
from service.errors import Invalid, ServiceError
from service.inbox import away
from service.inbox.answers import Answer
from service.inbox.words import Word
from service.links import match_page
from service.matches import days_off, lobby
from service.matches.proposal import default_clock
from service.matches.types import Match, SeatRequest
from service.notices.mails import ONE_TIME
from service.notices.material import time_told, zone_of
from service.players import choosing, settings
from service.players.types import Player
from service.reply_addresses import ReplyTo, reply_address, service_address
from service.signing import keys_of
from service.store import mails
from service.store import matches as match_rows
from service.texts import gettext as _
from service.texts import ngettext

MOST_LISTED: Final = 50
_STATUSES: Final = {"running": 0, "open": 1, "archived": 2, "finished": 3, "cancelled": 4}


def answer(context: Context, player: Player, word: Word, match_id: str | None = None, key: str = "") -> Answer:
    """What a word of a player is answered; ``match_id`` is the match that their mail is about.
    ``key`` is that of the mail: a match is created by it once.
    """
    match word.name:
        case "list":
            return _listed(context, player)
        case "rules":
            return rules(word)
        case "settings":
            return _settings(context, player, word, match_id)
        case "new":
            return _created(context, player, word, key)
        case "join":
            return Answer("known", _("You are signed up already, as {name}.").format(name=player.name), shows=("help",))
        case "repeat":
            return repeated(context, player, match_id)
        case "abandon" | "call_off" | "draw" | "end_match" | "extend" | "hand_over" | "pause" | "resume":
            says = _("Write it as a reply to a mail about the match.")
            return Answer("which_match", _("Nothing was offered."), (says,))
        case "yes" | "no" | "withdraw":
            says = _("Reply to the mail of the invitation, or of the question, instead.")
            return Answer("nothing_asked", _("Nothing waits for your yes or no here."), (says,))
        case "away":
            return away.answer(context, player, word.rest)
        case "back":
            return back(context, player)
        case "moves" | "board" | "clock" | "pass" | "preview" | "say" | "score" | "resign" | "undo":
            says = _("Reply to a mail of that match instead; list shows your matches.")
            return Answer("no_match", _("This mail is about no match."), (says,))
        case _:
            return help_of()


def back(context: Context, player: Player) -> Answer:
    """Ends the days off that go on."""
    try:
        left = days_off.end(context, player)
    except ServiceError as error:
        return Answer(error.code, _("Nothing was done."), (str(error),))
    return Answer("back", _("Your days off are over: your clocks run again."), _left(left.left))


def _left(days: int) -> tuple[str, ...]:
    return (ngettext("You have {n} more day off.", "You have {n} more days off.", days).format(n=days),)


def help_of(did: str = "help") -> Answer:
    """What can be written."""
    return Answer(did, _("This is what you can write, each on a line of its own."), shows=("help",))


def rules(word: Word) -> Answer:
    """The rules of a game, or which games there are."""
    games = tuple(registry.games())
    name = word.rest.strip().lower()
    if name in games:
        return Answer("rules", _("The rules of {game}").format(game=registry.game(name).info.title), rules=name)
    lines = tuple(f"rules {game}" for game in games)
    if not name:
        return Answer("games", _("These are the games. Their rules come by:"), lines=lines)
    says = unknown_game(name)
    return Answer("games", says, (_("The rules come by:"),), lines)


def unknown_game(name: str) -> str:
    """The sentence about a game that is not there, with the nearest that is."""
    near = close_words(name, tuple(registry.games()))
    if near:
        return _("There is no game {name}. Did you mean {near}?").format(name=name, near=", ".join(near))
    known = ", ".join(registry.games())
    return _("There is no game {name}; there are {known}.").format(name=name, known=known)


def _listed(context: Context, player: Player) -> Answer:
    """The matches that go on, those that await the player first."""
    found = [match for match in lobby.mine(context, player, limit=MOST_LISTED) if match.status in ("running", "open")]
    awaiting = [match for match in found if _awaits(match, player)]
    others = [match for match in found if match not in awaiting]
    if not found:
        says = _("A new one begins with: new, a game, and the addresses of whom you invite.")
        return Answer("list", _("You are in no match."), (says,), tuple(f"new {game}" for game in registry.games()))
    headline = ngettext("One match waits for you.", "{n} matches wait for you.", len(awaiting)).format(n=len(awaiting))
    if not awaiting:
        headline = _("No match waits for you.")
    return Answer("list", headline, _told_of(context, player, (*awaiting, *others)))


def _told_of(context: Context, player: Player, found: Sequence[Match]) -> tuple[str, ...]:
    """Of each match what it waits for, how much time there is, how to reply, and its page."""
    keys, service, now = keys_of(context), service_address(context.settings.mail_from), context.clock()
    told = []
    with context.database.read() as connection:
        zone = zone_of(connection, player.id)
        for match in found:
            stored = match_rows.find(connection, match.id)
            seat = None if stored is None else stored.seat_of(player.id)
            says = [_line_of(match, player)]
            if stored is not None and seat is not None and match.status == "running":
                says += time_told(connection, stored, player.id, zone, now)
                to = reply_address(keys, service, ReplyTo(match.id, seat, stored.ply))
                reply = _("Write your move to {address}.") if _awaits(match, player) else _("Write to {address}.")
                says.append(reply.format(address=to))
            elif seat is None:
                says.append(_("Reply yes or no to the mail of the invitation."))
            says.append(_("Its page: {page}").format(page=match_page(context.settings.base_url, match.id)))
            told.append(" ".join(says))
    return tuple(told)


def _awaits(match: Match, player: Player) -> bool:
    return any(seat.player_id == player.id and seat.to_act for seat in match.seats)


def _line_of(match: Match, player: Player) -> str:
    """A match on one line: its game, its title, and what it waits for."""
    name = f"{registry.game(match.game).info.title} #{match.id[:8]}, {match.title}"
    if match.status == "open":
        if not any(seat.player_id == player.id for seat in match.seats):
            return _("{match}: you are invited.").format(match=name)
        free = sum(1 for seat in match.seats if seat.player_id is None)
        return ngettext("{match}: one seat is free.", "{match}: {n} seats are free.", free).format(match=name, n=free)
    if _awaits(match, player):
        return _("{match}: it is your turn.").format(match=name)
    awaited = [seat.player_name or "" for seat in match.seats if seat.to_act]
    return _("{match}: waits for {names}.").format(match=name, names=", ".join(awaited))


def _settings(context: Context, player: Player, word: Word, match_id: str | None) -> Answer:
    """What the player wants, after the changes that the word asks for."""
    examples = tuple(f"settings {example}" for example in settings.EXAMPLES)
    try:
        if word.rest:
            general, here = choosing.choose_settings(context, player, [word.rest], match_id)
        else:
            general = choosing.wanted(context, player)
            here = None if match_id is None else choosing.wanted_of(context, player, match_id)
    except Invalid as error:
        return Answer("settings", _("Nothing was changed."), (str(error),), examples)
    except ServiceError as error:
        return Answer("settings", _("Nothing was changed."), (str(error),))
    headline = _("Your settings were changed.") if word.rest else _("These are your settings.")
    says = [f"{line}: {settings.meaning_of(line, general)}" for line in settings.format_settings(general)]
    if here is not None and here.chosen:
        chosen = ", ".join(here.chosen)
        says.append(_("For this match you have chosen something else: {chosen}.").format(chosen=chosen))
    return Answer("settings", headline, tuple(says), examples)


def _created(context: Context, player: Player, word: Word, key: str) -> Answer:
    """Creates a match with the player in its first seat, by ``new GAME address ...``, with the
    bots and the clock that are named among them.
    """
    game, *rest = word.arguments or ("",)
    name = game.lower()
    chosen = [each.lower() for each in rest if each.lower() in NAMES]
    others = _others([each for each in rest if each.lower() not in NAMES])
    headline = _("No match was created.")
    if name not in registry.games():
        return Answer("new", headline, (unknown_game(game),))
    seats = [SeatRequest("me"), *others]
    if len(chosen) > 1:
        says = _("A match has one clock: {names}. Choose one.").format(names=", ".join(chosen))
        return Answer("new", headline, (says,))
    clock = read_rule({"preset": chosen[0]}) if chosen else default_clock(seats)
    try:
        match = lobby.create(
            context, player, name, None, seats, match_id=match_id_of(key) if key else None, clock=clock
        )
    except UnknownGame as error:
        return Answer("new", headline, (str(error),))
    except ServiceError as error:
        examples = (f"new {name} bela@example.org", f"new {name} easy bot")
        return Answer(error.code, headline, (str(error),), examples)
    title = registry.game(name).info.title
    told = [_("It begins as soon as everybody whom you invited has replied yes.")]
    if match.status == "running":
        told = [_("It has begun; a mail says when it is your turn.")]
    if match.clock is not None:
        told.append(_("Time for each player: {rule}.").format(rule=match.clock.words))
    told.append(_("Another clock is chosen by its name: {names}.").format(names=", ".join(NAMES)))
    return Answer("new", _("Your match of {game} is #{short}.").format(game=title, short=match.id[:8]), tuple(told))


def _others(words: Sequence[str]) -> list[SeatRequest]:
    """The other seats of a new match: for addresses, and for bots, which are named by their level,
    by ``bot``, or by both.
    """
    seats = list[SeatRequest]()
    for number, word in enumerate(words):
        lower = word.lower()
        level = next((level for level in LEVELS if level == lower), None)
        if lower == "bot" and number and words[number - 1].lower() in LEVELS:
            continue
        bot = level or ("easy" if lower == "bot" else None)
        seats.append(SeatRequest("bot", level=bot) if bot else SeatRequest("invite", word))
    return seats


def match_id_of(key: str) -> str:
    """The id of the match that the mail of that key creates: the same however often it is
    handled.
    """
    digits = "abcdefghijklmnopqrstuvwxyz234567"
    return "".join(digits[byte % 32] for byte in sha256(f"new match {key}".encode()).digest()[: lobby.MATCH_ID_LENGTH])


def repeated(context: Context, player: Player, match_id: str | None) -> Answer:
    """Sends the latest mail to the player again, about that match where one is named."""
    with context.database.read() as connection:
        last = mails.latest_sent(connection, player.id, match_id, without=(*ONE_TIME, "unproven_turn"))
    if last is None:
        return Answer("repeat", _("There is no mail to send again."), shows=("moves",))

    def send_again(connection: Connection) -> None:
        found = mails.lock(connection, player.id, last)
        if found is not None:
            mails.send_again(connection, last, found[1], context.clock())

    return Answer("repeat", _("The last mail is sent again."), effects=(send_again,), is_silent=True)
