"""The page of a match, without a script: whoever is signed in has the numbered moves as a form.

Anybody may look at a match as a spectator. A turn is submitted as by the API, and the browser is
then sent to the page, which tells the verdict.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, Response, request

from engine.types import Layout
from service.api.auth import visitor
from service.api.conditional import conditional
from service.api.limits import address_of
from service.api.problems import kind_of
from service.api.requests import compress_padded, context
from service.api.turns import note_verdict
from service.errors import Invalid, NotFound, ServiceError, StalePly
from service.matches import archive, lobby
from service.matches.chat import LONGEST_NOTE
from service.matches.days_off import SHORTEST
from service.store.players import Player
from service.texts import gettext as _
from service.turns import lookup
from service.turns.intake import names_numbers
from service.turns.submit import submit
from service.turns.trials import ConfirmationNeeded, preview
from service.turns.types import Preview, Turn
from service.views import feed
from service.views.match import board_svg
from service.web import forms
from service.web.match_over import DrawsChecked, draws_checked
from service.web.match_page import match_page
from service.web.pictures import layout_asked, picture
from service.web.sign_in import returned

WAIT_SECONDS: Final = 8
"""How long a posted turn waits for its verdict; after that the page asks for it again."""
LONGEST_LINE: Final = 1000


@dataclass(frozen=True, slots=True)
class Typed:
    """What was chosen and typed in a form, to be shown again. A move is chosen by its line of
    notation, never by its place in a list, which is another move in another list.
    """

    move: str = ""
    line: str = ""
    text: str = ""
    note: str | None = None


@dataclass(frozen=True, slots=True)
class NotDone:
    """Why a form was not done: a sentence, and what happened since the page was shown."""

    status: int
    sentence: str
    changes: Sequence[str] = ()


def add_pages(web: Blueprint) -> None:
    """Adds `/matches/{match}` and what belongs to it."""

    def show(match: str) -> Response:
        page, player = _page(match, turn=_turn_of_link(match)), visitor()
        if player is not None:
            archive.visit(context(), player, match)
        return page

    def check_draws(match: str) -> Response:
        return _page(match, checked=draws_checked(context(), visitor(), match))

    def play(match: str) -> Response:
        player, trouble = _acting()
        typed = Typed(*(request.form.get(name, "")[:LONGEST_LINE].strip() for name in ("move", "line")))
        if player is None or trouble is not None:
            return _page(match, trouble=trouble, typed=typed)
        key = forms.key()
        once = None if key is None else f"page-{key}"  # pressed twice, its button plays once
        confirmed = request.form.get("confirmation", "")[:LONGEST_LINE] or None
        try:
            turn_of = (context(), player, match, None, _ply(), None, _line_of(typed))
            if request.form.get("do") != "preview":
                with suppress(ConfirmationNeeded):
                    turn = submit(*turn_of, idempotency_key=once, wait=WAIT_SECONDS, confirmation=confirmed)
                    return forms.to_page("match", match=match, turn=turn.id)
            return _page(match, typed=typed, previewed=preview(*turn_of, _layout()))
        except StalePly as error:  # neither a choice nor a number is of the list that is shown now
            still_meant = Typed(line="" if names_numbers(typed.line) else typed.line)
            return _page(match, trouble=_trouble(error), typed=still_meant)
        except ServiceError as error:
            return _page(match, trouble=_trouble(error), typed=typed)

    def board(match: str) -> Response:
        layout = layout_asked()
        player, ply = visitor(), request.args.get("ply", type=int)

        def draw() -> Response:
            return picture(board_svg(context(), player, match, layout, ply=ply))

        answer = conditional(player, match, draw, "svg on a page", layout, ply)
        answer.vary.add("Cookie")
        return answer

    web.add_url_rule("/matches/<id:match>", "match", show)
    web.add_url_rule("/matches/<id:match>/draws", "check_draws", check_draws)
    web.add_url_rule("/matches/<id:match>", "play_in_match", play, methods=["POST"])
    web.add_url_rule("/matches/<id:match>/board.svg", "board_of_match", board)


def act(match: str, do: Callable[[Player, str], object], part: str = "", creates: bool = False) -> Response:
    """Does what a form says, and leads to a part of the page; the page says why it is not done.
    What ``creates`` something does so once, however often the button is pressed.
    """
    player, trouble = _acting()
    # Of the forms of the chat and of the note; others have neither.
    text, note = request.form.get("text", "")[:LONGEST_LINE], request.form.get("note")
    typed = Typed(text=text, note=None if note is None else note[: 2 * LONGEST_NOTE])
    if player is None or trouble is not None:
        return _page(match, trouble=trouble, typed=typed)

    def acted() -> Response:
        do(player, match)
        return forms.to_page("match", match=match, **({"_anchor": part} if part else {}))

    try:
        answer = forms.once(player, acted) if creates else acted()
    except ServiceError as error:
        return _page(match, trouble=_trouble(error), typed=typed)
    try:
        lobby.find(context(), player, match)
    except NotFound:  # an unlisted match, in which they have no seat any more
        return forms.to_page("start")
    return answer


def _page(
    match: str,
    trouble: NotDone | None = None,
    typed: Typed | None = None,
    turn: Turn | None = None,
    previewed: Preview | None = None,
    checked: DrawsChecked | None = None,
) -> Response:
    player = visitor()
    # From before the match is read, so that the stream of events tells what happens meanwhile.
    cursor = feed.feed(context(), feed.of_match(player, match, address_of(request.remote_addr)), None, 0).cursor
    ply, log_from = (request.args.get(name, type=int) for name in ("ply", "log"))
    shown = match_page(context(), player, match, _layout(), ply, log_from)
    zone = ZoneInfo(shown.zone)
    compress_padded()
    return forms.page(
        "match.html",
        200 if trouble is None else trouble.status,
        page=shown,
        player=player,
        returned=returned(),
        trouble=trouble,
        typed=typed or Typed(),
        turn=turn,
        previewed=previewed,
        checked=checked,
        cursor=cursor,
        now=context().clock(),
        least=SHORTEST,
        local=lambda at: at.astimezone(zone).strftime("%Y-%m-%d %H:%M"),
        key=forms.new_key(),
        refusal_words=refusal_words,
        version_of=version_of,
    )


def version_of(note: str) -> str:
    """Which note a page shows, by which its form says what it replaces."""
    return hashlib.sha256(note.encode()).hexdigest()[:16]


def _layout() -> Layout:
    """The layout of the picture in the page, whose script asks for the other where that fits."""
    return Layout.PHONE if "Mobi" in request.headers.get("User-Agent", "") else Layout.DESKTOP


def _acting() -> tuple[Player | None, NotDone | None]:
    """The player in whose name a form acts, or why it does not."""
    player = visitor()
    if player is None:
        sentence = _("You are not signed in here, or no longer. Follow the link in your newest mail of this match.")
        return None, NotDone(401, sentence)
    if not forms.is_from_our_page():
        return player, NotDone(403, forms.another_browser())
    return player, None


def _turn_of_link(match: str) -> Turn | None:
    """The turn of the visitor that the address names, if it is one."""
    player, turn_id = visitor(), request.args.get("turn", "")
    if player is None or not turn_id:
        return None
    try:
        turn = lookup.find(context(), player, match, turn_id)
    except NotFound:
        return None
    note_verdict(player, turn)
    return turn


def _ply() -> int:
    """The ply whose moves the page listed. Raises ``Invalid`` where the form does not say it."""
    ply = request.form.get("ply", "")
    if not re.fullmatch(r"[0-9]{1,9}", ply):
        raise Invalid((("", _("This form does not say which list of moves its numbers are of. Reload the page.")),))
    return int(ply)


def _line_of(typed: Typed) -> str:
    """The line of notation that was chosen or typed. Raises ``Invalid`` unless one is."""
    if typed.move and typed.line:
        raise Invalid((("", _("A move is chosen and a line is written. Choose, or write: not both.")),))
    if not typed.move and not typed.line:
        raise Invalid((("", _("Choose a move, or write its number or a line.")),))
    return typed.move or typed.line


def _trouble(error: ServiceError) -> NotDone:
    changes = error.changes if isinstance(error, StalePly) else ()
    return NotDone(kind_of(error).status, refusal_words(error.code, str(error)), changes)


def refusal_words(code: str, sentence: str) -> str:
    """The sentence of a refusal for a page, which shows by itself how far the match is and whom it
    waits for; the others speak of plies and numbers of seats.
    """
    match code:
        case "not_your_turn":
            return _("It is not your turn, or not any more.")
        case "stale_ply":
            return _("Nothing was played: the match has moved on since you looked at it.")
        case _:
            return sentence
