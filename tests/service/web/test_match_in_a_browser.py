"""The page of a match while answers are lost or late, players come and go, and others act: nothing
is played twice, nothing that was typed or picked is lost, and the page does not stay behind.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Request, Route, expect

from service.app import create_app
from service.clocks.rule import DEFAULT, PRESETS
from service.context import Context
from service.matches import chat, lobby
from service.matches.types import SeatRequest
from service.offers import offering
from service.players import tokens
from service.store.players import Player
from service.turns import lookup
from tests.service.api.test_database_away import client_without_database
from tests.service.fakes import Round, person, played, started
from tests.service.web.test_in_a_browser import served

pytestmark = pytest.mark.deep

DRAW: Final = "draw landscape"
TURNS: Final = "**/v1/matches/*/turns"
Way: TypeAlias = tuple[Literal["button", "link"], str]
"""The role and the name of what is clicked."""


@dataclass(frozen=True)
class Site:
    """A service at an address, and a browser that all its tabs belong to."""

    url: str
    context: Context
    browser: BrowserContext

    def sign_in(self, player: Player) -> None:
        secret = tokens.sign_in(self.context, player)
        self.browser.add_cookies([{"name": "overland-browser", "value": secret, "url": self.url}])

    def open(self, match_id: str, player: Player) -> Page:
        """The page of a match in a new tab, once its script has begun."""
        self.sign_in(player)
        page = self.browser.new_page()
        page.goto(f"{self.url}/matches/{match_id}")
        if page.locator("#play").count():
            expect(page.locator("#play")).to_have_attribute("aria-busy", "false")
        return page

    def open_slowly(self, match_id: str, player: Player) -> tuple[Page, Callable[[int], None]]:
        """The page in a new tab, without its script, and what lets that come to the page that is
        shown, which is the first in this tab, or the second, and so on.
        """
        self.sign_in(player)
        page, held = self.browser.new_page(), list[Route]()

        def hold(route: Route) -> None:
            held.append(route)

        def comes(number: int) -> None:
            while len(held) < number:
                page.wait_for_timeout(50)
            held[number - 1].continue_()

        page.route("**/play.js", hold)
        page.goto(f"{self.url}/matches/{match_id}", wait_until="commit")
        return page, comes


@pytest.fixture
def site(context: Context, chromium: Browser) -> Iterator[Site]:
    with served(create_app(context)) as url, chromium.new_context() as browser:
        browser.set_default_timeout(30_000)
        yield Site(url, context, browser)


def at_draw(context: Context) -> Round:
    """A match of Oregon in which Ada draws cards."""
    table = started(context, "oregon")
    for seat in (0, 1, 0):
        played(context, table.players[seat], table.match.id, "1")
    return table


def write(page: Page, line: str) -> None:
    """Writes a turn, and waits until it can be played."""
    page.locator("#line").fill(line)
    page.locator("#line").press("Enter")
    expect(page.locator("#confirm")).to_be_enabled()


def is_played(request: Request) -> bool:
    return request.method == "POST" and '"dry_run"' not in (request.post_data or "")


def plays(page: Page, answers: list[Callable[[Route], object]]) -> list[Request]:
    """What is sent to be played from now on. The first are handled so, the others as usual."""
    sent = list[Request]()

    def handle(route: Route) -> None:
        if not is_played(route.request):
            return route.fallback()
        sent.append(route.request)
        if answers:
            answers.pop(0)(route)
        else:
            route.fallback()
        return None

    page.route(TURNS, handle)
    return sent


def lose(route: Route) -> None:
    """The service has done it, and nobody hears of it."""
    route.fetch()
    route.abort()


def cut(route: Route) -> None:
    """The service never hears of it."""
    route.abort()


def refuse(route: Route) -> None:
    route.fulfill(status=503, headers={"Retry-After": "1"}, content_type="text/plain", body="Busy")


def refuse_for_long(route: Route) -> None:
    route.fulfill(status=503, headers={"Retry-After": "3600"}, json={"detail": "Soon."})


def key_of(request: Request) -> str | None:
    return request.headers.get("idempotency-key")


def is_drawn_once(context: Context, table: Round, before: int) -> bool:
    return len(lookup.of_player(context, table.players[0], table.match.id)) == before + 1


@pytest.mark.parametrize("first", [lose, refuse, cut])
def test_a_turn_whose_answer_is_lost_is_played_once(site: Site, first: Callable[[Route], object]) -> None:
    table = at_draw(site.context)
    before = len(lookup.of_player(site.context, table.players[0], table.match.id))
    page = site.open(table.match.id, table.players[0])
    write(page, DRAW)
    sent = plays(page, [first, first])
    page.locator("#confirm").click()
    page.get_by_text("Your turn was played.").first.wait_for()
    expect(page.locator("#line")).to_have_value("")
    expect(page.locator("#away")).to_be_empty()
    expect(page.locator("#trouble")).to_be_empty()
    assert len(sent) == 3
    assert len({(key_of(each), each.post_data) for each in sent}) == 1
    assert is_drawn_once(site.context, table, before)
    write(page, DRAW)
    page.locator("#confirm").click()
    expect(page.locator("#match")).to_have_attribute("data-ply", str(table.match.ply + 5))
    assert key_of(sent[-1]) != key_of(sent[0])


@pytest.mark.parametrize("first", [lose, cut])
def test_a_turn_whose_answer_is_lost_is_played_once_after_a_reload(
    site: Site, first: Callable[[Route], object]
) -> None:
    table = at_draw(site.context)
    before = len(lookup.of_player(site.context, table.players[0], table.match.id))
    page = site.open(table.match.id, table.players[0])
    page.route("**/events/stream*", lambda route: None)  # it waits for good
    write(page, DRAW)
    sent = plays(page, [first])
    page.locator("#confirm").click()
    expect(page.locator("#away")).to_contain_text("cannot be reached")
    page.reload()
    page.get_by_text("Your turn was played.").first.wait_for()
    expect(page.locator("#line")).to_have_value("")
    expect(page.locator("#board .lit, #chips button").first).to_be_visible()
    assert len({(key_of(each), each.post_data) for each in sent}) == 1
    assert is_drawn_once(site.context, table, before)


def test_a_turn_that_was_not_heard_is_sent_as_soon_as_the_page_hears_of_the_service(site: Site) -> None:
    """As where a maintenance ends before the time that was given for it."""
    table = at_draw(site.context)
    before = len(lookup.of_player(site.context, table.players[0], table.match.id))
    page = site.open(table.match.id, table.players[0])
    write(page, DRAW)
    sent = plays(page, [refuse_for_long, refuse_for_long])
    page.locator("#confirm").click()
    expect(page.locator("#away")).to_have_text("Soon.")
    chat.say(site.context, table.players[1], table.match.id, "Well?")
    page.locator("#said", has_text="Well?").wait_for()
    while len(sent) < 2:
        page.wait_for_timeout(50)
    expect(page.locator("#away")).to_have_text("Soon.")
    chat.say(site.context, table.players[1], table.match.id, "Hello?")
    page.get_by_text("Your turn was played.").first.wait_for()
    expect(page.locator("#away")).to_be_empty()
    assert len({(key_of(each), each.post_data) for each in sent}) == 1
    assert is_drawn_once(site.context, table, before)


def test_a_turn_that_was_not_heard_can_be_taken_back(site: Site) -> None:
    table = at_draw(site.context)
    before = len(lookup.of_player(site.context, table.players[0], table.match.id))
    page = site.open(table.match.id, table.players[0])
    write(page, DRAW)
    sent = plays(page, [cut])
    page.locator("#confirm").click()
    expect(page.locator("#away")).to_contain_text("cannot be reached")
    page.locator("#undo").click()
    write(page, "draw building")
    page.locator("#confirm").click()
    page.get_by_text("Your turn was played.").first.wait_for()
    assert key_of(sent[0]) != key_of(sent[1])
    assert is_drawn_once(site.context, table, before)


def test_a_page_says_in_words_for_people_that_the_database_is_away(site: Site) -> None:
    table = at_draw(site.context)
    page, is_away = site.open(table.match.id, table.players[0]), threading.Event()
    is_away.set()
    said = client_without_database(site.context).get("/v1/matches")

    def fail(route: Route) -> None:
        if not is_away.is_set():
            return route.fallback()
        return route.fulfill(status=said.status_code, body=said.data, content_type=said.content_type)

    page.route(TURNS, fail)
    page.locator("#line").fill(DRAW)
    page.locator("#line").press("Enter")
    expect(page.locator("#away")).to_contain_text("this page goes on when it is back")
    expect(page.locator("#away")).not_to_contain_text("Idempotency")
    is_away.clear()
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#away")).to_be_empty()


@pytest.mark.parametrize("status", [None, 429, 502, 503])
def test_a_page_that_could_not_be_fetched_is_fetched_again(site: Site, status: int | None) -> None:
    table = at_draw(site.context)
    page = site.open(table.match.id, table.players[0])
    write(page, DRAW)
    failed = list[str]()

    def fail(route: Route) -> None:
        if len(failed) == 2:
            return route.fallback()
        failed.append(route.request.url)
        return route.abort() if status is None else route.fulfill(status=status, body="", content_type="text/html")

    page.route(f"**/matches/{table.match.id}*", fail)
    chat.say(site.context, table.players[1], table.match.id, "Well?")
    expect(page.locator("#away")).to_contain_text("cannot be reached")
    expect(page.locator("#confirm")).to_be_disabled()
    page.locator("#said", has_text="Well?").wait_for()
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#away")).to_be_empty()
    expect(page.locator("#line")).to_have_value(DRAW)


def test_what_may_follow_is_asked_again_and_the_turn_is_kept(site: Site) -> None:
    table = at_draw(site.context)
    page = site.open(table.match.id, table.players[0])
    write(page, DRAW)
    failed = list[str]()

    def fail(route: Route) -> None:
        failed.append(route.request.url)
        if len(failed) > 1:
            route.fallback()
        else:
            route.fulfill(status=502, body="<p>Bad gateway", content_type="text/html")

    page.route(TURNS, fail)
    page.reload()
    expect(page.locator("#away")).to_contain_text("cannot be reached")
    expect(page.locator("#line")).to_have_value(DRAW)
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#trouble")).to_be_empty()


def test_an_answer_that_is_late_does_not_hide_what_is_newer(site: Site) -> None:
    table = started(site.context, "oregon")
    page = site.open(table.match.id, table.players[0])
    old, held = threading.Event(), list[Callable[[], None]]()

    def hold(route: Route) -> None:
        if held:
            return route.fallback()
        answer = route.fetch()
        held.append(lambda: route.fulfill(response=answer))
        return old.set()

    page.route(f"**/matches/{table.match.id}*", hold)
    chat.say(site.context, table.players[1], table.match.id, "one")
    while not old.is_set():
        page.wait_for_timeout(50)
    chat.say(site.context, table.players[1], table.match.id, "two")
    page.locator("#said", has_text="two").wait_for()
    with page.expect_response(f"**/matches/{table.match.id}*"):
        held[0]()
    page.wait_for_timeout(200)
    assert "two" in page.locator("#said").inner_text()


def test_a_page_that_answers_a_form_is_kept_up_to_date(site: Site) -> None:
    table = started(site.context, "oregon")
    page = site.open(table.match.id, table.players[0])
    page.locator("#chat [name=nonce]").evaluate("(field) => { field.value = 'of another page'; }")
    page.locator("#say").fill("Hello")
    page.get_by_role("button", name="Say").click()
    page.wait_for_url("**/chat")
    expect(page.locator("#say")).to_have_value("Hello")
    chat.say(site.context, table.players[1], table.match.id, "Well?")
    page.locator("#said", has_text="Well?").wait_for()
    expect(page.locator("#away")).to_be_empty()
    expect(page.locator("#say")).to_have_value("Hello")


def test_a_page_whose_cookie_is_out_of_date_goes_on(site: Site) -> None:
    table = started(site.context, "oregon")
    page = site.open(table.match.id, table.players[0])
    site.browser.clear_cookies(name="overland-form")
    write(page, "1")
    expect(page.locator("#trouble")).to_be_empty()
    site.browser.clear_cookies(name="overland-form")
    page.locator("#confirm").click()
    page.wait_for_url("**?turn=*")


@pytest.mark.parametrize("way", ["line", "list"])
@pytest.mark.parametrize("is_sent", [False, True])
def test_what_is_filled_in_before_the_script_has_come_stays(site: Site, way: str, is_sent: bool) -> None:
    table = started(site.context, "oregon")
    page, comes = site.open_slowly(table.match.id, table.players[0])
    present = page.locator("#board desc").first.text_content()
    if way == "line":
        page.locator("#line").fill("1")
    else:
        page.locator("#play details").first.evaluate("(kind) => { kind.open = true; }")
        page.locator("#play [name=move]").first.check()
    if is_sent:
        page.locator("#play [value=preview]").click()
        page.get_by_text("Nothing has been played.").wait_for()
        assert page.locator("#board desc").first.text_content() != present
    comes(1 + is_sent)
    expect(page.locator("#status")).not_to_be_empty()
    expect(page.locator("#line")).not_to_have_value("")
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#board desc").first).not_to_have_text(present or "")
    page.locator("#undo").click()
    expect(page.locator("#chips")).not_to_be_empty()
    expect(page.locator("#board desc").first).to_have_text(present or "")


def test_a_line_that_was_refused_before_the_script_has_come_stays(site: Site) -> None:
    table = started(site.context, "oregon")
    page, comes = site.open_slowly(table.match.id, table.players[0])
    page.locator("#line").fill("start nowhere")
    page.locator("#confirm").click()
    page.locator("#told [role=alert]").wait_for()
    comes(2)
    expect(page.locator("#trouble")).not_to_be_empty()
    expect(page.locator("#trouble")).not_to_contain_text("moved on")
    expect(page.locator("#line")).to_have_value("start nowhere")


@pytest.mark.parametrize("missing", ["delete Map.groupBy", "CSS.supports = () => false"])
def test_a_browser_that_is_too_old_for_the_script_has_the_form(site: Site, missing: str) -> None:
    table = started(site.context, "oregon")
    site.browser.add_init_script(missing)
    site.sign_in(table.players[0])
    page = site.browser.new_page()
    page.goto(f"{site.url}/matches/{table.match.id}")
    page.locator("#play summary").first.click()
    page.locator("#play [name=move]").first.check()
    page.locator("#confirm").click()
    page.get_by_text("Your turn was played.").wait_for()


def test_a_page_that_somebody_watches_is_theirs_once_they_have_signed_in(site: Site) -> None:
    table = started(site.context, "oregon")
    page = site.browser.new_page()
    page.goto(f"{site.url}/matches/{table.match.id}")
    page.get_by_text("You are watching.").wait_for()
    site.sign_in(table.players[0])
    played(site.context, table.players[0], table.match.id, "1")
    page.get_by_text("You play here as Ada.").wait_for()
    expect(page.locator("#away")).to_be_empty()


def hide(page: Page, is_hidden: bool = True) -> None:
    """As when another tab of the window is shown."""
    page.evaluate(
        """(hidden) => {
          Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
        }""",
        is_hidden,
    )


def test_tabs_that_nobody_sees_leave_the_service_to_the_one_that_is_seen(site: Site) -> None:
    table, tabs = started(site.context, "oregon"), list[Page]()
    for _ in range(8):  # a browser has six connections
        tabs.append(site.open(table.match.id, table.players[0]))
        hide(tabs[-1])
    hide(tabs[-1], False)
    write(tabs[-1], "1")
    tabs[-1].locator("#confirm").click()
    tabs[-1].get_by_text("Your turn was played.").first.wait_for()
    for tab in tabs[:2]:
        hide(tab, False)
        expect(tab.locator("#status")).to_contain_text("The match waits for Bela")


def test_a_tab_that_nobody_sees_looks_from_time_to_time(site: Site) -> None:
    table = started(site.context, "oregon")
    ada, bela = table.players
    site.sign_in(bela)
    page = site.browser.new_page()
    page.clock.install()
    page.goto(f"{site.url}/matches/{table.match.id}")
    expect(page.locator("#status")).not_to_be_empty()
    hide(page)
    played(site.context, ada, table.match.id, "1")
    assert not page.title().startswith("Your turn")
    with page.expect_request("**/events/stream*"):
        page.clock.fast_forward(60_000)
    expect(page).to_have_title(re.compile("^Your turn"))


@pytest.mark.parametrize("status", [422, 502])  # its place in the stream is not known any more; a proxy while it starts
def test_a_page_whose_stream_is_refused_is_soon_looked_at_again(site: Site, status: int) -> None:
    table = started(site.context, "oregon")
    site.sign_in(table.players[0])
    page = site.browser.new_page()
    page.clock.install()
    page.route("**/events/stream*", lambda route: route.fulfill(status=status, body=""), times=1)
    with page.expect_response("**/events/stream*"):
        page.goto(f"{site.url}/matches/{table.match.id}")
    page.locator("#match").evaluate("(match) => { match.dataset.cursor = 'of another time'; }")
    chat.say(site.context, table.players[1], table.match.id, "Well?")
    for _ in range(60):
        if page.locator("#said", has_text="Well?").count():
            break
        page.clock.fast_forward(15_000)
        page.wait_for_timeout(200)
    chat.say(site.context, table.players[1], table.match.id, "Hello?")
    page.locator("#said", has_text="Hello?").wait_for()


def test_the_form_of_a_turn_covers_no_board_on_paper(site: Site) -> None:
    table = started(site.context, "oregon")
    page = site.open(table.match.id, table.players[0])
    page.emulate_media(media="print")
    below = "() => document.querySelector('.dock').getBoundingClientRect().top"
    assert page.evaluate(below) >= page.evaluate(
        "() => document.getElementById('board').getBoundingClientRect().bottom"
    )


def test_a_begun_turn_is_shown_to_nobody_else(site: Site) -> None:
    table = started(site.context, "oregon")
    played(site.context, table.players[0], table.match.id, "1")
    played(site.context, table.players[1], table.match.id, "1")
    ada, bela = table.players
    page = site.open(table.match.id, ada)
    page.locator("#line").fill("1")
    page.locator("#line").press("Enter")
    expect(page.locator("#confirm")).to_be_enabled()
    begun = page.locator("#line").input_value()
    site.sign_in(bela)
    page.goto(page.url)
    page.get_by_text("You play here as Bela.").wait_for()
    expect(page.locator("#status")).to_contain_text("The match waits for Ada")
    expect(page.locator("#trouble")).to_be_empty()
    site.sign_in(ada)
    page.goto(page.url)
    expect(page.locator("#line")).to_have_value(begun)


def test_what_is_typed_stays_when_the_match_starts(site: Site) -> None:
    ada, bela = person(site.context, "Ada"), person(site.context, "Bela")
    match = lobby.create(site.context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")])
    page = site.open(match.id, ada)
    page.locator("#notes summary").click()
    page.locator("#note").fill("Begin in the north")
    page.locator("#say").press_sequentially("Welco")
    lobby.join(site.context, bela, match.id)
    page.locator("#board").wait_for()
    expect(page.locator("#note")).to_be_visible()
    expect(page.locator("#note")).to_have_value("Begin in the north")
    expect(page.locator("#say")).to_be_focused()
    page.keyboard.type("me!")
    expect(page.locator("#say")).to_have_value("Welcome!")
    page.locator("#say").press("Enter")
    page.locator("#said", has_text="Welcome!").wait_for()
    expect(page.locator("#say")).to_have_value("")


@pytest.mark.parametrize(
    "way",
    [("button", "Say"), ("button", "Decline"), ("button", "Sign out"), ("link", "Back"), ("link", "Rules of Oregon")],
)
def test_what_is_typed_stays_when_something_else_is_done(site: Site, way: Way) -> None:
    table = at_draw(site.context)
    ada, bela = table.players
    offering.offer(site.context, bela, table.match.id, "draw")
    page = site.open(table.match.id, ada)
    page.locator("#notes summary").click()
    page.locator("#note").fill("Begin in the north")
    page.locator("#say").fill("Well played!")
    with page.expect_navigation():
        page.get_by_role(way[0], name=way[1], exact=True).click()
    site.sign_in(ada)
    page.goto(f"{site.url}/matches/{table.match.id}")
    expect(page.locator("#note")).to_be_visible()
    expect(page.locator("#note")).to_have_value("Begin in the north")
    is_said = way == ("button", "Say")
    expect(page.locator("#say")).to_have_value("" if is_said else "Well played!")
    assert page.locator("#said", has_text="Well played!").count() == int(is_said)
    page.get_by_role("button", name="Save").click()
    page.goto(f"{site.url}/matches/{table.match.id}")
    expect(page.locator("#note")).to_have_value("Begin in the north")


def test_the_sentences_of_a_turn_are_said_apart(site: Site) -> None:
    table = started(site.context, "ozeanien")
    page = site.open(table.match.id, table.players[0])
    write(page, "1")
    page.locator("#confirm").click()
    expect(page.locator("#status")).to_contain_text(re.compile(r"Ada sails to the circle [\w ]+\. Ada draws "))


def test_a_note_that_stayed_replaces_none_that_its_player_has_not_seen(site: Site) -> None:
    table = started(site.context, "oregon")
    page = site.open(table.match.id, table.players[0])
    page.locator("#notes summary").click()
    page.locator("#note").fill("Begin in the north")
    page.get_by_role("link", name="Rules of Oregon").click()
    chat.note(site.context, table.players[0], table.match.id, "Begin in the south")
    page.goto(f"{site.url}/matches/{table.match.id}")
    expect(page.locator("#note")).to_have_value("Begin in the north")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#told")).to_contain_text("They read now: Begin in the south")
    expect(page.locator("#note")).to_have_value("Begin in the north")


@pytest.mark.parametrize("is_asked_again", [False, True])
def test_a_line_that_is_being_written_is_told_when_the_match_moves_on(site: Site, is_asked_again: bool) -> None:
    table = at_draw(site.context) if is_asked_again else started(site.context, "oregon")
    (ada, bela), mistakes = table.players, list[str]()
    page = site.open(table.match.id, ada)
    page.on("pageerror", lambda error: mistakes.append(str(error)))
    page.locator("#line").press_sequentially("start hal")
    played(site.context, ada, table.match.id, DRAW if is_asked_again else "1")
    expect(page.locator("#trouble")).to_contain_text("as the match has moved on: start hal")
    chat.say(site.context, bela, table.match.id, "Go on")
    page.locator("#said", has_text="Go on").wait_for()
    expect(page.locator("#trouble")).to_contain_text("as the match has moved on: start hal")
    assert page.locator("#line").count() == int(is_asked_again)
    assert mistakes == []


def test_what_somebody_says_or_is_called_covers_nothing_else(site: Site) -> None:
    ada, heap = person(site.context, "Ada"), "\u0300" * 70
    match = lobby.create(site.context, ada, "oregon", {}, [SeatRequest("me"), SeatRequest("open")], heap)
    chat.say(site.context, ada, match.id, heap)
    page = site.open(match.id, ada)
    for of, above in (
        (page.locator("#said li"), page.locator("#chat h2")),
        (page.locator("#title"), page.locator(".bar")),
    ):
        covered = above.screenshot()
        of.evaluate("(element) => { element.style.visibility = 'hidden'; }")
        assert above.screenshot() == covered


def test_what_others_do_moves_neither_focus_nor_ticks(site: Site) -> None:
    table = at_draw(site.context)
    ada, bela = table.players
    offering.offer(site.context, bela, table.match.id, "draw")
    page = site.open(table.match.id, ada)
    page.locator("#resign summary").click()
    page.get_by_label("I give this match up for good.").check()
    page.get_by_text("Offer something to the others").click()
    page.locator("#email").fill("cleo@example")
    for number, way in enumerate(
        (
            page.get_by_role("button", name="Accept"),
            page.locator("#log li a").first,
            page.locator("#seats a").first,
            page.locator("header nav a").first,
        )
    ):
        way.focus()
        chat.say(site.context, bela, table.match.id, f"Line {number}")
        page.locator("#said", has_text=f"Line {number}").wait_for()
        expect(way).to_be_focused()
    accept = page.get_by_role("button", name="Accept")
    accept.focus()
    offering.offer(site.context, bela, table.match.id, "end")
    expect(accept).to_have_count(2)
    expect(page.locator("#offers form", has_text="draw").get_by_role("button", name="Accept")).to_be_focused()
    assert page.get_by_label("I give this match up for good.").is_checked()
    assert page.locator("#email").input_value() == "cleo@example"
    assert page.locator("#email").is_visible()
    for each in page.locator("input[name=nonce]").all():
        assert each.input_value() == page.locator("meta[name=overland-nonce]").get_attribute("content")


def test_the_focus_stays_on_the_page_when_what_has_it_is_withdrawn(site: Site) -> None:
    table = at_draw(site.context)
    ada, bela = table.players
    (offer,) = offering.offer(site.context, bela, table.match.id, "draw").items
    page = site.open(table.match.id, ada)
    page.get_by_role("button", name="Accept").focus()
    offering.withdraw(site.context, bela, table.match.id, offer.id)
    chat.say(site.context, bela, table.match.id, "Let us play on")
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    expect(page.locator("#title")).to_be_focused()


def test_what_is_picked_stays_when_a_phone_is_turned(site: Site) -> None:
    table = started(site.context, "oregon")
    for seat in (0, 1):
        played(site.context, table.players[seat], table.match.id, "1")
    page = site.open(table.match.id, table.players[0])
    page.set_viewport_size({"width": 360, "height": 740})
    expect(page.locator("#match")).to_have_attribute("data-layout", "phone")
    expect(page.locator("#play")).to_have_attribute("aria-busy", "false")
    page.locator('#board .lit[data-pick^="cards="]').first.click()
    expect(page.locator("#board [aria-pressed=true]")).to_have_count(1)
    status = page.locator("#status").inner_text()
    assert re.search("[0-9]+ moves fit", status)
    for width, height, layout in ((740, 360, "desktop"), (360, 740, "phone")):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#match")).to_have_attribute("data-layout", layout)
        expect(page.locator("#board [aria-pressed=true]")).to_have_count(1)
        expect(page.locator("#status")).to_have_text(status)
        expect(page.locator("#trouble")).to_be_empty()
    page.locator("#undo").click()
    expect(page.locator("#board [aria-pressed=true]")).to_have_count(0)
    write(page, "1")
    page.set_viewport_size({"width": 740, "height": 360})
    expect(page.locator("#match")).to_have_attribute("data-layout", "desktop")
    expect(page.locator("#confirm")).to_be_enabled()
    expect(page.locator("#line")).to_have_value("1")


def test_a_time_stands_after_the_name_before_it_in_any_script(site: Site) -> None:
    hassan, ada = person(site.context, "حسن محمد", "hassan@example.org"), person(site.context, "Ada")
    seats = [SeatRequest("me"), SeatRequest("open")]
    match = lobby.create(site.context, hassan, "oregon", {}, seats, clock=PRESETS[DEFAULT])
    lobby.join(site.context, ada, match.id)
    site.sign_in(ada)
    page = site.browser.new_page()
    page.goto(f"{site.url}/matches")
    ends, begins = page.locator("p", has_text="It waits for").evaluate(
        """(sentence) => {
             const box = (text, end) => {
               const range = document.createRange();
               range.setStart(text, 0);
               range.setEnd(text, end);
               return range.getBoundingClientRect();
             };
             const said = sentence.firstChild, time = sentence.querySelector(".small").firstChild;
             return [box(said, said.data.trimEnd().length).right, box(time, 1).left];
           }"""
    )
    assert ends <= begins
