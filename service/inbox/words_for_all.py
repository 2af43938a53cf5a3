"""The words that any mail of a player can say: about their matches, preferences and the games."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from engine import registry
from engine.bots import LEVELS
from engine.errors import UnknownGame
from engine.pieces import close_words
from service.clocks.rule import NAMES, read_rule
from service.clocks.sentences import moment_words
from service.clocks.spans import instant
from service.context import Context
from service.errors import Invalid, ServiceError
from service.inbox.answers import MailAnswer, refused
from service.inbox.words import Word
from service.links import ReplyTo, match_page, reply_tag, service_address
from service.matches import days_off, lobby
from service.matches.days_off import AllDaysOff
from service.matches.proposal import default_clock
from service.matches.types import Match, SeatRequest
from service.notices.mails import ONE_TIME
from service.notices.material import time_told, zone_of
from service.players import choosing, settings
from service.signing import keys_of
from service.store import mails
from service.store import matches as match_rows
from service.store.players import Player
from service.texts import gettext as _
from service.texts import ngettext

MOST_LISTED: Final = 50
EXAMPLES: Final = ("away 3 days", "away until 2027-01-06", "away from 2026-12-23 for 10 days")
_DATE: Final = r"(\d{4}-\d\d-\d\d)"
_DAYS: Final = re.compile(r"(?:for )?(\d{1,3}) days?")
_UNTIL: Final = re.compile(rf"(?:until|till|to) {_DATE}")
_FROM: Final = re.compile(rf"from {_DATE} ((?:for|until|till|to) .*)")


def answer(context: Context, player: Player, word: Word, match_id: str | None = None, key: str = "") -> MailAnswer:
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
            return MailAnswer(
                "known", _("You are signed up already, as {name}.").format(name=player.name), shows=("help",)
            )
        case "repeat":
            return repeated(context, player, match_id)
        case "abandon" | "call_off" | "draw" | "end_match" | "extend" | "hand_over" | "pause" | "resume":
            says = _("Write it as a reply to a mail about the match.")
            return MailAnswer("which_match", _("Nothing was offered."), (says,))
        case "yes" | "no" | "withdraw":
            says = _("Reply to the mail of the invitation, or of the question, instead.")
            return MailAnswer("nothing_asked", _("Nothing waits for your yes or no here."), (says,))
        case "away":
            return _away(context, player, word.rest)
        case "back":
            return back(context, player)
        case "moves" | "board" | "clock" | "pass" | "preview" | "report" | "say" | "score" | "resign" | "undo":
            says = _("Reply to a mail of that match instead; list shows your matches.")
            return MailAnswer("no_match", _("This mail is about no match."), (says,))
        case _:
            return help_of()


def read_away(rest: str, now: datetime, zone: str) -> tuple[int, datetime | None] | None:
    """What follows ``away``: how many whole days, and from which midnight of the player on,
    ``None`` from now on; ``None`` where it cannot be read.
    """
    said = " ".join(rest.lower().split())
    start, asked = now, None
    try:
        if found := _FROM.fullmatch(said):
            start = asked = _midnight(found[1], zone)
            said = found[2]
        if found := _DAYS.fullmatch(said):
            return int(found[1]), asked
        if found := _UNTIL.fullmatch(said):
            return math.ceil((_midnight(found[1], zone) - start) / timedelta(days=1)), asked
    except (ValueError, OverflowError):  # no such day
        return None
    return None


def back(context: Context, player: Player) -> MailAnswer:
    """Ends the days off that go on, or takes back the next ones."""
    to_come = all(each.start > context.clock() for each in days_off.of_player(context, player).items)
    try:
        left = days_off.end(context, player)
    except ServiceError as error:
        return refused(error)
    over = _("Your days off are over: your clocks run again.")
    headline = _("You have taken your next days off back: your clocks run.") if to_come else over
    return MailAnswer("back", headline, _shown(left, choosing.wanted(context, player).time_zone))


def _away(context: Context, player: Player, rest: str) -> MailAnswer:
    """Declares days off, and says until when they last."""
    headline = _("You have no days off by that.")
    zone = choosing.wanted(context, player).time_zone
    away = read_away(rest, context.clock(), zone)
    if away is None:
        return MailAnswer("away", headline, (_("Write one of these:"),), EXAMPLES)
    try:
        declared = days_off.declare(context, player, *away)
    except ServiceError as error:
        return refused(error, headline)
    return MailAnswer("away", _("You have days off."), _shown(declared, zone))


def _shown(declared: AllDaysOff, zone: str) -> tuple[str, ...]:
    """When a player of that time zone has days off, how many more, and how to end them."""
    said = [
        _("From {start} to {end} your clocks stand still. You may still move.").format(
            start=moment_words(instant(each.start), zone), end=moment_words(instant(each.end), zone)
        )
        for each in declared.items
    ]
    left = ngettext("You have {n} more day off.", "You have {n} more days off.", declared.left).format(n=declared.left)
    ending = [ngettext('The word "back" ends them.', 'The word "back" ends the first of them.', len(said))]
    return (*said, left, *ending[: len(said)])


def _midnight(day: str, zone: str) -> datetime:
    year, month, day_of_month = map(int, day.split("-"))
    return datetime.combine(date(year, month, day_of_month), time(), tzinfo=ZoneInfo(zone)).astimezone(UTC)


def help_of(did: str = "help") -> MailAnswer:
    """What can be written."""
    return MailAnswer(did, _("This is what you can write, each on a line of its own."), shows=("help",))


def rules(word: Word) -> MailAnswer:
    """The rules of a game, or which games there are."""
    games = tuple(registry.games())
    name = word.rest.strip().lower()
    if name in games:
        return MailAnswer("rules", _("The rules of {game}").format(game=registry.game(name).info.title), rules=name)
    lines = tuple(f"rules {game}" for game in games)
    if not name:
        return MailAnswer("games", _("These are the games. Their rules come by:"), lines=lines)
    says = _unknown_game(name)
    return MailAnswer("games", says, (_("The rules come by:"),), lines)


def _unknown_game(name: str) -> str:
    """The sentence about a game that is not there, with the nearest that is."""
    if near := close_words(name, tuple(registry.games())):
        return _("There is no game {name}. Did you mean {near}?").format(name=name, near=", ".join(near))
    known = ", ".join(registry.games())
    return _("There is no game {name}; there are {known}.").format(name=name, known=known)


def _listed(context: Context, player: Player) -> MailAnswer:
    """The matches that go on, those that await the player first."""
    found = lobby.mine(context, player, ("running", "open"), limit=MOST_LISTED)
    awaiting = [match for match in found if _awaits(match, player)]
    others = [match for match in found if match not in awaiting]
    if not found:
        says = _("A new one begins with: new, a game, and the addresses of whom you invite.")
        return MailAnswer("list", _("You are in no match."), (says,), tuple(f"new {game}" for game in registry.games()))
    headline = ngettext("One match waits for you.", "{n} matches wait for you.", len(awaiting)).format(n=len(awaiting))
    if not awaiting:
        headline = _("No match waits for you.")
    return MailAnswer("list", headline, _told_of(context, player, (*awaiting, *others)))


def _told_of(context: Context, player: Player, found: Sequence[Match]) -> tuple[str, ...]:
    """What each match waits for, how much time there is, how to reply, and its page."""
    keys, now = keys_of(context), context.clock()
    service = service_address(context.settings.mail_from, context.settings.mail_addresses)
    told = []
    with context.database.read() as connection:
        zone = zone_of(connection, player.id)
        for match in found:
            stored = match_rows.find(connection, match.id)
            seat = None if stored is None else stored.seat_of(player.id)
            says = [_line_of(match, player)]
            if stored is not None and seat is not None and match.status == "running":
                says += time_told(connection, stored, player.id, zone, now)
                tag = reply_tag(keys, ReplyTo(match.id, seat, stored.ply))
                reply = _("Write your move to {address}.") if _awaits(match, player) else _("Write to {address}.")
                says.append(reply.format(address=service.reached(tag)))
                if not service.has_plus:
                    says.append(_("Its subject has to be: {subject}").format(subject=tag))
            elif lobby.invites(match, player):
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
        if lobby.invites(match, player):
            return _("{match}: you are invited.").format(match=name)
        free = sum(1 for seat in match.seats if seat.player_id is None)
        return ngettext("{match}: one seat is free.", "{match}: {n} seats are free.", free).format(match=name, n=free)
    if _awaits(match, player):
        return _("{match}: it is your turn.").format(match=name)
    awaited = [seat.player_name or "" for seat in match.seats if seat.to_act]
    return _("{match}: waits for {names}.").format(match=name, names=", ".join(awaited))


def _settings(context: Context, player: Player, word: Word, match_id: str | None) -> MailAnswer:
    """What the player wants, after the changes that the lines of the word ask for."""
    examples = tuple(f"settings {example}" for example in settings.EXAMPLES)
    try:
        if word.rest:
            general, here = choosing.choose_settings(context, player, word.rest.splitlines(), match_id)
        else:
            general = choosing.wanted(context, player)
            here = None if match_id is None else choosing.wanted_of(context, player, match_id)
    except ServiceError as error:
        shown = examples if isinstance(error, Invalid) else ()
        return MailAnswer("settings", _("Nothing was changed."), (str(error),), shown)
    headline = _("Your settings were changed.") if word.rest else _("These are your settings.")
    says = [f"{line}: {settings.meaning_of(line, general)}" for line in settings.format_settings(general)]
    if here is not None and here.chosen:
        chosen = ", ".join(here.chosen)
        says.append(_("For this match you have chosen something else: {chosen}.").format(chosen=chosen))
    return MailAnswer("settings", headline, tuple(says), examples)


def _created(context: Context, player: Player, word: Word, key: str) -> MailAnswer:
    """Creates a match by ``new GAME address ...``, with the bots and the clock named there."""
    game, *rest = word.arguments or ("",)
    name = game.lower()
    chosen = [each.lower() for each in rest if each.lower() in NAMES]
    others = _others([each for each in rest if each.lower() not in NAMES])
    headline = _("No match was created.")
    if name not in registry.games():
        return MailAnswer("new", headline, (_unknown_game(game),))
    seats = [SeatRequest("me"), *others]
    if len(chosen) > 1:
        says = _("A match has one clock: {names}. Choose one.").format(names=", ".join(chosen))
        return MailAnswer("new", headline, (says,))
    clock = read_rule({"preset": chosen[0]}) if chosen else default_clock(seats)
    try:
        match = lobby.create(
            context, player, name, None, seats, match_id=lobby.match_id_of(key) if key else None, clock=clock
        )
    except UnknownGame as error:
        return MailAnswer("new", headline, (str(error),))
    except ServiceError as error:
        examples = (f"new {name} bela@example.org", f"new {name} easy bot")
        return MailAnswer(error.code, headline, (str(error),), examples)
    title = registry.game(name).info.title
    told = [_("It begins as soon as everybody whom you invited has replied yes.")]
    if match.status == "running":
        told = [_("It has begun; a mail says when it is your turn.")]
    if match.clock is not None:
        told.append(_("Time for each player: {rule}.").format(rule=match.clock.words))
    told.append(_("Another clock is chosen by its name: {names}.").format(names=", ".join(NAMES)))
    return MailAnswer("new", _("Your match of {game} is #{short}.").format(game=title, short=match.id[:8]), tuple(told))


def _others(words: Sequence[str]) -> list[SeatRequest]:
    """The other seats of a new match: addresses, and bots by level, by ``bot``, or both."""
    seats = list[SeatRequest]()
    before = ""
    for word in words:
        lower = word.lower()
        if lower in LEVELS:
            seats.append(SeatRequest("bot", level=lower))
        elif lower != "bot":
            seats.append(SeatRequest("invite", word))
        elif before not in LEVELS:
            seats.append(SeatRequest("bot", level="easy"))
        before = lower
    return seats


def repeated(context: Context, player: Player, match_id: str | None) -> MailAnswer:
    """Sends the latest mail to the player again, about that match where one is named."""
    with context.database.read() as connection:
        last = mails.latest_sent(connection, player.id, match_id, without=(*ONE_TIME, "unproven_turn"))
    if last is None:
        return MailAnswer("repeat", _("There is no mail to send again."), shows=("moves",))

    def send_again(connection: Connection) -> None:
        found = mails.lock(connection, player.id, last)
        if found is not None:
            mails.send_again(connection, last, found.payload, context.clock())

    return MailAnswer("repeat", _("The last mail is sent again."), effects=(send_again,), is_silent=True)
