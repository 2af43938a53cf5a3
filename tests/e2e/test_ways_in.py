"""The ways in, in a real browser, against the running service: by the mail of a sign-up, as a guest
who signs up later, and by the link that a host passes on.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import PATIENCE
from tools.client import Client, find_in_mails
from tools.launch import Service, running

pytestmark = pytest.mark.deep
LINK = r"https?://\S+/confirm\?\S+"


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("ways"), OVERLAND_RATE_LIMIT="off") as service:
        yield service


@dataclass
class Somebody:
    """A browser of somebody's own, on a phone; what they click is counted, what is wrong noted."""

    page: Page
    client: Client
    clicks: int = 0
    wrong: list[str] = field(default_factory=list)
    since: float = field(default_factory=time.monotonic)

    def click(self, target: Locator) -> None:
        self.clicks += 1
        target.click()

    def follow(self, email: str) -> None:
        """Opens the link of the latest mail, which is a click, too."""
        self.clicks += 1
        self.page.goto(find_in_mails(self.client.mail_texts, email, LINK))

    def done(self, way: str, clicks: int) -> None:
        print(f"{way}: {self.clicks} clicks, {time.monotonic() - self.since:.1f} s")
        assert self.clicks == clicks
        assert self.wrong == []


@pytest.fixture
def somebody(chromium: Browser, service: Service) -> Iterator[Somebody]:
    """Somebody who has opened the start page."""
    with_page = opened(chromium, service)
    yield with_page
    with_page.page.context.close()


def opened(chromium: Browser, service: Service) -> Somebody:
    page = chromium.new_context(viewport={"width": 360, "height": 740}).new_page()
    page.set_default_timeout(PATIENCE)
    found = Somebody(page, Client(service.url))
    page.on("console", lambda message: found.wrong.append(message.text))
    page.on("pageerror", lambda error: found.wrong.append(str(error)))
    page.goto(service.url)
    return found


def sign_up(somebody: Somebody, name: str, email: str) -> None:
    somebody.page.get_by_label("Your name").fill(name)
    somebody.page.locator("#sign-up-email").fill(email)
    somebody.click(somebody.page.get_by_role("button", name="Sign up"))
    expect(somebody.page.get_by_role("heading", name="Look into your mailbox")).to_be_visible()
    somebody.follow(email)
    somebody.click(somebody.page.get_by_role("button", name="Confirm"))


def test_somebody_signs_up_by_the_link_of_the_mail_and_begins_a_first_match(somebody: Somebody) -> None:
    page = somebody.page
    somebody.click(page.get_by_text("You are new here? Sign up"))
    sign_up(somebody, "Ann", "ann@example.org")
    page.get_by_role("heading", name="No match goes on").wait_for()
    somebody.click(page.locator("main").get_by_role("link", name="New match"))
    somebody.click(page.get_by_role("link", name="New match · Ozeanien"))
    somebody.click(page.get_by_role("button", name="Create the match"))
    page.wait_for_url("**/matches/*")
    page.locator("#board .lit").first.wait_for()
    somebody.done("from the start page by a sign-up to a board of one's own", 7)


def test_a_guest_signs_up_and_the_match_is_kept(somebody: Somebody) -> None:
    page = somebody.page
    somebody.click(page.get_by_role("button", name="Play now · Oregon"))
    page.wait_for_url("**/matches/*")
    page.locator("#board .lit").first.wait_for()
    somebody.done("from the start page to a board as a guest", 1)
    match = page.url
    page.goto(match.partition("/matches")[0])
    somebody.click(page.get_by_role("link", name="Sign up and keep it"))
    sign_up(somebody, "Gil", "gil@example.org")
    page.wait_for_url(match)
    expect(page.get_by_text("You play here as Gil.")).to_be_visible()
    page.locator("#board .lit").first.wait_for()
    somebody.done("and from there to an account that keeps it", 5)


def test_a_friend_takes_the_seat_by_the_link_of_a_match_that_its_host_has_made(
    somebody: Somebody, chromium: Browser, service: Service
) -> None:
    page = somebody.page
    somebody.click(page.get_by_text("You are new here? Sign up"))
    sign_up(somebody, "Hanna", "hanna@example.org")
    page.goto(f"{service.url}/new?game=oregon")
    page.get_by_label("Show the match in no list").check()
    page.get_by_label("another time for each turn").check()
    page.get_by_label("At first", exact=True).locator("visible=true").last.fill("2")
    page.get_by_role("button", name="Create the match").click()
    page.wait_for_url("**/matches/*")
    link = page.locator("pre.token").inner_text()
    match = page.url
    friend = opened(chromium, service)
    friend.page.goto(link)
    expect(friend.page.get_by_text("Hanna has created a match of Oregon for 2 players.")).to_be_visible()
    expect(friend.page.get_by_text("2 days, 12 hours more for each turn")).to_be_visible()
    friend.page.get_by_label("Your name").fill("Finn")
    friend.page.get_by_label("Your mail address").fill("finn@example.org")
    friend.click(friend.page.get_by_role("button", name="Mail me the link"))
    friend.follow("finn@example.org")
    friend.click(friend.page.get_by_role("button", name="Confirm"))
    friend.click(friend.page.get_by_role("button", name="Take this seat"))
    friend.page.wait_for_url(match)
    expect(friend.page.get_by_text("You play here as Finn.")).to_be_visible()
    friend.page.locator("#board svg").wait_for()
    friend.done("from a join link by a sign-up to the match", 4)
    page.locator("#board svg").wait_for()
    expect(page.locator("#seats")).to_contain_text("Finn")
    assert somebody.wrong == []
    friend.page.context.close()
