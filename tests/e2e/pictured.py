"""The pages as people see them: on a desk, on a phone and in the dark, and a turn on a phone from
the mail's link to its verdict.

``python -m tests.e2e.pictured`` writes docs/images/pages/<page>-<view>.png
(``make page-pictures``).
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, StorageState

from engine import registry
from tests.browser import PATIENCE, PHONE_BROWSER, launched, shoot
from tools.client import Account, Client, find_in_mails, play_turn, sign_up, start_match
from tools.launch import Service, running

FOLDER: Final = Path(__file__).parents[2] / "docs" / "images" / "pages"
DESK: Final[dict[str, Any]] = {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"}
PHONE: Final[dict[str, Any]] = {
    "viewport": {"width": 360, "height": 740},
    "color_scheme": "light",
    "user_agent": PHONE_BROWSER,
}
VIEWS: Final = {"desk": DESK, "phone": PHONE, "dark": PHONE | {"color_scheme": "dark"}}
TURNS: Final = {"oregon": 24, "montana": 30, "ozeanien": 20}
"""How far a match is played; of another game, 20 turns."""


def draw(browser: Browser, service: Service, folder: Path) -> None:
    """Writes all pictures into the folder."""
    client, luck = Client(service.url), random.Random(2)
    players = [sign_up(client, name) for name in ("Ann", "Bela", "Chen")]
    ann = players[0]
    matches = {game: _begun(client, game, players[: 3 if game == "montana" else 2], luck) for game in registry.games()}
    opened = client.post("/v1/matches", OPEN_MATCH, players[1])
    signed_in = _turn(browser, client, ann, matches["oregon"], folder)
    pages: list[tuple[str, str, StorageState | None]] = [
        ("start", "/", None),
        ("join", opened["join_url"], None),
        ("matches", "/matches", signed_in),
        *((game, f"/matches/{match}", signed_in) for game, match in matches.items()),
    ]
    for view, options in VIEWS.items():
        for page, path, state in pages:
            with _tab(browser, service, options, state) as tab:
                tab.goto(path)
                _settled(tab)
                shoot(tab, folder / f"{page}-{view}.png")


OPEN_MATCH: Final = {"game": "ozeanien", "title": "An evening at sea", "seats": [{"kind": "me"}, {"kind": "open"}]}


def _begun(client: Client, game: str, players: Sequence[Account], luck: random.Random) -> str:
    """A match in its middle that awaits the first of the players."""
    match = start_match(client, game, players, f"{game.title()} on Sundays")
    played = 0
    while played < TURNS.get(game, 20) or not client.get(f"/v1/matches/{match}", players[0])["seats"][0]["to_act"]:
        play_turn(client, match, players, luck.choice)
        played += 1
    return match


def _turn(browser: Browser, client: Client, player: Account, match: str, folder: Path) -> StorageState:
    """Shows a turn from the mail to its verdict on a phone, by three or more clicks. Returns what
    the browser keeps of it.
    """
    link = find_in_mails(client.mail_texts, player.email, rf"https?://\S+/matches/{match}&\S+")
    mail = next(each for each in client.mails(player.email) if link in each["text"])
    with _tab(browser, client, PHONE) as tab:
        tab.goto(f"/dev/mail/{mail['name']}/html")
        shoot(tab, folder / "turn-1-mail.png")
        tab.goto(link)
        tab.locator("main button").click()
        tab.wait_for_url(f"**/matches/{match}")
        _settled(tab)
        shoot(tab, folder / "turn-2-board.png")
        while not tab.locator("#confirm").is_enabled():
            tab.locator("#board .lit:not([aria-pressed=true]), #chips button").first.click()
            _settled(tab)
        tab.locator("#board").evaluate("(board) => board.scrollIntoView()")
        shoot(tab, folder / "turn-3-picked.png")
        tab.locator("#confirm").click()
        tab.get_by_text("Your turn was played.").first.wait_for()
        shoot(tab, folder / "turn-4-verdict.png")
        return tab.context.storage_state()


@contextmanager
def _tab(
    browser: Browser, service: Service | Client, options: dict[str, Any], state: StorageState | None = None
) -> Iterator[Page]:
    context = browser.new_context(base_url=service.url, storage_state=state, **options)
    tab = context.new_page()
    tab.set_default_timeout(PATIENCE)
    yield tab
    context.close()


def _settled(tab: Page) -> None:
    """Waits until nothing is asked of the service any more."""
    tab.wait_for_load_state("load")
    tab.wait_for_function("() => document.getElementById('play')?.getAttribute('aria-busy') !== 'true'")


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as data,
        running(Path(data), OVERLAND_RATE_LIMIT="off") as service,
        launched() as browser,
    ):
        draw(browser, service, FOLDER)


if __name__ == "__main__":
    main()
