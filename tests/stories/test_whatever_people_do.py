"""Whatever people press and write, in whatever order, nothing breaks, nothing is left lying, and
what is said among players stays among them. Which pages and forms there are is found by following
links, so that a new one is pressed, too.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from lxml import html
from sqlalchemy import select
from werkzeug.test import TestResponse

from engine.record import read_record, verify
from service.ledger.check import check_ledger
from service.ledger.findings import unsettled
from service.store.tables import matches
from tests.stories.conftest import SIGNED, UNSIGNED, Person, World, text_of

pytestmark = [pytest.mark.deep, pytest.mark.usefixtures("pearls")]

STEPS: Final = 150
WHISPER: Final = "between us"
"""What is said and noted in matches, which nobody without a seat may read."""
WORDS: Final = (
    "1|1|1|2|3|dive|yes|yes|no|accept|decline|board|list|clock|moves|resign|back|undo|draw|end|pause 3 days|withdraw"
    "|away 3 days|settings digest 8|settings at once|settings quiet 22:00-07:00|settings confirm always|rules|help"
    "|settings zone Pacific/Auckland|again|play again|score|stop|report rude|hand over to eve@example.org"
    f"|say {WHISPER}|new pearls bela@example.org|new pearls none cleo@example.org|archive|reopen|settings off|export"
).split("|")
VALUES: Final = (
    "|1|2|3|9|-1|dive|Bela|Ada bot|bela@example.org|cleo@example.org|eve@example.org|ada@example.com|2026-12-24"
    "|2026-12-24T10:00|22:00|Europe/Zurich|Pacific/Chatham|https://example.org/hook|<b>&|PT2H|\u0663\u00b2|x\u0301\u202ey|"
).split("|")
LEFT_ALONE: Final = ("/static/", "/docs", "/openapi.json", "/dev/", "/v1/")
"""What is no page of the service, or shows the mails of all."""


@dataclass
class Somebody:
    """A person with the page that they look at."""

    person: Person
    page: TestResponse | None = None
    seen: list[str] = field(default_factory=lambda: ["/"])

    def look(self, path: str) -> None:
        self.read(self.person.open(path), path)

    def read(self, answer: TestResponse, what: str) -> None:
        """Takes an answer as the page that is looked at; where it led is known from then on."""
        assert answer.status_code < 500, f"{what}: {answer.text[:2000]}"
        if answer.mimetype != "text/html":
            return
        self.page = answer
        links = {str(link) for link in html.document_fromstring(answer.text).xpath("//a/@href")}
        inside = sorted(link for link in links if link.startswith("/") and not link.startswith(LEFT_ALONE))
        self.seen = [*self.seen, *(link for link in inside if link not in self.seen)][-60:]


def filled(rng: random.Random, form: Any) -> dict[str, list[str]]:
    """A form as somebody may fill it in, with one of its buttons."""
    found: dict[str, list[str]] = {}
    chosen: dict[str, list[str]] = {}
    for each in form.inputs:
        kind, name = each.get("type", each.tag), each.get("name")
        if name is None:
            continue
        if kind == "hidden":
            found.setdefault(name, []).append(each.get("value", ""))
        elif kind == "radio":
            chosen.setdefault(name, []).append(each.get("value", "on"))
        elif kind == "checkbox":
            if rng.random() < 0.5:
                found.setdefault(name, []).append(each.get("value", "on"))
        elif kind == "select":
            found[name] = [rng.choice([str(value) for value in each.value_options])]
        elif name in ("text", "note"):
            found[name] = [WHISPER]
        else:
            found[name] = [each.get("value", "") if rng.random() < 0.3 else rng.choice(VALUES)]
    found |= {name: [rng.choice(values)] for name, values in chosen.items()}
    if buttons := form.xpath(".//button[@name]"):
        button = rng.choice(buttons)
        found[button.get("name")] = [button.get("value", "")]
    return found


def press(world: World, rng: random.Random, who: Somebody) -> None:
    """Fills one of the forms of the page in, and sends it."""
    forms = [] if who.page is None else html.document_fromstring(who.page.text).forms
    if not forms:
        return who.look(rng.choice(who.seen))
    form = min(rng.sample(forms, min(2, len(forms))), key=lambda each: (each.action or "").startswith("/sign-"))
    data = filled(rng, form)
    where = form.action or who.page.request.full_path  # type: ignore[union-attr]
    if form.method == "GET":
        answer = who.person.browser.get(where, query_string=data, follow_redirects=True)
    else:
        answer = who.person.browser.post(where, data=data, follow_redirects=True)
    world.settle()
    return who.read(answer, f"{where} {data}")


def write(rng: random.Random, who: Somebody) -> None:
    """Answers one of the latest mails, or writes to the service; who has none signs up."""
    person, lines = who.person, "\r\n".join(rng.choices(WORDS, k=rng.choice((1, 1, 1, 2))))
    if not person.mails or rng.random() < 0.05:
        person.join()
    elif rng.random() < 0.1:
        person.write("overland@example.org", lines)
    else:
        person.reply(rng.choice(person.mails[-8:]), lines, rng.choice((SIGNED, SIGNED, SIGNED, UNSIGNED)))


def follow(rng: random.Random, who: Somebody) -> None:
    """Opens a link of one of the latest mails."""
    mails = who.person.mails[-8:]
    base = re.escape(who.person.world.context.settings.base_url)
    links = [] if not mails else re.findall(rf"{base}(/\S+)", text_of(rng.choice(mails)))
    if links:
        who.look(rng.choice(links))


def seated(world: World) -> list[Person]:
    """Four people who have begun matches with each other by mail, and are signed in."""
    everybody = ada, bela, cleo, eve = [world.person(name) for name in ("Ada", "Bela", "Cleo", "Eve")]
    for host, game, *guests in ((ada, "pearls", bela), (cleo, "pearls none", eve), (bela, "montana", ada, cleo, eve)):
        host.join()
        host.write("overland@example.org", f"new {game} {' '.join(guest.address for guest in guests)}")
        for guest in guests:
            guest.reply(guest.newest("invites you"), "yes")
    for person in everybody:
        page = re.search(r"^Page: (\S+)", text_of(person.newest("has begun")), re.MULTILINE)
        assert page is not None
        person.press(person.open(page[1]), "/sign-in")
    return everybody


@pytest.mark.parametrize("seed", range(2))
def test_whatever_people_do_nothing_breaks_and_nothing_is_left_lying(world: World, seed: int) -> None:
    rng = random.Random(seed)
    everybody = [Somebody(person) for person in seated(world)]
    for _ in range(STEPS):
        who = rng.choice(everybody)
        match rng.choices(("write", "look", "press", "follow", "wait"), (6, 3, 8, 3, 2))[0]:
            case "write":
                write(rng, who)
            case "look":
                who.look(rng.choice(who.seen))
            case "press":
                press(world, rng, who)
            case "follow":
                follow(rng, who)
            case _:
                world.pass_time(hours=rng.choice((1, 3, 10, 40)))
    for _ in range(72):  # hours, at one of which nothing waits for that of a digest, or the end of quiet ones
        world.pass_time(hours=1)
        if not unsettled(check_ledger(world.context.database)):
            break
    stranger = world.person("Stranger")
    with world.context.database.read() as connection:
        found = connection.execute(select(matches.c.id, matches.c.status)).all()
    assert found
    for match_id, status in found:
        page = stranger.open(f"/matches/{match_id}")
        assert page.status_code in (200, 404)
        assert WHISPER not in page.text
        if status == "finished" and page.status_code == 200:  # others are shown to who knows their link
            assert verify(read_record(stranger.ask(f"/matches/{match_id}/record"))).outcome is not None
