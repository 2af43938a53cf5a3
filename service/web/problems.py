"""Problems as pages, which say what was wrong and what would work, and lead home."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from flask import Response, render_template, request

from service.texts import gettext as _


@dataclass(frozen=True, slots=True)
class ProblemWords:
    """What is said of a status. Without a ``sentence`` that of the problem is for people, too."""

    heading: Callable[[], str]
    sentence: Callable[[], str] | None = None
    advice: Callable[[], str] = lambda: ""


BY_STATUS: Final[Mapping[int, ProblemWords]] = {
    403: ProblemWords(lambda: _("That is not for you"), advice=lambda: _("It may work once you have signed in.")),
    404: ProblemWords(
        lambda: _("There is nothing here"),
        advice=lambda: _("Look whether the address is complete: a mail may have broken it over two lines."),
    ),
    405: ProblemWords(
        lambda: _("That does not work here"),
        lambda: _("This address belongs to a button of a page, and cannot be opened by itself."),
        lambda: _("Go back to the page, and press its button again."),
    ),
    410: ProblemWords(lambda: _("That is gone"), lambda: _("What was at this address has been removed for good.")),
    429: ProblemWords(
        lambda: _("That was too much at once"), advice=lambda: _("Nothing is lost: wait so long, then try again.")
    ),
    500: ProblemWords(
        lambda: _("Something went wrong"),
        lambda: _("That was our fault, and it has been noted."),
        lambda: _("Try again; what you have played so far is kept."),
    ),
    503: ProblemWords(
        lambda: _("The service cannot answer just now"),
        lambda: _("It is busy, or being repaired. Your matches are kept, and an outage costs nobody time."),
        lambda: _("Try again in some seconds."),
    ),
}
"""Other statuses are told as to programs."""
AGAIN: Final = (429, 500, 503)
"""What may be answered otherwise when it is asked again."""
NO_PAGE: Final = "no_page"  # at an address that no view has
BY_CODE: Final[Mapping[str, ProblemWords]] = {
    NO_PAGE: ProblemWords(
        BY_STATUS[404].heading, lambda: _("No page of this service has this address."), BY_STATUS[404].advice
    ),
    "match_unreadable": ProblemWords(lambda: _("This match cannot be read just now")),
    "suspended": ProblemWords(
        lambda: _("You are suspended"),
        advice=lambda: _(
            "Once that is lifted, everything is as it was before. You can still take what is stored of you, and leave"
            " for good."
        ),
    ),
    "maintenance": ProblemWords(
        lambda: _("Maintenance"), advice=lambda: _("You can look at everything meanwhile, but change nothing.")
    ),
}
"""By the code of a problem, which is more than its status."""


def as_page(response: Response) -> Response | None:
    """The page for a problem that a page was answered with, or a browser at an address where there
    is nothing; ``None`` where a program is answered.
    """
    if request.blueprint != "web" and not _is_lost_browser():
        return None
    problem = response.get_json()
    status, title = problem["status"], problem["title"]
    code = NO_PAGE if request.url_rule is None and status == 404 else problem["code"]
    words = BY_CODE.get(code) or BY_STATUS.get(status) or ProblemWords(lambda: title)
    page = render_template(
        "problem.html",
        status=status,
        title=words.heading(),
        sentence=words.sentence() if words.sentence is not None else problem.get("detail", ""),
        advice=words.advice(),
        again=request.full_path.rstrip("?") if request.method == "GET" and status in AGAIN else "",
        sent=_sent() if status in AGAIN else (),
        instance=problem["instance"] if status == 500 else "",
        to_account=code == "suspended",
    )
    response.set_data(page)
    response.content_type = "text/html; charset=utf-8"
    response.headers["Cache-Control"] = "no-store"
    return response


def _sent() -> tuple[tuple[str, str], ...]:
    """What the form of this request had, to be sent again by a button, since a browser that goes
    back forgets what was typed; nothing where a page cannot give it back, as a file.
    """
    is_whole = request.method == "POST" and not any(file.filename for file in request.files.values())
    return tuple(request.form.items(multi=True)) if is_whole else ()


def _is_lost_browser() -> bool:
    accepted = request.accept_mimetypes
    outside = request.blueprint is None and not request.path.startswith("/v1/")
    return outside and accepted.quality("text/html") > accepted.quality("application/json")
