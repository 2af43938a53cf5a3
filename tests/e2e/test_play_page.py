"""Whole matches on their page in a real browser, against the running service: by pointing, by the
keyboard alone, without a script, and by two people who see each other's turns.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Locator, Page, Request

from tests.axe import faults_light_and_dark
from tests.browser import PATIENCE, PHONE_BROWSER, width_of
from tests.e2e.players import GAMES, MOST_TURNS, Player, by_pointer, signed_up, telling
from tools.launch import Service, running

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("play"), OVERLAND_RATE_LIMIT="off") as service:
        yield service


REFUSED = "Failed to load resource: the server responded with a status of 422 (Unprocessable Entity)"
"""Which the browser logs of a line that cannot be read."""
CONFLICT = "Failed to load resource: the server responded with a status of 409 (Conflict)"
ABORTED = "Failed to load resource: net::ERR_FAILED"


def test_a_turn_is_picked_previewed_undone_and_played(service: Service, chromium: Browser) -> None:
    with signed_up(chromium, service, "Ann") as ann:
        ann.open(ann.matches("oregon"))
        ann.is_settled()
        tab, ply = ann.tab, ann.ply
        assert tab.title().startswith("Your turn")
        assert not ann.can_play
        tab.locator("#board .lit").first.click()
        tab.locator("#confirm:enabled").wait_for()
        line = tab.locator("#line").input_value()
        assert line.startswith("start ")
        assert f"{ann.name} places the start tile" in tab.locator("#status").inner_text()
        tab.keyboard.press("Escape")
        tab.locator("#confirm:disabled").wait_for()
        assert tab.locator("#line").input_value() == ""
        tab.locator("#line").fill(line)
        tab.locator("#line").press("Enter")
        tab.locator("#confirm:enabled").wait_for()
        tab.locator("#confirm").click()
        tab.get_by_text("Your turn was played.").first.wait_for()
        assert ann.ply > ply
        ann.is_settled()
        assert "Since your last turn" in tab.locator("#since").inner_text(), "the bot's turn has come by itself"


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_by_pointing(service: Service, chromium: Browser, game: str) -> None:
    luck = random.Random(1)
    with signed_up(chromium, service, "Ann") as ann:
        ann.open(ann.matches(game))
        for _ in range(MOST_TURNS):
            ann.is_settled()
            if not ann.is_on:
                break
            by_pointer(ann, luck)
        assert "is over: " in ann.tab.locator("#asked").inner_text()
        assert ann.tab.locator(".chart svg").count() == 1
        assert ann.tab.title().startswith(f"{game} on a page")


def focused(player: Player, selector: str) -> None:
    """Goes on with Tab until what has the focus is one of these. Fails where it never is."""
    for _ in range(120):
        player.tab.keyboard.press("Tab")
        if player.tab.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}.")


def by_keyboard(player: Player, luck: random.Random) -> None:
    """The same by Tab, arrows and Enter alone: from the place where the focus is after a turn."""
    keys = player.tab.keyboard
    while not player.can_play:
        if player.tab.locator("#board .lit:not([aria-pressed=true])").count():
            focused(player, "#board .lit")
            for _ in range(luck.randrange(6)):
                keys.press(luck.choice(("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight")))
            if player.tab.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true":
                continue
        else:
            focused(player, "#chips button, #chips summary")
            if player.tab.evaluate("document.activeElement.matches('summary')"):
                keys.press("Enter")
                focused(player, "#chips button")
        player.answered(lambda: keys.press("Enter"))
    ply = player.ply
    focused(player, "#confirm")
    keys.press("Enter")
    player.moved_on(ply)


def test_a_match_is_played_to_its_end_by_the_keyboard_alone(service: Service, chromium: Browser) -> None:
    """Of every game in ``test_by_roles.py``."""
    luck = random.Random(2)
    with signed_up(chromium, service, "Kay") as kay:
        kay.open(kay.matches("ozeanien"))
        for _ in range(MOST_TURNS):
            kay.is_settled()
            if not kay.is_on:
                break
            by_keyboard(kay, luck)
        assert "is over: " in kay.tab.locator("#asked").inner_text()


def test_a_match_is_played_to_its_end_without_a_script(service: Service, chromium: Browser) -> None:
    """By the form that is the same for every game."""
    luck = random.Random(3)
    with signed_up(chromium, service, "Nora", java_script_enabled=False) as nora:
        nora.open(nora.matches("oregon"))
        for _ in range(MOST_TURNS):
            page = nora.tab
            while nora.is_on and not page.locator("input[name=move]").count():
                page.reload()
            if not nora.is_on:
                break
            move = page.locator("input[name=move]").nth(luck.randrange(page.locator("input[name=move]").count()))
            move.evaluate("input => input.closest('details').open = true")
            move.check()
            page.locator("#confirm").click()
            page.get_by_text("Your turn was played.").first.wait_for()
        assert "is over: " in nora.tab.locator("#asked").inner_text()


def test_two_people_see_each_others_turns_chat_and_offers(service: Service, chromium: Browser) -> None:
    luck = random.Random(4)
    with signed_up(chromium, service, "Ann") as ann, signed_up(chromium, service, "Bela") as bela:
        match = ann.matches("oregon", bela)
        ann.open(match)
        bela.open(match)
        for _ in range(6):
            mover = next(each for each in (ann, bela) if each.tab.title().startswith("Your turn"))
            other = bela if mover is ann else ann
            mover.is_settled()
            ply = mover.ply
            by_pointer(mover, luck)
            other.moved_on(ply)
            mover.tab.wait_for_function(
                "() => /^Your turn/.test(document.title) === Boolean(document.getElementById('match').dataset.asked)"
            )
            other.tab.locator("#log .told a", has_text=mover.name).first.wait_for()
        ann.tab.locator("#say").fill("Well played")
        ann.tab.get_by_role("button", name="Say").click()
        bela.tab.locator("#said .new", has_text="Well played").wait_for()


def test_a_turn_that_is_begun_is_kept_and_its_loss_is_said(service: Service, chromium: Browser) -> None:
    with signed_up(chromium, service, "Ann") as ann:
        match = ann.matches("oregon")
        ann.open(match)
        ann.is_settled()
        other = ann.tab.context.new_page()
        other.goto(ann.tab.url)
        ann.answered(ann.tab.locator("#board .lit").first.click)
        line = ann.tab.locator("#line").input_value()
        ann.tab.locator("#since a").first.click()
        ann.tab.get_by_role("link", name="Now").click()
        ann.tab.wait_for_function("line => document.getElementById('line')?.value === line", arg=line)
        twin = Player(ann.name, other, ann.url)
        twin.is_settled()
        ply = twin.ply
        twin.answered(other.locator("#board .lit").nth(3).click)
        other.locator("#confirm").click()
        twin.moved_on(ply)
        ann.tab.locator("#trouble", has_text=f"does not fit any more, as the match has moved on: {line}").wait_for()
        ann.is_settled()
        ann.answered(ann.tab.locator(ann.picks()[0]).click)
        other.get_by_role("button", name="Sign out").click()
        other.get_by_role("heading", name="Board games, one turn at a time").wait_for()
        ann.tab.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
        ann.tab.locator("#away", has_text="You are no longer signed in here").wait_for()
        assert not ann.can_play


def test_a_refused_line_says_why_and_nothing_is_played(service: Service, chromium: Browser) -> None:
    with signed_up(chromium, service, "Ann", (REFUSED,)) as ann:
        ann.open(ann.matches("oregon"))
        ann.is_settled()
        trouble = ann.tab.locator("#trouble")
        for line in ("strat A1", "draw L"):
            before = trouble.inner_text()
            ann.tab.locator("#line").fill(line)
            ann.tab.locator("#line").press("Enter")
            ann.tab.wait_for_function(
                "before => ![before, ''].includes(document.getElementById('trouble').textContent)", arg=before
            )
            assert not ann.can_play
        assert ann.ask(f"/v1/matches/{ann.tab.url.rpartition('/')[2]}/turns")["items"] == []


@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_plays_a_first_move_within_four_clicks(service: Service, chromium: Browser, game: str) -> None:
    tab, clicks = chromium.new_context().new_page(), 2
    tab.set_default_timeout(PATIENCE)
    guest = Player("Guest", tab, service.url)
    tab.goto(service.url)
    tab.get_by_role("button", name=f"Play now · {game.capitalize()}").click()
    tab.wait_for_url("**/matches/*")
    guest.is_settled()
    while not guest.can_play:
        guest.answered(tab.locator(telling(tab)).first.click)
        clicks += 1
    tab.locator("#confirm").click()
    tab.get_by_text("Your turn was played.").first.wait_for()
    assert clicks <= 4
    tab.context.close()


@pytest.mark.parametrize("game", GAMES)
def test_on_a_phone_nothing_but_play_plays(service: Service, chromium: Browser, game: str) -> None:
    """What may be picked is smaller than a finger there; a mark of less than 24 pixels is hit as if
    it had them.
    """
    luck, played = random.Random(6), list[str]()
    with signed_up(chromium, service, "Pia", viewport={"width": 360, "height": 740}, user_agent=PHONE_BROWSER) as pia:
        pia.open(pia.matches(game))
        pia.tab.on("request", lambda request: played.append(request.url) if plays(request) else None)
        for _ in range(6):
            pia.is_settled()
            while not pia.can_play:
                pick = pia.tab.locator(luck.choice(pia.picks()))
                pia.answered(lambda: tap(pia.tab, pick), TAPS)  # noqa: B023
            assert played == []
            ply = pia.ply
            pia.tab.locator("#confirm").click()
            pia.moved_on(ply)
            assert len(played) == 1
            played.clear()


TAPS: Final = 4
"""Tries of a pick: between the look where a mark is and the tap the page may have moved it."""


def tap(tab: Page, pick: Locator) -> None:
    """Taps eleven pixels beside the middle of a mark; where something else is there, on it."""
    pick.scroll_into_view_if_needed()
    box, name = pick.bounding_box(), pick.text_content()
    assert box is not None
    beside = (box["x"] + box["width"] / 2 + 11, box["y"] + box["height"] / 2)
    if box["width"] >= 24 or tab.evaluate(ALONE, [*beside, name]):
        tab.mouse.click(*beside)
    else:
        pick.click()


ALONE = """([x, y, name]) => {
    const found = document.elementFromPoint(x, y)?.closest("[aria-pressed], button");
    return !found || found.textContent === name;
}"""
"""Whether at a point there is nothing else that can be pressed."""


def plays(request: Request) -> bool:
    return request.method == "POST" and request.url.endswith("/turns") and '"dry_run"' not in (request.post_data or "")


def turns_of(player: Player, match: str) -> list[Any]:
    found: list[Any] = player.ask(f"/v1/matches/{match}/turns")["items"]
    return found


def test_going_back_after_a_turn_shows_the_match_as_it_is(service: Service, chromium: Browser) -> None:
    with signed_up(chromium, service, "Ann") as ann:
        match = ann.matches("oregon")
        ann.open(match)
        ann.is_settled()
        by_pointer(ann, random.Random(7))
        ann.is_settled()
        ply = ann.ply
        ann.tab.get_by_role("link", name="Rules of Oregon").click()
        ann.tab.wait_for_url("**/games/oregon")
        ann.tab.go_back()
        ann.is_settled()
        assert (ann.ply, ann.tab.locator("#line").input_value(), ann.can_play) == (ply, "", False)
        ann.tab.get_by_text("Your turn was played.").first.wait_for()
        assert len(turns_of(ann, match)) == 1


def chosen(page: Page, index: int) -> str:
    """Chooses a move in the form of a page without a script, and presses Play. Returns its line."""
    move = page.locator("input[name=move]").nth(index)
    move.evaluate("input => input.closest('details').open = true")
    move.check()
    words = move.input_value()
    page.locator("#confirm").click()
    return words


def test_without_a_script_no_other_move_is_played_by_going_back_or_a_stale_tab(
    service: Service, chromium: Browser
) -> None:
    with signed_up(chromium, service, "Nora", java_script_enabled=False) as nora:
        match, page = nora.matches("oregon"), nora.tab
        nora.open(match)
        stale = page.context.new_page()
        stale.goto(page.url)
        played = [chosen(page, 0)]
        page.get_by_text("Your turn was played.").first.wait_for()
        assert chosen(stale, 1) not in played
        stale.locator("#told .warning", has_text="the match has moved on").wait_for()
        page.go_back()
        while not page.locator("input[name=move]").count():
            page.reload()
        played.append(chosen(page, 1))
        page.get_by_text("Your turn was played.").first.wait_for()
        assert [line for each in turns_of(nora, match) for line in each["notation"]] == played


def test_a_stale_tab_plays_nothing_and_says_what_happened(service: Service, chromium: Browser) -> None:
    with signed_up(chromium, service, "Ann", (CONFLICT, ABORTED)) as ann:
        match = ann.matches("oregon")
        ann.tab.route("**/events/stream*", lambda route: None)  # it waits for good
        ann.open(match)
        ann.is_settled()
        ann.answered(ann.tab.locator(telling(ann.tab)).first.click)
        words = ann.tab.locator("#line").input_value()
        other = Player(ann.name, ann.tab.context.new_page(), ann.url)
        other.open(match)
        other.is_settled()
        other.answered(other.tab.locator("#board .lit").last.click)
        assert other.tab.locator("#line").input_value() != words
        other.tab.locator("#confirm").click()
        other.moved_on(ann.ply)
        assert ann.can_play, "this tab has not heard of it"
        ann.tab.locator("#confirm").click()
        ann.tab.locator("#trouble", has_text="the match has moved on").wait_for()
        assert f"{ann.name} places the start tile" in ann.tab.locator("#trouble").inner_text()
        (only,) = turns_of(ann, match)
        assert only["notation"] != [words]


def test_who_wants_to_confirm_turns_plays_them_as_everybody_does(service: Service, chromium: Browser) -> None:
    with signed_up(chromium, service, "Ann") as ann:
        match = ann.matches("ozeanien")
        ann.open(match)
        ann.tab.evaluate(PATCH, ["/v1/me/preferences", {"confirm": "always"}])
        ann.is_settled()
        by_pointer(ann, random.Random(8))
        assert [each["status"] for each in turns_of(ann, match)] == ["accepted"]


PATCH = """([path, body]) => fetch(path, { method: "PATCH", body: JSON.stringify(body), headers: {
    "Content-Type": "application/json",
    "X-Overland-Nonce": document.querySelector("meta[name=overland-nonce]").content,
} }).then((answer) => answer.json())"""


@pytest.mark.parametrize("game", GAMES)
def test_a_page_is_light_and_fits_every_screen(service: Service, chromium: Browser, game: str) -> None:
    with signed_up(chromium, service, "Pia", viewport={"width": 360, "height": 740}, user_agent=PHONE_BROWSER) as pia:
        match, sizes = pia.matches(game), list[int]()
        pia.tab.context.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
        for width in (360, 320, 768, 1280):
            pia.tab.set_viewport_size({"width": width, "height": 740})
            pia.open(match)
            pia.is_settled()
            assert width_of(pia.tab) <= width
            if width == 360:
                assert sum(sizes) <= 60_000, sizes
                view = pia.tab.locator("#board > svg").get_attribute("viewBox") or ""
                assert view.split()[2] == "360", "the picture of a phone"
                small = pia.tab.evaluate(SMALL_TARGETS)
                assert small == [], "what is pressed is no smaller than 24 pixels, but marks, which play nothing"


SMALL_TARGETS = """[...document.querySelectorAll("button, summary, input:not([type=hidden])")].filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width > 0 && (box.width < 24 || box.height < 24) && !each.closest("label");
}).map((each) => each.outerHTML)"""


@pytest.mark.parametrize("width", [360, 1280])
def test_no_rule_of_axe_is_broken(service: Service, chromium: Browser, width: int) -> None:
    with signed_up(chromium, service, "Axel", viewport={"width": width, "height": 800}) as axel:
        for game in GAMES:
            axel.open(axel.matches(game))
            axel.is_settled()
            assert faults_light_and_dark(axel.tab) == []
            axel.answered(axel.tab.locator(axel.picks()[0]).click)
            assert faults_light_and_dark(axel.tab) == []
        path = axel.tab.url
        axel.ask(f"/v1/matches/{path.rpartition('/')[2]}/resign", {})
        axel.tab.goto(path)
        axel.tab.locator(".chart, #draws").first.wait_for()
        assert faults_light_and_dark(axel.tab) == []
