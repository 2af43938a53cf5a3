"""What gives access to the account of a player, and how they leave: addresses, tokens, bots,
webhooks, the calendar; all that is stored, signing out everywhere, leaving for good.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, get_args

from flask import Response, make_response, render_template, request

from service import leaving
from service.addresses import folded, read_email
from service.api.auth import SIGNED_IN, own_token
from service.api.limits import limit_mails_to
from service.api.requests import context
from service.errors import Forbidden, Invalid
from service.players import accounts, bots, choosing, own_addresses, tokens
from service.players.tokens import SCOPES
from service.store.players import Player
from service.store.tokens import Token
from service.store.webhooks import WebhookFormat
from service.texts import gettext as _
from service.views import calendar
from service.web import forms
from service.web.settings import Once, SettingsAct, SettingsPart, by_id, number, typed
from service.webhooks import owning

EXPIRIES: Final = (30, 90, 366)
"""Days after which a new token may be asked to expire."""


def _is_proven() -> bool:
    """Whether the player has shown in this browser, a moment ago, that they read their mail."""
    try:
        tokens.check_proof(context(), own_token())
    except Forbidden:
        return False
    return True


def _prove(player: Player) -> Response:
    limit_mails_to(player.email)
    accounts.sign_in(context(), player.email)
    return forms.page("mailed.html", email=player.email)


def _add_address(player: Player) -> None:
    email = read_email(typed("email"), "/email")
    limit_mails_to(folded(email))
    own_addresses.add(context(), player, own_token(), email)


ADDRESSES: Final = SettingsPart(
    lambda: _("Addresses"),
    lambda player: {"addresses": own_addresses.of_player(context(), player), "proven": _is_proven()},
    {
        "prove": SettingsAct(_prove),
        "add": SettingsAct(
            _add_address,
            lambda: _("A mail with a link is on its way there: the address is yours once you have opened it."),
        ),
        "primary": SettingsAct(
            lambda player: own_addresses.make_primary(context(), player, own_token(), typed("id")),
            lambda: _("Your mails go there from now on. The address before is told, and can undo it."),
        ),
        "remove": SettingsAct(
            lambda player: own_addresses.remove(context(), player, own_token(), typed("id")),
            lambda: _("The address is removed. It is told, and can undo that for seven days."),
        ),
    },
)


def _issue(player: Player) -> Once:
    days = number("expires_in", _("Choose when it expires.")) or None
    if days is not None and days not in EXPIRIES:
        raise Invalid((("/expires_in", _("Choose when it expires.")),))
    scopes = [scope for scope in request.form.getlist("scope") if scope in SCOPES]
    if not scopes:
        raise Invalid((("/scope", _("Choose at least one thing that it may do.")),))
    secret = tokens.issue(context(), player, own_token(), typed("label"), scopes, days)[1]
    return _token_once(typed("label"), secret)


def _token_once(label: str, secret: str) -> Once:
    heading = _("The token “{label}”").format(label=label)
    return Once(heading, secret, _("A program sends it as Authorization: Bearer, a space, and the token."))


def _make_bot(player: Player) -> Once:
    bot, _token, secret = bots.make(context(), player, typed("name"))
    return _token_once(bot.name, secret)


def _issue_bot_token(player: Player) -> Once:
    return _token_once(typed("label"), bots.issue(context(), player, typed("id"), typed("label"))[1])


def _enter_webhook(player: Player) -> Once | None:
    style = next((each for each in get_args(WebhookFormat) if each == typed("format")), None)
    if style is None:
        raise Invalid((("/format", _("Choose a format.")),))
    entered = owning.enter(context(), player, style, typed("url"))
    if style != "json":
        return None
    use = _("Your program checks each call by it, after Standard Webhooks.")
    return Once(_("What signs the calls of the webhook"), entered.secret, use)


def _renew_secret(player: Player) -> Once:
    renewed = owning.renew_secret(context(), player, typed("id"))
    use = _("The key before signs, too, for a day: meanwhile give your program this one.")
    return Once(_("What signs the calls of the webhook"), renewed.secret, use)


def _set_mention(player: Player) -> None:
    choosing.choose(context(), player, {name: typed(name) or None for name in ("discord", "slack")})


def _renew_calendar(player: Player) -> Once:
    base = context().settings.base_url.rstrip("/")
    address = f"{base}/calendar.ics?key={calendar.renew(context(), player)}"
    return Once(_("The address of your calendar"), address, _("Your calendar program subscribes to it."))


def _programs(player: Player) -> Mapping[str, Any]:
    return {
        "tokens": _valid(tokens.of_player(context(), player)),
        "bots": [(bot, _valid(tokens.of_player(context(), bot))) for bot in bots.of_player(context(), player)],
        "webhooks": owning.of_player(context(), player),
        "formats": [("json", _("Signed JSON, for a program")), ("discord", "Discord"), ("slack", "Slack")],
        "scopes": [
            ("read", _("look at my matches")),
            ("play", _("play in my name")),
            ("account", _("manage my account")),
        ],
        "expiries": [("0", _("never")), *((str(days), _("in {days} days").format(days=days)) for days in EXPIRIES)],
        "proven": _is_proven(),
        "wanted": choosing.wanted(context(), player),
    }


def _valid(found: tuple[Token, ...]) -> list[Token]:
    now = context().clock()
    return [each for each in found if each.revoked_at is None and (each.expires_at is None or each.expires_at > now)]


PROGRAMS: Final = SettingsPart(
    lambda: _("Programs"),
    _programs,
    {
        "prove": SettingsAct(_prove),
        "issue": SettingsAct(_issue, creates=True),
        "revoke": SettingsAct(
            by_id(tokens.revoke), lambda: _("The token is revoked: what is sent with it is refused from now on.")
        ),
        "make-bot": SettingsAct(_make_bot, creates=True),
        "issue-bot": SettingsAct(_issue_bot_token, creates=True),
        "delete-bot": SettingsAct(
            lambda player: leaving.leave_for_good(context(), bots.find(context(), player, typed("id"))),
            lambda: _("The bot has left: it has resigned from its matches, and its tokens are revoked."),
        ),
        "enter": SettingsAct(_enter_webhook, lambda: _("The webhook is entered."), creates=True),
        "ping": SettingsAct(
            by_id(owning.ping), lambda: _("It is called within seconds. Load this page again to see what came of it.")
        ),
        "renew-secret": SettingsAct(_renew_secret, creates=True),
        "switch-on": SettingsAct(
            lambda player: owning.change(context(), player, typed("id"), None, None, True),
            lambda: _("The webhook is switched on."),
        ),
        "remove": SettingsAct(by_id(owning.remove), lambda: _("The webhook is removed.")),
        "mention": SettingsAct(_set_mention, lambda: _("It holds from now on.")),
        "renew-calendar": SettingsAct(_renew_calendar, creates=True),
        "stop-calendar": SettingsAct(
            lambda player: calendar.stop(context(), player),
            lambda: _("The address of your calendar does not work any more."),
        ),
    },
)


def _sign_out_everywhere(player: Player) -> Response:
    tokens.sign_out_everywhere(context(), player)
    return _farewell("signed_out.html")


def _leave(player: Player) -> Response:
    if typed("name") != player.name:
        sentence = _("Type your name, {name}, to say that you mean it.").format(name=player.name)
        raise Invalid((("/name", sentence),))
    tokens.check_proof(context(), own_token())
    leaving.leave_for_good(context(), player)
    return _farewell("left.html")


def _farewell(template: str) -> Response:
    answer = make_response(render_template(template))
    forms.delete_cookie(answer, SIGNED_IN)
    return answer


ACCOUNT: Final = SettingsPart(
    lambda: _("Account"),
    lambda player: {"proven": _is_proven()},
    {"prove": SettingsAct(_prove), "sign-out": SettingsAct(_sign_out_everywhere), "leave": SettingsAct(_leave)},
)
