"""Whole matches as somebody plays them who sees nothing of the page: by the roles and names of the
accessibility tree and by keys alone, in a real browser.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser import PATIENCE
from tests.e2e.players import GAMES, MOST_TURNS, signed_up
from tools.launch import Service, running

pytestmark = pytest.mark.deep
ASKED: Final = "It is your turn. "
NO_WAY_BACK: Final = "after that there is no way back, and your turn stops there."
OVER: Final = re.compile(r"is over: ")
BUTTON: Final = re.compile(r"- '?button \"(?P<name>.+?)\"(?P<states>(?: \[\w+\])*)(?::|'|$)", re.MULTILINE)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running(tmp_path_factory.mktemp("heard"), OVERLAND_RATE_LIMIT="off") as service:
        yield service


@dataclass(frozen=True)
class Listener:
    """What a screen reader knows of the page of a match."""

    tab: Page
    board: Locator
    tray: Locator
    status: Locator

    def said(self, before: str) -> str:
        """Waits until the status line says something else, and returns it."""
        expect(self.status).not_to_have_text(before, timeout=PATIENCE)
        return self.status.inner_text()

    def press(self, button: Locator) -> str:
        """Presses Enter on a button. Returns what the status line says then."""
        before = self.status.inner_text()
        button.press("Enter")
        return self.said(before)

    def choices(self) -> list[Locator]:
        """The buttons of what can be picked: marks of the board, or where it has none, chips."""
        marks = enabled(self.board) if self.board.count() else Counter()  # else it is an image
        assert all(count == 1 for count in marks.values()), f"marks with the same name: {marks}"
        if marks:
            return [self.board.get_by_role("button", name=name, exact=True) for name in marks]
        chips = enabled(self.tray) - Counter(["Play", "Undo"])
        assert all(count == 1 for count in chips.values()), f"chips with the same name: {chips}"
        return [self.tray.get_by_role("button", name=name, exact=True) for name in chips]

    @property
    def can_play(self) -> bool:
        return self.tray.get_by_role("button", name="Play").is_enabled()


def enabled(part: Locator) -> Counter[str]:
    """The names of the buttons of a part that can be pressed and are not yet."""
    found = BUTTON.finditer(part.aria_snapshot())
    return Counter(each["name"] for each in found if not re.search(r"\[(disabled|pressed)\]", each["states"]))


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_by_roles_and_names_alone(service: Service, chromium: Browser, game: str) -> None:
    luck = random.Random(5)
    with signed_up(chromium, service, "Lin") as lin:
        lin.open(lin.matches(game))
        tab = lin.tab
        heading = tab.get_by_role("heading", level=1)
        page = Listener(
            tab,
            tab.get_by_role("group", name=game.capitalize(), exact=True),
            tab.get_by_role("region", name="Your turn", exact=True),
            tab.get_by_role("status"),
        )
        drawn = 0
        for turn in range(MOST_TURNS):
            expect(page.status).to_have_text(re.compile(f"{ASKED}|{OVER.pattern}"), timeout=PATIENCE)
            if OVER.search(page.status.inner_text()):
                break
            expect(page.tray).to_have_attribute("aria-busy", "false", timeout=PATIENCE)
            if not turn:
                what_is_there(page)
            while not page.can_play:
                preview = page.press(luck.choice(page.choices()))
                expect(page.tray).to_have_attribute("aria-busy", "false", timeout=PATIENCE)
                if preview.endswith(NO_WAY_BACK):
                    drawn += 1
                    assert page.choices() == [], "the turn stops where chance speaks"
                    assert page.can_play
            verdict = page.press(page.tray.get_by_role("button", name="Play"))
            assert verdict.startswith("Your turn was played. "), verdict
            expect(heading).to_be_focused()
        assert drawn
        assert OVER.search(page.status.inner_text())
        expect(tab.get_by_role("table")).to_have_count(1)
        assert not tab.get_by_role("region", name="Your turn", exact=True).count()


def what_is_there(page: Listener) -> None:
    """A heading, one status line that says what is asked, the tray with the turn as a line, and the
    board as text.
    """
    expect(page.status).to_have_count(1)
    assert page.status.inner_text().endswith("Pick on the board, or below.")
    tray = page.tray.aria_snapshot()
    for each in ('heading "Your turn" [level=2]', 'textbox "The turn so far', 'button "Undo" [disabled]'):
        assert each in tray
    page.tab.get_by_text("The board and the scores as text").press("Enter")
    text = page.tab.get_by_role("region", name="The board as text")
    assert "Lin" in text.inner_text()
    assert "text:" not in page.board.aria_snapshot(), "letters without what they are about"
