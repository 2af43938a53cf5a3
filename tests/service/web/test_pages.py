"""The pages for people: there, linked, and loading nothing from elsewhere."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Final

import pytest
from flask.testing import FlaskClient

import service.web
from service.api.problems import KINDS
from service.app import create_app
from service.context import Context
from service.matches import lobby
from service.matches.types import SeatRequest
from service.players import accounts
from service.web.matches import LISTS
from tests.service.fakes import person
from tests.service.web.conftest import SignedIn


@pytest.mark.parametrize("path", ["/", "/games", "/games/oregon", "/docs", "/docs/problems", "/confirm", "/dev/mail"])
def test_every_page_loads_only_what_the_service_ships(client: FlaskClient, path: str) -> None:
    page = client.get(path)
    assert page.status_code == 200
    assert "script-src 'self'" in page.headers["Content-Security-Policy"]
    assert "unsafe" not in page.headers["Content-Security-Policy"]
    for name, address in re.findall(r'(src|href|action)="([^"]+)"', page.text):
        assert address.startswith(("/", "#", "mailto:")), address
        if name == "action":
            assert client.open(address, method="POST").status_code == 403, address
        elif address.startswith("/"):
            assert client.get(address).status_code in (200, 302, 303, 503), address
    assert "<script>" not in page.text
    assert " style=" not in page.text


def test_the_documentation_ships_with_its_licence(client: FlaskClient) -> None:
    for name in ("swagger-ui-bundle.js", "swagger-ui.css", "LICENSE.txt", "NOTICE.txt"):
        assert client.get(f"/static/swagger/{name}").status_code == 200
    assert "Apache License" in client.get("/static/swagger/LICENSE.txt").text


def test_the_styles_load_nothing_from_elsewhere(client: FlaskClient) -> None:
    for name in ("overland.css", "swagger/swagger-ui.css"):
        found = re.findall(r"url\(([^)]{1,30})|(@import)", client.get(f"/static/{name}").text)
        assert all(address.strip("\"'").startswith(("data:", "#")) for address, _ in found)


def test_every_kind_of_problem_is_explained_where_its_type_leads(client: FlaskClient) -> None:
    index = client.get("/docs/problems").text
    for kind in KINDS.values():
        assert f'href="{kind.address}"' in index
        page = client.get(kind.address)
        assert page.status_code == 200
        text = html.unescape(page.text)
        assert all(part in text for part in (kind.code, str(kind.status), kind.title, kind.explanation))
    assert client.get("/docs/problems/unheard_of").status_code == 404


def test_the_start_page_shows_the_games(client: FlaskClient) -> None:
    assert "Oregon" in client.get("/").text


def test_mails_are_shown_in_development_only(context: Context) -> None:
    production = create_app(replace(context, settings=replace(context.settings, mode="production"))).test_client()
    for path in ("/dev/mail", "/dev/mail.json", "/dev/mail/a.eml"):
        assert production.get(path).status_code == 404
    assert "/dev/mail" not in production.get("/").text


def test_the_document_is_served(client: FlaskClient) -> None:
    assert client.get("/openapi.json").get_json()["openapi"].startswith("3.1")


BEHIND_MAILS = {
    "web.ask_confirmation",
    "web.ask_confirm_address",
    "web.ask_undo_address",
    "web.show_order",
    "web.ask_unsubscribe",
    "web.ask_never_again",
    "web.calendar",
    "web.invitation",
    "web.join",
    "web.board_of_link",
}
"""Where only a link leads that somebody was mailed, or was given."""
FOR_SCRIPTS = {"web.static", "web.stream_events", "web.list_mails_as_json"}
"""What pages load by themselves."""
ELSEWHERE = {
    "web.problem",
    "web.ask_sign_up",
    "web.check_draws",
    "web.show_mail",
    "web.show_mail_html",
    "web.show_mail_source",
}
"""What problems link to, what people type, what is linked once a match is over or a mail sent."""


def test_every_page_is_reached_from_the_start_page_by_links(context: Context, signed_in: SignedIn) -> None:
    ada = person(context, "Ada")
    bot = SeatRequest("bot", level="easy")
    lobby.create(context, ada, "oregon", {}, [SeatRequest("me"), bot], "One")
    lobby.create(context, person(context, "Bela"), "oregon", {}, [SeatRequest("me"), SeatRequest("open")], "Two")
    app, reached = create_app(context), set[str]()
    for who in (None, ada):
        browser, seen, left = signed_in(who), set[str](), ["/"]
        while left:
            path = left.pop()
            answer = browser.get(path)
            assert answer.status_code in (200, 303, 503), path
            reached.add(app.url_map.bind("").match(path.partition("?")[0])[0])
            found = re.findall(r'(?:href|src|srcset)="(/[^"#]*)', answer.text) if answer.mimetype == "text/html" else []
            new = {unescape(each) for each in found} - seen
            seen |= new
            left += sorted(each for each in new if not each.startswith(("/static/", "/docs/problems/")))
    pages = {rule.endpoint for rule in app.url_map.iter_rules() if "GET" in (rule.methods or ())}
    pages = {each for each in pages if each.startswith("web.")}
    assert pages - reached - BEHIND_MAILS - FOR_SCRIPTS <= ELSEWHERE


EMPTY: Final = (
    ("/", "Nobody waits for players now.", 'href="/new"'),
    ("/matches", "No match goes on", 'href="/new"'),
    *((f"/matches?list={each}", "There are no more.", 'href="/new"') for each in LISTS),
    ("/players/{me}", "No match with others has begun yet.", 'href="/new"'),
    ("/settings/you", "You have blocked nobody.", 'href="/matches"'),
    ("/settings/mails", "Your latest mails", 'name="do" value="mails"'),
    ("/settings/absences", "You have declared none.", 'name="do" value="take"'),
    ("/settings/programs", "You have no token.", 'name="do" value="issue"'),
    ("/settings/programs", "A bot of yours is a player without a mailbox", 'name="do" value="make-bot"'),
    ("/settings/programs", "Addresses that are called when a match waits", 'name="do" value="enter"'),
)
"""The lists that are empty for a new player: what their page says, and the button that fills it."""


@pytest.mark.parametrize(("path", "says", "button"), EMPTY)
def test_every_empty_list_has_the_button_that_fills_it(
    context: Context, signed_in: SignedIn, path: str, says: str, button: str
) -> None:
    new = accounts.sign_up_proven(context, "Ada", "ada@example.org")
    page = signed_in(new).get(path.format(me=new.id)).text
    assert says in page
    main = page.partition("<main")[2]
    assert button in (main if path == "/settings/mails" else main.partition(says)[2])


def test_the_table_of_empty_lists_has_every_page_with_a_list_of_ones_own(context: Context) -> None:
    """A page that shows rows of the visitor's is in the table."""
    folder = Path(service.web.__file__).parent / "templates"
    listing = {file.stem for file in folder.glob("*.html") if 'class="rows"' in file.read_text()}
    assert listing == {
        *("start", "_matches", "settings_you", "settings_mails", "settings_absences", "settings_programs"),
        "settings_addresses",  # never empty: whoever has signed up has one
    }
