"""Players who are signed in in browsers of their own, and what they do at the page of a match."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import TimeoutError as PlaywrightTimeout

from engine import registry
from engine.picks import bag
from tests.browser import PATIENCE
from tools.client import CODE, Client, find_in_mails
from tools.launch import Service

GAMES: Final = tuple(registry.games())
MOST_TURNS: Final = 1500


@dataclass(frozen=True)
class Player:
    """Somebody who is signed in in a browser of their own, and plays there."""

    name: str
    tab: Page
    url: str

    def matches(self, game: str, *others: Player) -> str:
        """A running match of the player with these, or with a bot."""
        seats: list[dict[str, str]] = [{"kind": "open"} for _ in others] or [{"kind": "bot", "level": "fair"}]
        request = {"game": game, "title": f"{game} on a page", "seats": [{"kind": "me"}, *seats]}
        match_id: str = self.ask("/v1/matches", request)["id"]
        for other in others:
            other.ask(f"/v1/matches/{match_id}/join", {})
        return match_id

    def ask(self, path: str, body: object = None) -> Any:
        """What the API answers to this browser, as it does to the scripts of its pages."""
        return self.tab.evaluate(ASK, [path, body])

    def open(self, match_id: str) -> None:
        self.tab.goto(f"{self.url}/matches/{match_id}", wait_until="load")

    def is_settled(self) -> None:
        """Waits until the page awaits its player with nothing picked, or the match is over."""
        self.tab.wait_for_function(
            """() => {
                const page = document.getElementById("match"), choices = "#chips button, #board .lit";
                if (page.dataset.status !== "running") return true;
                const isIdle = document.getElementById("play")?.getAttribute("aria-busy") === "false";
                return isIdle && document.querySelector(choices) && !document.getElementById("line").value;
            }""",
            timeout=PATIENCE,
        )

    @property
    def is_on(self) -> bool:
        return self.tab.locator("#match").get_attribute("data-status") == "running"

    @property
    def ply(self) -> int:
        return int(self.tab.locator("#match").get_attribute("data-ply") or 0)

    @property
    def can_play(self) -> bool:
        return self.tab.locator("#confirm").is_enabled()

    def picks(self) -> list[str]:
        """The selectors of what can be picked: marks of the board, or where it has none, chips."""
        for each in ("#board .lit:not([aria-pressed=true])", "#chips button"):
            if count := self.tab.locator(each).count():
                return [f"{each} >> nth={index}" for index in range(count)]
        return []

    def answered(self, act: Callable[[], object], tries: int = 1) -> None:
        """Does something that the page asks the service about, and waits until it is shown; does it
        again where nothing has changed and there are ``tries`` left.
        """
        self.tab.wait_for_function(f"() => {STATE} !== ''", timeout=PATIENCE)
        before = self.state()
        for _ in range(tries):
            if self.state() == before:
                act()
            with suppress(PlaywrightTimeout):
                is_other = f"before => ![before, ''].includes({STATE})"
                self.tab.wait_for_function(is_other, arg=before, timeout=PATIENCE / tries)
                return
        raise AssertionError(f"what was done {tries} times changed nothing: {before}")

    def state(self) -> str:
        return str(self.tab.evaluate(STATE))

    def moved_on(self, ply: int) -> None:
        """Waits until the match has moved on from that ply."""
        self.tab.wait_for_function(
            "ply => Number(document.getElementById('match').dataset.ply) > ply", arg=ply, timeout=PATIENCE
        )


ASK = """async ([path, body]) => {
    const headers = { "X-Overland-Nonce": document.querySelector("meta[name=overland-nonce]").content };
    if (body !== null) headers["Content-Type"] = "application/json";
    const sent = body === null ? {} : { method: "POST", body: JSON.stringify(body) };
    return (await fetch(path, { ...sent, headers })).json();
}"""
LEGAL_ACTIONS = """(path) => fetch(path, {
    headers: {"X-Overland-Nonce": document.querySelector("meta[name=overland-nonce]").content}
}).then((answer) => answer.json())"""
STATE = """(() => {
    const at = (name) => document.getElementById(name), count = (each) => document.querySelectorAll(each).length;
    if (at("play")?.getAttribute("aria-busy") === "true") return "";
    return [at("match").dataset.ply, at("line")?.value, at("status")?.textContent, count("[aria-pressed=true]"),
        count("#chips button"), count("#board .lit")].join("|");
})()"""
"""What the page shows of a turn that is being built; empty while it asks the service."""


@contextmanager
def signed_up(
    browser: Browser, service: Service, name: str, allowed: tuple[str, ...] = (), **options: Any
) -> Iterator[Player]:
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
    tab.wait_for_url(lambda address: "/confirm" not in address)
    known = Player(name, tab, service.url)
    yield replace(known, name=known.ask("/v1/me")["name"])  # "Ann 2" where there is an Ann
    context.close()
    assert [each for each in wrong if each not in allowed] == []


def hear(context: BrowserContext, tab: Page, wrong: list[str]) -> None:
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))


def by_pointer(player: Player, luck: random.Random) -> None:
    """Builds a turn of one action by clicks, and plays it."""
    while not player.can_play:
        player.answered(player.tab.locator(luck.choice(player.picks())).click)
    ply = player.ply
    player.tab.locator("#confirm").click()
    player.moved_on(ply)


def telling(tab: Page) -> str:
    """The selector of a mark that alone completes a move, or else of what may be picked first."""
    legal = tab.evaluate(LEGAL_ACTIONS, f"/v1{urlsplit(tab.url).path}/legal-actions")
    bags = [bag(each["action"]) for each in legal["items"]]
    shown = tab.locator("#board .lit").evaluate_all("(marks) => marks.map((mark) => mark.dataset.pick)")
    found = (each for each in shown if sum(Counter(each.split()) <= known for known in bags) == 1)
    pick = next(found, None)
    return "#board .lit:not([aria-pressed=true])" if pick is None else f'#board .lit[data-pick="{pick}"]'
