"""A friend's way from the mail of an invitation to their first move, in a real browser, against the
running service.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator

from tests.browser import PATIENCE
from tests.e2e.players import telling
from tools.client import Client, find_in_mails, sign_up
from tools.launch import Service, running

pytestmark = pytest.mark.deep
LINK = r"https?://\S+/invitation\?\S+"
EMAIL = "bela@example.org"


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
    click(tab.locator(telling(tab)).first)
    tab.locator("#confirm:enabled").wait_for()
    click(tab.locator("#confirm"))
    tab.get_by_text("Your turn was played.").first.wait_for()
    assert client.get(f"/v1/matches/{match_id}", ann)["ply"] > 0
    assert "You play here as Bela." in tab.content()
    assert len(clicks) == 3
    context.close()
    assert wrong == []
