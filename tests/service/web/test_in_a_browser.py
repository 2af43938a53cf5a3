"""Every page in a real browser: with axe-core, light and dark, on a phone and on a desk, with long
titles and names of any script.
"""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pytest
from flask import Flask, request
from playwright.sync_api import Browser, Page
from werkzeug.serving import make_server

from service.app import create_app
from service.clocks.rule import PRESETS
from service.config import load
from service.context import Context
from service.matches import chat, lobby, one_click
from service.matches.types import SeatRequest
from service.players import bots, own_addresses, tokens
from service.store import matches
from service.store.players import Player
from service.turns import lookup, pending
from service.views import feed
from service.webhooks import owning
from service.wiring import wire
from tests.axe import faults_everywhere, heard
from tests.browser import width_of
from tests.service.fakes import Clock, SeededEntropy, Timer, discovered, person, proof, sent_token, started
from tests.service.web import states
from tests.service.web.conftest import browsers_of
from tests.service.web.states import Scene, State
from tests.service.web.test_invitation import link_of
from tests.service.web.test_problems import PROBLEMS, Bring
from tools.memory_queue import MemoryQueue

pytestmark = pytest.mark.deep

LONG: Final = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
ME, OPEN, BOT = SeatRequest("me"), SeatRequest("open"), SeatRequest("bot", level="easy")
PAGES: Final = {
    "web.start": "/",
    "web.problems": "/docs/problems",
    "web.problem": "/docs/problems/maintenance",
    "web.invitation": "{invitation}",
    "web.join": "{join}",
    "web.open_seat": "/matches/{open}/join",
    "web.ask_confirmation": "/confirm",
    "web.ask_confirm_address": "/confirm-address",
    "web.ask_undo_address": "/undo-address",
    "web.show_order": "/orders/none",
    "web.match": "/matches/{match}",
    "web.check_draws": "/matches/{match}/draws",
    "web.matches": "/matches",
    "web.player": "/players/{ada}",
    "web.ask_report": "/report?match={invited}",
    "web.you": "/settings/you",
    "web.mails": "/settings/mails",
    "web.absences": "/settings/absences",
    "web.addresses": "/settings/addresses",
    "web.programs": "/settings/programs",
    "web.account": "/settings/account",
    "web.games": "/games",
    "web.game": "/games/oregon",
    "web.new_match": "/new?game=oregon",
    "web.ask_sign_in": "/sign-in",
    "web.ask_unsubscribe": "/unsubscribe",
    "web.ask_never_again": "/never-again",
    "web.list_mails": "/dev/mail",
}
"""A page for each endpoint that answers one."""
NO_PAGES: Final = {
    "web.static",
    "web.docs",
    "web.calendar",
    "web.stream_events",
    "web.board_of_link",
    "web.board_of_match",
    "web.boards",
    "web.settings",
    "web.export",
    "web.picture_of_rules",
    "web.ask_sign_up",
    "web.list_mails_as_json",
    "web.show_mail",
    "web.show_mail_html",
    "web.show_mail_source",
}
"""Pictures, files, ways to other pages, what others wrote, and `/docs`, which is Swagger UI."""
STATES: Final = (
    "/nowhere",
    "/sign-out",
    "/sign-in?player=x",
    "/matches?list=over",
    "/new",
    "/settings/you?done=rename",
    "/matches/{open}",
    "/matches/{invited}",
    "/matches/{others}",
    "/matches/{over}",
    "/matches/{alone}",
)
"""Further states of pages."""


@dataclass(frozen=True)
class Site:
    """A service with players and matches, at an address; ``names`` are the ids in paths."""

    url: str
    context: Context
    app: Flask
    names: dict[str, str]
    secrets: dict[str, str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("site")
    shutil.copy(sqlite_template, folder)
    queue = MemoryQueue()
    context = replace(
        wire(load({"OVERLAND_DATA_DIR": str(folder)})), queue=queue, timer=Timer(), entropy=SeededEntropy()
    )
    queue.judge = lambda: pending.judge_pending(context)
    names, players = filled(context)
    app = create_app(context)
    secrets = {name: tokens.sign_in(context, player) for name, player in players.items()}
    with served(app) as url:
        yield Site(url, context, app, names, secrets)
    context.close()


@contextmanager
def served(app: Flask) -> Iterator[str]:
    """The address at which the application answers."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(feed, "SILENCE", 0.2)  # this server notices that a reader has gone only as it writes
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def filled(context: Context) -> tuple[dict[str, str], dict[str, Player]]:
    """Players and matches: forty of Ada's, none of somebody new."""
    ada, bela = person(context, "Ada"), person(context, "Bela")
    hassan = person(context, "حسن محمد", "hassan@example.org")
    new = person(context, "Wolfeschlegelsteinhausenbergerdorff", "new@example.org")
    games = ("oregon", "montana", "ozeanien")
    for number in range(37):
        clock = (PRESETS["brisk"], PRESETS["slow"], None)[number % 3]
        last = lobby.create(context, ada, games[number % 3], {}, [ME, BOT], f"Match {number}", clock=clock)
    opened = lobby.create(context, ada, "oregon", {}, [ME, OPEN], LONG)
    invited = lobby.create(context, bela, "montana", {}, [ME, SeatRequest("invite", ada.email)], "一局慢慢下的棋")
    others = lobby.create(context, hassan, "ozeanien", {}, [ME, OPEN], "لعبة")
    lobby.join(context, ada, others.id)
    writers = person(context, "Ẑ͚̈oë́ ñ̃", "zoe@example.org"), person(context, "山田たけし", "yamada@example.org")
    scripts = lobby.create(context, writers[0], "montana", {}, [ME, OPEN, OPEN], "משחק ארוך مع صديق")
    for other in (hassan, writers[1]):
        lobby.join(context, other, scripts.id)
    chat.say(context, hassan, scripts.id, "مرحبا! Play 3 first?")
    over = lobby.create(context, ada, "montana", {}, [ME, OPEN], LONG)
    lobby.join(context, bela, over.id)
    lobby.resign(context, bela, over.id)
    alone = lobby.create(context, ada, "ozeanien", {}, [ME], "Alone")
    gone = lobby.create(context, ada, "oregon", {}, [ME, OPEN], "Gone")
    lobby.leave(context, ada, gone.id)
    bots.make(context, ada, "Greedy")
    owning.enter(context, ada, "json", f"https://example.org/{'long' * 20}")
    own_addresses.add(context, ada, proof(context, ada), f"ada@{'long' * 12}.example.org")
    link = lobby.find(context, ada, opened.id)
    names = {
        "ada": ada.id,
        "match": last.id,
        "open": opened.id,
        "others": others.id,
        "scripts": scripts.id,
        "over": over.id,
        "alone": alone.id,
        "invited": invited.id,
        "join": join_of(context, link.id),
        "invitation": link_of(context, invited.id, ada.id),
    }
    guest, _ = one_click.play_now(context, "oregon", "a" * 32, lambda: None, None)
    return names, {"ada": ada, "new": new, "zoe": writers[0], "guest": guest}


def join_of(context: Context, match_id: str) -> str:
    """The path of its join link."""
    with context.database.read() as connection:
        found = matches.find(connection, match_id)
    assert found is not None
    return f"/join/{found.join_secret}"


def opened(site: Site, chromium: Browser, who: str | None, path: str, width: int) -> Page:
    """A page as somebody sees it, in a browser of its own."""
    browser = chromium.new_context(viewport={"width": width, "height": 740})
    if who is not None:
        browser.add_cookies([{"name": "overland-browser", "value": site.secrets[who], "url": site.url}])
    page = browser.new_page()
    page.goto(site.url + path.format(**site.names))
    return page


def faults(site: Site, chromium: Browser, who: str | None, path: str) -> list[str]:
    cookies = [] if who is None else [{"name": "overland-browser", "value": site.secrets[who], "url": site.url}]
    return faults_everywhere(chromium, site.url + path.format(**site.names), cookies)


def test_every_page_is_looked_at(site: Site) -> None:
    found = {
        rule.endpoint
        for rule in site.app.url_map.iter_rules()
        if rule.endpoint.startswith("web.") and "GET" in (rule.methods or ())
    }
    assert found == PAGES.keys() | NO_PAGES


def test_what_is_wrong_on_one_of_the_screens_is_found(chromium: Browser) -> None:
    app = Flask(__name__)
    dim, sheet = "{ p { color: #333; background: #222 } }", "p { color: #000; background: #fff }"
    sheet += f" @media (prefers-color-scheme: dark) and (width > 1000px) {dim} div {{ min-width: 340px }}"

    @app.get("/")
    def page() -> tuple[str, dict[str, str]]:
        head = (
            f"<html lang=en><title>Dim</title><link rel=icon href='data:,'><style>{sheet} body {{ margin: 0 }}</style>"
        )
        policy = "script-src 'unsafe-inline'" if "Mobile" not in request.headers["User-Agent"] else ""
        return f"{head}<main><h1>Dim</h1><p>text<div>wide</div></main>", {"Content-Security-Policy": policy}

    with served(app) as url:
        found = faults_everywhere(chromium, f"{url}/", [])
    assert [fault.partition(": <")[0] for fault in found] == [
        "360 px: is 340 px wide on 320",
        "1280 px: in the dark, color-contrast",
        "1280 px: is 340 px wide on 320",
        "1280 px: the policy allows what is unsafe",
    ]


@pytest.mark.parametrize("path", [*PAGES.values(), *STATES])
def test_a_player_with_forty_matches_can_use_it(site: Site, chromium: Browser, path: str) -> None:
    assert faults(site, chromium, "ada", path) == []


@pytest.mark.parametrize("path", ["/", "/matches", "/settings/programs", "/settings/you"])
def test_a_player_without_matches_can_use_it(site: Site, chromium: Browser, path: str) -> None:
    assert faults(site, chromium, "new", path) == []


@pytest.mark.parametrize("path", ["/matches", "/matches/{scripts}"])
def test_players_with_names_in_any_script_can_use_it(site: Site, chromium: Browser, path: str) -> None:
    assert faults(site, chromium, "zoe", path) == []


@pytest.mark.parametrize("path", ["/", "/sign-in", "/games/montana", "/matches"])
def test_a_guest_can_use_it(site: Site, chromium: Browser, path: str) -> None:
    assert faults(site, chromium, "guest", path) == []


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/sign-in",
        "/games",
        "/matches/{match}",
        "/players/{ada}",
        "{join}",
        "/matches/{open}/join",
        "{invitation}",
        "/nowhere",
    ],
)
def test_somebody_who_is_not_signed_in_can_use_it(site: Site, chromium: Browser, path: str) -> None:
    assert faults(site, chromium, None, path) == []


@pytest.mark.parametrize("state", states.STATES.values(), ids=states.STATES)
def test_a_match_can_be_used_in_every_state(context: Context, chromium: Browser, state: State) -> None:
    context = replace(context, clock=Clock())
    app = create_app(context)
    with discovered(state.games) if state.games else nullcontext(), served(app) as url:
        browser, page = state.bring(Scene(context, browsers_of(app, context)))
        known = browser.client.get_cookie("overland-browser")
        cookies = [] if known is None else [{"name": known.key, "value": known.value, "url": url}]
        answered = None if page.request.method == "GET" else page
        assert faults_everywhere(chromium, url + page.request.full_path.rstrip("?"), cookies, answered) == []


def test_a_second_tab_and_the_back_button_play_nothing_twice(context: Context, chromium: Browser) -> None:
    app, table = create_app(context), started(context, "oregon")
    secret, path = tokens.sign_in(context, table.players[0]), f"/matches/{table.match.id}"
    with served(app) as url, chromium.new_context(java_script_enabled=False) as browser:
        browser.add_cookies([{"name": "overland-browser", "value": secret, "url": url}])
        first, second = browser.new_page(), browser.new_page()
        for tab in (first, second):
            tab.goto(url + path)
        first.locator("#line").fill("1")
        first.get_by_role("button", name="Play").last.click()
        first.get_by_text("Your turn was played.").wait_for()
        second.locator("#line").fill("2")
        second.get_by_role("button", name="Play").last.click()
        second.get_by_text("It is not your turn, or not any more.").wait_for()
        first.go_back()
        first.get_by_text("The match waits for Bela").first.wait_for()
        assert first.get_by_role("button", name="Play").count() == 0
    assert len(lookup.of_player(context, table.players[0], table.match.id)) == 1


@pytest.mark.parametrize("bring", PROBLEMS.values(), ids=PROBLEMS)
def test_a_page_of_a_problem_leads_on(
    site: Site, context: Context, monkeypatch: pytest.MonkeyPatch, chromium: Browser, bring: Bring
) -> None:
    page = bring(context, monkeypatch)
    assert faults_everywhere(chromium, f"{site.url}/problem", [], page) == []
    monkeypatch.undo()
    tab = chromium.new_page()
    tab.set_content(page.text.replace('href="/"', f'href="{site.url}/"'))
    tab.locator("main").get_by_role("link", name="To the start page").click()
    tab.get_by_role("heading", name="Board games, one turn at a time").wait_for()
    tab.close()


def test_a_newcomer_finds_everything_on_two_screens_of_a_phone(site: Site, chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 740})
    page.goto(site.url)
    found = [
        *(page.get_by_role("button", name=f"Play now · {game}") for game in ("Montana", "Oregon", "Ozeanien")),
        page.get_by_label("Your mail address").first,
        page.get_by_role("button", name="Mail me a link"),
        page.locator('a[href^="mailto:overland+join@"]'),
        page.get_by_text("You are new here? Sign up"),
        page.get_by_role("heading", name="Open seats"),
        page.locator('a[href$="/join"]').first,
    ]
    places = [each.bounding_box() for each in found]
    assert all(place is not None and place["y"] < 2 * 740 for place in places), places
    page.close()


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("who", ["ada", "guest", None])
def test_the_ways_of_the_header_stand_in_one_line(site: Site, chromium: Browser, who: str | None, width: int) -> None:
    page = opened(site, chromium, who, "/docs/problems", width)
    page.evaluate("document.body.style.fontFamily = 'DejaVu Sans'")
    ways = page.locator("header nav a")
    assert ways.count() == {"ada": 4, "guest": 3, None: 2}[who]
    assert len({box["y"] for each in ways.all() if (box := each.bounding_box()) is not None}) == 1
    assert width_of(page) == width
    page.context.close()


@pytest.mark.parametrize("path", ["/", "/games", "/new"])
def test_no_title_of_a_game_is_broken_on_a_phone(site: Site, chromium: Browser, path: str) -> None:
    page = opened(site, chromium, "ada", path, 320)
    titles = page.locator(".games :is(h2, h3) a").all()
    assert len(titles) == 3
    assert [title.evaluate("(title) => title.getClientRects().length") for title in titles] == [1, 1, 1]
    page.context.close()


@pytest.mark.parametrize("path", ["/new?game=oregon", "/settings/mails", "/settings/programs"])
def test_no_choice_is_cut_on_a_phone(site: Site, chromium: Browser, path: str) -> None:
    page = opened(site, chromium, "ada", path, 360)
    page.evaluate("document.body.style.fontFamily = 'DejaVu Sans'")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    for own in page.get_by_label("another time for each turn").all():
        own.check()
    assert page.locator("select:visible").count() > 0
    for select in page.locator("select:visible").all():
        wide = select.evaluate(
            """(select) => {
              const style = getComputedStyle(select), pen = document.createElement("canvas").getContext("2d");
              pen.font = `${style.fontSize} DejaVu Sans`;
              const words = Math.max(...[...select.options].map((each) => pen.measureText(each.text).width));
              return words + 2 * parseFloat(style.paddingLeft) + 20 - select.clientWidth;
            }"""
        )
        assert wide <= 0, select.get_attribute("name")
    page.context.close()


def test_what_is_typed_in_the_form_of_a_match_is_answered_where_it_counts_and_else_no_obstacle(
    site: Site, chromium: Browser
) -> None:
    page = opened(site, chromium, "zoe", "/new?game=oregon", 1000)
    page.locator("[name=seat1]").select_option("invite")
    page.locator("[name=email1]").fill("bela at home")
    page.locator("[name=seat1]").select_option("bot-easy")
    page.get_by_label("another time for each turn").check()
    page.locator("[name=base]").fill("-3")
    page.locator("[name=increment]").fill("12h")
    page.get_by_role("button", name="Create the match").click()
    page.get_by_text("Write a whole number of days or hours.").wait_for()
    page.locator("[name=base]").fill("3")
    page.get_by_role("button", name="Create the match").click()
    page.locator("#new-increment-below", has_text="Write a whole number of days or hours.").wait_for()
    assert page.locator("[name=increment]").input_value() == "12h"
    page.get_by_label("no clock").check()
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url("**/matches/*")
    page.context.close()


def test_somebody_signs_up_from_the_start_page_and_makes_a_token(site: Site, chromium: Browser) -> None:
    page = chromium.new_page(viewport={"width": 360, "height": 800})
    told = heard(page)
    page.goto(site.url)
    page.get_by_text("You are new here? Sign up").click()
    page.get_by_label("Your name").fill("Cleo")
    page.get_by_label("Your mail address").last.fill("cleo@example.org")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Look into your mailbox").wait_for()
    page.goto(f"{site.url}/confirm?token={sent_token(site.context, 'cleo@example.org')}")
    page.get_by_role("button", name="Confirm").click()
    page.get_by_role("heading", name="No match goes on").wait_for()
    page.get_by_role("link", name="Settings").click()
    page.get_by_role("link", name="Programs").click()
    page.get_by_label("What it is for").fill("my program")
    page.keyboard.press("Enter")
    assert page.locator("pre.token").inner_text().startswith("ovl_")
    page.get_by_role("link", name="Account").click()
    page.get_by_label("Your name, to say that you mean it").fill("Cleo")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="You have left").wait_for()
    assert told == []
    page.close()


def test_a_stranger_plays_within_four_clicks_and_keeps_the_match(site: Site, chromium: Browser) -> None:
    page = chromium.new_context(viewport={"width": 360, "height": 740}).new_page()
    page.goto(f"{site.url}/")
    page.get_by_role("button", name="Play now · Ozeanien").click()
    page.wait_for_url("**/matches/*")
    match = page.url
    assert page.locator(".board svg, .board img").first.is_visible()
    assert re.search("Guest [0-9]{6}", page.content())
    page.goto(f"{site.url}/")
    page.get_by_role("link", name="Sign up and keep it").click()
    page.get_by_label("Your name").fill("Stranger")
    page.locator("#sign-up-email").fill("stranger@example.org")
    page.get_by_role("button", name="Sign up").click()
    token = sent_token(site.context, "stranger@example.org")
    page.goto(f"{site.url}/confirm?token={token}")
    page.get_by_role("button", name="Confirm").click()
    page.wait_for_url(match)
    assert "Stranger" in page.content()
    assert not re.search("Guest [0-9]{6}", page.content())
