"""The forms of the page of a match besides that of a turn: a seat, the chat, notes, time, offers,
resigning and playing again. Each leads back to the page, at the part of it that has changed.
"""

from __future__ import annotations

from functools import partial

from flask import Blueprint, Response, request

from service.api.requests import context
from service.errors import Conflict, Invalid
from service.matches import archive, chat, days_off, lobby, one_click
from service.matches.chat import LONGEST_NOTE
from service.offers import offering
from service.store.players import Player
from service.texts import gettext as _
from service.turns import time_up
from service.web import forms
from service.web.match import LONGEST_LINE, act, version_of


def add_pages(web: Blueprint) -> None:
    """Adds the addresses that forms below `/matches/{match}` are sent to."""

    def play_again(match: str) -> Response:
        key, made = forms.key() or forms.new_key(), list[str]()

        def create(player: Player, match: str) -> None:
            made.append(one_click.play_again(context(), player, match, key).id)

        answer = act(match, create)
        return forms.to_page("match", match=made[0]) if made else answer

    for name, endpoint, do, part in (
        ("seat", "seat_in_match", _take_or_leave, ""),
        ("chat", "say_in_match", _say, "chat"),
        ("notes", "note_in_match", _note, "notes"),
        ("time", "keep_time_in_match", _keep_time, "time"),
        ("offers", "offer_in_match", _offer, "offers"),
        ("resign", "resign_in_match", _resign, ""),
    ):
        view = partial(act, do=do, part=part, creates=do is _say)
        web.add_url_rule(f"/matches/<id:match>/{name}", endpoint, view, methods=["POST"])
    web.add_url_rule("/matches/<id:match>/again", "play_again", play_again, methods=["POST"])


def _take_or_leave(player: Player, match: str) -> None:
    do = lobby.leave if request.form.get("do") == "leave" else lobby.join
    do(context(), player, match)


def _say(player: Player, match: str) -> None:
    chat.say(context(), player, match, request.form.get("text", "")[:LONGEST_LINE])


def _note(player: Player, match: str) -> None:
    known = chat.noted(context(), player, match).text
    if request.form.get("before", version_of(known)) != version_of(known):
        sentence = _("Your notes have changed since this page was shown. They read now: {note}")
        again = _("Press the button again to have in their place what you have written here.")
        raise Conflict(f"{sentence.format(note=known or _('nothing'))} {again}")
    chat.note(context(), player, match, request.form.get("note", "")[: 2 * LONGEST_NOTE])


def _keep_time(player: Player, match: str) -> None:
    match request.form.get("do"):
        case "reopen":
            archive.reopen(context(), player, match)
        case "back":
            time_up.come_back(context(), player, match)
        case "away":
            days_off.declare(context(), player, request.form.get("days", 0, type=int))
        case "here":
            days_off.end(context(), player, request.form.get("taken"))
        case _:
            raise Invalid((("", _unsaid()),))


def _resign(player: Player, match: str) -> None:
    if request.form.get("sure") != "yes":
        raise Invalid((("", _("Nothing was done: say that you mean it, and press the button again.")),))
    lobby.resign(context(), player, match)


def _offer(player: Player, match: str) -> None:
    do, offer_id = (request.form.get(name, "") for name in ("do", "offer"))
    match do:
        case "accept" | "decline":
            offering.answer(context(), player, match, offer_id, accepts=do == "accept")
        case "withdraw":
            offering.withdraw(context(), player, match, offer_id)
        case "resume":
            offering.resume(context(), player, match)
        case "extend":
            offering.offer(context(), player, match, "extend", for_seat=request.form.get("seat", type=int))
        case "draw" | "end" | "call_off" | "abandon":
            offering.offer(context(), player, match, do)
        case "hand_over":
            offering.offer(context(), player, match, "hand_over", email=request.form.get("email", ""))
        case "pause":
            offering.offer(context(), player, match, "pause", request.form.get("days", 0, type=int))
        case _:
            raise Invalid((("", _unsaid()),))


def _unsaid() -> str:
    return _("This form does not say what to do. Reload the page.")
