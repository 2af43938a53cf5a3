"""The pages for people in a real browser, against the running service: they work offline, under
their own strict policy, and look like something.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

from tests import missing
from tests.e2e.running import Running, free_port, until
from tools.client import Service, mails_to, sign_up, sit_down

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("browser") / "data", free_port()) as running:
        yield running


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    if CHROMIUM is None:
        missing.skip(
            "THE PAGES ARE NOT TESTED: there is no Chromium on this machine. Install the package chromium; .ci/run"
            " does."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser.new_page(viewport={"width": 1200, "height": 900})
        browser.close()


@contextmanager
def watched(page: Page, origin: str) -> Iterator[None]:
    """Fails if the page logs an error or asks anybody but its own service for anything."""
    errors: list[str] = []
    asked: list[str] = []
    hear, look = (
        (lambda message: errors.append(message.text) if message.type == "error" else None),
        (lambda request: asked.append(request.url)),
    )
    page.on("console", hear)
    page.on("request", look)
    yield
    page.remove_listener("console", hear)
    page.remove_listener("request", look)
    assert errors == []
    assert [url for url in asked if not url.startswith((origin, "data:", "blob:"))] == []


def test_the_docs_list_every_operation_without_the_internet(service: Running, page: Page) -> None:
    with watched(page, service.url):
        page.goto(f"{service.url}/docs")
        page.wait_for_selector(".opblock", timeout=30_000)
    shown = page.locator(".opblock").count()
    paths = Service(service.url).get("/openapi.json")["paths"]
    assert shown == sum(
        method in ("get", "post", "put", "delete", "patch") for operations in paths.values() for method in operations
    )


def test_a_mail_is_shown_with_its_board(service: Running, page: Page) -> None:
    stranger = Service(service.url)
    players = [sign_up(stranger, name) for name in ("Ann", "Bela")]
    sit_down(stranger, "oregon", players, "In the browser")
    until(
        lambda: any("In the browser" in mail["subject"] for mail in mails_to(stranger, players[0].email)),
        30,
        "the mail",
    )
    with watched(page, service.url):
        page.goto(f"{service.url}/dev/mail")
        page.get_by_text("In the browser").first.click()
        picture = page.frame_locator("iframe").locator("img").first
        picture.wait_for(timeout=30_000)
        assert picture.evaluate("image => image.complete && image.naturalWidth") > 600


def test_the_confirmation_page_gives_the_token_only_after_the_button(service: Running, page: Page) -> None:
    stranger = Service(service.url)
    stranger.post("/v1/players", {"name": "Cleo", "email": "cleo@example.org"})
    mail = until(lambda: mails_to(stranger, "cleo@example.org"), 30, "the mail")[0]
    code = next(
        line.strip() for line in mail["text"].splitlines() if len(line.strip()) == 32 and line.strip().isalnum()
    )
    with watched(page, service.url):
        page.goto(f"{service.url}/confirm?token={code}")
        assert "ovl_" not in page.content()
        page.locator("button").first.click()
        page.wait_for_load_state()
    assert "ovl_" in page.content()


def test_the_board_is_a_picture_that_a_screen_reader_can_read(service: Running, page: Page, tmp_path: Path) -> None:
    stranger = Service(service.url)
    match_id = sit_down(stranger, "oregon", [sign_up(stranger, name) for name in ("Dora", "Emil")], "The board")
    with watched(page, service.url):
        page.goto(f"{service.url}/v1/matches/{match_id}/board.svg")
    assert "Oregon" in (page.locator("svg > title").first.text_content() or "")
    assert "Dora" in (page.locator("svg > desc").first.text_content() or "")
    assert page.screenshot(path=tmp_path / "board.png")
