"""Every mail of the corpus does what it must."""

from __future__ import annotations

import pytest

from tests.service.inbox.corpus.cases import Case
from tests.service.inbox.corpus.table import CASES, PAGE, page, what_it_does


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.group}: {case.shape}")
def test_a_mail_of_the_corpus_does_what_it_must(case: Case) -> None:
    assert what_it_does(case) == case.does


def test_the_corpus_has_every_shape_once() -> None:
    assert len({(case.group, case.shape) for case in CASES}) == len(CASES) >= 60


def test_the_page_about_the_corpus_is_current() -> None:
    assert PAGE.read_text() == page(), "run: python -m tests.service.inbox.corpus.table"
