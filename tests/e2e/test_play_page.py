"""Whole matches on their page in a real browser, against the running service: by pointing, by the
keyboard alone, without a script, and by two people who see each other's turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from engine import registry
from tests import missing
from tests.e2e.test_browser import CHROMIUM, FLAGS, PATIENCE
from tools.client import CODE, Account, Client, find_in_mails
from tools.launch import Service, running

pytestmark = pytest.mark.deep
GAMES = tuple(registry.games())
PHONE = "Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36"
MOST_TURNS = 1500


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("play"), OVERLAND_RATE_LIMIT="off") as service:
        yield service


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        missing.skip("THE PAGE OF A MATCH IS NOT TESTED: there is no Chromium on this machine.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@dataclass(frozen=True)
class Player:
    """Somebody who is signed in in a browser of their own, and plays there."""

    account: Account
    tab: Page
    client: Client

    def matches(self, game: str, *others: Player) -> str:
        """A running match of the player with these, or with a bot."""
        seats: list[dict[str, str]] = [{"kind": "open"} for _ in others] or [{"kind": "bot", "level": "fair"}]
        request = {"game": game, "title": f"{game} on a page", "seats": [{"kind": "me"}, *seats]}
        match_id: str = self.client.post("/v1/matches", request, self.account)["id"]
        for other in others:
            self.client.post(f"/v1/matches/{match_id}/join", {}, other.account)
        return match_id

    def open(self, match_id: str) -> None:
        self.tab.goto(f"{self.client.url}/matches/{match_id}", wait_until="load")

    def is_settled(self) -> None:
        """Waits until the page awaits its player, or the match is over."""
        self.tab.wait_for_function(
            """() => {
                const page = document.getElementById("match"), choices = "#chips button, #board .lit";
                return page.dataset.status !== "running" || document.querySelector(choices);
            }""",
            timeout=PATIENCE,
        )

    @property
    def is_on(self) -> bool:
        return self.tab.locator("#match").get_attribute("data-status") == "running"

    @property
    def ply(self) -> int:
        return int(self.tab.locator("#match").get_attribute("data-ply") or 0)

    def chips(self) -> Any:
        return self.tab.locator("#chips button")


@contextmanager
def signed_up(browser: Browser, service: Service, name: str, **options: Any) -> Iterator[Player]:
    """A player who has come by the link of the mail that confirms an address. What the page logs,
    and what fails in it, fails here.
    """
    client, context = Client(service.url), browser.new_context(**options)
    email = f"{name.lower()}-{id(context)}@example.org"
    client.post("/v1/players", {"name": name, "email": email})
    code = find_in_mails(client.mail_texts, email, CODE)
    tab, wrong = context.new_page(), list[str]()
    tab.set_default_timeout(PATIENCE)
    hear(context, tab, wrong)
    tab.goto(f"{service.url}/confirm?token={code}")
    tab.locator("main button").first.click()
    token = tab.locator("pre.token").inner_text()
    yield Player(Account(name, email, token), tab, client)
    context.close()
    assert wrong == []


def hear(context: BrowserContext, tab: Page, wrong: list[str]) -> None:
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))


def test_a_turn_is_picked_previewed_undone_and_played(service: Service, chromium: Browser) -> None:
    with signed_up(chromium, service, "Ann") as ann:
        ann.open(ann.matches("oregon"))
        ann.is_settled()
        tab, ply = ann.tab, ann.ply
        assert tab.title().startswith("Your turn")
        assert tab.locator("#confirm").is_disabled()
        tab.locator("#chips summary").first.click()
        ann.chips().first.click()
        tab.locator("#confirm:enabled").wait_for()
        line = tab.locator("#line").input_value()
        assert line.startswith("start ")
        assert "Ann places the start tile" in tab.locator("#status").inner_text()
        tab.keyboard.press("Escape")
        tab.locator("#confirm:disabled").wait_for()
        assert tab.locator("#line").input_value() == ""
        tab.locator("#line").fill(line)
        tab.locator("#line").press("Enter")
        tab.locator("#confirm:enabled").wait_for()
        tab.locator("#confirm").click()
        tab.get_by_text("Your turn was played.").first.wait_for()
        assert ann.ply > ply
