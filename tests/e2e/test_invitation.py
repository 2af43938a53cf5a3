"""A friend's way from the mail of an invitation to their first move, in a real browser, against the
running service.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page

from engine.picks import bag
from tests.browser import PATIENCE
from tools.client import Client, find_in_mails, sign_up
from tools.launch import Service, running

pytestmark = pytest.mark.deep
LINK = r"https?://\S+/invitation\?\S+"
EMAIL = "bela@example.org"
LEGAL_ACTIONS = """(path) => fetch(path, {
    headers: {"X-Overland-Nonce": document.querySelector("meta[name=overland-nonce]").content}
}).then((answer) => answer.json())"""


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("invited"), OVERLAND_RATE_LIMIT="off") as service:
        yield service


def test_a_stranger_who_is_invited_plays_three_clicks_after_the_link_of_the_mail(
    service: Service, chromium: Browser
) -> None:
    client, clicks, wrong = Client(service.url), list[Locator](), list[str]()
    ann = sign_up(client, "Ann")
    seats = [{"kind": "invite", "email": EMAIL}, {"kind": "me"}]
    match_id = client.post("/v1/matches", {"game": "oregon", "title": "For a friend", "seats": seats}, ann)["id"]
    context = chromium.new_context()
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE)
    tab.on("console", lambda message: wrong.append(message.text))
    tab.on("pageerror", lambda error: wrong.append(str(error)))

    def click(target: Locator) -> None:
        clicks.append(target)
        target.click()

    tab.goto(find_in_mails(client.mail_texts, EMAIL, LINK))
    tab.get_by_label("Your name").fill("Bela")
    click(tab.get_by_role("button", name="Take this seat"))
    tab.wait_for_url(f"**/matches/{match_id}")
    tab.locator("#board .lit").first.wait_for()
    click(tab.locator(f'#board .lit[data-pick="{_telling(tab)}"]').first)
    tab.locator("#confirm:enabled").wait_for()
    click(tab.locator("#confirm"))
    tab.get_by_text("Your turn was played.").first.wait_for()
    assert client.get(f"/v1/matches/{match_id}", ann)["ply"] > 0
    assert "You play here as Bela." in tab.content()
    assert len(clicks) == 3
    context.close()
    assert wrong == []


def _telling(tab: Page) -> str:
    """What a mark stands for that only one legal action has: with it alone the turn is complete."""
    legal = tab.evaluate(LEGAL_ACTIONS, f"/v1{urlsplit(tab.url).path}/legal-actions")
    bags = [bag(each["action"]) for each in legal["items"]]
    shown = tab.locator("#board .lit").evaluate_all("(marks) => marks.map((mark) => mark.dataset.pick)")
    return next(str(each) for each in shown if sum(Counter(each.split()) <= found for found in bags) == 1)
