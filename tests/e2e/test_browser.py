"""The pages for people in a real browser, against the running service: they work offline, under
their own strict policy, and are styled.
"""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from engine.svg import DARK, INK
from tests.browser import PATIENCE, width_of
from tools.client import (
    CODE,
    NAMES,
    Account,
    Client,
    fewest_players,
    find_in_mails,
    first_game_of,
    play_turn,
    sign_up,
    start_match,
)
from tools.launch import Service, running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("browser")) as service:
        yield service


@pytest.fixture(scope="module")
def page(chromium: Browser) -> Page:
    return chromium.new_page(viewport={"width": 1200, "height": 900})


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


def issued(tab: Page, url: str) -> str:
    """A token that the player who is signed in in that tab makes in the settings."""
    tab.goto(f"{url}/settings/programs")
    tab.get_by_label("What it is for").fill("a test")
    tab.get_by_role("button", name="Make it").first.click()
    return tab.locator("pre.token").inner_text()


@pytest.mark.deep
def test_the_docs_list_every_operation_without_the_internet(service: Service, page: Page) -> None:
    with watched(page, service.url):
        page.goto(f"{service.url}/docs")
        page.wait_for_selector(".opblock", timeout=PATIENCE)
    shown = page.locator(".opblock").count()
    document = Client(service.url).get("/openapi.json")
    assert shown == sum(
        method in ("get", "post", "put", "delete", "patch")
        for paths in (document["paths"], document["webhooks"])
        for operations in paths.values()
        for method in operations
    )


def begun(client: Client, title: str) -> tuple[str, Account]:
    """A running match, and who created it."""
    game = first_game_of(client)
    players = [sign_up(client, name) for name in NAMES[: fewest_players(client, game)]]
    return start_match(client, game, players, title), players[0]


@pytest.mark.deep
def test_a_mail_is_shown_with_its_board(service: Service, page: Page) -> None:
    client = Client(service.url)
    _, player = begun(client, "In the browser")
    find_in_mails(lambda address: [mail["subject"] for mail in client.mails(address)], player.email, "In the browser")
    with watched(page, service.url):
        page.goto(f"{service.url}/dev/mail")
        page.get_by_text("In the browser").first.click()
        picture = page.frame_locator("iframe").locator("img").first
        picture.wait_for(timeout=PATIENCE)
        assert picture.evaluate("image => image.complete && image.naturalWidth") > 360


@pytest.mark.deep
def test_the_confirmation_page_signs_in_only_after_the_button(service: Service, page: Page) -> None:
    client = Client(service.url)
    client.post("/v1/players", {"name": "Cleo", "email": "cleo@example.org"})
    code = find_in_mails(client.mail_texts, "cleo@example.org", CODE)
    with watched(page, service.url):
        page.goto(f"{service.url}/confirm?token={code}")
        assert page.get_by_role("link", name="Settings").count() == 0
        page.locator("main button").first.click()
        page.wait_for_load_state()
    assert page.url == f"{service.url}/matches"
    assert issued(page, service.url).startswith("ovl_")


@pytest.mark.deep
def test_a_board_is_as_wide_as_a_phone_and_dark_on_a_dark_screen(service: Service, page: Page) -> None:
    client = Client(service.url)
    match_id, _ = begun(client, "In the dark")
    assert page.context.browser is not None
    phone = page.context.browser.new_page(viewport={"width": 360, "height": 740}, color_scheme="dark")
    with watched(phone, service.url):
        phone.goto(f"{service.url}/matches/{match_id}")
        board = phone.locator("#match[data-layout=phone] #board svg")
        board.wait_for(timeout=PATIENCE)
        assert width_of(phone) == 360
        assert board.evaluate("svg => svg.getBoundingClientRect().width") == 360
        inks = board.locator(f'text[fill="{INK}"]').evaluate_all(
            "all => [...new Set(all.map(e => getComputedStyle(e).fill))]"
        )
        assert inks == ["rgb({}, {}, {})".format(*bytes.fromhex(DARK[INK][1:]))]
    phone.close()


@pytest.mark.deep
def test_the_board_is_a_picture_that_a_screen_reader_can_read(service: Service, page: Page, tmp_path: Path) -> None:
    client = Client(service.url)
    match_id, player = begun(client, "The board")
    title = client.get(f"/v1/games/{first_game_of(client)}")["title"]
    with watched(page, service.url):
        page.goto(f"{service.url}/v1/matches/{match_id}/board.svg")
    assert title in (page.locator("svg > title").first.text_content() or "")
    assert player.name in (page.locator("svg > desc").first.text_content() or "")
    assert page.screenshot(path=tmp_path / "board.png")


def test_a_player_who_came_by_a_mail_plays_without_a_script(service: Service, page: Page, tmp_path: Path) -> None:
    assert page.context.browser is not None
    plain = page.context.browser.new_context(
        java_script_enabled=False, viewport={"width": 360, "height": 800}
    ).new_page()
    client = Client(service.url)
    client.post("/v1/players", {"name": "Edda", "email": "edda@example.org"})
    code = find_in_mails(client.mail_texts, "edda@example.org", CODE)
    plain.goto(f"{service.url}/confirm?token={code}")
    plain.locator("main button").click()
    edda = Account("Edda", "edda@example.org", issued(plain, service.url))
    game = first_game_of(client)
    others = [sign_up(client, f"Other{number}") for number in range(1, fewest_players(client, game))]
    match_id = start_match(client, game, [edda, *others], "Without a script")
    while not client.get(f"/v1/matches/{match_id}", edda)["seats"][0]["to_act"]:  # the draws may ask another first
        assert play_turn(client, match_id, [edda, *others], lambda legal: legal[0]) is not None
    with watched(plain, service.url):
        plain.goto(service.url)
        with plain.expect_navigation(wait_until="load", timeout=PATIENCE):
            plain.get_by_text("Without a script").click()
        assert plain.locator("#board svg").evaluate("picture => picture.getBoundingClientRect().width") > 300
        plain.locator("#line").fill("1")
        plain.locator("#line").press("Enter")
        plain.get_by_text("Nothing has been played.").wait_for(timeout=PATIENCE)
        plain.locator("#confirm").click()
        plain.get_by_text("Your turn was played.").wait_for(timeout=PATIENCE)
        assert width_of(plain) == 360
    plain.context.close()


CLUB = """<!doctype html><title>A club</title><script>
async function ask(path, options = {}) {
  try {
    const answer = await fetch(path, options);
    const headers = Object.fromEntries(answer.headers);
    return {status: answer.status, body: await answer.json(), tag: headers.etag, location: headers.location};
  } catch (error) {
    return {status: 0};
  }
}
</script>"""


@contextmanager
def elsewhere() -> Iterator[str]:
    """A page of another origin. Yields its address."""

    class Club(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(CLUB.encode())

        def log_message(self, *arguments: object) -> None:
            """Writes nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Club) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://localhost:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.deep
def test_a_page_of_another_origin_plays_a_turn_with_a_token_and_nothing_with_a_cookie(
    service: Service, page: Page
) -> None:
    assert page.context.browser is not None
    client, tab = Client(service.url), page.context.browser.new_page()
    client.post("/v1/players", {"name": "Gina", "email": "gina@example.org"})
    code = find_in_mails(client.mail_texts, "gina@example.org", CODE)
    tab.goto(f"{service.url}/confirm?token={code}")
    tab.locator("main button").click()  # which signs in, too
    gina = Account("Gina", "gina@example.org", issued(tab, service.url))
    game = first_game_of(client)
    others = [sign_up(client, f"Member{number}") for number in range(1, fewest_players(client, game))]
    match_id = start_match(client, game, [gina, *others], "Of a club")
    while not client.get(f"/v1/matches/{match_id}", gina)["seats"][0]["to_act"]:
        assert play_turn(client, match_id, [gina, *others], lambda legal: legal[0]) is not None
    ply = client.get(f"/v1/matches/{match_id}", gina)["ply"]
    tab.goto(service.url)
    ours, path = (
        tab.locator("meta[name=overland-nonce]").get_attribute("content"),
        f"{service.url}/v1/matches/{match_id}",
    )
    by_script = {"headers": {"X-Overland-Nonce": ours}}

    def asked(address: str, options: object) -> dict[str, Any]:
        answer: dict[str, Any] = tab.evaluate("([path, options]) => ask(path, options)", [address, options])
        return answer

    own: str = tab.evaluate(
        "nonce => fetch('/v1/me', {headers: {'X-Overland-Nonce': nonce}}).then(answer => answer.json())", ours
    )["name"]
    assert own == "Gina"
    with elsewhere() as club:
        tab.goto(club)
        for foreign in (by_script, by_script | {"credentials": "include"}, {"credentials": "include"}):
            assert asked(f"{service.url}/v1/me", foreign)["status"] == 0, "the browser shows nothing of the answer"
        token = {"Authorization": f"Bearer {gina.token}"}
        seen = asked(f"{path}/observation", {"headers": token})
        assert (seen["status"], seen["body"]["seat"], seen["tag"][:2]) == (200, 0, "W/")
        turn = {
            "method": "POST",
            "headers": token | {"Content-Type": "application/json", "Prefer": "wait=30", "Idempotency-Key": "club-1"},
            "body": json.dumps({"ply": ply, "notation": "1"}),
        }
        played, again = asked(f"{path}/turns", turn), asked(f"{path}/turns", turn)
    assert (played["status"], played["body"]["status"]) == (200, "accepted")
    assert again["body"]["id"] == played["body"]["id"]
    assert played["location"] == f"/v1/matches/{match_id}/turns/{played['body']['id']}"
    tab.close()
