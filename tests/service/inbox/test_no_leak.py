"""Properties: nothing that we sent is ever played; what is typed above or below it is."""

from __future__ import annotations

import textwrap
from collections.abc import Callable

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.play import legal_actions
from service.inbox.bounds import Beyond
from service.inbox.mime import Malformed, open_message
from service.inbox.quoted_text import typed_in, typed_lines
from service.inbox.readings import Orders, Play, read_orders
from tests.service.inbox.corpus.cases import Case, marked, wrapped
from tests.service.inbox.corpus.gmail import AM, EL, EM, IL, LE, OLD, ON, ON_BROKEN, OP
from tests.service.inbox.corpus.others import GMX_BLOCK, K9, SAMSUNG, SAMSUNG_DE, SAMSUNG_FR
from tests.service.inbox.corpus.outlook import DE, EN, FR, IT, RULE
from tests.service.inbox.corpus.table import CASES
from tests.service.inbox.sent_mails import Sent, turn_mail

Rewrap = Callable[[str, int], str]
GAMES = st.sampled_from(["oregon", "montana", "ozeanien"])
WIDTHS = st.sampled_from([30, 40, 50, 60, 66, 72, 76, 100])
INTRODUCTIONS = (ON, ON_BROKEN, LE, IL, AM, EL, OP, EM, OLD, K9)
BLOCKS = (EN, FR, IT, DE, f"{RULE}\n{EN}", SAMSUNG, SAMSUNG_FR, SAMSUNG_DE, GMX_BLOCK)
BOUNDED = settings(max_examples=120, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))


def as_sent(text: str, width: int) -> str:
    return text


def filled(text: str, width: int) -> str:
    """Every paragraph as one, broken at the width."""
    return "\n\n".join(textwrap.fill(paragraph, width) for paragraph in text.split("\n\n"))


def squeezed(text: str, width: int) -> str:
    """Without indents and columns, as HTML is."""
    return "\n".join(" ".join(line.split()) for line in text.split("\n"))


def dense(text: str, width: int) -> str:
    """Without blank lines."""
    return "\n".join(line for line in text.split("\n") if line.strip())


def spread(text: str, width: int) -> str:
    """With a blank line after each line."""
    return text.replace("\n", "\n\n")


def joined(text: str, width: int) -> str:
    """In one line."""
    return " ".join(text.split())


def half_marked(text: str, width: int) -> str:
    """Broken at the width, with marks before the beginnings of lines only."""
    lines = []
    for line in text.split("\n"):
        first, *rest = wrapped(line, width).split("\n")
        lines += [f"> {first}", *rest]
    return "\n".join(lines)


REWRAPPED = st.sampled_from([as_sent, wrapped, filled, squeezed, dense, spread, joined, half_marked])


def orders_of(sent: Sent, text: str) -> Orders:
    return read_orders(sent.game, sent.state, sent.seat, typed_in(text, sent.texts))


@given(GAMES, st.integers(0, 1), REWRAPPED, WIDTHS, st.floats(0, 1), st.booleans())
@BOUNDED
def test_no_beginning_of_our_mail_plays(
    name: str, which: int, rewrap: Rewrap, width: int, share: float, cut_before: bool
) -> None:
    sent = turn_mail(name)
    text = sent.texts[which]
    quoted = (
        rewrap(text[: int(share * len(text))], width)
        if cut_before
        else (whole := rewrap(text, width))[: int(share * len(whole))]
    )
    assert not isinstance(orders_of(sent, quoted), Play)


@given(GAMES, st.integers(0, 1), REWRAPPED, WIDTHS, st.floats(0, 0.95))
@BOUNDED
def test_no_end_of_our_mail_plays(name: str, which: int, rewrap: Rewrap, width: int, share: float) -> None:
    sent = turn_mail(name)
    whole: str = rewrap(sent.texts[which], width)
    start = whole.find("\n", int(share * len(whole)))
    assert not isinstance(orders_of(sent, whole[max(start, 0) :]), Play)


@given(GAMES, st.integers(0, 1), REWRAPPED, WIDTHS)
@settings(BOUNDED, max_examples=40)
def test_our_whole_mail_does_not_play_where_it_is_not_known(name: str, which: int, rewrap: Rewrap, width: int) -> None:
    sent = turn_mail(name)
    typed = typed_in(rewrap(sent.texts[which], width), [])
    assert not isinstance(read_orders(sent.game, sent.state, sent.seat, typed), Play)


@given(GAMES, st.integers(0, 1), REWRAPPED, WIDTHS, st.sampled_from((*INTRODUCTIONS, *BLOCKS)), st.data())
@BOUNDED
def test_a_move_above_any_quotation_is_played(
    name: str, which: int, rewrap: Rewrap, width: int, introduction: str, data: st.DataObject
) -> None:
    sent = turn_mail(name)
    number = data.draw(st.integers(1, len(sent.legal)))
    typed = data.draw(st.sampled_from([str(number), sent.legal[number - 1]]))
    quoted: str = rewrap(sent.texts[which], width)
    if data.draw(st.booleans()) and rewrap is not half_marked:
        quoted = marked(quoted)
    orders = orders_of(sent, f"{typed}\n\n{introduction}\n\n{quoted}")
    if rewrap is half_marked:  # What is left of a drawing may be taken for more that was typed.
        assert not isinstance(orders, Play) or orders.actions == _actions(sent, number)
    else:
        assert isinstance(orders, Play)
        assert orders.actions == _actions(sent, number)


@given(GAMES, st.integers(0, 1), st.sampled_from((*INTRODUCTIONS, *BLOCKS)), st.booleans(), st.data())
@BOUNDED
def test_a_move_below_the_whole_quotation_is_played(
    name: str, which: int, introduction: str, has_marks: bool, data: st.DataObject
) -> None:
    sent = turn_mail(name)
    number = data.draw(st.integers(1, len(sent.legal)))
    typed = data.draw(st.sampled_from([str(number), sent.legal[number - 1]]))
    quoted = marked(sent.texts[which]) if has_marks else sent.texts[which]
    orders = orders_of(sent, f"{introduction}\n\n{quoted}\n\n{typed}\n")
    assert isinstance(orders, Play)
    assert orders.actions == _actions(sent, number)


@given(st.sampled_from(CASES), st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=30), st.integers(0, 60))))
@BOUNDED
def test_damaged_mails_raise_nothing_but_that_they_are_malformed(
    case: Case, damages: list[tuple[float, bytes, int]]
) -> None:
    sent = turn_mail(case.game)
    raw = bytearray(case.build(sent))
    for share, put, cut in damages:
        at = int(share * len(raw))
        raw[at : at + cut] = put
    try:
        opened = open_message(bytes(raw))
    except (Beyond, Malformed):
        return
    read_orders(sent.game, sent.state, sent.seat, typed_lines(opened, sent.texts))


@given(st.binary(max_size=400))
@BOUNDED
def test_random_bytes_raise_nothing_but_that_they_are_malformed(raw: bytes) -> None:
    sent = turn_mail("oregon")
    try:
        opened = open_message(raw)
    except (Beyond, Malformed):
        return
    read_orders(sent.game, sent.state, sent.seat, typed_lines(opened, sent.texts))


def _actions(sent: Sent, number: int) -> tuple[object, ...]:
    return (legal_actions(sent.game, sent.state, sent.seat)[number - 1],)
