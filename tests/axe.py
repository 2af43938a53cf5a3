"""Pages in a real browser, as everybody must be able to use them: axe-core finds nothing, nothing
scrolls sideways, and the browser has nothing to complain of.
"""

from __future__ import annotations

from typing import Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Route
from werkzeug.test import TestResponse

from tests.browser import PHONE_BROWSER, width_of

PHONE: Final = 360
SCREENS: Final = tuple((scheme, width) for scheme in ("light", "dark") for width in (PHONE, 1280))
NARROWEST: Final = 320
_AXE: Final = Axe()


def faults_of(page: Page) -> list[str]:
    """What axe-core finds wrong with the page that is shown: rule, element, and why."""
    found = _AXE.run(page).response["violations"]
    return [
        f"{each['id']}: {node['html'][:200]}: {node.get('failureSummary', '')}"
        for each in found
        for node in each["nodes"]
    ]


def faults_everywhere(
    browser: Browser, url: str, cookies: list[dict[str, str]], answered: TestResponse | None = None
) -> list[str]:
    """What is wrong with a page, light and dark, on a phone and on a desk. ``answered`` is what the
    service has answered to a form there, which is shown in place of asking for the page.
    """
    wrong: list[str] = []
    for scheme, width in SCREENS:
        context = browser.new_context(
            viewport={"width": width, "height": 800},
            color_scheme=scheme,  # type: ignore[arg-type]
            user_agent=PHONE_BROWSER if width == PHONE else None,
        )
        context.add_cookies(cookies)  # type: ignore[arg-type]
        page = context.new_page()
        told = heard(page)
        if answered is not None:
            _answer(page, url, answered)
        answer = page.goto(url, wait_until="load")
        assert answer is not None
        found = [text for text in told if answer.ok or not text.startswith("Failed to load resource")]
        if "unsafe" in answer.headers["content-security-policy"]:
            found.append("the policy allows what is unsafe")
        found += faults_of(page)
        for narrow in {width, min(width, NARROWEST)}:
            page.set_viewport_size({"width": narrow, "height": 800})
            across = width_of(page)
            if across > narrow:
                found.append(f"is {across} px wide on {narrow}")
        wrong += [f"{scheme}, {width} px: {each}" for each in found]
        context.close()
    return wrong


def _answer(page: Page, url: str, answered: TestResponse) -> None:
    def route(asked: Route) -> None:
        if asked.request.is_navigation_request():
            asked.fulfill(status=answered.status_code, headers=dict(answered.headers), body=answered.data)
        else:
            asked.continue_()

    page.route(url, route)


def heard(page: Page) -> list[str]:
    """What the browser is told from now on: messages in its console, and errors of scripts."""
    told: list[str] = []

    def message(text: ConsoleMessage) -> None:
        told.append(text.text)

    def error(fault: Error) -> None:
        told.append(str(fault))

    page.on("console", message)
    page.on("pageerror", error)
    return told
