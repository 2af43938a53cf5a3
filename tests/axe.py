"""Pages in a real browser, as everybody must be able to use them: axe-core finds nothing, nothing
scrolls sideways, and the browser has nothing to complain of.
"""

from __future__ import annotations

from typing import Any, Final

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Route
from werkzeug.test import TestResponse

from tests.browser import PHONE_BROWSER, width_of

PHONE: Final = 360
DESK: Final = 1280
NARROWEST: Final = 320
_AXE: Final = Axe()
_COLOURS: Final = {"runOnly": {"type": "tag", "values": ["cat.color"]}}
"""What of a page may be otherwise in the dark."""


def _faults_of(page: Page, options: dict[str, Any] | None = None) -> list[str]:
    """What axe-core finds wrong with the page that is shown: rule, element, and why."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_AXE.axe_script)
    found = page.evaluate("async options => (await axe.run(document, options)).violations", options or {})
    return [
        f"{each['id']}: {node['html'][:200]}: {node.get('failureSummary', '')}"
        for each in found
        for node in each["nodes"]
    ]


def faults_light_and_dark(page: Page) -> list[str]:
    """What axe-core finds wrong with the page that is shown, in the light and in the dark."""
    page.emulate_media(color_scheme="light")
    found = _faults_of(page)
    page.emulate_media(color_scheme="dark")
    return found + [f"in the dark, {each}" for each in _faults_of(page, _COLOURS)]


def faults_everywhere(
    browser: Browser, url: str, cookies: list[dict[str, str]], answered: TestResponse | None = None
) -> list[str]:
    """What is wrong with a page, light and dark, on a phone and on a desk. ``answered`` is what the
    service has answered to a form there, which is shown in place of asking for the page.
    """
    wrong: list[str] = []
    context = browser.new_context(color_scheme="light")
    context.add_cookies(cookies)  # type: ignore[arg-type]
    page = context.new_page()
    told = heard(page)
    if answered is not None:
        _answer(page, url, answered)
    for width, headers in ((PHONE, {"User-Agent": PHONE_BROWSER}), (DESK, {})):
        page.set_viewport_size({"width": width, "height": 800})
        page.set_extra_http_headers(headers)
        page.emulate_media(color_scheme="light")
        answer = page.goto(url, wait_until="load")
        assert answer is not None
        found = faults_light_and_dark(page)
        for narrow in {width, min(width, NARROWEST)}:
            page.set_viewport_size({"width": narrow, "height": 800})
            across = width_of(page)
            if across > narrow:
                found.append(f"is {across} px wide on {narrow}")
        if "unsafe" in answer.headers["content-security-policy"]:
            found.append("the policy allows what is unsafe")
        found += [text for text in told if answer.ok or not text.startswith("Failed to load resource")]
        told.clear()
        wrong += [f"{width} px: {each}" for each in found]
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
