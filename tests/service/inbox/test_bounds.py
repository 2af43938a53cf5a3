"""MailBounds of mails: what is beyond one is not parsed, and what is within takes little work."""

from __future__ import annotations

import os
from time import process_time
from types import ModuleType
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.children import OUT_OF_PROCESSOR_TIME
from service.inbox import act, bounces, quoted_text
from service.inbox.bounds import Beyond, MailBounds
from service.inbox.mime import open_message
from service.links import bounce_address, service_address
from service.signing import keys_of
from tests.service.fakes import started
from tests.service.inbox import hostile
from tests.service.inbox.corpus.cases import mail, nested, part, parts
from tests.service.inbox.postman import Postman
from tests.service.inbox.test_no_leak import BOUNDED

MOST_CALLS = 4_000_000
MOST_OF_PARAMETERS = 40_000_000
MOST_ATTRIBUTES = 6


def is_little(work: hostile.Work) -> bool:
    return work.calls <= MOST_CALLS and work.parameters <= MOST_OF_PARAMETERS and work.attributes <= MOST_ATTRIBUTES


@pytest.mark.parametrize("kind", hostile.BEYOND)
def test_what_is_beyond_a_bound_is_not_read(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile.counted(monkeypatch) as work:
        assert not hostile.read(hostile.BEYOND[kind])
    assert is_little(work), work


LIKE_OTHERS: Final = (
    *("sections without an end", "declarations without an end", "instructions without an end"),
    *("tags without an end, with quotes", "4,800 cells"),
)
"""What is bounded as another of its kind is, which the quick run looks at."""


@pytest.mark.parametrize(
    "kind", [pytest.param(kind, marks=[pytest.mark.deep] * (kind in LIKE_OTHERS)) for kind in hostile.WITHIN]
)
def test_what_is_within_all_bounds_takes_little_work(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with hostile.counted(monkeypatch) as work:
        assert hostile.read(hostile.WITHIN[kind])
    assert is_little(work), work


@pytest.mark.deep
@pytest.mark.parametrize(
    "unit", ["<a ", "</a ", '<a "', "<a '", "<a \"'", '<a b="', "<a b=''", "<![CDATA[", "<!", "<!-", "<!--", "<? ", "<"]
)
def test_markup_without_an_end_takes_time_in_proportion_to_its_length(unit: str) -> None:
    """Eight times as much takes about eight times as long; a search to the end from each, 64."""

    def seconds(count: int) -> float:
        raw, took = hostile.html(unit * count), []
        for _ in range(5):
            began = process_time()
            open_message(raw)
            took.append(process_time() - began)
        return min(took)

    assert seconds(32_000) < 30 * seconds(4_000)


PIECES = st.sampled_from(
    ['"', "\\", "(", ")", "<", ">", ";", "=", "=?a?q?", ",", "@", " ", "\n ", "\n", "a", "--b", ":"]
)
PLACES = st.sampled_from(
    [
        "From: {}\nContent-Type: text/plain\n\n4\n",
        "Subject: {}\nContent-Type: text/plain\n\n4\n",
        "To: {}\nReferences: {}\nContent-Type: text/plain\n\n4\n",
        "Content-Type: text/plain; {}\n\n4\n",
        "Content-Type: multipart/mixed; boundary=b; {}\n\n--b\nContent-Disposition: x; {}\n\n4\n",
        "Content-Type: text/plain\n\n{}",
        "Content-Type: text/html\n\n<p {}>4</p>{}",
        "Content-Type: text/html\n\n{}<p>4</p>",
        "Content-Type: multipart/report; boundary=b\n\n--b\n\n{}\n--b\nContent-Type: message/delivery-status\n\n{}",
    ]
)


@pytest.mark.deep
@given(PLACES, st.lists(PIECES, min_size=1, max_size=4).map("".join), st.sampled_from([90, 900, 9_000, 90_000]))
@BOUNDED
def test_repeating_anything_anywhere_takes_little_work(place: str, piece: str, count: int) -> None:
    with pytest.MonkeyPatch.context() as patch, hostile.counted(patch) as work:
        hostile.read(place.format(piece * count, piece * count).encode())
    assert is_little(work), work


NESTED: Final = [nested("multipart/mixed", f"=_{number}", part("4", "text/plain")) for number in range(7)]
RECEIVED: Final = mail("4\n", Received="from a (a.example) by b")


@pytest.mark.parametrize(
    ("bound", "most", "raw", "sentence"),
    [
        ("octets", 580, mail("4\n" * 100), "It has more than 580 bytes."),
        ("lines", 20, mail("4\n" * 10), "It has more than 20 lines."),
        ("depth", 2, parts("multipart/mixed", NESTED[0]), "Its parts are more than 2 deep within each other."),
        ("depth", 3, parts("multipart/mixed", *NESTED), "More than 6 of its parts have parts."),
        ("parts", 3, parts("multipart/mixed", *[part("4", "text/plain")] * 3), "It has more than 3 parts."),
        (
            "fields",
            11,
            parts("multipart/mixed", part("4", "text/plain", extra="A: 1\n")),
            "It has more than 11 header fields.",
        ),
        (
            "parameters",
            1,
            parts("multipart/mixed", part("4", "text/plain; a=1; b=2")),
            "One of its header fields has more than 1 parameters.",
        ),
        ("text", 10, mail("4" * 11), "One of its texts has more than 10 characters."),
        ("text_lines", 3, mail("4\n" * 4), "Its texts have more than 3 lines."),
        ("html", 14, mail("<p>44444444</p>", "text/html"), "One of its texts has more than 14 characters."),
        ("elements", 1, mail("<p>4<p>5", "text/html"), "Its HTML has more than 1 elements."),
        (
            "nested",
            4,
            mail("<div><div><div>5</div></div></div>", "text/html"),
            "The elements of its HTML are more than 4 deep within each other.",
        ),
        (
            "blanks",
            9,
            mail("<table><tr><td>a long line<tr><td>5</table>", "text/html"),
            "Its tables need more than 9 blanks as text.",
        ),
    ],
)
def test_of_a_mail_beyond_a_bound_only_the_header_is_read(bound: str, most: int, raw: bytes, sentence: str) -> None:
    assert open_message(raw, MailBounds(**{bound: most + 1})).texts
    opened = open_message(raw, MailBounds(**{bound: most}))
    assert opened.texts == ()
    assert opened.from_address == "anna@players.example"
    assert opened.beyond == sentence


@pytest.mark.parametrize(
    ("bound", "most", "sentence"),
    [
        ("field", 49, "One of its header fields has more than 49 bytes."),
        ("all_fields", 413, "Its header fields have more than 413 bytes."),
        ("fields", 10, "It has more than 10 header fields."),
        ("comments", 0, "One of its header fields has more than 0 comments."),
        ("parameters", 0, "One of its header fields has more than 0 parameters."),
    ],
)
def test_a_header_beyond_a_bound_is_not_read_at_all(bound: str, most: int, sentence: str) -> None:
    assert open_message(RECEIVED, MailBounds(**{bound: most + 1})).texts
    with pytest.raises(Beyond) as refused:
        open_message(RECEIVED, MailBounds(**{bound: most}))
    assert str(refused.value) == sentence


def test_the_headers_of_the_longest_real_mails_are_within_the_bounds() -> None:
    signature = "b=" + "\n\t".join(["Zm9vYmFyYmF6cXV4" * 4] * 12)
    seal = f"i=1; a=rsa-sha256; t=1732200000; cv=pass; d=relay.example; s=arc-20240605; {signature}"
    results = (
        "i=1; mx.relay.example; dkim=pass (2048-bit key) header.i=@players.example header.s=s1 header.b=Zm9v;"
        "\n\tspf=pass (relay.example: domain of anna@players.example designates 192.0.2.1 as permitted sender)"
        " smtp.mailfrom=anna@players.example; dmarc=pass (p=REJECT sp=REJECT dis=NONE) header.from=players.example"
    )
    signed = "h=" + ":".join(["from", "to", "subject", "date", "message-id", "references"] * 8)
    received = "from a.relay.example (a.relay.example [192.0.2.1]) (using TLSv1.3 with cipher X (256/256 bits)) by b"
    hops = "".join(
        f"ARC-Seal: {seal}\nARC-Message-Signature: {seal}; {signed}\nARC-Authentication-Results: {results}\n"
        f"DKIM-Signature: {seal}; {signed}\nReceived: {received}\n"
        for _ in range(15)
    )
    references = "\n ".join(f"<CAGq{number:05}{'x' * 40}@mail.players.example>" for number in range(200))
    fields = f"{hops}References: {references}\nX-MS-Exchange-AntiSpam-MessageData: {'Zm9v' * 3_500}\n"
    opened = open_message(fields.encode() + mail("4\n", References=""))
    assert (opened.texts, opened.beyond, len(opened.references)) == (("4\n",), "", 201)


def test_a_player_is_told_that_their_mail_is_too_large(postman: Postman) -> None:
    table = started(postman.context, "ozeanien")
    to = postman.reply_address(table.match.id, 0, table.match.ply)
    assert postman.send(to, "ada@example.org", "the\n" * 5_001).did == "beyond"
    (answer,) = postman.answers()
    assert answer.payload["says"][0] == "Its texts have more than 5000 lines."
    assert postman.send(to, "ada@example.org", "the\n" * 5_001, results=None) == postman.send(
        to, "eve@example.net", "the\n" * 5_001
    )
    assert len(postman.answers()) == 1


def test_a_mail_whose_header_is_beyond_a_bound_is_ignored_with_the_reason(postman: Postman) -> None:
    result = postman.send(postman.service, "ada@example.org", "list", Subject="x" * 20_000)
    assert (result.status, result.did, result.detail) == (
        "ignored",
        "beyond",
        "One of its header fields has more than 16384 bytes.",
    )


def test_a_bounce_beyond_a_bound_is_ignored(postman: Postman) -> None:
    service = service_address(postman.context.settings.mail_from)
    to = bounce_address(keys_of(postman.context), service, "0" * 32)
    raw = hostile.BEYOND["1.9 MB of Authentication-Results"]
    assert postman.bring(postman.message(raw, to)).did == "beyond"


@pytest.mark.parametrize("stage", [(act, "open_message"), (bounces, "read_bounce"), (quoted_text, "typed_in")])
def test_a_mail_that_takes_long_to_parse_ends_its_process(
    postman: Postman, monkeypatch: pytest.MonkeyPatch, stage: tuple[ModuleType, str]
) -> None:
    module, name = stage
    table = started(postman.context, "ozeanien")
    service = service_address(postman.context.settings.mail_from)
    to = postman.reply_address(table.match.id, 0, table.match.ply)
    if module is bounces:
        to = bounce_address(keys_of(postman.context), service, "0" * 32)
    message = postman.mail(to, "ada@example.org", "1")

    def hang(*_: object) -> None:
        while True:
            pass

    monkeypatch.setattr(module, "PARSING_SECONDS", 0.05)
    monkeypatch.setattr(module, name, hang)
    child = os.fork()
    if not child:
        try:
            postman.bring(message)
        finally:
            os._exit(0)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == OUT_OF_PROCESSOR_TIME
