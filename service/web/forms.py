"""Forms of pages that act: a page shows a button, and only that button, in the browser that was
shown it, acts. Opening a page changes nothing, because programs that scan mails open links too.

Another site can send no form in somebody's name (CSRF, login CSRF): a field of the form is made of
a cookie and of the player to whom it was shown, which ``service.api.auth`` compares. A view gives
its page by ``page``, and acts by ``done``, or once it has asked ``is_from_our_page``.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

from flask import Response, make_response, redirect, render_template, request, url_for

from service.api import auth
from service.api.auth import PAD_BYTES, SHOWN, cookie, named
from service.api.idempotency import done_once
from service.api.problems import kind_of
from service.api.requests import context
from service.errors import Invalid, ServiceError
from service.store.players import Player
from service.texts import gettext as _

COOKIE_SECONDS: Final = 24 * 3600
SHOWN_LENGTH: Final = 32
KEY_LENGTH: Final = 20
LONGEST_FIELD: Final = 2000
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Filled:
    """A form that was sent and not done, by its name on its page: what was typed, to be shown
    again, which values were chosen of which fields, and what was wrong, by the names of its fields;
    of the whole of it at "".
    """

    form: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)
    chosen: frozenset[tuple[str, str]] = frozenset()
    problems: Mapping[str, str] = field(default_factory=dict)
    status: int = 200

    def of(self, form: str) -> Filled:
        """What is known of the form with that name."""
        return self if self.form == form else Filled()

    def ticked(self, form: str, name: str, value: str, before: bool) -> bool:
        """Whether a value is chosen in that form: as it was sent, or else as it was ``before``."""
        return (name, value) in self.chosen if self.form == form else before


NOTHING_FILLED: Final = Filled()


def done(form: str, act: Callable[[], T]) -> T | Filled:
    """Does what the form of this request says, and returns what came of it; where it did not come
    from the page with its button, or is refused, the form with why it was not done.
    """
    if not is_from_our_page():
        return from_elsewhere(form)
    try:
        return act()
    except ServiceError as error:
        return _refused(form, error)


def _refused(form: str, error: ServiceError) -> Filled:
    if isinstance(error, Invalid):
        problems = dict[str, str]()
        for pointer, sentence in error.problems:
            name = pointer.removeprefix("/").partition("/")[0]
            problems[name] = f"{problems[name]} {sentence}" if name in problems else sentence
    else:
        problems = {"": str(error)}
    return Filled(form, _typed(), _chosen(), problems, kind_of(error).status)


def from_elsewhere(form: str) -> Filled:
    """The form of this request, which did not come from the page with its button."""
    return Filled(form, _typed(), _chosen(), {"": another_browser()}, 403)


def _chosen() -> frozenset[tuple[str, str]]:
    return frozenset((name, value[:LONGEST_FIELD]) for name, value in request.form.items(multi=True))


def _typed() -> Mapping[str, str]:
    return {name: value[:LONGEST_FIELD] for name, value in request.form.items() if name != "nonce"}


def another_browser(is_here: bool = True) -> str:
    """The sentence for a form that ``is_from_our_page`` refuses, whose button is on the page that
    says it unless not ``is_here``; answered with status 403.
    """
    why = _(
        "This did not come from the page with the button, or that page is older than a day, or somebody else has signed"
        " in here since."
    )
    here = _("Press the button here; if that does not help either, allow cookies for this page.")
    back = _("Go back, load that page again, and press its button; if that does not help either, allow cookies for it.")
    return f"{why} {here if is_here else back}"


def page(template: str, status: int = 200, /, **values: Any) -> Response:
    """A page with forms that act: rendered with ``nonce``, which each of its forms has as a hidden
    field of that name, and never cached.
    """
    shown = _shown()
    nonce = auth.nonce_shown(shown, context().entropy.random_bytes(PAD_BYTES))
    answer = make_response(render_template(template, nonce=nonce, **values), status)
    # A page of another site may send a form here, but no browser sends this cookie with it, and
    # none but this service can set it: where there is TLS its name says so ("__Host-"). It is sent
    # when a link is followed, so that pages that are open in other tabs keep working.
    set_cookie(answer, SHOWN, shown, COOKIE_SECONDS)
    return uncached(answer)


def refused(title: str) -> Response:
    """The page, with the ``title``, that refuses what does not come from a form of a page here."""
    return page("problem.html", 403, title=title, sentence=another_browser(is_here=False), status=403)


def to(path: str) -> Response:
    """Sends the browser to a page of this service, so that reloading repeats nothing."""
    return uncached(redirect(path, 303))  # type: ignore[arg-type]


def to_page(name: str, **values: Any) -> Response:
    """Sends the browser to the page of that endpoint."""
    return to(url_for(f"web.{name}", **values))


def new_key() -> str:
    """A key for a form that is to be done once, however often its button is pressed."""
    return context().entropy.token(KEY_LENGTH)


def key() -> str | None:
    """The key of the form of this request; ``None`` where it has none."""
    found = request.form.get("key", "")
    return found if re.fullmatch(rf"[a-z2-7]{{{KEY_LENGTH}}}", found) else None


def once(player: Player, act: Callable[[], Response], is_secret: bool = False) -> Response:
    """The response of ``act``, which is a page, or leads to one; where the same form of the same
    page was sent before, as by a second press on its button, what that was answered. Raises what
    ``act`` raises.
    """
    sent = json.dumps(sorted(request.form.items(multi=True)))
    key = f"page-{hashlib.sha256(sent.encode()).hexdigest()}"
    return uncached(done_once(player, act, is_secret, key, "text/html; charset=utf-8"))


def is_from_our_page() -> bool:
    """Whether the form was sent by a page that this browser was shown."""
    return auth.is_from_our_page(request.form.get("nonce", ""))


def set_cookie(response: Response, name: str, value: str, seconds: int) -> None:
    """Sets a cookie that no script reads and no form of another site brings along."""
    response.set_cookie(
        named(name), value, max_age=seconds, secure=auth.is_secure(), httponly=True, samesite="Lax", path="/"
    )


def delete_cookie(response: Response, name: str) -> None:
    """Deletes a cookie that ``set_cookie`` set."""
    response.delete_cookie(named(name), secure=auth.is_secure(), httponly=True, samesite="Lax", path="/")


def uncached(response: Response) -> Response:
    """The response, which is for one person and must not be cached."""
    response.headers["Cache-Control"] = "no-store"
    return response


def _shown() -> str:
    """What this browser has in its cookie, so that the buttons in its other tabs work, or a new
    one.
    """
    known = cookie(SHOWN)
    return known if re.fullmatch(rf"[a-z2-7]{{{SHOWN_LENGTH}}}", known) else context().entropy.token(SHOWN_LENGTH)
