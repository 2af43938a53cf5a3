"""Six clients that nobody knows ask for pictures as fast as they can: turns and pages go on, and
whoever asks for too many is told to come again.
"""

from __future__ import annotations

import itertools
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import requests

from service.pictures.pool import WAITING
from tests.faults.trial import Trial
from tools.client import start_match
from tools.waiting import until

pytestmark = pytest.mark.deep

CLIENTS = 6


@contextmanager
def hammered(url: str, clients: int) -> Iterator[list[requests.Response]]:
    """So many clients ask for pictures of a match, each always in another width, until the block
    ends; their answers.
    """
    answers: list[requests.Response] = []
    over, widths = threading.Event(), itertools.count(700)

    def ask() -> None:
        while not over.is_set():
            answers.append(requests.get(url, {"width": next(widths)}, timeout=300))

    threads = [threading.Thread(target=ask, name="hammer") for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield answers
    finally:
        over.set()
        for thread in threads:
            thread.join()


def test_pictures_that_are_asked_for_all_the_time_hold_up_nothing_else(trial: Trial) -> None:
    players = trial.players.sign_up(2)
    match_id = start_match(trial.players.client(), "oregon", players, "Often looked at")
    url = f"{trial.service.url}/v1/matches/{match_id}/board.png"

    @contextmanager
    def asked_for() -> Iterator[None]:
        most = 2 * (1 + WAITING)
        with hammered(url, CLIENTS + most) as answers:
            until(lambda: Counter(each.status_code for each in answers)[503] > CLIENTS, "some are refused")
            until(lambda: Counter(each.status_code for each in answers)[200] > 2, "and some are served")
            trial.more_turns(2)
            assert requests.get(f"{trial.service.url}/readyz", timeout=300).status_code == 200
            assert requests.get(url.replace(".png", ".svg"), timeout=300).status_code == 200
        assert {each.status_code for each in answers} == {200, 503}
        refused = next(each for each in answers if each.status_code == 503)
        assert (refused.json()["code"], refused.headers["Retry-After"]) == ("pictures_busy", "2")
        yield

    trial.suffer("board.png is asked for by 24 clients all the time", asked_for())
